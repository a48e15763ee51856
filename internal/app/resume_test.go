package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

// onRelease makes the release branch, and returns a pull request into it that waits:
// its check is open, for the request that completes it is not answered.
func (w *world) onRelease(refused func()) (standin.Pull, func()) {
	w.t.Helper()
	_, err := w.gh.Push(w.ctx, person, fullName, "release", w.source.Dir(), "main")
	require.NoError(w.t, err)
	first, end := w.away(updateCheck, "", standin.Fault{Status: http.StatusBadGateway})
	w.branch("b")
	w.touch(1)
	w.source.Commit("change")
	_, err = w.gh.Push(w.ctx, person, fullName, "b", w.source.Dir(), "b")
	require.NoError(w.t, err)
	p, err := w.gh.OpenPull(w.ctx, person, fullName, standin.PullRequest{Title: "b", Head: "b", Base: "release"})
	require.NoError(w.t, err)
	w.wait(first)
	refused()
	return p, end
}

// What stood still goes on, whatever branch it is about: no check is left open.
func TestPullRequestsIntoAnyBranchGoOn(t *testing.T) {
	for name, c := range map[string]struct{ stop, resume func(w *world) error }{
		"after a suspension": {
			func(w *world) error { return w.gh.Suspend(w.install) },
			func(w *world) error { return w.gh.Unsuspend(w.install) },
		},
		"after an archiving": {
			func(w *world) error { return w.gh.Archive(person, fullName) },
			func(w *world) error { return w.gh.Unarchive(person, fullName) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "").installed()
			require.NoError(t, w.gh.SetRole(fullName, person, standin.RoleAdmin))
			p, end := w.onRelease(func() { require.NoError(t, c.stop(w)) })
			end()
			w.idle()
			require.NotEqual(t, "completed", w.checks(p.HeadSHA)[0].Status, "nothing can be written")
			require.NoError(t, c.resume(w))
			w.idle()
			w.exactlyOne(p.Number, p.HeadSHA)
		})
	}
}

// A comment that the App may not write is made up for once it may.
func TestCommentComesWithThePermission(t *testing.T) {
	w := newWorld(t, "").installed()
	require.NoError(t, w.gh.SetPermissions(w.install, permissions("read"), true))
	w.branch("b")
	w.touch(1)
	p := w.open("b")
	w.settled(p.Number, p.HeadSHA)
	w.idle()
	require.Empty(t, w.ours(p.Number))
	require.NoError(t, w.gh.SetPermissions(w.install, permissions("write"), true))
	w.idle()
	w.exactlyOne(p.Number, p.HeadSHA)
}

func permissions(pulls string) map[string]string {
	return map[string]string{"checks": "write", "contents": "read", "pull_requests": pulls, "issues": "read", "metadata": "read"}
}

// Where no receipt can be left, the work is done all the same, and once.
func TestCommandWithoutReceipt(t *testing.T) {
	for name, fault := range map[string]standin.Fault{
		"locked":        {Status: http.StatusForbidden, Message: "Unable to create reaction because issue is locked"},
		"not allowed":   {Status: http.StatusForbidden, Message: "Resource not accessible by integration"},
		"unprocessable": {Status: http.StatusUnprocessableEntity, Message: "Validation Failed"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "").installed()
			p := w.quietPull("b")
			w.gh.Fail(func(r standin.Request) *standin.Fault {
				if strings.HasSuffix(r.Operation, "/reactions") {
					return &fault
				}
				return nil
			})
			mark := w.gh.Mark()
			w.say(person, p.Number, "/rescore")
			assert.Len(t, w.checks(p.HeadSHA), 2)
			asked := 0
			for _, operation := range w.rest(mark) {
				if strings.Contains(operation, "/collaborators/") {
					asked++
				}
			}
			assert.Equal(t, 1, asked, "the command is worked once")
		})
	}
}

// A pull request that was merged and whose base branch is gone, too: the command is
// answered by a receipt, not tried again and again.
func TestCommandWhoseBaseIsGone(t *testing.T) {
	w := newWorld(t, "").installed()
	_, err := w.gh.Push(w.ctx, person, fullName, "release", w.source.Dir(), "main")
	require.NoError(t, err)
	w.branch("b")
	w.touch(1)
	w.source.Commit("change")
	_, err = w.gh.Push(w.ctx, person, fullName, "b", w.source.Dir(), "b")
	require.NoError(t, err)
	p, err := w.gh.OpenPull(w.ctx, person, fullName, standin.PullRequest{Title: "b", Head: "b", Base: "release"})
	require.NoError(t, err)
	w.settled(p.Number, p.HeadSHA)
	require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, p.Number))
	require.NoError(t, w.gh.DeleteBranch(w.ctx, person, fullName, "release"))
	w.idle()
	c := w.say(person, p.Number, "/rescore")
	assert.Equal(t, []string{"eyes", "confused"}, w.reactions(p.Number, c.ID))
	w.exactlyOne(p.Number, p.HeadSHA)
	assert.Equal(t, 1, strings.Count(w.log.String(), `"job":"command"`), "it is tried once")
}
