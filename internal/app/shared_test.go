package app_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

// A second pull request from the same branch, into a base whose policy is milder, does
// not hide that the first fails: GitHub counts the newest check of a commit. It fails
// with it, whichever came first, for as long as the first is open.
func TestFailureIsNotHiddenBySharingItsHead(t *testing.T) {
	for name, mildFirst := range map[string]bool{"the milder one comes second": false, "the milder one comes first": true} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, database string) {
				w := newWorld(t, database).installed()
				_, err := w.gh.Push(w.ctx, person, fullName, "release", w.source.Dir(), "main")
				require.NoError(t, err)
				w.branch("shared")
				w.touch(1)
				w.source.Commit("change")
				head, err := w.gh.Push(w.ctx, person, fullName, "shared", w.source.Dir(), "shared")
				require.NoError(t, err)
				w.main(func() { w.source.Write(policyPath, strictPolicy) })
				into := func(base string) standin.Pull {
					p, err := w.gh.OpenPull(w.ctx, person, fullName, standin.PullRequest{Title: base, Head: "shared", Base: base})
					require.NoError(t, err)
					w.idle()
					return p
				}
				latest := func() standin.CheckRun {
					runs := w.checks(head)
					for _, r := range runs {
						assert.Equal(t, "completed", r.Status)
					}
					return runs[len(runs)-1]
				}
				var strict, mild standin.Pull
				if mildFirst {
					mild = into("release")
					assert.Equal(t, "neutral", latest().Conclusion)
					strict = into("main")
				} else {
					strict = into("main")
					mild = into("release")
				}
				assert.Equal(t, "failure", latest().Conclusion)
				w.say(person, mild.Number, "/rescore") // by somebody who may, of the milder one
				assert.Equal(t, "failure", latest().Conclusion)
				assert.Contains(t, latest().Title, "Fails with pull request")
				assert.Contains(t, latest().Summary, "into `release`")
				n := len(w.checks(head))
				w.idle()
				assert.Len(t, w.checks(head), n, "it comes to rest")

				require.NoError(t, w.gh.ClosePull(w.ctx, person, fullName, strict.Number))
				w.idle()
				assert.Equal(t, "neutral", latest().Conclusion)
				require.NoError(t, w.gh.ReopenPull(w.ctx, person, fullName, strict.Number))
				w.idle()
				assert.Equal(t, "failure", latest().Conclusion)

				// The strict one is settled: nothing holds either of them up, for neither
				// waits for the other.
				w.main(func() { w.source.Write(policyPath, "version: 1\n") })
				w.say(person, strict.Number, "/rescore")
				assert.Equal(t, "neutral", latest().Conclusion)
				assert.Len(t, w.ours(strict.Number), 1)
				assert.Len(t, w.ours(mild.Number), 1)
			})
		})
	}
}
