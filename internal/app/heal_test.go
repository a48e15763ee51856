package app_test

import (
	"net/http"
	"path/filepath"
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
				w.answersOne()
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

// An installation that is held to be gone, as after an answer that GitHub gave by
// mistake, is asked for when an event comes from it.
func TestInstallationHeldToBeGoneByMistake(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		_, err := w.app.Store().SetInstallationState(w.ctx, w.install, store.StateRemoved, "there is no such installation")
		require.NoError(t, err)
		w.answersOne()
		i, err := w.app.Store().Installation(w.ctx, w.install)
		require.NoError(t, err)
		assert.Equal(t, store.StateActive, i.State)
	})
}

// A delivery that GitHub refuses to send again, as when it is too old, does not
// keep the others from being asked for.
func TestRefusedRedeliveryHoldsUpNoOther(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusBadRequest} {
		w := newWorld(t, "").installed()
		w.stop()
		w.quietBranch("first")
		w.branch("second")
		w.touch(1)
		p := w.open("second")
		require.NoError(t, w.gh.WaitDelivered(w.ctx))
		oldest := ""
		w.gh.Fail(func(r standin.Request) *standin.Fault {
			if r.Operation != "POST /app/hook/deliveries/{delivery_id}/attempts" {
				return nil
			}
			if oldest == "" {
				oldest = r.Path
			}
			if r.Path != oldest {
				return nil
			}
			return &standin.Fault{Status: status, Message: "no"}
		})
		w.start()
		w.settled(p.Number, p.HeadSHA)
		w.idle()
		w.exactlyOne(p.Number, p.HeadSHA)
	}
}

// quietBranch opens a pull request that touches nothing.
func (w *world) quietBranch(name string) {
	w.t.Helper()
	w.branch(name)
	w.source.Write("docs/"+name+".txt", name+"\n")
	w.open(name)
}

// Every replica deletes its own copy of what an owner took back, whichever of them
// heard of it.
func TestEveryReplicaForgetsWhatWasTakenBack(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		mirrors := func() []string {
			found, err := filepath.Glob(filepath.Join(w.config["RESCORE_DATA_DIR"], "mirrors", "*", "*.git"))
			require.NoError(t, err)
			return found
		}
		mirror := mirrors()
		// Another replica does the work of the removal.
		_, err := w.app.Store().SetRepositoryState(w.ctx, repoID(t, w), store.StateRemoved)
		require.NoError(t, err)
		w.stop()
		w.start()
		require.Len(t, mirror, 2, "the owner's policy is looked for in a repository of its own")
		require.Eventually(t, func() bool { return len(mirrors()) == 0 }, patience/4, pollEvery)
	})
}
