package app_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/store"
)

// unheard does what GitHub never tells of.
func (w *world) unheard(what func()) {
	w.t.Helper()
	w.gh.HoldDeliveries()
	what()
	w.gh.ReleaseDeliveries(func([]standin.Delivery) []standin.Delivery { return nil })
	w.idle()
}

// compared sweeps as if GitHub had been asked last at a time: the app is started anew.
func (w *world) compared(asked time.Time) {
	w.t.Helper()
	micros := asked.UnixMicro()
	if asked.IsZero() {
		micros = 0
	}
	require.NoError(w.t, w.exec(fmt.Sprint("UPDATE repositories SET asked_at = ", micros)))
	w.stop()
	w.start()
	require.Eventually(w.t, func() bool {
		left, err := w.app.Store().UnaskedSince(w.ctx, time.Now().Add(-time.Hour), 10)
		return err == nil && len(left) == 0
	}, patience/2, pollEvery)
	w.idle()
}

// What no delivery told of is found all the same: a day later GitHub is asked.
func TestWhatWasNeverDeliveredIsFound(t *testing.T) {
	aDayAgo := func() time.Time { return time.Now().Add(-25 * time.Hour) }
	for name, lose := range map[string]func(t *testing.T, w *world){
		"a closing": func(t *testing.T, w *world) {
			p := w.quietPull("b")
			w.unheard(func() { require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, p.Number)) })
			require.Equal(t, store.PullOpen, w.onRecord(p.Number).State)
			w.compared(aDayAgo())
			assert.Equal(t, store.PullClosed, w.onRecord(p.Number).State)
		},
		"a reopening": func(t *testing.T, w *world) {
			p := w.quietPull("b")
			require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, p.Number))
			w.idle()
			w.unheard(func() { require.NoError(t, w.gh.ReopenPull(w.ctx, person, fullName, p.Number)) })
			w.compared(aDayAgo())
			assert.Equal(t, store.PullOpen, w.onRecord(p.Number).State)
		},
		"an opening": func(t *testing.T, w *world) {
			var p standin.Pull
			w.unheard(func() { w.branch("b"); w.touch(1); p = w.open("b") })
			w.compared(aDayAgo())
			w.exactlyOne(p.Number, p.HeadSHA)
		},
		"a push to a pull request": func(t *testing.T, w *world) {
			p := w.quietPull("b")
			head := ""
			w.unheard(func() { w.touch(1); head = w.push(p.Number) })
			w.compared(aDayAgo())
			w.exactlyOne(p.Number, head)
		},
		"a push to the default branch": func(t *testing.T, w *world) {
			head := ""
			w.unheard(func() {
				w.source.Checkout("main")
				w.touch(1)
				head = w.pushMain("unheard")
			})
			w.compared(aDayAgo())
			require.Len(t, w.checks(head), 1)
			assert.True(t, completed(w.checks(head)[0]))
		},
		"a deletion": func(t *testing.T, w *world) {
			id := repoID(t, w)
			w.unheard(func() { require.NoError(t, w.gh.DeleteRepo(person, fullName)) })
			w.compared(aDayAgo())
			r, err := w.app.Store().Repository(w.ctx, id)
			require.NoError(t, err)
			assert.Equal(t, store.StateRemoved, r.State)
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, database string) {
				w := newWorld(t, database).installed()
				require.NoError(t, w.gh.SetRole(fullName, person, standin.RoleAdmin))
				lose(t, w)
			})
		})
	}
}

func (w *world) onRecord(number int) store.Pull {
	w.t.Helper()
	p, err := w.app.Store().Pull(w.ctx, repoID(w.t, w), number)
	require.NoError(w.t, err)
	return p
}

// A pull request from before the App came is left alone, and what GitHub told already is
// not published again: asking costs two requests and nothing else.
func TestComparingDisturbsNobody(t *testing.T) {
	w := newWorld(t, "")
	w.branch("before")
	w.touch(1)
	old := w.open("before")
	w.source.Checkout("main")
	w.installed()
	p := w.quietPull("b")
	mark := w.gh.Mark()
	w.compared(time.Time{}) // as on record from an older version
	assert.ElementsMatch(t, []string{"GET /repos/{owner}/{repo}", "GET /repos/{owner}/{repo}/pulls"}, w.rest(mark))
	assert.Len(t, w.checks(p.HeadSHA), 1)
	assert.Empty(t, w.checks(old.HeadSHA))
	assert.Empty(t, w.ours(old.Number))
}

// Nothing is delivered while an installation is suspended: what happened meanwhile is
// found when it goes on.
func TestSuspensionIsMadeUpFor(t *testing.T) {
	w := newWorld(t, "").installed()
	p := w.quietPull("a")
	require.NoError(t, w.gh.Suspend(w.install))
	w.idle()
	var opened standin.Pull
	w.unheard(func() {
		require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, p.Number))
		w.branch("b")
		w.touch(1)
		opened = w.open("b")
	})
	require.NoError(t, w.gh.Unsuspend(w.install))
	w.idle()
	w.stop()
	w.start() // with a sweep
	w.settled(opened.Number, opened.HeadSHA)
	w.idle()
	w.exactlyOne(opened.Number, opened.HeadSHA)
	assert.Equal(t, store.PullClosed, w.onRecord(p.Number).State)
}
