package standin

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

// States of issues and pull requests.
const (
	stateOpen   = "open"
	stateClosed = "closed"
)

// pull is what a pull request has beyond an issue.
type pull struct {
	base, head pullEnd
	draft      bool
	mergeable  bool
	testMerge  string // commit of refs/pull/N/merge, "" on conflict
	merged     *time.Time
	mergedBy   *account
	mergeSHA   string
}

// pullEnd is one side of a pull request. repo is nil when the fork is gone.
type pullEnd struct {
	ref, sha string
	repo     *repository
	owner    *account
}

// pullStats are the counts that only git knows.
type pullStats struct{ commits, files, additions, deletions int }

// pullInput is the body of creating a pull request, by the API or by a person.
type pullInput struct {
	Title string `json:"title"`
	Head  string `json:"head"` // "branch" or "owner:branch"
	Base  string `json:"base"`
	Body  string `json:"body"`
	Draft bool   `json:"draft"`
}

// findPull needs mu held.
func (c *call) findPull() *issue {
	i := c.repo.issues[int(c.number("pull_number"))]
	if i == nil || i.pull == nil {
		return nil
	}
	return i
}

// pullRange returns the commits that a pull request compares: where its head left
// the base branch, and the head. Caller does not hold mu.
func (g *GitHub) pullRange(ctx context.Context, i *issue) (fork, head string) {
	g.mu.Lock()
	base, ref, head := i.pull.base.sha, i.pull.base.ref, i.pull.head.sha
	merged := i.pull.merged != nil
	g.mu.Unlock()
	if tip := i.repo.dir.branchSHA(ctx, ref); tip != "" && !merged {
		base = tip
	}
	if fork = i.repo.dir.mergeBase(ctx, base, head); fork == "" {
		fork = base
	}
	return fork, head
}

// pullFiles lists what a pull request changes.
func (g *GitHub) pullFiles(ctx context.Context, i *issue) ([]changedFile, error) {
	fork, head := g.pullRange(ctx, i)
	return g.changes(ctx, i.repo, fork, head)
}

func (g *GitHub) pullCommits(ctx context.Context, i *issue) ([]gitCommit, error) {
	fork, head := g.pullRange(ctx, i)
	return i.repo.dir.log(ctx, maxPullCommits, "--reverse", fork+".."+head)
}

func (g *GitHub) pullStats(ctx context.Context, i *issue) (pullStats, error) {
	files, err := g.pullFiles(ctx, i)
	if err != nil {
		return pullStats{}, err
	}
	commits, err := g.pullCommits(ctx, i)
	if err != nil {
		return pullStats{}, err
	}
	additions, deletions := totals(files)
	return pullStats{len(commits), len(files), additions, deletions}, nil
}

func getPull(c *call) reply {
	c.g.mu.Lock()
	i := c.findPull()
	c.g.mu.Unlock()
	if i == nil {
		return notFound()
	}
	if c.wantsDiff() {
		return c.diffReply(c.g.pullRange(c.ctx(), i))
	}
	return c.pullReply(http.StatusOK, i)
}

// pullReply answers with the whole pull request.
func (c *call) pullReply(status int, i *issue) reply {
	stats, err := c.g.pullStats(c.ctx(), i)
	if err != nil {
		return serverError(err)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return reply{status: status, body: c.g.pullJSON(i, stats)}
}

// listPulls is GET /repos/{owner}/{repo}/pulls, newest first unless sorted otherwise.
func listPulls(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	state := c.query.Get("state")
	if state == "" {
		state = stateOpen
	}
	head, base := c.query.Get("head"), c.query.Get("base")
	var all []*issue
	for _, i := range c.repo.pullsOf() {
		p := i.pull
		if state != "all" && i.state != state || base != "" && p.base.ref != base || head != "" && !strings.EqualFold(p.head.label(), head) {
			continue
		}
		all = append(all, i)
	}
	if c.query.Get("sort") == "updated" {
		slices.SortStableFunc(all, func(a, b *issue) int { return a.updated.Compare(b.updated) })
	}
	if c.query.Get("direction") != "asc" {
		slices.Reverse(all)
	}
	return list(c, all, c.g.pullSimpleJSON)
}

func listPullFiles(c *call) reply {
	c.g.mu.Lock()
	i := c.findPull()
	c.g.mu.Unlock()
	if i == nil {
		return notFound()
	}
	files, err := c.g.pullFiles(c.ctx(), i)
	if err != nil {
		return serverError(err)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return list(c, files[:min(len(files), maxPullFiles)], c.g.fileJSON(c.repo, i.pull.head.sha))
}

func listPullCommits(c *call) reply {
	c.g.mu.Lock()
	i := c.findPull()
	c.g.mu.Unlock()
	if i == nil {
		return notFound()
	}
	commits, err := c.g.pullCommits(c.ctx(), i)
	if err != nil {
		return serverError(err)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return list(c, commits, func(k gitCommit) object { return c.g.commitJSON(c.repo, k) })
}

// listCommitPulls lists the pull requests that a commit belongs to.
func listCommitPulls(c *call) reply {
	sha, err := c.repo.dir.commitOf(c.ctx(), c.params["commit_sha"])
	if err != nil {
		return c.noCommit(c.params["commit_sha"])
	}
	c.g.mu.Lock()
	pulls := c.repo.pullsOf()
	c.g.mu.Unlock()
	var all []*issue
	for _, i := range pulls {
		commits, err := c.g.pullCommits(c.ctx(), i)
		if err != nil {
			return serverError(err)
		}
		if slices.ContainsFunc(commits, func(k gitCommit) bool { return k.sha == sha }) {
			all = append(all, i)
		}
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return list(c, all, c.g.pullSimpleJSON)
}

func createPull(c *call) reply {
	var in pullInput
	if problem := c.decode(&in); problem != nil {
		return *problem
	}
	i, problem := c.g.openPull(c.ctx(), c.g.senderOf(c.who), c.repo, in)
	if problem != nil {
		return *problem
	}
	return c.pullReply(http.StatusCreated, i)
}

// pullChange is the body of PATCH pulls; nil fields stay.
type pullChange struct {
	Title *string `json:"title"`
	Body  *string `json:"body"`
	State *string `json:"state"`
	Base  *string `json:"base"`
}

func updatePull(c *call) reply {
	var in pullChange
	if problem := c.decode(&in); problem != nil {
		return *problem
	}
	c.g.mu.Lock()
	i := c.findPull()
	c.g.mu.Unlock()
	if i == nil {
		return notFound()
	}
	if problem := c.g.changePull(c.ctx(), c.g.senderOf(c.who), i, in); problem != nil {
		return *problem
	}
	return c.pullReply(http.StatusOK, i)
}
