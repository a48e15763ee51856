package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/store"
)

const (
	loop    = "agent/loop.py"
	compose = "deploy/compose.yml"
)

// line changes the nth line of a text, n from 1.
func line(n int, change func(string) string) func(string) string {
	return func(text string) string {
		lines := strings.SplitAfter(text, "\n")
		lines[n-1] = change(strings.TrimSuffix(lines[n-1], "\n")) + "\n"
		return strings.Join(lines, "")
	}
}

func to(s string) func(string) string { return func(string) string { return s } }

// insert puts a line before the nth.
func insert(n int, s string) func(string) string {
	return line(n, func(old string) string { return s + "\n" + old })
}

func repoID(t testing.TB, w *world) int64 {
	t.Helper()
	r, err := w.gh.Repository(w.name())
	require.NoError(t, err)
	return r.ID
}

// settled waits until the app has worked every delivery of a pull request.
func (w *world) settled(number int, sha string) standin.CheckRun {
	w.t.Helper()
	return w.waitCheck(sha, func(c standin.CheckRun) bool {
		n, ok := job.PullOfExternalID(c.ExternalID)
		return ok && n == number && c.Status == "completed"
	})
}

// idle waits until the queue has nothing left to do.
func (w *world) idle() {
	w.t.Helper()
	require.NoError(w.t, w.gh.WaitDelivered(w.ctx))
	require.Eventually(w.t, func() bool {
		counts, err := unfinished(w)
		return err == nil && counts == 0
	}, patience, pollEvery)
}

func TestPullRequestThatEditsEvidence(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		mark := w.gh.Mark()
		w.branch("weaken")
		w.edit(loop, line(3, func(old string) string { return old + " or everything" }))
		p := w.open("weaken")
		c := w.settled(p.Number, p.HeadSHA)
		assert.Equal(t, "neutral", c.Conclusion)
		assert.Contains(t, c.Title, "need review")
		assert.NotEmpty(t, c.Annotations)
		for _, a := range c.Annotations {
			assert.Equal(t, loop, a.Path)
		}
		comment := w.waitComment(p.Number, func(c standin.Comment) bool { return c.ViaApp })
		assert.True(t, strings.HasPrefix(comment.Body, "<!-- rescore:score -->"))
		assert.Contains(t, comment.Body, "C1")
		w.idle()
		assert.LessOrEqual(t, len(w.rest(mark)), 4, "%v", w.rest(mark))
		assert.Contains(t, w.rest(mark)[0], "POST /repos/{owner}/{repo}/check-runs", "in progress first")

		// A second push changes what is found: the comment is edited in place.
		mark = w.gh.Mark()
		w.edit(compose, line(12, to("# the socket is no longer mounted")))
		head := w.push(p.Number)
		w.settled(p.Number, head)
		w.idle()
		assert.LessOrEqual(t, len(w.rest(mark)), 3, "%v", w.rest(mark))
		require.Len(t, w.ours(p.Number), 1)
		assert.NotEqual(t, comment.Body, w.ours(p.Number)[0].Body)
		assert.Len(t, w.checks(head), 1)
		assert.Len(t, w.checks(p.HeadSHA), 1)
	})
}

func TestPullRequestThatMovesCode(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		w.branch("shift")
		w.edit(loop, insert(1, "import os"))
		w.edit(compose, insert(1, "# shifted by a line"))
		p := w.open("shift")
		c := w.settled(p.Number, p.HeadSHA)
		assert.Equal(t, "success", c.Conclusion, c.Title)
		assert.Contains(t, c.Title, "3.6 holds")
		comment := w.waitComment(p.Number, func(c standin.Comment) bool { return c.ViaApp })
		assert.Contains(t, comment.Body, "No changes.")
	})
}

func TestPullRequestThatTouchesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		mark := w.gh.Mark()
		w.branch("docs")
		w.source.Write("docs/guide.txt", "read me\n")
		p := w.open("docs")
		c := w.settled(p.Number, p.HeadSHA)
		assert.Equal(t, "success", c.Conclusion)
		assert.Equal(t, "3.6, nothing it rests on changed", c.Title)
		w.idle()
		assert.Empty(t, w.ours(p.Number), "an empty first comment is not posted")
		assert.LessOrEqual(t, len(w.rest(mark)), 4, "%v", w.rest(mark))
		mark = w.gh.Mark()
		w.source.Write("docs/guide.txt", "read me again\n")
		head := w.push(p.Number)
		w.settled(p.Number, head)
		w.idle()
		assert.LessOrEqual(t, len(w.rest(mark)), 3, "%v", w.rest(mark))
	})
}

// A comment that stands is kept up to date also when nothing is touched any more.
func TestStandingCommentIsKeptUpToDate(t *testing.T) {
	w := newWorld(t, "").installed()
	w.branch("b")
	w.edit(compose, line(12, to("# gone")))
	p := w.open("b")
	w.settled(p.Number, p.HeadSHA)
	before := w.waitComment(p.Number, func(c standin.Comment) bool { return c.ViaApp })
	w.source.Git("revert", "--no-edit", "HEAD")
	head, err := w.gh.PushToPull(w.ctx, person, fullName, p.Number, w.source.Dir(), "HEAD")
	require.NoError(t, err)
	assert.Equal(t, "success", w.settled(p.Number, head).Conclusion)
	after := w.waitComment(p.Number, func(c standin.Comment) bool { return c.ViaApp && c.Body != before.Body })
	assert.Equal(t, before.ID, after.ID)
	assert.Contains(t, after.Body, "nothing it rests on changed")
}

func TestPushAdvancesTheBaseline(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		id := repoID(t, w)
		mark := w.gh.Mark()
		w.source.Checkout("main")
		w.edit(loop, line(3, to("nothing_of_the_kind_is_here_any_more()")))
		first := w.pushMain("weaken on main")
		c := w.waitCheck(first, completed)
		assert.Equal(t, "neutral", c.Conclusion)
		w.idle()
		assert.LessOrEqual(t, len(w.rest(mark)), 3, "%v", w.rest(mark))
		rows, err := w.app.Store().Baselines(w.ctx, id, 10)
		require.NoError(t, err)
		assert.Equal(t, first, rows[0].Commit)
		assert.Equal(t, store.OriginAdvanced, rows[0].Origin)
		log, err := w.app.Store().Log(w.ctx, id)
		require.NoError(t, err)
		assert.NotEmpty(t, log)
		require.NoError(t, w.app.Store().VerifyLog(w.ctx, id))

		// The next push starts from there: what fell is not told again.
		w.source.Write("docs/x.txt", "x\n")
		second := w.pushMain("quiet")
		c = w.waitCheck(second, completed)
		assert.Equal(t, "success", c.Conclusion)
		w.idle()
		again, err := w.app.Store().Log(w.ctx, id)
		require.NoError(t, err)
		assert.Equal(t, log, again)

		// Drift on the base branch is not blamed on a pull request.
		w.branch("innocent")
		w.source.Write("docs/y.txt", "y\n")
		p := w.open("innocent")
		assert.Equal(t, "success", w.settled(p.Number, p.HeadSHA).Conclusion)
	})
}

// A pull request that began before the base branch drifted is compared with the
// card at its own merge base.
func TestDriftOnTheBaseIsNotBlamed(t *testing.T) {
	w := newWorld(t, "").installed()
	w.branch("early")
	w.source.Write("docs/y.txt", "y\n")
	w.source.Commit("early work")
	w.source.Checkout("main")
	w.edit(compose, line(12, to("# gone")))
	w.waitCheck(w.pushMain("drift"), completed)
	w.source.Checkout("early")
	p := w.open("early")
	c := w.settled(p.Number, p.HeadSHA)
	assert.Equal(t, "success", c.Conclusion, c.Title)
}

