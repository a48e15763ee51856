package standin

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// bring copies a commit with all that it reaches from another repository.
func (d gitDir) bring(ctx context.Context, from gitDir, sha string) error {
	_, err := d.run(ctx, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", from.path, sha)
	return err
}

func pullRef(number int, what string) string { return fmt.Sprintf("refs/pull/%d/%s", number, what) }

// openPull opens a pull request and sends "opened".
func (g *GitHub) openPull(ctx context.Context, by *account, r *repository, in pullInput) (*issue, *reply) {
	g.refs.Lock()
	defer g.refs.Unlock()
	head, problem := g.headOf(ctx, r, in.Head)
	if problem != nil {
		return nil, problem
	}
	base := pullEnd{ref: in.Base, repo: r, owner: r.owner, sha: r.dir.branchSHA(ctx, in.Base)}
	if problem := checkPull(in, base, head, r.dir.isAncestor(ctx, head.sha, base.sha)); problem != nil {
		return nil, problem
	}
	g.mu.Lock()
	for _, other := range r.pullsOf() {
		if p := other.pull; other.state == stateOpen && p.head.repo == head.repo && p.head.ref == head.ref && p.base.ref == base.ref {
			g.mu.Unlock()
			no := invalid(fieldError{Resource: "PullRequest", Code: "custom", Message: "A pull request already exists for " + head.label() + "."})
			return nil, &no
		}
	}
	i := g.newIssue(r, by, in.Title, in.Body)
	i.pull = &pull{base: base, head: head, draft: in.Draft}
	g.mu.Unlock()
	if err := g.refreshPull(ctx, i); err != nil {
		no := serverError(err)
		return nil, &no
	}
	return i, g.emitPull(ctx, i, "opened", by, nil)
}

func checkPull(in pullInput, base, head pullEnd, nothingNew bool) *reply {
	var no reply
	switch {
	case in.Title == "":
		no = invalid(fieldError{Resource: "PullRequest", Field: "title", Code: "missing_field"})
	case base.sha == "":
		no = invalid(fieldError{Resource: "PullRequest", Field: "base", Code: "invalid"})
	case nothingNew:
		no = invalid(fieldError{Resource: "PullRequest", Code: "custom", Message: fmt.Sprintf("No commits between %s and %s", base.ref, head.ref)})
	default:
		return nil
	}
	return &no
}

// headOf resolves "branch" or "owner:branch".
func (g *GitHub) headOf(ctx context.Context, r *repository, name string) (pullEnd, *reply) {
	from, branch := r, name
	if owner, rest, cross := strings.Cut(name, ":"); cross {
		g.mu.Lock()
		from, branch = g.networkRepo(r, owner), rest
		g.mu.Unlock()
	}
	no := invalid(fieldError{Resource: "PullRequest", Field: "head", Code: "invalid"})
	if from == nil {
		return pullEnd{}, &no
	}
	sha := from.dir.branchSHA(ctx, branch)
	if sha == "" {
		return pullEnd{}, &no
	}
	return pullEnd{ref: branch, sha: sha, repo: from, owner: from.owner}, nil
}

// newIssue numbers an issue or pull request. Caller holds mu.
func (g *GitHub) newIssue(r *repository, by *account, title, body string) *issue {
	r.lastNumber++
	now := g.now()
	i := &issue{id: g.nextID("issue"), number: r.lastNumber, repo: r, title: title, body: body, user: by, state: stateOpen, created: now, updated: now}
	r.issues[i.number] = i
	return i
}

// refreshPull writes refs/pull/N/head and refs/pull/N/merge for the head and base
// as they are recorded. Caller holds refs.
func (g *GitHub) refreshPull(ctx context.Context, i *issue) error {
	g.mu.Lock()
	p := *i.pull
	g.mu.Unlock()
	dir := i.repo.dir
	if p.head.repo != nil && p.head.repo != i.repo {
		if err := dir.bring(ctx, p.head.repo.dir, p.head.sha); err != nil {
			return fmt.Errorf("update pull request %d: %w", i.number, err)
		}
	}
	if _, err := dir.run(ctx, "update-ref", pullRef(i.number, "head"), p.head.sha); err != nil {
		return fmt.Errorf("update pull request %d: %w", i.number, err)
	}
	tip := dir.branchSHA(ctx, p.base.ref)
	merge, err := dir.merge(ctx, tip, p.head.sha, fmt.Sprintf("Merge %s into %s", p.head.sha, tip))
	if err != nil {
		merge = ""
	}
	args := []string{"update-ref", pullRef(i.number, "merge"), merge}
	if merge == "" {
		args = []string{"update-ref", "-d", pullRef(i.number, "merge")}
	}
	if _, err := dir.run(ctx, args...); err != nil {
		return fmt.Errorf("update pull request %d: %w", i.number, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	i.pull.testMerge, i.pull.mergeable = merge, merge != ""
	g.broadcast()
	return nil
}

// merge makes a merge commit of two commits; a conflict is an error. Nothing
// points to it yet.
func (d gitDir) merge(ctx context.Context, base, head, message string) (string, error) {
	tree, err := d.text(ctx, "merge-tree", "--write-tree", "--no-messages", base, head)
	if err != nil {
		return "", err
	}
	return d.text(ctx, "commit-tree", "-p", base, "-p", head, "-m", message, tree)
}

// changePull edits, closes or reopens a pull request and sends what follows.
func (g *GitHub) changePull(ctx context.Context, by *account, i *issue, in pullChange) *reply {
	g.refs.Lock()
	defer g.refs.Unlock()
	changes := object{}
	if in.Base != nil && *in.Base != i.pull.base.ref {
		sha := i.repo.dir.branchSHA(ctx, *in.Base)
		if sha == "" {
			no := invalid(fieldError{Resource: "PullRequest", Field: "base", Code: "invalid"})
			return &no
		}
		g.mu.Lock()
		old := i.pull.base
		i.pull.base.ref, i.pull.base.sha = *in.Base, sha
		g.mu.Unlock()
		changes["base"] = object{"ref": object{"from": old.ref}, "sha": object{"from": old.sha}}
		if err := g.refreshPull(ctx, i); err != nil {
			no := serverError(err)
			return &no
		}
	}
	g.mu.Lock()
	change := func(name string, field *string, value *string) {
		if value != nil && *value != *field {
			changes[name] = object{"from": *field}
			*field = *value
		}
	}
	change("title", &i.title, in.Title)
	change("body", &i.body, in.Body)
	i.updated = g.now()
	g.mu.Unlock()
	if len(changes) > 0 {
		if problem := g.emitPull(ctx, i, "edited", by, object{"changes": changes}); problem != nil {
			return problem
		}
	}
	if in.State == nil {
		return nil
	}
	return g.setState(ctx, by, i, *in.State)
}

// setState closes or reopens.
func (g *GitHub) setState(ctx context.Context, by *account, i *issue, state string) *reply {
	if state != stateOpen && state != stateClosed {
		no := invalid(fieldError{Resource: "PullRequest", Field: "state", Code: "invalid"})
		return &no
	}
	g.mu.Lock()
	if i.state == state {
		g.mu.Unlock()
		return nil
	}
	if i.pull.merged != nil {
		g.mu.Unlock()
		no := refuse(http.StatusUnprocessableEntity, "Validation Failed: a merged pull request cannot be reopened")
		return &no
	}
	now := g.now()
	i.state, i.updated, i.closed = state, now, nil
	action := "reopened"
	if state == stateClosed {
		i.closed, action = &now, "closed"
	}
	g.broadcast()
	g.mu.Unlock()
	return g.emitPull(ctx, i, action, by, nil)
}
