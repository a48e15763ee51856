package worker

import (
	"context"
	"errors"
	"time"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
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

// mirrorPolicy bounds the mirrors on disk.
var mirrorPolicy = gitmirror.SweepPolicy{MaxAge: 30 * 24 * time.Hour, MaxBytes: 50 << 30, MaxPacks: 20}

// sweep asks for failed deliveries and for suspended installations again and tidies
// up. One part's failure does not keep the others from their work.
func (w *Worker) sweep(ctx context.Context) error {
	return errors.Join(w.redeliver(ctx), w.reviveAll(ctx), w.tidy(ctx))
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
	if oldest := now.Add(-redeliverable); since.Before(oldest) {
		since = oldest
	}
	failed, err := w.App.FailedDeliveries(ctx, since)
	if err != nil {
		return err
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

// tidy removes what is no longer needed.
func (w *Worker) tidy(ctx context.Context) error {
	_, err := w.Store.PruneDeliveries(ctx)
	_, sweepErr := w.Mirrors.Sweep(ctx, mirrorPolicy)
	return errors.Join(err, sweepErr, w.Searches.Flush(ctx), w.Searches.Trim(ctx))
}
