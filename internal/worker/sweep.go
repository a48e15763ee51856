package worker

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
)

const (
	// redeliverable is how long GitHub lets one redeliver.
	redeliverable = 3 * 24 * time.Hour
	// sweepOverlap is read again in every sweep, for deliveries that were on their way.
	sweepOverlap = time.Hour
	// maxAttempts bounds how often one delivery is asked for within the time read.
	maxAttempts = 5
	// sweepSubject keeps the time of the last sweep, in seconds, among the progress.
	sweepSubject = "sweep"
)

// mirrorPolicy bounds the mirrors on disk of one replica, beside Deps.MirrorLimit.
var mirrorPolicy = gitmirror.SweepPolicy{MaxAge: 30 * 24 * time.Hour, MaxPacks: 20}

// sweep asks for failed deliveries and for suspended installations again, looks for
// what no delivery told, and tidies the database up. One part's failure does not keep
// the others from their work.
func (w *Worker) sweep(ctx context.Context) error {
	return errors.Join(w.redeliver(ctx), w.reviveAll(ctx), w.compare(ctx), w.tidy(ctx))
}

// redeliver asks GitHub to send again what never arrived: it does not do so by
// itself.
func (w *Worker) redeliver(ctx context.Context) error {
	now := w.Now()
	last, err := w.Store.DoneSeq(ctx, sweepSubject)
	if err != nil {
		return err
	}
	since := time.Unix(last, 0).Add(-sweepOverlap)
	oldest := now.Add(-redeliverable)
	tooOld := since.Before(oldest)
	if tooOld {
		since = oldest
	}
	failed, whole, err := w.App.FailedDeliveries(ctx, since)
	if err != nil {
		return err
	}
	if last != 0 && (tooOld || !whole) { // what else was lost cannot be had again
		if err := w.lostUntil(ctx, now); err != nil {
			return err
		}
	}
	for _, d := range failed {
		known, err := w.Store.HasDelivery(ctx, d.GUID)
		if err != nil {
			return err
		}
		if known || d.Attempts >= maxAttempts { // the answer was lost, or it is refused every time
			continue
		}
		err = w.App.Redeliver(ctx, d.ID)
		if isAny(err, []error{ghclient.ErrNotFound, ghclient.ErrInvalid}) { // too old by now; the others are not
			w.Log.Warn().Err(err).Str("delivery", d.GUID).Msg("a failed delivery cannot be had again")
			continue
		}
		if err != nil {
			return err
		}
		w.Log.Info().Str("delivery", d.GUID).Msg("asked for a failed delivery again")
	}
	return w.Store.SetDoneSeq(ctx, sweepSubject, now.Unix())
}

// tidyBatch bounds how many rows of a sort one sweep deletes: SQLite has one writer at
// a time, and deliveries are waiting to be stored.
const tidyBatch = 200

// tidy removes from the database what is no longer needed.
func (w *Worker) tidy(ctx context.Context) error {
	_, err := w.Store.PruneDeliveries(ctx)
	_, oldErr := w.Store.PruneBaselines(ctx, maxBaselines) // older ones are never looked at
	return errors.Join(err, oldErr, w.forget(ctx), w.Store.PruneLeases(ctx), w.Searches.Trim(ctx))
}

// forget removes what is known of pull requests, commits and repositories that nothing
// was heard of for long. Who asks about one of them all the same is answered from what
// GitHub has: the comment is found by its author and marker.
func (w *Worker) forget(ctx context.Context) error {
	since := w.Now().Add(-store.Retention)
	closed, err := w.Store.ClosedPulls(ctx, since, tidyBatch)
	if err == nil && len(closed) > 0 {
		err = w.Store.InTx(ctx, func(tx *store.Tx) error {
			for _, p := range closed {
				if err := tx.ForgetPull(ctx, p, job.PullSubject(p.RepoID, p.Number), since); err != nil {
					return err
				}
			}
			return nil
		})
	}
	_, restErr := w.Store.PrunePublished(ctx, since, tidyBatch)
	return errors.Join(err, restErr)
}

// houseEvery is how often a replica looks after what it alone has.
const houseEvery = 10 * time.Minute

// KeepHouse looks after what this replica alone has, its mirrors and the search
// results not written yet, at once and then again and again until ctx ends. It is no
// job, for a job is done by one replica.
func (w *Worker) KeepHouse(ctx context.Context) {
	ticker := time.NewTicker(houseEvery)
	defer ticker.Stop()
	for {
		if err := w.house(ctx); err != nil && ctx.Err() == nil {
			w.Log.Warn().Err(err).Msg("not all that is no longer needed was removed; it is tried again")
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// house keeps the mirrors within their policy, without those of repositories whose
// owner took the right to them back, and of owners who took back all.
func (w *Worker) house(ctx context.Context) error {
	removed, err := w.Store.RepositoriesIn(ctx, store.StateRemoved)
	if err != nil {
		return err
	}
	owners, err := w.Store.Owners(ctx)
	if err != nil {
		return err
	}
	policy := mirrorPolicy
	policy.MaxBytes = w.MirrorLimit
	policy.Drop = func(id int64) bool {
		if id > ownerMirrors {
			return !slices.Contains(owners, id-ownerMirrors)
		}
		return slices.Contains(removed, id)
	}
	_, err = w.Mirrors.Sweep(ctx, policy)
	return errors.Join(err, w.Searches.Flush(ctx))
}
