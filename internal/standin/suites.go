package standin

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// checkSuite gathers the App's runs on one commit of one repository.
type checkSuite struct {
	id      int64
	repo    *repository
	sha     string
	branch  string // "" for a commit of a fork
	before  *string
	created time.Time
	updated time.Time
	reset   bool // asked for again, and nothing has come since
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// escapePath escapes each segment of a path.
func escapePath(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return strings.Join(segments, "/")
}

// suiteFor finds or makes the suite of a commit. Caller holds mu.
func (g *GitHub) suiteFor(r *repository, sha, branch string, before *string) *checkSuite {
	for _, s := range r.suites {
		if s.sha == sha {
			if s.branch == "" {
				s.branch = branch
			}
			return s
		}
	}
	now := g.now()
	s := &checkSuite{id: g.nextID("check suite"), repo: r, sha: sha, branch: branch, before: before, created: now, updated: now}
	r.suites = append(r.suites, s)
	return s
}

// state is the suite's status and conclusion, from the latest run of each name.
func (s *checkSuite) state() (status, conclusion string) {
	latest := map[string]*checkRun{}
	for _, k := range s.repo.runs {
		if k.suite == s {
			latest[k.Name] = k
		}
	}
	if s.reset || len(latest) == 0 {
		return statusQueued, ""
	}
	// The worst conclusion of the runs is the suite's.
	order := []string{"failure", "timed_out", "action_required", "cancelled", "success", "neutral", "skipped"}
	worst := len(order)
	for _, k := range latest {
		if k.Status != statusCompleted {
			return statusInProgress, ""
		}
		worst = min(worst, slices.Index(order, k.Conclusion))
	}
	return statusCompleted, order[worst]
}

// checkSuiteJSON needs mu held.
func (g *GitHub) checkSuiteJSON(s *checkSuite, head gitCommit) object {
	api := g.repoAPI(s.repo) + "/check-suites/" + itoa(s.id)
	status, conclusion := s.state()
	runs := 0
	for _, k := range s.repo.runs {
		if k.suite == s {
			runs++
		}
	}
	return object{
		"id": s.id, "node_id": nodeID("CheckSuite", s.id), "head_branch": orNull(s.branch), "head_sha": s.sha, "before": s.before, "after": s.sha,
		"status": status, "conclusion": orNull(conclusion), "url": api, "check_runs_url": api + "/check-runs", "latest_check_runs_count": runs,
		"created_at": stamp(s.created), "updated_at": stamp(s.updated), "app": g.appJSON(), "repository": g.minimalRepoJSON(s.repo),
		"pull_requests": g.pullsAtJSON(s.repo, s.sha), "head_commit": simpleCommitJSON(head), "rerequestable": true, "runs_rerequestable": true,
	}
}

// suiteByID needs mu held.
func (r *repository) suiteByID(id int64) *checkSuite {
	for _, s := range r.suites {
		if s.id == id {
			return s
		}
	}
	return nil
}

// suitesReply renders suites, whose commits are read from git without the lock.
func (c *call) suitesReply(pick func(*checkSuite) bool, answer func([]object) reply) reply {
	c.g.mu.Lock()
	var picked []*checkSuite
	for _, s := range c.repo.suites {
		if pick(s) {
			picked = append(picked, s)
		}
	}
	c.g.mu.Unlock()
	heads, err := c.repo.dir.headsOf(c.ctx(), picked)
	if err != nil {
		return serverError(err)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return answer(mapped(picked, func(s *checkSuite) object { return c.g.checkSuiteJSON(s, heads[s.sha]) }))
}

func (d gitDir) headsOf(ctx context.Context, suites []*checkSuite) (map[string]gitCommit, error) {
	heads := map[string]gitCommit{}
	for _, s := range suites {
		commits, err := d.log(ctx, 1, s.sha)
		if err != nil {
			return nil, err
		}
		heads[s.sha] = commits[0]
	}
	return heads, nil
}

func createCheckSuite(c *call) reply {
	var in struct {
		HeadSHA string `json:"head_sha"`
	}
	if problem := c.decode(&in); problem != nil {
		return *problem
	}
	sha, err := c.repo.dir.commitOf(c.ctx(), in.HeadSHA)
	if err != nil {
		return refuse(http.StatusUnprocessableEntity, "No commit found for SHA: %s", in.HeadSHA)
	}
	c.g.mu.Lock()
	known := slices.ContainsFunc(c.repo.suites, func(s *checkSuite) bool { return s.sha == sha })
	suite := c.g.suiteFor(c.repo, sha, "", nil)
	c.g.mu.Unlock()
	return c.suitesReply(func(s *checkSuite) bool { return s == suite }, func(o []object) reply {
		if known {
			return ok(o[0])
		}
		return created(o[0])
	})
}

func getCheckSuite(c *call) reply {
	id := c.number("check_suite_id")
	return c.suitesReply(func(s *checkSuite) bool { return s.id == id }, func(o []object) reply {
		if len(o) == 0 {
			return notFound()
		}
		return ok(o[0])
	})
}

func listRefSuites(c *call) reply {
	sha, err := c.repo.dir.commitOf(c.ctx(), c.params["ref"])
	if err != nil {
		return c.noCommit(c.params["ref"])
	}
	return c.suitesReply(func(s *checkSuite) bool { return s.sha == sha }, func(all []object) reply {
		part, link := cut(c, all)
		return ok(object{"total_count": len(all), "check_suites": part}).linked(link)
	})
}

func rerequestCheckRun(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	k := c.findRun()
	if k == nil {
		return notFound()
	}
	c.g.rerequestRun(k, c.g.senderOf(c.who))
	return created(object{})
}

func rerequestCheckSuite(c *call) reply {
	c.g.mu.Lock()
	s := c.repo.suiteByID(c.number("check_suite_id"))
	c.g.mu.Unlock()
	if s == nil {
		return notFound()
	}
	if err := c.g.rerequestSuite(c.ctx(), s, c.g.senderOf(c.who)); err != nil {
		return serverError(err)
	}
	return created(object{})
}

// senderOf is the account that acts for a caller.
func (g *GitHub) senderOf(who caller) *account {
	if who.token != nil && who.token.user != nil {
		return who.token.user
	}
	return g.app.bot
}
