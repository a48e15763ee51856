package worker

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/store"
)

func leaseWorker(t *testing.T) *Worker {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return New(Deps{Store: s, Replica: "r", Log: zerolog.Nop()})
}

func jobAttempt(id int64) attempt {
	return attempt{row: &rivertype.JobRow{ID: id, Attempt: 1, MaxAttempts: 3}, log: zerolog.Nop()}
}

func TestOneAtATime(t *testing.T) {
	w := leaseWorker(t)
	ctx := context.Background()
	boom := errors.New("boom")
	err := w.alone(ctx, jobAttempt(1), "s", func(ctx context.Context) error {
		require.ErrorIs(t, w.alone(ctx, jobAttempt(2), "s", func(context.Context) error { return nil }), store.ErrHeld)
		require.NoError(t, w.alone(ctx, jobAttempt(2), "other", func(context.Context) error { return nil }))
		return boom
	})
	require.ErrorIs(t, err, boom)
	require.NoError(t, w.alone(ctx, jobAttempt(2), "s", func(context.Context) error { return nil }), "given back, also after a failure")
}

// A lease that another job took ends the work: two jobs never publish at once.
func TestLostLeaseEndsTheWork(t *testing.T) {
	w := leaseWorker(t)
	err := w.alone(context.Background(), jobAttempt(1), "s", func(ctx context.Context) error {
		require.NoError(t, w.Store.DropLeases(ctx))
		require.NoError(t, w.Store.AcquireLease(ctx, "s", "thief", leaseTTL))
		<-ctx.Done() // the next renewal finds out
		return ctx.Err()
	})
	require.ErrorIs(t, err, errLeaseLost)
	require.ErrorIs(t, w.Store.AcquireLease(context.Background(), "s", "x", leaseTTL), store.ErrHeld, "the thief keeps it")
}

// Work ends before its lease does when the database does not answer: the next job must
// not begin while a request of this one is on its way.
func TestWorkEndsBeforeItsLeaseDoes(t *testing.T) {
	w := leaseWorker(t)
	began := time.Now()
	err := w.alone(context.Background(), jobAttempt(1), "s", func(ctx context.Context) error {
		return w.Store.InTx(context.Background(), func(*store.Tx) error { // SQLite has one connection
			select {
			case <-ctx.Done():
			case <-time.After(leaseTTL):
			}
			return nil
		})
	})
	require.ErrorIs(t, err, errLeaseLost)
	assert.Less(t, time.Since(began), leaseTTL-leaseSlack/2)
	assert.Greater(t, time.Since(began), leaseRenew, "one renewal that is late loses nothing")
}
