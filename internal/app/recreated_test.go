package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/store"
)

// A repository is deleted and another made under its name, and nobody told of the first:
// what is known of one never becomes that of the other.
func TestRecreatedUnderTheSameName(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		require.NoError(t, w.gh.SetRole(fullName, person, standin.RoleAdmin))
		first := repoID(t, w)
		w.branch("a")
		w.touch(1)
		p := w.open("a")
		w.settled(p.Number, p.HeadSHA)
		w.idle()
		w.unheard(func() { require.NoError(t, w.gh.DeleteRepo(person, fullName)) })
		w.source.Checkout("main")
		_, err := w.gh.AddRepo(w.ctx, fullName, standin.RepoOptions{From: w.source.Dir(), Rev: "main", Private: true})
		require.NoError(t, err)
		require.NoError(t, w.gh.SetRole(fullName, person, standin.RoleWrite))
		w.idle()
		require.NotEqual(t, first, repoID(t, w))
		w.answersOne() // number 1 once more
		w.compared(time.Now().Add(-25 * time.Hour))
		old, err := w.app.Store().Repository(w.ctx, first)
		require.NoError(t, err)
		assert.Equal(t, store.StateRemoved, old.State)
		now, err := w.app.Store().Repository(w.ctx, repoID(t, w))
		require.NoError(t, err)
		assert.Equal(t, store.StateActive, now.State)
		open, err := w.app.Store().OpenPulls(w.ctx, now.ID)
		require.NoError(t, err)
		assert.Equal(t, []int{1}, open)
	})
}

// The base branch of an open pull request is rewritten under it: the next push is
// compared with what the base branch is then.
func TestForcePushToTheBaseOfAPullRequest(t *testing.T) {
	w := newWorld(t, "").installed()
	w.source.Checkout("main")
	w.edit(compose, line(12, to("# gone")))
	w.waitCheck(w.pushMain("a mistake"), completed)
	w.branch("b")
	w.source.Write("docs/b.txt", "b\n")
	p := w.open("b")
	assert.Equal(t, "success", w.settled(p.Number, p.HeadSHA).Conclusion)
	w.source.Checkout("main")
	w.source.Git("reset", "--hard", "--quiet", "HEAD~1")
	w.source.Write("docs/z.txt", "z\n")
	w.waitCheck(w.pushMain("another way"), completed)
	w.source.Checkout("b")
	w.source.Write("docs/b.txt", "b, again\n")
	head := w.push(p.Number)
	c := w.settled(p.Number, head)
	assert.Equal(t, "neutral", c.Conclusion, "the pull request brings the mistake back")
	w.idle()
	w.exactlyOne(p.Number, head)
}
