package standin

import (
	"net/http"
	"net/url"
	"strings"
)

// repoURLs are the addresses below a repository's API URL.
var repoURLs = map[string]string{
	"archive_url": "/{archive_format}{/ref}", "assignees_url": "/assignees{/user}", "blobs_url": "/git/blobs{/sha}",
	"branches_url": "/branches{/branch}", "collaborators_url": "/collaborators{/collaborator}", "comments_url": "/comments{/number}",
	"commits_url": "/commits{/sha}", "compare_url": "/compare/{base}...{head}", "contents_url": "/contents/{+path}",
	"contributors_url": "/contributors", "deployments_url": "/deployments", "downloads_url": "/downloads", "events_url": "/events",
	"forks_url": "/forks", "git_commits_url": "/git/commits{/sha}", "git_refs_url": "/git/refs{/sha}", "git_tags_url": "/git/tags{/sha}",
	"hooks_url": "/hooks", "issue_comment_url": "/issues/comments{/number}", "issue_events_url": "/issues/events{/number}",
	"issues_url": "/issues{/number}", "keys_url": "/keys{/key_id}", "labels_url": "/labels{/name}", "languages_url": "/languages",
	"merges_url": "/merges", "milestones_url": "/milestones{/number}", "notifications_url": "/notifications{?since,all,participating}",
	"pulls_url": "/pulls{/number}", "releases_url": "/releases{/id}", "stargazers_url": "/stargazers", "statuses_url": "/statuses/{sha}",
	"subscribers_url": "/subscribers", "subscription_url": "/subscription", "tags_url": "/tags", "teams_url": "/teams", "trees_url": "/git/trees{/sha}",
}

// repoAPI is a repository's API URL. Caller holds mu.
func (g *GitHub) repoAPI(r *repository) string { return g.url + apiPrefix + "/repos/" + r.fullName() }

// repoHTML is a repository's web address. Caller holds mu.
func (g *GitHub) repoHTML(r *repository) string { return g.url + "/" + r.fullName() }

// minimalRepoJSON is a repository as lists and suites show it. Caller holds mu.
func (g *GitHub) minimalRepoJSON(r *repository) object {
	api := g.repoAPI(r)
	out := object{
		"id": r.id, "node_id": nodeID("Repository", r.id), "name": r.name, "full_name": r.fullName(), "owner": g.accountJSON(r.owner),
		"private": r.private, "html_url": g.repoHTML(r), "description": orNull(r.description), "fork": r.parent != nil, "url": api,
	}
	for name, tail := range repoURLs {
		out[name] = api + tail
	}
	return out
}

// repoJSON is a repository as most answers and webhooks show it. Caller holds mu.
func (g *GitHub) repoJSON(r *repository) object {
	out := g.minimalRepoJSON(r)
	host := strings.TrimPrefix(g.url, "http://")
	visibility := "public"
	if r.private {
		visibility = "private"
	}
	open, forks := 0, 0
	for _, i := range r.issues {
		if i.state == stateOpen {
			open++
		}
	}
	for _, other := range g.world.repos {
		if other.parent == r && !other.deleted {
			forks++
		}
	}
	for name, value := range map[string]any{
		"clone_url": g.repoHTML(r) + ".git", "git_url": "git://" + host + "/" + r.fullName() + ".git",
		"ssh_url": "git@" + host + ":" + r.fullName() + ".git", "svn_url": g.repoHTML(r), "mirror_url": nil, "homepage": nil, "language": nil,
		"license": nil, "default_branch": r.defaultBranch, "size": 0, "forks": forks, "forks_count": forks,
		"stargazers_count": 0, "watchers": 0, "watchers_count": 0, "open_issues": open, "open_issues_count": open,
		"is_template": false, "topics": []string{}, "has_issues": true, "has_projects": false, "has_wiki": false, "has_pages": false,
		"has_downloads": true, "has_discussions": false, "archived": r.archived, "disabled": r.disabled, "visibility": visibility,
		"allow_forking": true, "custom_properties": object{}, "web_commit_signoff_required": false,
		"created_at": stamp(r.created), "updated_at": stamp(r.updated), "pushed_at": stamp(r.pushed),
	} {
		out[name] = value
	}
	return out
}

