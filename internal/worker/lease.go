package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rescore-app/rescore/internal/store"
)

const (
	// leaseTTL is how long a lease outlives its holder. It is shorter than the
	// time after which a dead replica's jobs are taken over.
	leaseTTL   = 12 * time.Second
	leaseRenew = 4 * time.Second
	// leaseSlack is how long before its end a lease that could not be renewed is given
	// up: a request on its way has to be cut off before another job begins.
	leaseSlack = 2 * time.Second
)

// alone runs fn while no other job works on the subject. When the lease is lost,
// fn's context ends with errLeaseLost as its cause. store.ErrHeld says that another
// job is at it.
func (w *Worker) alone(ctx context.Context, a attempt, subject string, fn func(ctx context.Context) error) error {
	holder := fmt.Sprintf("%s/%d/%d", w.Replica, a.row.ID, a.row.Attempt)
	began := time.Now()
	if err := w.Store.AcquireLease(ctx, subject, holder, leaseTTL); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		w.keepLease(ctx, subject, holder, began, cancel)
	}()
	err := fn(ctx)
	lost := errors.Is(context.Cause(ctx), errLeaseLost)
	cancel(nil)
	<-stopped
	if lost {
		return errLeaseLost
	}
	release, end := context.WithTimeout(context.WithoutCancel(ctx), leaseRenew)
	defer end()
	if releaseErr := w.Store.ReleaseLease(release, subject, holder); releaseErr != nil {
		a.log.Warn().Err(releaseErr).Msg("lease not given back; it expires")
	}
	return err
}

// keepLease renews the lease until ctx ends. It counts from before the database was
// asked, since the lease runs from when the database answers; one that could not be
// renewed in time counts as lost, whatever the reason.
func (w *Worker) keepLease(ctx context.Context, subject, holder string, began time.Time, lose context.CancelCauseFunc) {
	ticker := time.NewTicker(leaseRenew)
	defer ticker.Stop()
	end := began.Add(leaseTTL - leaseSlack)
	for {
		late := time.NewTimer(time.Until(end))
		select {
		case <-ctx.Done():
			late.Stop()
			return
		case <-late.C:
			lose(errLeaseLost)
			return
		case <-ticker.C:
			late.Stop()
		}
		asked := time.Now()
		attempt, stop := context.WithDeadline(ctx, end)
		err := w.Store.RenewLease(attempt, subject, holder, leaseTTL)
		stop()
		switch {
		case err == nil:
			end = asked.Add(leaseTTL - leaseSlack)
		case isHeld(err):
			lose(errLeaseLost)
			return
		}
	}
}

func isHeld(err error) bool { return isAny(err, []error{store.ErrHeld}) }
