package standin

import (
	"strconv"
	"strings"
)

// wantsDiff reports whether the Accept header asks for the text of a diff.
func (c *call) wantsDiff() bool {
	accept := c.req.Header.Get("Accept")
	return strings.Contains(accept, ".diff") || strings.Contains(accept, ".patch")
}

// diffReply answers with the text of a diff.
func (c *call) diffReply(base, head string) reply {
	out, err := c.repo.dir.run(c.ctx(), "diff-tree", "-r", "-M", "-p", "--no-ext-diff", "--no-textconv", base, head)
	if err != nil {
		return serverError(err)
	}
	return rawReply("application/vnd.github.v3.diff; charset=utf-8", out)
}

// getCommit is GET /repos/{owner}/{repo}/commits/{ref}, with files and counts.
func getCommit(c *call) reply {
	sha, err := c.repo.dir.commitOf(c.ctx(), c.params["ref"])
	if err != nil {
		return c.noCommit(c.params["ref"])
	}
	commits, err := c.repo.dir.log(c.ctx(), 1, sha)
	if err != nil {
		return serverError(err)
	}
	parent := emptyTree
	if len(commits[0].parents) > 0 {
		parent = commits[0].parents[0]
	}
	if strings.Contains(c.req.Header.Get("Accept"), ".sha") {
		return rawReply("application/vnd.github.v3.sha; charset=utf-8", []byte(sha))
	}
	if c.wantsDiff() {
		return c.diffReply(parent, sha)
	}
	files, err := c.g.changes(c.ctx(), c.repo, parent, sha)
	if err != nil {
		return serverError(err)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	part, link := cut(c, files[:min(len(files), maxPullFiles)])
	additions, deletions := totals(files)
	body := c.g.commitJSON(c.repo, commits[0])
	body["stats"] = object{"additions": additions, "deletions": deletions, "total": additions + deletions}
	body["files"] = mapped(part, c.g.fileJSON(c.repo, sha))
	return ok(body).linked(link)
}

// side resolves one end of a comparison, "branch" or "owner:branch" of a fork,
// whose objects are brought in first.
func (c *call) side(name string) (string, *repository) {
	r := c.repo
	if owner, branch, cross := strings.Cut(name, ":"); cross {
		c.g.mu.Lock()
		r = c.g.networkRepo(c.repo, owner)
		c.g.mu.Unlock()
		name = branch
	}
	if r == nil || !c.who.sees(r) {
		return "", nil
	}
	sha, err := r.dir.commitOf(c.ctx(), name)
	if err != nil {
		return "", nil
	}
	if r != c.repo && c.repo.dir.bring(c.ctx(), r.dir, sha) != nil {
		return "", nil
	}
	return sha, r
}

// networkRepo finds the repository of an owner among a repository and its forks.
// Caller holds mu.
func (g *GitHub) networkRepo(r *repository, owner string) *repository {
	root := r
	if r.parent != nil {
		root = r.parent
	}
	if strings.EqualFold(root.owner.login, owner) {
		return root
	}
	for _, other := range g.world.repos {
		if other.parent == root && !other.deleted && strings.EqualFold(other.owner.login, owner) {
			return other
		}
	}
	return nil
}

// compareCommits is GET /repos/{owner}/{repo}/compare/{base}...{head}: commits by
// page, at most maxCompareFiles files on the first page.
func compareCommits(c *call) reply {
	baseName, headName, two := strings.Cut(c.params["basehead"], "...")
	base, _ := c.side(baseName)
	head, _ := c.side(headName)
	if !two || base == "" || head == "" {
		return notFound()
	}
	dir := c.repo.dir
	fork := dir.mergeBase(c.ctx(), base, head)
	if fork == "" {
		return refuse(404, "No common ancestor between %s and %s.", baseName, headName)
	}
	if c.wantsDiff() {
		return c.diffReply(fork, head)
	}
	commits, err := dir.log(c.ctx(), 0, "--reverse", base+".."+head)
	if err != nil {
		return serverError(err)
	}
	behind, err := dir.text(c.ctx(), "rev-list", "--count", head+".."+base)
	if err != nil {
		return serverError(err)
	}
	ends, err := dir.log(c.ctx(), 0, "--no-walk=unsorted", base, fork)
	if err != nil {
		return serverError(err)
	}
	files, err := c.g.changes(c.ctx(), c.repo, fork, head)
	if err != nil {
		return serverError(err)
	}
	behindBy, _ := strconv.Atoi(behind)
	return c.comparison(commits, ends, files, behindBy, base, head)
}

// comparison writes the answer; ends are the base commit and the merge base.
func (c *call) comparison(commits, ends []gitCommit, files []changedFile, behind int, base, head string) reply {
	g := c.g
	g.mu.Lock()
	defer g.mu.Unlock()
	paged := c.query.Has("page") || c.query.Has("per_page")
	part, link, first := commits[:min(len(commits), maxComparePage)], "", true
	if paged {
		part, link = cut(c, commits)
		first = pagination(c.query, maxPerPage).page == 1
	}
	rows := []object{}
	if first {
		rows = mapped(files[:min(len(files), maxCompareFiles)], g.fileJSON(c.repo, head))
	}
	status := map[[2]bool]string{{false, false}: "identical", {true, false}: "ahead", {false, true}: "behind", {true, true}: "diverged"}
	api, html := g.repoAPI(c.repo)+"/compare/", g.repoHTML(c.repo)+"/compare/"
	toJSON := func(k gitCommit) object { return g.commitJSON(c.repo, k) }
	return ok(object{
		"url": api + c.params["basehead"], "html_url": html + c.params["basehead"], "permalink_url": html + base + "..." + head,
		"diff_url": html + c.params["basehead"] + ".diff", "patch_url": html + c.params["basehead"] + ".patch",
		"base_commit": toJSON(ends[0]), "merge_base_commit": toJSON(ends[len(ends)-1]),
		"status":   status[[2]bool{len(commits) > 0, behind > 0}],
		"ahead_by": len(commits), "behind_by": behind, "total_commits": len(commits), "commits": mapped(part, toJSON), "files": rows,
	}).linked(link)
}
