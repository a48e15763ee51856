package app_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/store"
)

// age makes everything on record as old as can be.
func (w *world) age() {
	w.t.Helper()
	for _, table := range []string{"pulls", "checks", "comments", "progress"} {
		require.NoError(w.t, w.exec("UPDATE "+table+" SET updated_at = 1"))
	}
}

func (w *world) exec(statement string) error {
	if s := w.app.Store(); s.IsSQLite() {
		_, err := s.SQLite().ExecContext(w.ctx, statement)
		return err
	}
	_, err := w.app.Store().Pool().Exec(w.ctx, statement)
	return err
}

// forgotten sweeps until nothing is on record of the pull request.
func (w *world) forgotten(number int) {
	w.t.Helper()
	w.age()
	w.stop()
	w.start() // with a sweep
	require.Eventually(w.t, func() bool {
		_, pullErr := w.app.Store().Pull(w.ctx, repoID(w.t, w), number)
		_, commentErr := w.app.Store().Comment(w.ctx, repoID(w.t, w), number, store.SlotScore)
		return errors.Is(pullErr, store.ErrNotFound) && errors.Is(commentErr, store.ErrNotFound)
	}, patience/4, pollEvery)
	w.idle()
}

// A pull request that was closed long ago is forgotten, and whoever asks about it all
// the same is answered: by the one comment that stands, and by new check runs.
func TestForgottenPullRequestIsAnsweredAllTheSame(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		w.branch("b")
		w.touch(1)
		p := w.open("b")
		w.settled(p.Number, p.HeadSHA)
		w.idle()
		require.Len(t, w.ours(p.Number), 1)
		comment := w.ours(p.Number)[0].ID
		require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, p.Number))
		w.idle()
		checks := 1
		for name, ask := range map[string]func(){
			"a command": func() {
				c := w.say(person, p.Number, "/rescore")
				assert.Equal(t, []string{"eyes", "+1"}, w.reactions(p.Number, c.ID))
			},
			"a check requested again":  func() { require.NoError(t, w.gh.RerequestCheck(person, fullName, w.checks(p.HeadSHA)[0].ID)) },
			"a suite requested again":  func() { require.NoError(t, w.gh.RerequestSuite(w.ctx, person, fullName, p.HeadSHA)) },
			"a pull request reopened":  func() { require.NoError(t, w.gh.ReopenPull(w.ctx, person, fullName, p.Number)) },
			"a word that is not known": func() { w.say(person, p.Number, "/rescore nonsense") },
		} {
			w.forgotten(p.Number)
			ask()
			w.idle()
			if name != "a word that is not known" {
				checks++
			}
			at := w.checks(p.HeadSHA)
			assert.Len(t, at, checks, name)
			for _, c := range at {
				n, ok := job.PullOfExternalID(c.ExternalID)
				assert.True(t, ok && n == p.Number && c.Status == "completed", "%s: %+v", name, c)
			}
			var scores []int64
			for _, c := range w.ours(p.Number) {
				if isScore(c) {
					scores = append(scores, c.ID)
				}
			}
			assert.Equal(t, []int64{comment}, scores, name)
			if name == "a pull request reopened" {
				require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, p.Number))
				w.idle()
			}
		}
	})
}

func isScore(c standin.Comment) bool {
	return strings.HasPrefix(c.Body, "<!-- rescore:score -->")
}

// What is open stays on record however old it is: nothing is published again.
func TestOpenPullRequestIsNotForgotten(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		w.branch("closed")
		w.touch(2)
		other := w.open("closed")
		w.settled(other.Number, other.HeadSHA)
		w.idle()
		require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, other.Number))
		w.branch("b")
		w.touch(1)
		p := w.open("b")
		w.settled(p.Number, p.HeadSHA)
		w.idle()
		w.forgotten(other.Number)
		mark := w.gh.Mark()
		require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, p.Number))
		require.NoError(t, w.gh.ReopenPull(w.ctx, person, fullName, p.Number))
		w.idle()
		for _, operation := range w.rest(mark) { // two events of one second may have to be asked about
			assert.True(t, strings.HasPrefix(operation, "GET "), operation)
		}
		w.exactlyOne(p.Number, p.HeadSHA)
	})
}
