package worker

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/publish"
	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/testenv"
)

// subjectWorker has all that onSubject uses, and a queue that takes deliveries and
// works none.
func subjectWorker(t *testing.T, o store.Options) *Worker {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	gh, err := ghclient.New(ghclient.Options{APIURL: "http://127.0.0.1:1", AppID: 1, Key: key})
	require.NoError(t, err)
	mirrors, err := gitmirror.OpenMirrors(t.TempDir())
	require.NoError(t, err)
	w := New(Deps{Store: s, Queue: job.New(s), App: gh, Mirrors: mirrors, Replica: "r", Log: zerolog.Nop(),
		Checks: &publish.Checks{Records: s, History: s, Name: "Rescore", Now: time.Now}})
	workers := river.NewWorkers()
	w.Register(workers)
	require.NoError(t, w.Queue.Open(ctx, job.Options{Workers: workers, Logger: slog.New(slog.DiscardHandler)}))
	return w
}

func pullDelivery(id string, repo int64, number int) job.Event {
	return job.Event{
		Delivery:     store.Delivery{ID: id, Event: "pull_request", Action: "opened"},
		Repositories: []store.Repository{{ID: repo, InstallationID: 1, Owner: "octo", OwnerID: 2, Name: "agent", DefaultBranch: "main", State: store.StateActive}},
		Pull:         &store.Pull{RepoID: repo, Number: number, BaseRef: "main", Head: "h", State: store.PullOpen},
		Jobs:         []job.Args{job.PullRequest{Origin: job.Origin{InstallationID: 1, RepoID: repo}, Number: number, Head: "h"}},
	}
}

// works runs the subject's job and reports whether there was something to do.
func works(t *testing.T, w *Worker, seq int64, subject string, fn func(*tenant)) bool {
	t.Helper()
	ran := false
	o := job.Origin{InstallationID: 1, RepoID: 7, Seq: seq}
	err := w.onSubject(context.Background(), jobAttempt(seq), o, subject, asked{}, func(_ context.Context, t *tenant) error {
		ran = true
		fn(t)
		return nil
	})
	require.NoError(t, err)
	return ran
}

func nothing(*tenant) {}

// A delivery that is still being stored while work on its subject is under way is
// worked later, although its number is lower than others that are in view: what it
// tells was not read.
func TestWorkCoversOnlyDeliveriesInView(t *testing.T) {
	w := subjectWorker(t, store.Options{DatabaseURL: testenv.PostgresURL(t)})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	accept := func(e job.Event) {
		_, err := w.Queue.Accept(ctx, e)
		assert.NoError(t, err)
	}
	subject := job.PullSubject(7, 5)
	accept(pullDelivery("first", 7, 5)) // number 1
	stored := make(chan struct{})
	require.NoError(t, w.Store.InTx(ctx, func(tx *store.Tx) error {
		require.NoError(t, tx.PutPull(ctx, *pullDelivery("", 7, 5).Pull)) // holds up whoever tells of this pull request
		go func() { defer close(stored); accept(pullDelivery("second", 7, 5)) }()
		require.Eventually(t, func() bool { return waiting(ctx, t, w) }, time.Minute, 10*time.Millisecond)
		accept(pullDelivery("third", 8, 1))
		assert.True(t, works(t, w, 1, subject, nothing))
		return nil
	}))
	<-stored
	p, err := w.Store.DoneSeq(ctx, job.Told(subject))
	require.NoError(t, err)
	assert.True(t, works(t, w, p, subject, nothing), "the second delivery was not in view")
	assert.False(t, works(t, w, p, subject, nothing), "now it is done")
}

// waiting reports whether a connection waits for a lock.
func waiting(ctx context.Context, t *testing.T, w *Worker) bool {
	t.Helper()
	var n int
	err := w.Store.Pool().QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&n)
	return assert.NoError(t, err) && n > 0
}

