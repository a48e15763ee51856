package worker

import (
	"context"
	"time"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
)

// abandonTimeout bounds the last words of a job that is given up.
const abandonTimeout = 20 * time.Second

// onSubject runs fn for a subject: alone, unless its work is done already, and so
// that no check is left open when the job is given up.
func (w *Worker) onSubject(ctx context.Context, a attempt, o job.Origin, subject string, asked asked,
	fn func(ctx context.Context, t *tenant) error) error {
	marks := w.marks(subject, asked)
	if asked.may == nil {
		if done, err := marks.cover(ctx, o); err != nil || done {
			return err
		}
	}
	return w.alone(ctx, a, subject, func(ctx context.Context) error {
		if asked.may != nil {
			if err := asked.may(ctx); err != nil {
				return err
			}
		}
		if done, err := marks.cover(ctx, o); err != nil || done {
			return err
		}
		// What any delivery up to here told of the subject is in what is read from now on.
		if err := marks.read(ctx); err != nil {
			return err
		}
		repo, err := w.gate(ctx, o)
		if err != nil {
			return err
		}
		t := w.tenantOf(repo)
		t.upTo = marks.upTo
		if err := w.inMirror(ctx, a, t, fn); err != nil {
			w.abandon(ctx, a, t, subject, err)
			return err
		}
		return marks.raise(ctx)
	})
}

// marks are how far the deliveries about a subject were worked: those that tell of it,
// and those that ask for the same work as the job.
type marks struct {
	store          *store.Store
	subject, asked string // asked is "" where nobody, or one job alone, asks
	force          bool
	upTo, askedTo  int64 // read before the work
}

func (w *Worker) marks(subject string, asked asked) *marks {
	return &marks{store: w.Store, subject: subject, asked: asked.subject, force: asked.force}
}

// cover reports whether work that began after the job's delivery was stored is done.
func (m *marks) cover(ctx context.Context, o job.Origin) (bool, error) {
	name := m.subject
	if m.force {
		name = m.asked
	}
	if name == "" || o.Seq == 0 {
		return false, nil
	}
	done, err := m.store.DoneSeq(ctx, name)
	return done >= o.Seq, err
}

// read notes which deliveries the work that begins now covers.
func (m *marks) read(ctx context.Context) (err error) {
	if m.upTo, err = m.store.DoneSeq(ctx, job.Told(m.subject)); err != nil || m.asked == "" {
		return err
	}
	m.askedTo, err = m.store.DoneSeq(ctx, job.Told(m.asked))
	return err
}

// raise records that they are worked.
func (m *marks) raise(ctx context.Context) error {
	if m.asked != "" {
		if err := m.store.SetDoneSeq(ctx, m.asked, m.askedTo); err != nil {
			return err
		}
	}
	return m.store.SetDoneSeq(ctx, m.subject, m.upTo)
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
