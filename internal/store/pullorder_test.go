package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/store"
)

// Events of one second are put into their order by what they tell, whichever of
// them arrives first.
func TestEventsOfOneSecond(t *testing.T) {
	event := func(action, state, base, head string) store.Pull {
		return store.Pull{RepoID: 1, Number: 5, BaseRef: base, Head: head, State: state, Action: action, FactsAt: t0}
	}
	opened := event("opened", store.PullOpen, "main", "h1")
	pushed := event("synchronize", store.PullOpen, "main", "h2")
	pushed.HeadFrom = "h1"
	rebased := event("edited", store.PullOpen, "release", "h1")
	rebased.BaseFrom = "main"
	back := event("edited", store.PullOpen, "main", "h1")
	back.BaseFrom = "release"
	closed := event("closed", store.PullClosed, "main", "h1")
	reopened := event("reopened", store.PullOpen, "main", "h1")
	onward := event("edited", store.PullOpen, "next", "h1")
	onward.BaseFrom = "release"
	cases := map[string]struct {
		events            []store.Pull
		base, head, state string
		doubtful          bool
	}{
		"opened, pushed":           {[]store.Pull{opened, pushed}, "main", "h2", store.PullOpen, false},
		"opened, base edited":      {[]store.Pull{opened, rebased}, "release", "h1", store.PullOpen, false},
		"edited twice":             {[]store.Pull{rebased, onward}, "next", "h1", store.PullOpen, false},
		"edited there and back":    {[]store.Pull{rebased, back}, "", "h1", store.PullOpen, true},
		"opened, closed":           {[]store.Pull{opened, closed}, "main", "h1", store.PullClosed, false},
		"pushed, closed":           {[]store.Pull{pushed, closed}, "main", "", store.PullClosed, false},
		"closed, reopened":         {[]store.Pull{closed, reopened}, "main", "h1", "", true},
		"the same event once more": {[]store.Pull{pushed, pushed}, "main", "h2", store.PullOpen, false},
	}
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		number := 100
		for name, c := range cases {
			for _, order := range [][]int{{0, 1}, {1, 0}} {
				number++
				for _, i := range order {
					p := c.events[i]
					p.Number = number
					require.NoError(t, w.PutPull(ctx, p))
				}
				got, err := w.Pull(ctx, 1, number)
				require.NoError(t, err)
				assert.Equal(t, c.doubtful, got.Doubtful, "%s %v", name, order)
				if c.base != "" {
					assert.Equal(t, c.base, got.BaseRef, "%s %v", name, order)
				}
				if c.head != "" {
					assert.Equal(t, c.head, got.Head, "%s %v", name, order)
				}
				if c.state != "" {
					assert.Equal(t, c.state, got.State, "%s %v", name, order)
				}
			}
		}
		// An event beside GitHub's answer of the same second may be older than it.
		answer := opened
		answer.Number = 800
		require.NoError(t, w.ConfirmPull(ctx, answer))
		old := closed
		old.Number = 800
		require.NoError(t, w.PutPull(ctx, old))
		asked, err := w.Pull(ctx, 1, 800)
		require.NoError(t, err)
		assert.True(t, asked.Doubtful)

		// A later second settles it, and so does GitHub's own answer.
		doubtful := reopened
		doubtful.Number = 900
		require.NoError(t, w.PutPull(ctx, doubtful))
		other := closed
		other.Number = 900
		require.NoError(t, w.PutPull(ctx, other))
		got, err := w.Pull(ctx, 1, 900)
		require.NoError(t, err)
		require.True(t, got.Doubtful)
		other.FactsAt = t0.Add(time.Second)
		require.NoError(t, w.PutPull(ctx, other))
		got, err = w.Pull(ctx, 1, 900)
		require.NoError(t, err)
		assert.False(t, got.Doubtful)
		assert.Equal(t, store.PullClosed, got.State)
	})
}
