package worker

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/testenv"
)

// Of what GitHub tells of a repository's pull requests, only what differs from what
// events told is worked; where an event of the same second may be newer, there is doubt.
func TestDifferencesFromGitHub(t *testing.T) {
	asked := time.Date(2025, time.March, 1, 12, 0, 0, 0, time.UTC)
	event := func(number int, head, state string, at time.Time) store.Pull {
		return store.Pull{RepoID: 7, Number: number, BaseRef: "main", Head: head, State: state, FactsAt: at, Action: "synchronize"}
	}
	listed := func(number int, head string, updated time.Time) ghclient.OpenPull {
		return ghclient.OpenPull{Number: number, Head: head, BaseRef: "main", Created: asked.Add(-time.Hour), Updated: updated}
	}
	opened := func(number int, created time.Time) ghclient.OpenPull {
		p := listed(number, "h", created)
		p.Created = created
		return p
	}
	later := asked.Add(time.Hour)
	for name, options := range map[string]func(t *testing.T) store.Options{
		"sqlite":   func(t *testing.T) store.Options { return store.Options{Dir: t.TempDir()} },
		"postgres": func(t *testing.T) store.Options { return store.Options{DatabaseURL: testenv.PostgresURL(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			w := subjectWorker(t, options(t))
			put := func(p store.Pull) {
				require.NoError(t, w.Store.InTx(ctx, func(tx *store.Tx) error { return tx.PutPull(ctx, p) }))
			}
			put(event(1, "h", store.PullOpen, asked))
			put(event(2, "old", store.PullOpen, asked))
			put(event(3, "h", store.PullClosed, asked))
			put(event(4, "h", store.PullOpen, asked)) // gone by now
			put(event(5, "h", store.PullClosed, later))
			known, err := w.Store.OpenPulls(ctx, 7)
			require.NoError(t, err)
			d, err := w.differences(ctx, store.Unasked{Repository: store.Repository{ID: 7}, AskedAt: asked}, known, []ghclient.OpenPull{
				listed(1, "h", later), listed(2, "new", later), listed(3, "h", later), listed(5, "h", later),
				opened(6, asked.Add(-time.Hour)), opened(7, asked.Add(time.Second)), opened(8, asked.Add(-time.Second)),
			})
			require.NoError(t, err)
			var numbers []int
			for _, j := range d.jobs(job.Origin{RepoID: 7}) {
				numbers = append(numbers, j.(job.PullRequest).Number)
			}
			assert.Equal(t, []int{2, 3, 5, 7, 8, 4}, numbers)
			require.NoError(t, w.Store.InTx(ctx, func(tx *store.Tx) error { return d.record(ctx, tx) }))
			for number, want := range map[int]struct {
				head, state string
				doubtful    bool
			}{
				1: {"h", store.PullOpen, false},
				2: {"new", store.PullOpen, false},
				3: {"h", store.PullOpen, false},
				4: {"h", store.PullOpen, true},
				5: {"h", store.PullOpen, true}, // closed in the second of the answer
				7: {"h", store.PullOpen, false},
			} {
				p, err := w.Store.Pull(ctx, 7, number)
				require.NoError(t, err)
				assert.Equal(t, want.head, p.Head, number)
				assert.Equal(t, want.doubtful, p.Doubtful, number)
				if !want.doubtful {
					assert.Equal(t, want.state, p.State, number)
				}
			}
			_, err = w.Store.Pull(ctx, 7, 6)
			require.ErrorIs(t, err, store.ErrNotFound, "from before the App came")

			// Of a repository from an older version it is not known when it was asked.
			d, err = w.differences(ctx, store.Unasked{Repository: store.Repository{ID: 7}}, nil, []ghclient.OpenPull{opened(9, later)})
			require.NoError(t, err)
			assert.Empty(t, d.jobs(job.Origin{}))
		})
	}
}
