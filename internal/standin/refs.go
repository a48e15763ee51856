package standin

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// refChange is one moved, made or deleted ref; a missing side is zeroSHA.
type refChange struct{ ref, old, new string }

const headsPrefix = "refs/heads/"

func (k refChange) branch() (string, bool) { return strings.CutPrefix(k.ref, headsPrefix) }

// diffRefs compares two views of a repository's refs, sorted by name.
func diffRefs(before, after map[string]string) []refChange {
	var out []refChange
	for ref, old := range before {
		if now := cmp.Or(after[ref], zeroSHA); now != old {
			out = append(out, refChange{ref, old, now})
		}
	}
	for ref, now := range after {
		if _, known := before[ref]; !known {
			out = append(out, refChange{ref, zeroSHA, now})
		}
	}
	slices.SortFunc(out, func(a, b refChange) int { return cmp.Compare(a.ref, b.ref) })
	return out
}

// watched runs work, which may move branches and tags of a repository, and sends
// what follows from every move it made. Caller holds refs.
func (g *GitHub) watched(ctx context.Context, r *repository, by *account, work func() error) ([]refChange, error) {
	before, err := r.dir.refsUnder(ctx, "refs/heads", "refs/tags")
	if err != nil {
		return nil, err
	}
	workErr := work()
	// What happened must be told even when the client is gone by now.
	ctx = context.WithoutCancel(ctx)
	after, err := r.dir.refsUnder(ctx, "refs/heads", "refs/tags")
	if err != nil {
		return nil, err
	}
	changes := diffRefs(before, after)
	for _, k := range changes {
		if err := g.refMoved(ctx, r, by, k); err != nil {
			return changes, err
		}
	}
	return changes, workErr
}

// refMoved sends push, and what a moved branch means to suites and pull requests.
func (g *GitHub) refMoved(ctx context.Context, r *repository, by *account, k refChange) error {
	payload, head, err := g.pushPayload(ctx, r, by, k)
	if err != nil {
		return err
	}
	g.mu.Lock()
	r.pushed, r.updated = g.now(), g.now()
	g.emit(event{name: "push", repo: r, sender: by, body: payload, special: g.pushRepoJSON(r)})
	g.broadcast()
	g.mu.Unlock()
	branch, isBranch := k.branch()
	if !isBranch {
		return nil
	}
	if k.new != zeroSHA {
		g.requestSuite(r, by, branch, k, head)
	}
	for _, i := range g.pullsTouching(r, branch) {
		if err := g.pullMoved(ctx, r, by, i, k); err != nil {
			return err
		}
	}
	return nil
}

// requestSuite makes the App's suite for a pushed commit and asks for checks, as
// GitHub does for every App that may write checks.
func (g *GitHub) requestSuite(r *repository, by *account, branch string, k refChange, head gitCommit) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := g.world.covering(r)
	if i == nil || i.permissions["checks"] != "write" || slices.ContainsFunc(r.suites, func(s *checkSuite) bool { return s.sha == k.new }) {
		return
	}
	before := k.old
	s := g.suiteFor(r, k.new, branch, &before)
	g.emit(event{name: "check_suite", action: "requested", repo: r, sender: by, body: object{"check_suite": g.checkSuiteJSON(s, head)}})
}

// pullsTouching lists the open pull requests, in any repository, that have a
// branch as head or base, by repository and number.
func (g *GitHub) pullsTouching(r *repository, branch string) []*issue {
	g.mu.Lock()
	defer g.mu.Unlock()
	var out []*issue
	for _, id := range slices.Sorted(maps.Keys(g.world.repos)) {
		for _, i := range g.world.repos[id].pullsOf() {
			p := i.pull
			isHead := p.head.repo == r && p.head.ref == branch
			isBase := p.base.repo == r && p.base.ref == branch
			if i.state == stateOpen && (isHead || isBase) {
				out = append(out, i)
			}
		}
	}
	return out
}

// pullMoved follows a branch in one open pull request: a moved head synchronizes
// it, a base that now holds the head merges it, a deleted head closes it.
func (g *GitHub) pullMoved(ctx context.Context, r *repository, by *account, i *issue, k refChange) error {
	branch, _ := k.branch()
	g.mu.Lock()
	p := *i.pull
	g.mu.Unlock()
	if p.head.repo == r && p.head.ref == branch {
		if k.new == zeroSHA {
			return g.setState(ctx, by, i, stateClosed).problem("close pull request")
		}
		g.mu.Lock()
		i.pull.head.sha, i.updated = k.new, g.now()
		if tip := i.repo.dir.branchSHA(ctx, p.base.ref); tip != "" {
			i.pull.base.sha = tip
		}
		g.mu.Unlock()
		if err := g.refreshPull(ctx, i); err != nil {
			return err
		}
		return g.emitPull(ctx, i, "synchronize", by, object{"before": k.old, "after": k.new}).problem("synchronize pull request")
	}
	if k.new == zeroSHA {
		return g.setState(ctx, by, i, stateClosed).problem("close pull request")
	}
	if r.dir.isAncestor(ctx, p.head.sha, k.new) {
		return g.markMerged(ctx, by, i, k.new)
	}
	return g.refreshPull(ctx, i)
}

// markMerged records a merge that the base branch shows, and sends "closed".
func (g *GitHub) markMerged(ctx context.Context, by *account, i *issue, sha string) error {
	g.mu.Lock()
	now := g.now()
	i.state, i.closed, i.updated = stateClosed, &now, now
	i.pull.merged, i.pull.mergedBy, i.pull.mergeSHA = &now, by, sha
	g.broadcast()
	g.mu.Unlock()
	return g.emitPull(ctx, i, "closed", by, nil).problem("merge pull request")
}

// problem turns a refusal into an error for callers that are people.
func (r *reply) problem(action string) error {
	if r == nil {
		return nil
	}
	message := fmt.Sprint(r.body)
	if body, ok := r.body.(object); ok {
		message = fmt.Sprint(body["message"])
		if errs, ok := body["errors"]; ok {
			message += fmt.Sprintf(": %+v", errs)
		}
	}
	return &RefusedError{Action: action, Status: r.status, Message: message}
}

// RefusedError is GitHub's refusal of something a person wanted to do.
type RefusedError struct {
	Action  string
	Status  int // as the REST API would answer
	Message string
}

func (e *RefusedError) Error() string { return fmt.Sprintf("%s: %d %s", e.Action, e.Status, e.Message) }
