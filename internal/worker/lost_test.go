package worker

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/store"
)

// What was asked about in the second in which deliveries were lost is asked about again,
// for it may have been asked before.
func TestWhatWasLostInTheSameSecondIsAskedFor(t *testing.T) {
	ctx := context.Background()
	asked := now.Add(900 * time.Millisecond)
	s, err := store.Open(ctx, store.Options{Dir: t.TempDir(), Now: func() time.Time { return asked }})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	require.NoError(t, s.PutRepository(ctx, store.Repository{ID: 7, InstallationID: 1, Owner: "octo", OwnerID: 2, Name: "agent", State: store.StateActive, FactsAt: now}))
	w := New(Deps{Store: s})
	for _, c := range []struct {
		after time.Duration
		due   int
	}{{-2 * time.Second, 0}, {50 * time.Millisecond, 1}, {2 * time.Second, 1}} {
		require.NoError(t, w.lostUntil(ctx, asked.Add(c.after)))
		gap, err := s.DoneSeq(ctx, gapSubject)
		require.NoError(t, err)
		found, err := s.UnaskedSince(ctx, time.Unix(gap, 0), 10)
		require.NoError(t, err)
		assert.Len(t, found, c.due, "lost until %s after it was asked", c.after)
	}
}
