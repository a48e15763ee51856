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
)

// alone runs fn while no other job works on the subject. When the lease is lost,
// fn's context ends with errLeaseLost as its cause. store.ErrHeld says that another
// job is at it.
func (w *Worker) alone(ctx context.Context, a attempt, subject string, fn func(ctx context.Context) error) error {
	holder := fmt.Sprintf("%s/%d/%d", w.Replica, a.row.ID, a.row.Attempt)
	if err := w.Store.AcquireLease(ctx, subject, holder, leaseTTL); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		w.keepLease(ctx, subject, holder, cancel)
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

// keepLease renews the lease until ctx ends. A lease that could not be renewed for
// its whole life counts as lost, whatever the reason.
func (w *Worker) keepLease(ctx context.Context, subject, holder string, lose context.CancelCauseFunc) {
	ticker := time.NewTicker(leaseRenew)
	defer ticker.Stop()
	renewed := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		attempt, end := context.WithTimeout(ctx, leaseRenew)
		err := w.Store.RenewLease(attempt, subject, holder, leaseTTL)
		end()
		switch {
		case err == nil:
			renewed = time.Now()
		case isHeld(err), time.Since(renewed) > leaseTTL-leaseRenew:
			lose(errLeaseLost)
			return
		}
	}
}

func isHeld(err error) bool { return isAny(err, []error{store.ErrHeld}) }
