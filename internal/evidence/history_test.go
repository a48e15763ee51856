package evidence_test

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/testenv"
)

// historyLength is how many first-parent commits citations are carried over.
func historyLength() int {
	if testing.Short() {
		return 30
	}
	return 200
}

// conditioned are the commits that put cited lines under a condition of their own,
// which going back takes away: they hold on the way back and not on the way
// forward. At the one here the kernel's environment came to be copied in one of
// three modes only.
var conditioned = map[string]string{
	"269e3ba13fb3e7928d2a301f3f25dbc17eef46b5": "taskweaver/ces/environment.py:212-214",
}

// TestCitationsSurviveHistoryBothWays carries every citation from the audited
// commit back over history, commit by commit, and the ones that held all the way
// forward again: each must hold all the way and end where it began, but for those
// that a commit put under a condition.
func TestCitationsSurviveHistoryBothWays(t *testing.T) {
	testenv.EachMirror(t, func(t *testing.T, agent testenv.Agent, dir string) {
		a, c := corpus(t, agent), openClone(t, dir)
		commits := strings.Fields(c.git("rev-list", "--first-parent", "-n", strconv.Itoa(historyLength()+1), a.commit))
		length := len(commits) - 1
		require.Greater(t, length, min(150, historyLength()-1))
		at := map[scorecard.Evidence]scorecard.Evidence{} // original to present place
		for _, e := range a.citations {
			at[e] = e
		}
		moves := 0
		step := func(base, head string) (lost []scorecard.Evidence) {
			f := evidence.New(commitPair{c, base, head}, c.changes(base, head), evidence.Options{})
			require.NoError(t, f.Prefetch(context.Background(), slices.Collect(maps.Values(at))))
			for origin, now := range at {
				it, err := f.Follow(context.Background(), now)
				require.NoError(t, err)
				if !it.State.Holds() {
					lost = append(lost, origin)
					continue
				}
				if it.After != now {
					moves++
				}
				at[origin] = it.After
			}
			return lost
		}
		for i := 0; i < length; i++ {
			for _, e := range step(commits[i], commits[i+1]) {
				delete(at, e)
			}
		}
		back := moves
		for i := length; i > 0; i-- {
			for _, e := range step(commits[i], commits[i-1]) {
				if conditioned[commits[i-1]] == e.File+":"+e.Lines.String() {
					delete(at, e)
					continue
				}
				assert.Fail(t, "lost on the way forward", "%s:%s at %s", e.File, e.Lines, commits[i-1])
				delete(at, e)
			}
		}
		for origin, now := range at {
			assert.Equal(t, origin, now)
		}
		assert.True(t, len(at) > 0 || length < historyLength(), "none held") // a shorter history ends before there was anything to cite
		t.Logf("%d of %d citations held over %d commits; %d moves back, %d forward", len(at), len(a.citations), length, back, moves-back)
	})
}