// fullRepoJSON is GET /repos/{owner}/{repo}. Caller holds mu.
func (g *GitHub) fullRepoJSON(r *repository, who caller) object {
	out := g.repoJSON(r)
	out["network_count"], out["subscribers_count"] = out["forks_count"], 0
	out["allow_squash_merge"], out["allow_merge_commit"], out["allow_rebase_merge"] = true, true, true
	out["allow_auto_merge"], out["delete_branch_on_merge"], out["allow_update_branch"] = false, false, false
	if r.owner.kind == kindOrg {
		out["organization"] = g.accountJSON(r.owner)
	}
	if r.parent != nil && !r.parent.deleted {
		out["parent"], out["source"] = g.repoJSON(r.parent), g.repoJSON(r.parent)
	}
	if who.token != nil {
		out["permissions"] = permissionsJSON(r, who)
	}
	return out
}

// permissionsJSON says what the caller may do.
func permissionsJSON(r *repository, who caller) object {
	role := RoleNone
	if who.token.user != nil {
		role = r.roleOf(who.token.user)
	}
	push := role.canWrite() || who.reaches(r) && who.token.has(write("contents"))
	return object{
		"admin": role == RoleAdmin, "maintain": role == RoleAdmin || role == RoleMaintain, "push": push,
		"triage": push || role == RoleTriage, "pull": true,
	}
}

// shortRepos is the list of repositories in installation webhooks.
func (g *GitHub) shortRepos(repos []*repository) []object {
	return mapped(repos, func(r *repository) object {
		return object{"id": r.id, "node_id": nodeID("Repository", r.id), "name": r.name, "full_name": r.fullName(), "private": r.private}
	})
}

func getRepo(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return ok(c.g.fullRepoJSON(c.repo, c.who))
}

// getPermission answers 404 for a login that is no user, and "none" or "read" for
// one that is no collaborator.
func getPermission(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	login := c.params["username"]
	a := c.g.world.accounts[strings.ToLower(login)]
	if a == nil || a.kind != kindUser && a.kind != kindBot {
		return refuse(http.StatusNotFound, "%s is not a user", login)
	}
	role := c.repo.roleOf(a)
	user := c.g.accountJSON(a)
	user["permissions"] = object{
		"admin": role == RoleAdmin, "maintain": role == RoleAdmin || role == RoleMaintain, "push": role.canWrite(),
		"triage": role.canWrite() || role == RoleTriage, "pull": role != RoleNone,
	}
	user["role_name"] = role
	return ok(object{"permission": role.permission(), "role_name": role, "user": user})
}

func getBranch(c *call) reply {
	branch := c.params["branch"]
	sha := c.repo.dir.branchSHA(c.ctx(), branch)
	if sha == "" {
		return refuse(http.StatusNotFound, "Branch not found")
	}
	commits, err := c.repo.dir.log(c.ctx(), 1, sha)
	if err != nil {
		return serverError(err)
	}
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	api := c.g.repoAPI(c.repo) + "/branches/" + url.PathEscape(branch)
	return ok(object{
		"name": branch, "commit": c.g.commitJSON(c.repo, commits[0]), "protected": false,
		"_links":         object{"self": api, "html": c.g.repoHTML(c.repo) + "/tree/" + branch},
		"protection":     object{"enabled": false, "required_status_checks": object{"enforcement_level": "off", "contexts": []string{}, "checks": []object{}}},
		"protection_url": api + "/protection",
	})
}

// serverError is a failure of the stand-in itself; the message helps to mend it.
func serverError(err error) reply {
	return refuse(http.StatusInternalServerError, "Server Error: %v", err)
}