func TestForcePushToTheDefaultBranch(t *testing.T) {
	w := newWorld(t, "").installed()
	w.source.Checkout("main")
	w.edit(compose, line(12, to("# gone")))
	w.waitCheck(w.pushMain("a mistake"), completed)
	w.source.Git("reset", "--hard", "--quiet", "HEAD~1")
	w.source.Write("docs/z.txt", "z\n")
	head := w.pushMain("another way")
	c := w.waitCheck(head, completed)
	assert.Equal(t, "success", c.Conclusion, c.Title)
}

func TestNewBaseIsComputedAnew(t *testing.T) {
	w := newWorld(t, "").installed()
	w.branch("release")
	w.edit(compose, line(12, to("# gone on the release branch")))
	w.source.Commit("release")
	_, err := w.gh.Push(w.ctx, person, fullName, "release", w.source.Dir(), "release")
	require.NoError(t, err)
	w.source.Branch("feature")
	w.source.Write("docs/y.txt", "y\n")
	p := w.open("feature") // into main: it brings the change of the release branch
	c := w.settled(p.Number, p.HeadSHA)
	assert.Equal(t, "neutral", c.Conclusion, c.Title)
	w.idle()
	mark := w.gh.Mark()
	require.NoError(t, w.gh.EditPull(w.ctx, person, fullName, p.Number, "", "", "release"))
	second := w.waitCheck(p.HeadSHA, func(r standin.CheckRun) bool { return r.ID != c.ID && r.Status == "completed" })
	assert.Equal(t, "success", second.Conclusion, second.Title)
	assert.Contains(t, second.Summary, "release")
	w.idle()
	assert.LessOrEqual(t, len(w.rest(mark)), 3, "%v", w.rest(mark))
}

// Two pull requests share a head: each has its own result, which says which it is.
func TestPullRequestsThatShareAHead(t *testing.T) {
	w := newWorld(t, "").installed()
	w.branch("release")
	w.source.Write("docs/r.txt", "r\n")
	w.source.Commit("release")
	_, err := w.gh.Push(w.ctx, person, fullName, "release", w.source.Dir(), "release")
	require.NoError(t, err)
	w.branch("shared")
	w.edit(compose, line(12, to("# gone")))
	first := w.open("shared")
	second, err := w.gh.OpenPull(w.ctx, person, fullName, standin.PullRequest{Title: "x", Head: "shared", Base: "release"})
	require.NoError(t, err)
	one := w.settled(first.Number, first.HeadSHA)
	two := w.settled(second.Number, first.HeadSHA)
	assert.NotEqual(t, one.ID, two.ID)
	assert.Contains(t, one.Summary, "into `main`")
	assert.Contains(t, two.Summary, "into `release`")
}

func TestForkIsReadFromTheBaseRepository(t *testing.T) {
	w := newWorld(t, "").installed()
	w.gh.AddUser("bob")
	_, err := w.gh.Fork(w.ctx, "bob", fullName)
	require.NoError(t, err)
	w.branch("theirs")
	w.edit(compose, line(12, to("# gone")))
	w.source.Commit("from a fork")
	_, err = w.gh.Push(w.ctx, "bob", "bob/heron", "theirs", w.source.Dir(), "theirs")
	require.NoError(t, err)
	p, err := w.gh.OpenPull(w.ctx, "bob", fullName, standin.PullRequest{Title: "x", Head: "bob:theirs"})
	require.NoError(t, err)
	require.NoError(t, w.gh.DeleteRepo("bob", "bob/heron")) // its commits stay in the base repository
	assert.Equal(t, "neutral", w.settled(p.Number, p.HeadSHA).Conclusion)
}

func TestClosedPullRequestIsLeftAlone(t *testing.T) {
	w := newWorld(t, "").installed()
	w.branch("b")
	w.source.Write("docs/y.txt", "y\n")
	p := w.open("b")
	w.settled(p.Number, p.HeadSHA)
	w.idle()
	mark := w.gh.Mark()
	require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, p.Number))
	w.idle()
	assert.Empty(t, w.rest(mark))
}