// What a delivery tells of the repository is read after the number up to which
// work is done: else it would pass for done without having been read.
func TestRepositoryIsReadAfterTheNumber(t *testing.T) {
	for name, o := range map[string]func() store.Options{
		"sqlite":   func() store.Options { return store.Options{Dir: t.TempDir()} },
		"postgres": func() store.Options { return store.Options{DatabaseURL: testenv.PostgresURL(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			w := subjectWorker(t, o())
			branch := func(id, name string) {
				e := pullDelivery(id, 7, 0)
				e.Pull, e.Repositories[0].DefaultBranch = nil, name
				e.Jobs = []job.Args{job.Push{Origin: job.Origin{InstallationID: 1, RepoID: 7}}}
				_, err := w.Queue.Accept(context.Background(), e)
				require.NoError(t, err)
			}
			branch("first", "main")
			subject, read := job.BranchSubject(7), ""
			assert.True(t, works(t, w, 1, subject, func(t *tenant) { read = t.repo.DefaultBranch; branch("second", "trunk") }))
			assert.Equal(t, "main", read)
			assert.True(t, works(t, w, 2, subject, func(t *tenant) { read = t.repo.DefaultBranch }))
			assert.Equal(t, "trunk", read)
			assert.False(t, works(t, w, 2, subject, nothing))
		})
	}
}

// Work under which the process ended too often is not begun again, and its open
// check is given up: it would end every process in turn.
func TestDeadlyWorkIsGivenUp(t *testing.T) {
	w := subjectWorker(t, store.Options{Dir: t.TempDir()})
	_, err := w.Queue.Accept(context.Background(), pullDelivery("first", 7, 5))
	require.NoError(t, err)
	for lost, wanted := range map[int]bool{0: true, job.MaxLost - 1: true, job.MaxLost: false} {
		a, ran := jobAttempt(1), false
		a.row.Metadata = fmt.Appendf(nil, `{"lost":%d}`, lost)
		err := w.onSubject(context.Background(), a, job.Origin{RepoID: 7}, job.PullSubject(7, 5), asked{},
			func(context.Context, *tenant) error { ran = true; return nil })
		assert.Equal(t, wanted, ran, "lost %d times", lost)
		assert.Equal(t, !wanted, w.isLast(context.Background(), a, err))
	}
}

// The end of a job is recorded whatever bytes its error quotes: on PostgreSQL an
// error that cannot be stored would leave the job running for good.
func TestErrorsOfAnyBytesAreRecorded(t *testing.T) {
	for name, o := range map[string]func() store.Options{
		"sqlite":   func() store.Options { return store.Options{Dir: t.TempDir()} },
		"postgres": func() store.Options { return store.Options{DatabaseURL: testenv.PostgresURL(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			s, err := store.Open(ctx, o())
			require.NoError(t, err)
			defer func() { assert.NoError(t, s.Close()) }()
			w := New(Deps{Store: s, Log: zerolog.Nop()})
			runs := make(chan int, 10)
			workers, quiet := river.NewWorkers(), func(context.Context, attempt, job.Sweep) error { return nil }
			river.AddWorker(workers, &adapter[job.Sweep]{w: w, do: quiet})
			river.AddWorker(workers, &adapter[job.PullRequest]{w: w, do: func(_ context.Context, a attempt, _ job.PullRequest) error {
				runs <- a.row.Attempt
				if a.row.Attempt == 1 {
					return errors.New("a\x00b\xff")
				}
				return &errDone{reason: errors.New("c\x00d")}
			}})
			q := job.New(s)
			require.NoError(t, q.Open(ctx, job.Options{Workers: workers, Concurrency: 1, Logger: slog.New(slog.DiscardHandler), Drain: time.Second}))
			require.NoError(t, q.Start(ctx))
			defer func() { assert.NoError(t, q.Stop(ctx)) }()
			_, err = q.Accept(ctx, pullDelivery("first", 7, 5))
			require.NoError(t, err)
			for want := 1; want <= 2; want++ {
				select {
				case got := <-runs:
					assert.Equal(t, want, got)
				case <-ctx.Done():
					require.FailNow(t, "the job does not come again")
				}
			}
			require.Eventually(t, func() bool {
				counts, err := q.Counts(ctx)
				return assert.NoError(t, err) && !slices.ContainsFunc(counts, func(c job.Count) bool { return c.Kind == job.KindPullRequest })
			}, 30*time.Second, 10*time.Millisecond)
		})
	}
}
