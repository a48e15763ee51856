package worker

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
)

// An event that comes after its repository was taken back brings it to life again. It
// does not stay so, or its mirror would: the installation is gone, or GitHub knows of
// no such repository under its name nor under its id.
func TestRepositoryOfALateEventIsTakenBackAgain(t *testing.T) {
	ctx := context.Background()
	state := func(w *Worker) string {
		r, err := w.Store.Repository(ctx, 7)
		require.NoError(t, err)
		return r.State
	}
	t.Run("without its installation", func(t *testing.T) {
		w := subjectWorker(t, store.Options{Dir: t.TempDir()})
		require.NoError(t, w.Store.PutInstallation(ctx, store.Installation{ID: 1, Account: "octo", State: store.StateRemoved, Reason: "uninstalled"}))
		_, err := w.Queue.Accept(ctx, pullDelivery("late", 7, 5))
		require.NoError(t, err)
		require.Equal(t, store.StateActive, state(w))
		_, err = w.gate(ctx, job.Origin{InstallationID: 1, RepoID: 7})
		var done *errDone
		require.ErrorAs(t, err, &done)
		assert.Equal(t, store.StateRemoved, state(w))
	})
	for name, c := range map[string]struct {
		reason error
		want   string
	}{
		"unknown by name and by id": {errors.Join(fmt.Errorf("fetch: %w", gitmirror.ErrRemoteNotFound), fmt.Errorf("look up: %w", ghclient.ErrNotFound)), store.StateRemoved},
		"unknown by name":           {fmt.Errorf("fetch: %w", gitmirror.ErrRemoteNotFound), store.StateActive},
		"something else is unknown": {fmt.Errorf("comment: %w", ghclient.ErrNotFound), store.StateActive},
	} {
		t.Run(name, func(t *testing.T) {
			w := subjectWorker(t, store.Options{Dir: t.TempDir()})
			_, err := w.Queue.Accept(ctx, pullDelivery("late", 7, 5))
			require.NoError(t, err)
			fail := func(context.Context, *tenant) error { return c.reason }
			for n := 1; n <= 3; n++ {
				require.Equal(t, store.StateActive, state(w), "it may pass")
				a := jobAttempt(1)
				a.row.Attempt = n
				require.ErrorIs(t, w.onSubject(ctx, a, job.Origin{RepoID: 7}, job.PullSubject(7, 5), asked{}, fail), c.reason)
			}
			assert.Equal(t, c.want, state(w))
		})
	}
}
