package standin

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
)

// gitPerson is an author or committer; date is RFC 3339.
type gitPerson struct{ name, email, date string }

type gitCommit struct {
	sha, tree         string
	parents           []string
	author, committer gitPerson
	message           string
}

const (
	logFields = 10
	logFormat = "--format=tformat:%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%B"
)

// log lists commits, newest first, at most limit (0: all), for revisions and
// options of git log.
func (d gitDir) log(ctx context.Context, limit int, revisions ...string) ([]gitCommit, error) {
	args := []string{"log", "-z", logFormat}
	if limit > 0 {
		args = append(args, "--max-count="+strconv.Itoa(limit))
	}
	out, err := d.run(ctx, append(args, revisions...)...)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(out) == 0 {
		return nil, nil
	}
	if len(fields)%logFields != 0 {
		return nil, fmt.Errorf("read git log: %d fields are not whole commits", len(fields))
	}
	var commits []gitCommit
	for f := fields; len(f) >= logFields; f = f[logFields:] {
		commits = append(commits, gitCommit{
			sha: f[0], tree: f[1], parents: strings.Fields(f[2]),
			author: gitPerson{f[3], f[4], f[5]}, committer: gitPerson{f[6], f[7], f[8]},
			message: strings.TrimSuffix(f[9], "\n"),
		})
	}
	return commits, nil
}

func (p gitPerson) json() object {
	return object{"name": p.name, "email": p.email, "date": p.date}
}

func unsigned() object {
	return object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}
}

// commitJSON is a commit as the commits API shows it. Caller holds mu.
func (g *GitHub) commitJSON(r *repository, k gitCommit) object {
	api, html := g.repoAPI(r), g.repoHTML(r)
	parents := mapped(k.parents, func(sha string) object {
		return object{"sha": sha, "url": api + "/commits/" + sha, "html_url": html + "/commit/" + sha}
	})
	return object{
		"sha": k.sha, "node_id": nodeID("Commit", k.sha), "url": api + "/commits/" + k.sha, "html_url": html + "/commit/" + k.sha,
		"comments_url": api + "/commits/" + k.sha + "/comments", "parents": parents,
		"author": g.accountOrNull(g.accountByEmail(k.author.email)), "committer": g.accountOrNull(g.accountByEmail(k.committer.email)),
		"commit": object{
			"url": api + "/git/commits/" + k.sha, "author": k.author.json(), "committer": k.committer.json(), "message": k.message,
			"comment_count": 0, "tree": object{"sha": k.tree, "url": api + "/git/trees/" + k.tree}, "verification": unsigned(),
		},
	}
}

// accountByEmail finds LOGIN@users.noreply.github.com. Caller holds mu.
func (g *GitHub) accountByEmail(email string) *account {
	login, isOurs := strings.CutSuffix(email, "@users.noreply.github.com")
	if !isOurs {
		return nil
	}
	return g.world.accounts[strings.ToLower(login)]
}

// gitCommitJSON is a commit as the git database shows it. Caller holds mu.
func (g *GitHub) gitCommitJSON(r *repository, k gitCommit) object {
	api, html := g.repoAPI(r), g.repoHTML(r)
	parents := mapped(k.parents, func(sha string) object {
		return object{"sha": sha, "url": api + "/git/commits/" + sha, "html_url": html + "/commit/" + sha}
	})
	return object{
		"sha": k.sha, "node_id": nodeID("Commit", k.sha), "url": api + "/git/commits/" + k.sha, "html_url": html + "/commit/" + k.sha,
		"author": k.author.json(), "committer": k.committer.json(), "message": k.message, "parents": parents,
		"tree": object{"sha": k.tree, "url": api + "/git/trees/" + k.tree}, "verification": unsigned(),
	}
}

// simpleCommitJSON is a commit as suites and merge groups show it.
func simpleCommitJSON(k gitCommit) object {
	return object{
		"id": k.sha, "tree_id": k.tree, "message": k.message, "timestamp": k.committer.date,
		"author":    object{"name": k.author.name, "email": k.author.email},
		"committer": object{"name": k.committer.name, "email": k.committer.email},
	}
}

// noCommit is the answer for a ref that names no commit.
func (c *call) noCommit(ref string) reply {
	if c.repo.dir.empty(c.ctx()) {
		return refuse(http.StatusConflict, "Git Repository is empty.")
	}
	return refuse(http.StatusUnprocessableEntity, "No commit found for SHA: %s", ref)
}

// empty reports whether the repository has no branch.
func (d gitDir) empty(ctx context.Context) bool {
	out, err := d.run(ctx, "for-each-ref", "--count=1", "refs/heads")
	return err == nil && len(out) == 0
}

func listCommits(c *call) reply {
	ref := c.query.Get("sha")
	if ref == "" {
		ref = c.g.mainBranch(c.repo)
	}
	sha, err := c.repo.dir.commitOf(c.ctx(), ref)
	if err != nil {
		if c.repo.dir.empty(c.ctx()) {
			return c.noCommit(ref)
		}
		return notFound()
	}
	if strings.Contains(c.query.Get("path")+c.query.Get("since")+c.query.Get("until")+c.query.Get("author"), "\x00") {
		return refuse(http.StatusBadRequest, "Bad Request")
	}
	args := []string{"--fixed-strings", sha}
	for option, name := range map[string]string{"since": "--since=", "until": "--until=", "author": "--author="} {
		if v := c.query.Get(option); v != "" {
			args = append(args, name+v)
		}
	}
	path := c.query.Get("path")
	if path != "" {
		args = append(args, "--", ":(literal)"+path)
	}
	var commits []gitCommit
	if path == "" || filepath.IsLocal(path) { // what is outside of the repository has none
		if commits, err = c.repo.dir.log(c.ctx(), 0, args...); err != nil {
			return serverError(err)
		}
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return list(c, commits, func(k gitCommit) object { return c.g.commitJSON(c.repo, k) })
}

func getGitCommit(c *call) reply {
	sha := c.params["commit_sha"]
	if kind, err := c.repo.dir.objectType(c.ctx(), sha); err != nil || kind != "commit" {
		if c.repo.dir.empty(c.ctx()) {
			return refuse(http.StatusConflict, "Git Repository is empty.")
		}
		return notFound()
	}
	commits, err := c.repo.dir.log(c.ctx(), 1, sha)
	if err != nil {
		return serverError(err)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return ok(c.g.gitCommitJSON(c.repo, commits[0]))
}
