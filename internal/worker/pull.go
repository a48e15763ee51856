package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/go-github/v66/github"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/store"
)

// pullRequest makes the check and the comment of a pull request right, whatever
// its head is now.
func (w *Worker) pullRequest(ctx context.Context, a attempt, args job.PullRequest) error {
	return w.onPull(ctx, a, args.Origin, args.Number, asked{})
}

func (w *Worker) onPull(ctx context.Context, a attempt, o job.Origin, number int, asked asked) error {
	subject := job.PullSubject(o.RepoID, number)
	return w.onSubject(ctx, a, o, subject, asked, func(ctx context.Context, t *tenant) error {
		e := &evaluation{tenant: t, a: a, origin: o, number: number, asked: asked}
		open, err := e.resolve(ctx)
		if err != nil {
			return err
		}
		if !open && !asked.force {
			return errors.Join(w.Checks.Supersede(ctx, t.inst, t.gh(), subject, ""), e.left(ctx))
		}
		return e.evaluate(ctx)
	})
}

// left has those looked at that shared a head with a pull request which is closed.
func (e *evaluation) left(ctx context.Context) error {
	p, err := e.w.Store.Pull(ctx, e.repo.ID, e.number)
	if err != nil {
		return err
	}
	return e.w.lookBeside(ctx, e.repo, e.number, p.Head)
}

// resolve finds the pull request's head, base and merge base as they are now. Git
// tells the head, for order among deliveries is not kept; the API is asked only
// when events contradict each other or git.
func (e *evaluation) resolve(ctx context.Context) (open bool, err error) {
	p, err := e.w.Store.Pull(ctx, e.repo.ID, e.number)
	if errors.Is(err, store.ErrNotFound) || (err == nil && p.Doubtful) {
		p, err = e.ask(ctx)
	}
	if err != nil {
		return false, err
	}
	if p.State == store.PullClosed && !e.asked.force {
		return false, nil
	}
	refs, err := e.fetchPull(ctx, p)
	if errors.Is(err, gitmirror.ErrUnknownRev) { // a branch that is gone: is the pull request still open?
		if p, err = e.ask(ctx); err != nil {
			return false, err
		}
		switch {
		case p.State == store.PullOpen:
		case e.asked.force:
			return false, &errDone{reason: fmt.Errorf("pull request %d is closed, and of its head or its base branch %q nothing is left to compare", e.number, p.BaseRef)}
		default:
			return false, nil
		}
		refs, err = e.fetchPull(ctx, p)
	}
	if err != nil {
		return false, err
	}
	e.head, e.tip, e.baseRef = refs[0], refs[1], p.BaseRef
	if string(e.head) != p.Head { // a newer push, an older event, or a reference that lags
		if p, err = e.ask(ctx); err != nil {
			return false, err
		}
		if err := e.take(ctx, p); err != nil {
			return false, err
		}
	}
	return p.State == store.PullOpen, e.findBase(ctx)
}

// fetchPull fetches head and base in one round trip.
func (e *evaluation) fetchPull(ctx context.Context, p store.Pull) ([]gitmirror.OID, error) {
	return e.fetch(ctx, fmt.Sprintf("refs/pull/%d/head", e.number), "refs/heads/"+p.BaseRef)
}

// take makes the head and the base those that the API names.
func (e *evaluation) take(ctx context.Context, p store.Pull) error {
	if string(e.head) == p.Head && e.baseRef == p.BaseRef {
		return nil
	}
	refs, err := e.fetch(ctx, p.Head, "refs/heads/"+p.BaseRef)
	if err != nil {
		return err
	}
	e.head, e.tip, e.baseRef = refs[0], refs[1], p.BaseRef
	return nil
}

// findBase sets the commit from which the score diff counts.
func (e *evaluation) findBase(ctx context.Context) error {
	base, err := e.mirror.MergeBase(ctx, e.tip, e.head)
	switch {
	case errors.Is(err, gitmirror.ErrNoMergeBase):
		base = e.tip
		e.notes = append(e.notes, fmt.Sprintf("The branch shares no history with %s; it is compared with that branch's tip.", escape.Code(e.baseRef)))
	case err != nil:
		return err
	}
	e.base = base
	e.notes = append(e.notes, fmt.Sprintf("Pull request %d into %s, from %s.", e.number, escape.Code(e.baseRef), base.Short()))
	return nil
}

// ask reads the pull request from the API, which settles every doubt.
func (e *evaluation) ask(ctx context.Context) (store.Pull, error) {
	before, err := e.w.Store.Pull(ctx, e.repo.ID, e.number)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return store.Pull{}, err
	}
	pr, err := e.inst.Pull(ctx, e.gh(), e.number)
	if err != nil {
		return store.Pull{}, err
	}
	p := pullOf(e.repo.ID, pr)
	return p, e.w.Store.InTx(ctx, func(tx *store.Tx) error { return tx.ConfirmPull(ctx, before, p) })
}

func pullOf(repoID int64, pr *github.PullRequest) store.Pull {
	state := store.PullOpen
	if pr.GetState() != "open" {
		state = store.PullClosed
	}
	return store.Pull{
		RepoID: repoID, Number: pr.GetNumber(), BaseRef: pr.GetBase().GetRef(), Head: pr.GetHead().GetSHA(),
		State: state, FactsAt: pr.GetUpdatedAt().UTC(),
	}
}
