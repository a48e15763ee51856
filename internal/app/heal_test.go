package app_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/store"
)

// The word of a suspension can come after that of its end: from GitHub, whose
// deliveries keep no order, or from a job that was refused just before. Work goes on
// all the same.
func TestSuspensionThatIsOverDoesNotLast(t *testing.T) {
	for name, suspend := range map[string]func(w *world){
		"heard after its end": func(w *world) {
			w.gh.HoldDeliveries()
			require.NoError(t, w.gh.Suspend(w.install))
			require.NoError(t, w.gh.Unsuspend(w.install))
			w.gh.ReleaseDeliveries(func(ds []standin.Delivery) []standin.Delivery { slices.Reverse(ds); return ds })
		},
		"noted after its end": func(w *world) {
			_, err := w.app.Store().SetInstallationState(w.ctx, w.install, store.StateSuspended, "a job was refused")
			require.NoError(t, err)
			w.stop()
			w.start() // with a sweep
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, database string) {
				w := newWorld(t, database).installed()
				suspend(w)
				require.NoError(t, w.gh.WaitDelivered(w.ctx))
				w.idle()
				w.branch("b")
				w.touch(1)
				p := w.open("b")
				w.settled(p.Number, p.HeadSHA)
				w.idle()
				w.exactlyOne(p.Number, p.HeadSHA)
			})
		})
	}
}

// An installation that was removed while nobody heard of it is forgotten.
func TestSuspendedAndThenGone(t *testing.T) {
	w := newWorld(t, "").installed()
	w.gh.HoldDeliveries()
	require.NoError(t, w.gh.Suspend(w.install))
	require.NoError(t, w.gh.Uninstall(w.install))
	w.gh.ReleaseDeliveries(func([]standin.Delivery) []standin.Delivery { return nil })
	_, err := w.app.Store().SetInstallationState(w.ctx, w.install, store.StateSuspended, "a job was refused")
	require.NoError(t, err)
	w.stop()
	w.start() // with a sweep
	swept := func() bool {
		i, err := w.app.Store().Installation(w.ctx, w.install)
		return assert.NoError(t, err) && i.State == store.StateRemoved
	}
	require.Eventually(t, swept, patience/2, pollEvery)
	w.idle()
	r, err := w.app.Store().Repository(w.ctx, repoID(t, w))
	require.NoError(t, err)
	assert.Equal(t, store.StateRemoved, r.State)
}
