package standin

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// orgJSON is an organisation as webhooks show it. Caller holds mu.
func (g *GitHub) orgJSON(a *account) object {
	api := g.url + apiPrefix + "/orgs/" + a.login
	return object{
		"login": a.login, "id": a.id, "node_id": nodeID(a.kind, a.id), "url": api, "description": nil, "repos_url": api + "/repos",
		"events_url": api + "/events", "hooks_url": api + "/hooks", "issues_url": api + "/issues", "members_url": api + "/members{/member}",
		"public_members_url": api + "/public_members{/member}", "avatar_url": g.accountJSON(a)["avatar_url"],
	}
}

// noreply is the address under which GitHub knows an account's commits.
func (a *account) noreply() string { return a.login + "@users.noreply.github.com" }

// pushRepoJSON is the repository in push, where times are seconds. Caller holds mu.
func (g *GitHub) pushRepoJSON(r *repository) object {
	out := g.repoJSON(r)
	out["created_at"], out["pushed_at"] = r.created.Unix(), r.pushed.Unix()
	out["master_branch"], out["stargazers"] = r.defaultBranch, 0
	owner := g.accountJSON(r.owner)
	owner["name"], owner["email"] = r.owner.login, r.owner.noreply()
	out["owner"] = owner
	if r.owner.kind == kindOrg {
		out["organization"] = r.owner.login
	}
	return out
}

// pushPayload is the body of push for one ref; the second result is the commit at
// its new place. The list of commits stops at maxPushCommits.
func (g *GitHub) pushPayload(ctx context.Context, r *repository, by *account, k refChange) (object, gitCommit, error) {
	g.mu.Lock()
	html := g.repoHTML(r)
	g.mu.Unlock()
	isNew, gone := k.old == zeroSHA, k.new == zeroSHA
	body := object{
		"ref": k.ref, "before": k.old, "after": k.new, "created": isNew, "deleted": gone, "base_ref": nil, "commits": []object{}, "head_commit": nil,
		"forced": !isNew && !gone && !r.dir.isAncestor(ctx, k.old, k.new), "pusher": object{"name": by.login, "email": by.noreply()},
	}
	name := strings.TrimPrefix(strings.TrimPrefix(k.ref, headsPrefix), "refs/tags/")
	switch {
	case isNew:
		body["compare"] = html + "/compare/" + name
	case gone:
		body["compare"] = fmt.Sprintf("%s/compare/%.12s...%.12s", html, k.old, zeroSHA)
	default:
		body["compare"] = fmt.Sprintf("%s/compare/%.12s...%.12s", html, k.old, k.new)
	}
	if gone {
		return body, gitCommit{}, nil
	}
	head, err := r.dir.log(ctx, 1, k.new)
	if err != nil {
		return nil, gitCommit{}, err
	}
	commits, err := r.dir.pushed(ctx, k)
	if err != nil {
		return nil, gitCommit{}, err
	}
	rows, err := g.pushCommits(ctx, r, append(commits, head[0]))
	if err != nil {
		return nil, gitCommit{}, err
	}
	body["head_commit"] = rows[len(rows)-1]
	if strings.HasPrefix(k.ref, headsPrefix) {
		body["commits"] = rows[:len(rows)-1]
	}
	return body, head[0], nil
}

// pushed lists the commits that a push brought, oldest first: for a new branch,
// those that no other branch has.
func (d gitDir) pushed(ctx context.Context, k refChange) ([]gitCommit, error) {
	args := []string{"--reverse", k.new}
	if k.old == zeroSHA {
		args = append(args, "--not", "--exclude="+strings.TrimPrefix(k.ref, headsPrefix), "--branches")
	} else {
		args = append(args, "^"+k.old)
	}
	return d.log(ctx, maxPushCommits, args...)
}

