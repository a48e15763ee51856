package standin

import (
	"context"
	"fmt"
	"net/http"
)

// PullRequest is what OpenPull opens.
type PullRequest struct {
	Title, Body string
	Head        string // "branch", or "owner:branch" of a fork
	Base        string // the default branch when empty
	Draft       bool
}

// OpenPull opens a pull request and sends "opened".
func (g *GitHub) OpenPull(ctx context.Context, user, repo string, in PullRequest) (Pull, error) {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return Pull{}, err
	}
	if in.Base == "" {
		in.Base = g.mainBranch(r)
	}
	i, problem := g.openPull(ctx, by, r, pullInput{Title: in.Title, Head: in.Head, Base: in.Base, Body: in.Body, Draft: in.Draft})
	if problem != nil {
		return Pull{}, problem.problem("open pull request")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.pullSnapshot(i), nil
}

// PushToPull pushes commit rev of the git directory at from to the head branch of
// a pull request, which sends "synchronize". It returns the full commit id.
func (g *GitHub) PushToPull(ctx context.Context, user, repo string, number int, from, rev string) (string, error) {
	p, err := g.Pull(repo, number)
	if err != nil {
		return "", err
	}
	return g.Push(ctx, user, p.HeadRepo, p.HeadRef, from, rev)
}

// lookupPull finds a pull request and the person who acts on it.
func (g *GitHub) lookupPull(user, repo string, number int) (*account, *issue, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	by, err := g.world.account(user)
	if err != nil {
		return nil, nil, err
	}
	i, err := g.pullOf(repo, number)
	return by, i, err
}

// EditPull changes the title, the body or the base branch; empty values stay. It
// sends "edited" with what changed.
func (g *GitHub) EditPull(ctx context.Context, user, repo string, number int, title, body, base string) error {
	by, i, err := g.lookupPull(user, repo, number)
	if err != nil {
		return err
	}
	given := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	return g.changePull(ctx, by, i, pullChange{Title: given(title), Body: given(body), Base: given(base)}).problem("edit pull request")
}

// ClosePull closes a pull request without merging it.
func (g *GitHub) ClosePull(ctx context.Context, user, repo string, number int) error {
	return g.pullState(ctx, user, repo, number, stateClosed)
}

// ReopenPull reopens a closed pull request.
func (g *GitHub) ReopenPull(ctx context.Context, user, repo string, number int) error {
	return g.pullState(ctx, user, repo, number, stateOpen)
}

func (g *GitHub) pullState(ctx context.Context, user, repo string, number int, state string) error {
	by, i, err := g.lookupPull(user, repo, number)
	if err != nil {
		return err
	}
	return g.changePull(ctx, by, i, pullChange{State: &state}).problem("change pull request")
}

// MarkReady ends the draft state, which sends "ready_for_review" and no new commit.
func (g *GitHub) MarkReady(ctx context.Context, user, repo string, number int) error {
	by, i, err := g.lookupPull(user, repo, number)
	if err != nil {
		return err
	}
	g.mu.Lock()
	i.pull.draft, i.updated = false, g.now()
	g.mu.Unlock()
	return g.emitPull(ctx, i, "ready_for_review", by, nil).problem("mark pull request ready")
}

// MergePull merges with a merge commit: the base branch is pushed and the pull
// request closes as merged. It returns the merge commit.
func (g *GitHub) MergePull(ctx context.Context, user, repo string, number int) (string, error) {
	by, i, err := g.lookupPull(user, repo, number)
	if err != nil {
		return "", err
	}
	g.refs.Lock()
	defer g.refs.Unlock()
	g.mu.Lock()
	p, state := *i.pull, i.state
	g.mu.Unlock()
	if state != stateOpen {
		return "", &RefusedError{"merge pull request", http.StatusMethodNotAllowed, "Pull Request is not mergeable"}
	}
	dir := i.repo.dir
	sha, err := dir.merge(ctx, dir.branchSHA(ctx, p.base.ref), p.head.sha, fmt.Sprintf("Merge pull request #%d from %s\n\n%s", i.number, p.head.label(), i.title))
	if err != nil {
		return "", &RefusedError{"merge pull request", http.StatusMethodNotAllowed, "Pull Request has merge conflicts: " + err.Error()}
	}
	_, err = g.watched(ctx, i.repo, by, func() error {
		_, err := dir.run(ctx, "update-ref", headsPrefix+p.base.ref, sha)
		return err
	})
	return sha, err
}

// QueuePull puts a pull request into the merge queue: it makes the group's
// commit and branch, and sends merge_group "checks_requested". It returns the
// commit that must be checked.
func (g *GitHub) QueuePull(ctx context.Context, user, repo string, number int) (string, error) {
	by, i, err := g.lookupPull(user, repo, number)
	if err != nil {
		return "", err
	}
	g.refs.Lock()
	defer g.refs.Unlock()
	g.mu.Lock()
	p := *i.pull
	g.mu.Unlock()
	dir := i.repo.dir
	base := dir.branchSHA(ctx, p.base.ref)
	sha, err := dir.merge(ctx, base, p.head.sha, fmt.Sprintf("Merge pull request #%d from %s", i.number, p.head.label()))
	if err != nil {
		return "", fmt.Errorf("queue pull request %d: %w", number, err)
	}
	ref := fmt.Sprintf("%sgh-readonly-queue/%s/pr-%d-%s", headsPrefix, p.base.ref, number, base)
	if _, err := dir.run(ctx, "update-ref", ref, sha); err != nil {
		return "", fmt.Errorf("queue pull request %d: %w", number, err)
	}
	head, err := dir.log(ctx, 1, sha)
	if err != nil {
		return "", err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.emit(event{name: "merge_group", action: "checks_requested", repo: i.repo, sender: by, body: object{"merge_group": object{
		"head_sha": sha, "head_ref": ref, "base_sha": base, "base_ref": headsPrefix + p.base.ref, "head_commit": simpleCommitJSON(head[0]),
	}}})
	return sha, nil
}
