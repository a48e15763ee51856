package standin

import (
	"fmt"
	"maps"
)

// label is "owner:branch".
func (e pullEnd) label() string {
	if e.owner == nil {
		return e.ref
	}
	return e.owner.login + ":" + e.ref
}

// issueHTML is the web address of an issue or pull request. Caller holds mu.
func (g *GitHub) issueHTML(i *issue) string {
	kind := "issues"
	if i.pull != nil {
		kind = "pull"
	}
	return fmt.Sprintf("%s/%s/%d", g.repoHTML(i.repo), kind, i.number)
}

// pullMinimalJSON is a pull request in check runs and suites. Caller holds mu.
func (g *GitHub) pullMinimalJSON(i *issue) object {
	end := func(e pullEnd) object {
		return object{"ref": e.ref, "sha": e.sha, "repo": object{"id": e.repo.id, "url": g.repoAPI(e.repo), "name": e.repo.name}}
	}
	return object{
		"id": i.id, "number": i.number, "url": fmt.Sprintf("%s/pulls/%d", g.repoAPI(i.repo), i.number),
		"head": end(i.pull.head), "base": end(i.pull.base),
	}
}

// endJSON is one side of a pull request; repo is null for a fork that is gone.
// Caller holds mu.
func (g *GitHub) endJSON(e pullEnd) object {
	out := object{"label": e.label(), "ref": e.ref, "sha": e.sha, "user": g.accountOrNull(e.owner), "repo": nil}
	if e.repo != nil && !e.repo.deleted {
		out["repo"] = g.repoJSON(e.repo)
	}
	return out
}

// pullSimpleJSON is a pull request in lists. Caller holds mu.
func (g *GitHub) pullSimpleJSON(i *issue) object {
	p := i.pull
	api, html := g.repoAPI(i.repo), g.issueHTML(i)
	self, issueURL := fmt.Sprintf("%s/pulls/%d", api, i.number), fmt.Sprintf("%s/issues/%d", api, i.number)
	urls := map[string]string{
		"comments_url": issueURL + "/comments", "commits_url": self + "/commits", "review_comments_url": self + "/comments",
		"review_comment_url": api + "/pulls/comments{/number}", "statuses_url": api + "/statuses/" + p.head.sha,
	}
	link := func(href string) object { return object{"href": href} }
	out := object{
		"id": i.id, "node_id": nodeID("PullRequest", i.id), "number": i.number, "state": i.state, "locked": i.locked, "title": i.title,
		"body": orNull(i.body), "user": g.accountJSON(i.user), "draft": p.draft, "author_association": i.repo.association(i.user),
		"url": self, "html_url": html, "diff_url": html + ".diff", "patch_url": html + ".patch", "issue_url": issueURL,
		"created_at": stamp(i.created), "updated_at": stamp(i.updated), "closed_at": stampOrNull(i.closed), "merged_at": stampOrNull(p.merged),
		"merge_commit_sha": orNull(p.mergeCommit()), "assignee": nil, "assignees": []object{}, "requested_reviewers": []object{},
		"requested_teams": []object{}, "labels": []object{}, "milestone": nil, "auto_merge": nil, "active_lock_reason": nil,
		"head": g.endJSON(p.head), "base": g.endJSON(p.base),
		"_links": object{
			"self": link(self), "html": link(html), "issue": link(issueURL), "comments": link(urls["comments_url"]),
			"review_comments": link(urls["review_comments_url"]), "review_comment": link(urls["review_comment_url"]),
			"commits": link(urls["commits_url"]), "statuses": link(urls["statuses_url"]),
		},
	}
	for name, url := range urls {
		out[name] = url
	}
	return out
}

// mergeCommit is the merge once merged, the test merge before.
func (p *pull) mergeCommit() string {
	if p.merged != nil {
		return p.mergeSHA
	}
	return p.testMerge
}

// pullJSON is the whole pull request. Caller holds mu.
func (g *GitHub) pullJSON(i *issue, stats pullStats) object {
	p := i.pull
	state, mergeable := "unknown", any(nil)
	if i.state == stateOpen {
		state, mergeable = "dirty", p.mergeable
		if p.mergeable {
			state = "clean"
		}
		if p.draft {
			state = "draft"
		}
	}
	out := g.pullSimpleJSON(i)
	maps.Copy(out, object{
		"merged": p.merged != nil, "merged_by": g.accountOrNull(p.mergedBy), "mergeable": mergeable, "rebaseable": mergeable,
		"mergeable_state": state, "comments": len(i.comments), "review_comments": 0, "maintainer_can_modify": false,
		"commits": stats.commits, "changed_files": stats.files, "additions": stats.additions, "deletions": stats.deletions,
	})
	return out
}

// issueJSON is an issue as issue_comment shows it; a pull request is told by its
// pull_request key. Caller holds mu.
func (g *GitHub) issueJSON(i *issue) object {
	api := fmt.Sprintf("%s/issues/%d", g.repoAPI(i.repo), i.number)
	out := object{
		"id": i.id, "node_id": nodeID("Issue", i.id), "number": i.number, "title": i.title, "body": orNull(i.body), "state": i.state,
		"state_reason": nil, "locked": i.locked, "active_lock_reason": nil, "user": g.accountJSON(i.user), "assignee": nil,
		"assignees": []object{}, "labels": []object{}, "milestone": nil, "comments": len(i.comments),
		"author_association": i.repo.association(i.user), "performed_via_github_app": nil,
		"created_at": stamp(i.created), "updated_at": stamp(i.updated), "closed_at": stampOrNull(i.closed),
		"url": api, "html_url": g.issueHTML(i), "repository_url": g.repoAPI(i.repo), "labels_url": api + "/labels{/name}",
		"comments_url": api + "/comments", "events_url": api + "/events", "timeline_url": api + "/timeline",
	}
	rollup := object{"url": api + "/reactions", "total_count": 0}
	for _, content := range reactionContents {
		rollup[content] = 0
	}
	out["reactions"] = rollup
	if p := i.pull; p != nil {
		self := g.issueHTML(i)
		out["draft"] = p.draft
		out["pull_request"] = object{
			"url": fmt.Sprintf("%s/pulls/%d", g.repoAPI(i.repo), i.number), "html_url": self,
			"diff_url": self + ".diff", "patch_url": self + ".patch", "merged_at": stampOrNull(p.merged),
		}
	}
	return out
}