// pushCommits renders commits with the paths that each changed.
func (g *GitHub) pushCommits(ctx context.Context, r *repository, commits []gitCommit) ([]object, error) {
	ids := make([]string, 0, len(commits))
	for _, k := range commits {
		ids = append(ids, k.sha)
	}
	out, err := r.dir.input(ctx, []byte(strings.Join(ids, "\n")+"\n"), nil, "diff-tree", "--stdin", "-r", "-z", "--root", "--name-status", "--no-renames")
	if err != nil {
		return nil, err
	}
	paths := parsePaths(string(out))
	g.mu.Lock()
	defer g.mu.Unlock()
	html := g.repoHTML(r)
	person := func(p gitPerson) object {
		o := object{"name": p.name, "email": p.email, "date": p.date}
		if a := g.accountByEmail(p.email); a != nil {
			o["username"] = a.login
		}
		return o
	}
	return mapped(commits, func(k gitCommit) object {
		kinds := paths[k.sha]
		return object{
			"id": k.sha, "tree_id": k.tree, "distinct": true, "message": k.message, "timestamp": k.committer.date, "url": html + "/commit/" + k.sha,
			"author": person(k.author), "committer": person(k.committer),
			"added": emptyNotNull(kinds['A']), "removed": emptyNotNull(kinds['D']), "modified": emptyNotNull(append(kinds['M'], kinds['T']...)),
		}
	}), nil
}

func emptyNotNull(s []string) []string {
	if s == nil {
		return []string{}
	}
	slices.Sort(s)
	return s
}

// parsePaths reads "git diff-tree --stdin -z --name-status": paths by kind of
// change, by commit.
func parsePaths(out string) map[string]map[byte][]string {
	all := map[string]map[byte][]string{}
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	commit := ""
	for i := 0; i < len(fields); i++ {
		switch {
		case commit != "" && len(fields[i]) == 1 && i+1 < len(fields):
			all[commit][fields[i][0]] = append(all[commit][fields[i][0]], fields[i+1])
			i++
		case fields[i] != "":
			commit = fields[i]
			all[commit] = map[byte][]string{}
		}
	}
	return all
}

// emitPull sends a pull_request event.
func (g *GitHub) emitPull(ctx context.Context, i *issue, action string, by *account, more object) *reply {
	stats, err := g.pullStats(ctx, i)
	if err != nil {
		no := serverError(err)
		return &no
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	body := object{"number": i.number, "pull_request": g.pullJSON(i, stats)}
	for name, value := range more {
		body[name] = value
	}
	g.emit(event{name: "pull_request", action: action, repo: i.repo, sender: by, body: body})
	g.broadcast()
	return nil
}

// emitComment sends an issue_comment event. Caller holds mu.
func (g *GitHub) emitComment(k *comment, action string, by *account, more object) {
	body := object{"issue": g.issueJSON(k.issue), "comment": g.commentJSON(k)}
	for name, value := range more {
		body[name] = value
	}
	g.emit(event{name: "issue_comment", action: action, repo: k.issue.repo, sender: by, body: body})
}

// emitCheckRun sends a check_run event. Caller holds mu.
func (g *GitHub) emitCheckRun(k *checkRun, action string, by *account, more object) {
	run := g.checkRunJSON(k)
	s := k.suite
	status, conclusion := s.state()
	run["check_suite"] = object{
		"id": s.id, "node_id": nodeID("CheckSuite", s.id), "head_branch": orNull(s.branch), "head_sha": s.sha, "before": s.before, "after": s.sha,
		"status": status, "conclusion": orNull(conclusion), "url": g.repoAPI(s.repo) + "/check-suites/" + itoa(s.id),
		"created_at": stamp(s.created), "updated_at": stamp(s.updated), "app": g.appJSON(), "pull_requests": g.pullsAtJSON(s.repo, s.sha),
	}
	body := object{"check_run": run}
	for name, value := range more {
		body[name] = value
	}
	g.emit(event{name: "check_run", action: action, repo: s.repo, sender: by, body: body})
}

// emitInstallation sends an event about an installation itself. Caller holds mu.
func (g *GitHub) emitInstallation(i *installation, action string, more object) {
	body := object{"installation": g.installationJSON(i)}
	for name, value := range more {
		body[name] = value
	}
	name := "installation"
	if action == "added" || action == "removed" {
		name = "installation_repositories"
	}
	g.emit(event{name: name, action: action, installation: i, sender: i.account, body: body})
}
