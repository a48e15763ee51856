package app_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/store"
)

const (
	createCheck   = "POST /repos/{owner}/{repo}/check-runs"
	updateCheck   = "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}"
	createComment = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments"
)

// away lets no request of an operation with a text in its body through until it is
// ended, and tells when the first was refused.
func (w *world) away(operation, body string, fault standin.Fault) (refused <-chan struct{}, end func()) {
	first, told := make(chan struct{}), atomic.Bool{}
	end = w.gh.Fail(func(r standin.Request) *standin.Fault {
		if r.Operation != operation || !strings.Contains(string(r.Body), body) {
			return nil
		}
		if !told.Swap(true) {
			close(first)
		}
		return &fault
	})
	return first, end
}

func (w *world) wait(what <-chan struct{}) {
	w.t.Helper()
	select {
	case <-what:
	case <-w.ctx.Done():
		require.FailNow(w.t, "it does not come to pass")
	}
}

const strictPolicy = "version: 1\nfail_on:\n  needs_review: true\n"

// What a result follows from changes between the check and the comment, while the
// job waits for GitHub: in the end both say the same, and it is what holds now.
func TestCheckAndCommentAgreeAfterAChange(t *testing.T) {
	for name, lost := range map[string]struct {
		operation string
		fault     standin.Fault
	}{
		"before the comment":      {createComment, standin.Fault{Status: http.StatusBadGateway}},
		"the answer of the check": {updateCheck, standin.Fault{Status: http.StatusBadGateway, AfterWork: true}},
		"the check itself":        {updateCheck, standin.Fault{Status: http.StatusBadGateway}},
		"the answer of the begin": {createCheck, standin.Fault{Status: http.StatusBadGateway, AfterWork: true}},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, database string) {
				w := newWorld(t, database).installed()
				refused, end := w.away(lost.operation, "", lost.fault)
				w.branch("b")
				w.touch(1)
				p := w.open("b")
				w.wait(refused)
				_, err := w.gh.Commit(w.ctx, person, fullName, "main", "be strict", standin.File{Path: policyPath, Content: strictPolicy})
				require.NoError(t, err)
				end()
				w.idle()
				runs := w.checks(p.HeadSHA)
				for _, r := range runs {
					assert.Equal(t, "completed", r.Status)
				}
				assert.Equal(t, "failure", runs[len(runs)-1].Conclusion)
				require.Len(t, w.ours(p.Number), 1)
				assert.True(t, strings.Contains(w.ours(p.Number)[0].Body, "the policy does not let that pass"))
			})
		})
	}
}

// A command takes over the run that a job left open, and is cut off after it answered:
// its second run does not answer once more.
func TestCommandAnswersOnceThoughItTookOver(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		refused, end := w.away(updateCheck, "", standin.Fault{Status: http.StatusBadGateway})
		w.branch("b")
		w.touch(1)
		p := w.open("b")
		w.wait(refused) // the run is open, and its job waits
		id := repoID(t, w)
		open, err := w.app.Store().OpenChecks(w.ctx, id, "repo/1001/pull/1")
		require.NoError(t, err)
		require.Len(t, open, 1)
		require.NoError(t, w.exec("UPDATE river_job SET state = 'cancelled', finalized_at = CURRENT_TIMESTAMP WHERE kind = 'pull_request'"))
		end()
		refused, end = w.away("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", "+1", standin.Fault{Status: http.StatusBadGateway})
		_, err = w.gh.Comment(person, fullName, p.Number, "/rescore")
		require.NoError(t, err)
		w.wait(refused) // its work is done
		end()
		w.idle()
		assert.Len(t, w.checks(p.HeadSHA), 1)
		require.Len(t, w.ours(p.Number), 1)
		current, err := w.app.Store().ChecksAt(w.ctx, id, "repo/1001/pull/1", p.HeadSHA)
		require.NoError(t, err)
		require.Len(t, current, 1)
		assert.Equal(t, store.CheckCompleted, current[0].State)
	})
}
