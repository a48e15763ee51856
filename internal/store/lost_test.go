package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/store"
)

// PutPull records what an event tells, in a transaction of its own.
func (w world) PutPull(ctx context.Context, p store.Pull) error {
	return w.InTx(ctx, func(tx *store.Tx) error { return tx.PutPull(ctx, p) })
}

// ConfirmPull records an answer of GitHub to a question that is asked now.
func (w world) ConfirmPull(ctx context.Context, p store.Pull) error {
	before, err := w.Pull(ctx, p.RepoID, p.Number)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return w.confirm(ctx, before, p)
}

func (w world) confirm(ctx context.Context, before, answer store.Pull) error {
	return w.InTx(ctx, func(tx *store.Tx) error { return tx.ConfirmPull(ctx, before, answer) })
}

// GitHub's answer is on its way while an event of the same second is stored: nothing
// tells which of them is newer, so that the answer settles nothing.
func TestAnswerSettlesOnlyWhatItWasAskedAbout(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		answer := store.Pull{RepoID: 1, Number: 5, BaseRef: "main", Head: "h1", State: store.PullOpen, FactsAt: t0}
		closing := answer
		closing.State, closing.Action = store.PullClosed, "closed"
		doubtful := func() bool {
			p, err := w.Pull(ctx, 1, 5)
			require.NoError(t, err)
			return p.Doubtful
		}
		require.NoError(t, w.PutPull(ctx, closing)) // asked when there was nothing on record
		require.NoError(t, w.confirm(ctx, store.Pull{}, answer))
		assert.True(t, doubtful())

		before, err := w.Pull(ctx, 1, 5)
		require.NoError(t, err)
		require.NoError(t, w.confirm(ctx, before, answer))
		assert.False(t, doubtful(), "asked again, with nothing told meanwhile")

		before, err = w.Pull(ctx, 1, 5)
		require.NoError(t, err)
		require.NoError(t, w.PutPull(ctx, closing))
		require.NoError(t, w.confirm(ctx, before, answer))
		assert.True(t, doubtful())
	})
}

// rounds is how often two writers are set against each other.
const rounds = 60

// atOnce runs both and returns when both are done.
func atOnce(t *testing.T, one, other func() error) {
	t.Helper()
	var both sync.WaitGroup
	errs := make([]error, 2)
	both.Go(func() { errs[0] = one() })
	both.Go(func() { errs[1] = other() })
	both.Wait()
	require.NoError(t, errors.Join(errs...))
}

// An event and an older answer of GitHub are stored at the same time, as by two
// replicas: the event holds, whichever came first.
func TestOlderAnswerNeverUndoesAnEvent(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		for n := range rounds {
			answer := store.Pull{RepoID: 1, Number: n + 1, BaseRef: "main", Head: "h1", State: store.PullOpen, FactsAt: t0}
			require.NoError(t, w.PutPull(ctx, answer))
			closing := answer
			closing.State, closing.Action, closing.FactsAt = store.PullClosed, "closed", t0.Add(time.Second)
			atOnce(t, func() error { return w.ConfirmPull(ctx, answer) }, func() error { return w.PutPull(ctx, closing) })
			got, err := w.Pull(ctx, 1, n+1)
			require.NoError(t, err)
			require.Equal(t, store.PullClosed, got.State)
		}
	})
}

// A new name says nothing of what else is known: a state that is noted at the same time
// is not lost.
func TestRenamingTouchesNothingElse(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		for n := range int64(rounds) {
			r := store.Repository{ID: n + 1, InstallationID: 1, Owner: "octo", OwnerID: 9, Name: "a", DefaultBranch: "main", State: store.StateActive, FactsAt: t0}
			require.NoError(t, w.PutRepository(ctx, r))
			atOnce(t, func() error { return w.RenameRepository(ctx, r.ID, "octo", 9, "b") }, func() error {
				_, err := w.SetRepositoryState(ctx, r.ID, store.StateArchived)
				return err
			})
			r.Name, r.State = "b", store.StateArchived
			got, err := w.Repository(ctx, r.ID)
			require.NoError(t, err)
			require.Equal(t, r, got)
		}
	})
}
