package app_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/store"
)

// exactlyOne asserts the state that every trouble has to end in: at the head one
// check run of the pull request, completed; nothing open elsewhere; one comment of
// ours, about that head.
func (w *world) exactlyOne(number int, head string, others ...string) {
	w.t.Helper()
	runs := w.checks(head)
	require.Len(w.t, runs, 1)
	assert.Equal(w.t, "completed", runs[0].Status)
	for _, sha := range others {
		for _, r := range w.checks(sha) {
			assert.Equal(w.t, "completed", r.Status, "at %s", sha)
		}
	}
	comments := w.ours(number)
	require.Len(w.t, comments, 1)
	assert.Contains(w.t, comments[0].Body, head[:7])
}

// touch makes a change that is worth a comment; n tells one from another.
func (w *world) touch(n int) {
	w.t.Helper()
	w.edit(loop, line(3, func(s string) string { return s + strings.Repeat(" again", n) }))
}

func TestDuplicatedDeliveries(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		for _, fresh := range []bool{false, true} {
			w := newWorld(t, database).installed()
			w.gh.FailDelivery(func(d standin.Delivery) *standin.DeliveryFault {
				return &standin.DeliveryFault{Copies: 2, FreshGUID: fresh}
			})
			w.branch("b")
			w.touch(1)
			p := w.open("b")
			w.settled(p.Number, p.HeadSHA)
			w.idle()
			w.exactlyOne(p.Number, p.HeadSHA)
			w.stop()
			if database != "" {
				database = databases["postgres"](t)
			}
		}
	})
}

// Deliveries arrive in the reverse order, each of them twice, after all the pushes.
func TestReorderedDeliveries(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		w.gh.HoldDeliveries()
		w.branch("b")
		w.touch(1)
		p := w.open("b")
		heads := []string{p.HeadSHA}
		for n := 2; n <= 4; n++ {
			w.touch(n)
			heads = append(heads, w.push(p.Number))
		}
		w.gh.ReleaseDeliveries(func(ds []standin.Delivery) []standin.Delivery {
			slices.Reverse(ds)
			return append(ds, ds...)
		})
		last := heads[len(heads)-1]
		w.settled(p.Number, last)
		w.idle()
		w.exactlyOne(p.Number, last, heads...)
	})
}

// Pushes follow each other faster than they are worked.
func TestBurstOfPushes(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		w.branch("b")
		w.touch(1)
		p := w.open("b")
		heads := []string{p.HeadSHA}
		for n := 2; n <= 8; n++ {
			w.touch(n)
			heads = append(heads, w.push(p.Number))
		}
		last := heads[len(heads)-1]
		w.settled(p.Number, last)
		w.idle()
		w.exactlyOne(p.Number, last, heads...)
	})
}

func TestGitHubInTrouble(t *testing.T) {
	cases := map[string]struct {
		operation string
		times     int
		fault     standin.Fault
	}{
		"502 for the check":            {"POST /repos/{owner}/{repo}/check-runs", 3, standin.Fault{Status: 502, Message: "Bad Gateway"}},
		"502 after the check was made": {"POST /repos/{owner}/{repo}/check-runs", 2, standin.Fault{Status: 502, Message: "Bad Gateway", AfterWork: true}},
		"500 for the completion":       {"PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", 2, standin.Fault{Status: 500, Message: "Server Error"}},
		"completed, answer lost":       {"PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", 1, standin.Fault{Drop: true, AfterWork: true}},
		"429 for the comment":          {"POST /repos/{owner}/{repo}/issues/{issue_number}/comments", 1, standin.SecondaryLimited(http.StatusTooManyRequests, 2*time.Second)},
		"403 limit for the list":       {"GET /repos/{owner}/{repo}/issues/{issue_number}/comments", 1, standin.SecondaryLimited(http.StatusForbidden, 2*time.Second)},
		"comment written, answer lost": {"POST /repos/{owner}/{repo}/issues/{issue_number}/comments", 1, standin.Fault{Status: 504, Message: "timeout", AfterWork: true}},
		"git server away":              {"git-upload-pack", 2, standin.Fault{Status: 503, Message: "unavailable"}},
		"git connection cut":           {"git-upload-pack", 1, standin.Fault{Drop: true}},
		"token refused":                {"POST /repos/{owner}/{repo}/check-runs", 1, standin.Fault{Status: 401, Message: "Bad credentials"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of the time is waiting for the next attempt
			w := newWorld(t, "").installed()
			w.gh.FailNext(c.operation, c.times, c.fault)
			w.answersOne()
		})
	}
}

