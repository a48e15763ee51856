package worker

import (
	"context"
	"time"

	"github.com/rescore-app/rescore/internal/job"
)

// abandonTimeout bounds the last words of a job that is given up.
const abandonTimeout = 20 * time.Second

// onSubject runs fn for a subject: alone, unless its work is done already, and so
// that no check is left open when the job is given up.
func (w *Worker) onSubject(ctx context.Context, a attempt, o job.Origin, subject string, asked asked,
	fn func(ctx context.Context, t *tenant) error) error {
	covered := func(ctx context.Context) (bool, error) {
		if asked.force || o.Seq == 0 {
			return false, nil
		}
		done, err := w.Store.DoneSeq(ctx, subject)
		return done >= o.Seq, err
	}
	if done, err := covered(ctx); err != nil || done {
		return err
	}
	return w.alone(ctx, a, subject, func(ctx context.Context) error {
		if done, err := covered(ctx); err != nil || done {
			return err
		}
		// What any delivery up to here told of the subject is in what is read from now on.
		upTo, err := w.Store.DoneSeq(ctx, job.Told(subject))
		if err != nil {
			return err
		}
		repo, err := w.gate(ctx, o)
		if err != nil {
			return err
		}
		t := w.tenantOf(repo)
		t.upTo = upTo
		if err := w.inMirror(ctx, a, t, fn); err != nil {
			w.abandon(ctx, a, t, subject, err)
			return err
		}
		return w.Store.SetDoneSeq(ctx, subject, upTo)
	})
}

// inMirror runs fn with the repository's mirror. It fails in order whatever happens, a
// panic included, so that what is open can be closed.
func (w *Worker) inMirror(ctx context.Context, a attempt, t *tenant, fn func(ctx context.Context, t *tenant) error) (err error) {
	defer caught(a, &err)
	if job.Lost(a.row) >= job.MaxLost {
		return errDeadly
	}
	if err := t.open(ctx); err != nil {
		return err
	}
	defer t.close(func(err error) { a.log.Warn().Err(err).Msg("close the mirror") })
	return fn(ctx, t)
}

// abandon completes the subject's open checks when this was the job's last run,
// whatever ended it: an open check holds up a merge for good.
func (w *Worker) abandon(ctx context.Context, a attempt, t *tenant, subject string, reason error) {
	if !w.isLast(ctx, a, reason) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonTimeout)
	defer cancel()
	content := failed(reason, subject != job.BranchSubject(t.repo.ID))
	if err := w.Checks.CloseAll(ctx, t.inst, t.gh(), subject, content); err != nil {
		a.log.Warn().Err(err).Msg("an open check could not be completed")
	}
	w.note(ctx, a, t.repo, reason)
}