// The job that completed the check is put off before the comment; the job of
// another event finds the check as it should be and writes the comment.
func TestPublicationIsFinishedByWhoeverComesNext(t *testing.T) {
	w := newWorld(t, "").installed()
	w.gh.FailNext("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", 1, standin.Fault{Status: 502, Message: "Bad Gateway"})
	w.branch("b")
	w.touch(1)
	p := w.open("b")
	w.settled(p.Number, p.HeadSHA)
	require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, p.Number))
	require.NoError(t, w.gh.ReopenPull(w.ctx, person, fullName, p.Number))
	w.idle()
	w.exactlyOne(p.Number, p.HeadSHA)
}

// GitHub refuses every result: the check is completed all the same, in plain words.
func TestGivenUpCheckIsCompleted(t *testing.T) {
	w := newWorld(t, "").installed()
	w.gh.Fail(func(r standin.Request) *standin.Fault {
		if r.Method == http.MethodPatch && !strings.Contains(string(r.Body), "could not finish") {
			return &standin.Fault{Status: 422, Message: "Invalid request."}
		}
		return nil
	})
	w.branch("b")
	w.touch(1)
	p := w.open("b")
	c := w.settled(p.Number, p.HeadSHA)
	assert.Equal(t, "neutral", c.Conclusion)
	assert.Equal(t, "Rescore could not finish", c.Title)
	assert.Contains(t, c.Summary, "Comment `/rescore` to try again.")
}

func TestLockedConversationHasItsCheck(t *testing.T) {
	w := newWorld(t, "").installed()
	w.gh.FailNext("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", 1,
		standin.Fault{Status: 403, Message: "Unable to create comment because issue is locked."})
	w.branch("b")
	w.touch(1)
	p := w.open("b")
	assert.Equal(t, "neutral", w.settled(p.Number, p.HeadSHA).Conclusion)
	w.idle()
	assert.Empty(t, w.ours(p.Number))
}

func TestRenamedAndTransferred(t *testing.T) {
	w := newWorld(t, "").installed()
	p := w.quietPull("b")
	drop := w.gh.FailDelivery(func(d standin.Delivery) *standin.DeliveryFault {
		if d.Event == "repository" {
			return &standin.DeliveryFault{Drop: true}
		}
		return nil
	})
	require.NoError(t, w.gh.Rename(person, fullName, "egret"))
	_, err := w.gh.Comment(person, "heron-agent/egret", p.Number, "/rescore")
	require.NoError(t, err)
	w.idle()
	runs, err := w.gh.CheckRuns("heron-agent/egret", p.HeadSHA)
	require.NoError(t, err)
	require.Len(t, runs, 2)
	assert.Equal(t, "completed", runs[1].Status)
	drop()
	r, err := w.app.Store().Repository(w.ctx, repoIDOf(t, w, "heron-agent/egret"))
	require.NoError(t, err)
	assert.Equal(t, "egret", r.Name)

	// Renamed once more, and nobody said so: git and the API tell.
	w.gh.FailDelivery(func(d standin.Delivery) *standin.DeliveryFault {
		if d.Event == "repository" {
			return &standin.DeliveryFault{Drop: true}
		}
		return nil
	})
	_, err = w.gh.Comment(person, "heron-agent/egret", p.Number, "/rescore all")
	require.NoError(t, err)
	require.NoError(t, w.gh.Rename(person, "heron-agent/egret", "bittern"))
	w.idle()
	runs, err = w.gh.CheckRuns("heron-agent/bittern", p.HeadSHA)
	require.NoError(t, err)
	require.Len(t, runs, 3)
	assert.Equal(t, "completed", runs[2].Status)
}

func repoIDOf(t testing.TB, w *world, name string) int64 {
	t.Helper()
	r, err := w.gh.Repository(name)
	require.NoError(t, err)
	return r.ID
}

func TestEmptyAndArchivedRepositoriesAreSkipped(t *testing.T) {
	w := newWorld(t, "")
	_, err := w.gh.AddRepo(w.ctx, owner+"/empty", standin.RepoOptions{})
	require.NoError(t, err)
	w.installed()
	w.quietPull("b")
	require.NoError(t, w.gh.Archive(person, fullName))
	w.idle()
	mark := w.gh.Mark()
	r, err := w.app.Store().Repository(w.ctx, repoID(t, w))
	require.NoError(t, err)
	assert.Equal(t, store.StateArchived, r.State)
	assert.Empty(t, w.rest(mark))
}

// Archived without our hearing of it: one refusal, no storm.
func TestArchivedUnheard(t *testing.T) {
	w := newWorld(t, "").installed()
	w.gh.FailNext("POST /repos/{owner}/{repo}/check-runs", 100, standin.Fault{Status: 403, Message: "Repository was archived so is read-only."})
	w.branch("b")
	w.touch(1)
	mark := w.gh.Mark()
	w.open("b")
	w.idle()
	posts := 0
	for _, op := range w.rest(mark) {
		if op == "POST /repos/{owner}/{repo}/check-runs" {
			posts++
		}
	}
	assert.Equal(t, 1, posts)
	r, err := w.app.Store().Repository(w.ctx, repoID(t, w))
	require.NoError(t, err)
	assert.Equal(t, store.StateArchived, r.State)
}

func TestSuspendedAndResumed(t *testing.T) {
	w := newWorld(t, "").installed()
	w.gh.HoldDeliveries()
	w.branch("b")
	w.touch(1)
	p := w.open("b")
	require.NoError(t, w.gh.Suspend(w.install))
	w.gh.ReleaseDeliveries(nil)
	w.idle()
	i, err := w.app.Store().Installation(w.ctx, w.install)
	require.NoError(t, err)
	assert.Equal(t, store.StateSuspended, i.State)
	assert.Empty(t, w.checks(p.HeadSHA))
	require.NoError(t, w.gh.Unsuspend(w.install))
	w.settled(p.Number, p.HeadSHA)
	w.idle()
	w.exactlyOne(p.Number, p.HeadSHA)
}

func TestMissingPermissionIsSaidOnceAndResumed(t *testing.T) {
	w := newWorld(t, "").installed()
	less := standin.DefaultPermissions()
	less["checks"] = "read"
	require.NoError(t, w.gh.SetPermissions(w.install, less, false))
	w.branch("b")
	w.touch(1)
	p := w.open("b")
	w.idle()
	assert.Empty(t, w.checks(p.HeadSHA))
	i, err := w.app.Store().Installation(w.ctx, w.install)
	require.NoError(t, err)
	assert.Contains(t, i.Reason, "permission")
	w.touch(1)
	head := w.push(p.Number)
	w.idle()
	assert.Equal(t, 1, strings.Count(w.log.String(), "work stands still"))
	require.NoError(t, w.gh.SetPermissions(w.install, standin.DefaultPermissions(), true))
	w.settled(p.Number, head)
	w.idle()
	w.exactlyOne(p.Number, head)
}

// What GitHub could not deliver while the app was away is asked for at the start.
func TestLostDeliveriesAreSwept(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		w.stop()
		w.branch("b")
		w.touch(1)
		p := w.open("b")
		require.NoError(t, w.gh.WaitDelivered(w.ctx))
		assert.Empty(t, w.checks(p.HeadSHA))
		w.start()
		w.settled(p.Number, p.HeadSHA)
		w.idle()
		w.exactlyOne(p.Number, p.HeadSHA)
	})
}

func TestUninstalledIsForgotten(t *testing.T) {
	w := newWorld(t, "").installed()
	require.NoError(t, w.gh.Uninstall(w.install))
	w.idle()
	i, err := w.app.Store().Installation(w.ctx, w.install)
	require.NoError(t, err)
	assert.Equal(t, store.StateRemoved, i.State)
	r, err := w.app.Store().Repository(w.ctx, repoID(t, w))
	require.NoError(t, err)
	assert.Equal(t, store.StateRemoved, r.State)
}

// The database drops every connection, as it does when it is restarted, at several
// moments of a job.
func TestDatabaseRestarts(t *testing.T) {
	for name, operation := range map[string]string{
		"at the fetch":   "git-upload-pack",
		"at the check":   "POST /repos/{owner}/{repo}/check-runs",
		"at the comment": "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, databases["postgres"](t)).installed()
			mark := w.gh.Mark()
			w.branch("b")
			w.touch(1)
			p := w.open("b")
			_, err := w.gh.WaitExchange(w.ctx, mark, func(x standin.Exchange) bool { return x.Operation == operation })
			require.NoError(t, err)
			for range 3 {
				dropConnections(t, w)
			}
			w.settled(p.Number, p.HeadSHA)
			w.idle()
			w.exactlyOne(p.Number, p.HeadSHA)
		})
	}
}
