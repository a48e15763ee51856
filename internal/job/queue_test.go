package job_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/testenv"
)

// hook is a worker whose work the test writes.
type hook[T job.Args] struct {
	river.WorkerDefaults[T]
	work func(context.Context, *river.Job[T]) error
}

func (h *hook[T]) Work(ctx context.Context, j *river.Job[T]) error { return h.work(ctx, j) }

// sweeper does nothing.
type sweeper struct {
	river.WorkerDefaults[job.Sweep]
}

func (sweeper) Work(context.Context, *river.Job[job.Sweep]) error { return nil }

type pull = river.Job[job.PullRequest]

// opener makes stores of one database.
type opener func(t *testing.T) *store.Store

func onBoth(t *testing.T, test func(t *testing.T, open opener)) {
	t.Helper()
	run := func(name string, opts func(t *testing.T) store.Options) {
		t.Run(name, func(t *testing.T) {
			o := opts(t)
			test(t, func(t *testing.T) *store.Store {
				s, err := store.Open(context.Background(), o)
				require.NoError(t, err)
				t.Cleanup(func() { assert.NoError(t, s.Close()) })
				return s
			})
		})
	}
	run("sqlite", func(t *testing.T) store.Options { return store.Options{Dir: t.TempDir()} })
	run("postgres", func(t *testing.T) store.Options { return store.Options{DatabaseURL: testenv.PostgresURL(t)} })
}

// queue opens a queue whose pull request jobs run work; it is not started.
func queue(t *testing.T, s *store.Store, work func(context.Context, *pull) error) *job.Queue {
	t.Helper()
	workers := river.NewWorkers()
	river.AddWorker(workers, &hook[job.PullRequest]{work: work})
	river.AddWorker(workers, sweeper{})
	river.AddWorker(workers, &hook[job.Push]{work: func(context.Context, *river.Job[job.Push]) error { return nil }})
	q := job.New(s)
	require.NoError(t, q.Open(context.Background(), job.Options{
		Workers: workers, Concurrency: 4, Logger: slog.New(slog.DiscardHandler), Drain: time.Second,
	}))
	return q
}

func start(t *testing.T, q *job.Queue) {
	t.Helper()
	require.NoError(t, q.Start(context.Background()))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		assert.NoError(t, q.Stop(ctx))
	})
}

func event(id string, number int) job.Event {
	return job.Event{
		Delivery:     store.Delivery{ID: id, ContentKey: "content-" + id, Event: "pull_request", Action: "opened"},
		Installation: &store.Installation{ID: 1, Account: "octo", AccountID: 2, State: store.StateActive},
		Repositories: []store.Repository{{ID: 7, InstallationID: 1, Owner: "octo", OwnerID: 2, Name: "agent", DefaultBranch: "main", State: store.StateActive}},
		Pull:         &store.Pull{RepoID: 7, Number: number, BaseRef: "main", Head: "h", State: store.PullOpen},
		Jobs:         []job.Args{job.PullRequest{Origin: job.Origin{InstallationID: 1, RepoID: 7}, Number: number, Head: "h"}},
	}
}

func receive[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(30 * time.Second):
		require.FailNow(t, "nothing came")
		panic("unreachable")
	}
}

func TestAcceptedWorkIsDone(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		s := open(t)
		done := make(chan job.PullRequest, 10)
		q := queue(t, s, func(_ context.Context, j *pull) error { done <- j.Args; return nil })
		start(t, q)
		ctx := context.Background()
		fresh, err := q.Accept(ctx, event("d1", 5))
		require.NoError(t, err)
		assert.True(t, fresh)
		got := receive(t, done)
		assert.Equal(t, "d1", got.Delivery)
		assert.Equal(t, int64(1), got.Seq)
		assert.Equal(t, 5, got.Number)

		r, err := s.Repository(ctx, 7)
		require.NoError(t, err)
		assert.Equal(t, "octo/agent", r.FullName())
		_, err = s.Installation(ctx, 1)
		require.NoError(t, err)
		p, err := s.Pull(ctx, 7, 5)
		require.NoError(t, err)
		assert.Equal(t, "main", p.BaseRef)
	})
}

// One event is worked once, whether its delivery comes again under the same id
// or, through another hook, under another.
func TestDuplicatesAreDropped(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		done := make(chan job.PullRequest, 10)
		q := queue(t, open(t), func(_ context.Context, j *pull) error { done <- j.Args; return nil })
		ctx := context.Background()
		_, err := q.Accept(ctx, event("d1", 1))
		require.NoError(t, err)
		again := event("d1", 1)
		otherID := event("d2", 1)
		otherID.Delivery.ContentKey = "content-d1"
		for _, e := range []job.Event{again, otherID} {
			fresh, err := q.Accept(ctx, e)
			require.NoError(t, err)
			assert.False(t, fresh)
		}
		_, err = q.Accept(ctx, event("last", 2))
		require.NoError(t, err)
		start(t, q)
		numbers := []int{receive(t, done).Number, receive(t, done).Number}
		slices.Sort(numbers)
		assert.Equal(t, []int{1, 2}, numbers)
		assert.Empty(t, done)
	})
}

// What cannot be stored whole is not stored at all, so that a redelivery finds
// nothing in its way.
func TestAcceptIsAllOrNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		s := open(t)
		q := queue(t, s, func(context.Context, *pull) error { return nil })
		e := event("d1", 5)
		e.Jobs = append(e.Jobs, job.Command{}) // no worker for it here: River refuses
		_, err := q.Accept(context.Background(), e)
		require.ErrorContains(t, err, "d1")
		known, err := s.HasDelivery(context.Background(), "d1")
		require.NoError(t, err)
		assert.False(t, known)
		_, err = s.Repository(context.Background(), 7)
		require.ErrorIs(t, err, store.ErrNotFound)
	})
}

func TestFactsOfAnEvent(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		s := open(t)
		ctx := context.Background()
		q := queue(t, s, func(context.Context, *pull) error { return nil })
		_, err := q.Accept(ctx, job.Event{Delivery: store.Delivery{ID: "1"}, Known: true,
			Installation: &store.Installation{ID: 1, Account: "octo", State: store.StateSuspended, Reason: "r"}})
		require.NoError(t, err)
		_, err = q.Accept(ctx, event("2", 5))
		require.NoError(t, err)
		i, err := s.Installation(ctx, 1)
		require.NoError(t, err)
		assert.Equal(t, store.StateSuspended, i.State, "an event from it does not tell its state")
		_, err = q.Accept(ctx, job.Event{Delivery: store.Delivery{ID: "3"}, Removed: []int64{7, 8}})
		require.NoError(t, err)
		r, err := s.Repository(ctx, 7)
		require.NoError(t, err)
		assert.Equal(t, store.StateRemoved, r.State)
	})
}

func TestFailedJobRunsAgainSoon(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		attempts := make(chan int, 10)
		q := queue(t, open(t), func(_ context.Context, j *pull) error {
			attempts <- j.Attempt
			if j.Attempt < 3 {
				return errors.New("not yet")
			}
			return nil
		})
		start(t, q)
		began := time.Now()
		_, err := q.Accept(context.Background(), event("d1", 5))
		require.NoError(t, err)
		for want := 1; want <= 3; want++ {
			assert.Equal(t, want, receive(t, attempts))
		}
		assert.Less(t, time.Since(began), 20*time.Second)
	})
}

func TestWhatPeopleWaitForGoesFirst(t *testing.T) {
	type inserted interface{ InsertOpts() river.InsertOpts }
	p := func(a inserted) int { return a.InsertOpts().Priority }
	told := job.Origin{Seq: 1}
	assert.Less(t, p(job.Command{}), p(job.PullRequest{Origin: told}))
	assert.Less(t, p(job.Rerequest{}), p(job.PullRequest{Origin: told}))
	assert.Less(t, p(job.PullRequest{Origin: told}), p(job.Push{Origin: told}))
	assert.Less(t, p(job.Push{Origin: told}), p(job.Push{}))
	assert.Less(t, p(job.Push{Origin: told}), p(job.PullRequest{}), "one of many that are looked at anew")
	assert.Equal(t, job.QueueBackground, job.Installation{}.InsertOpts().Queue)
}

// Arguments hold ids and SHAs, and travel as JSON without loss.
func TestArgumentsTravel(t *testing.T) {
	o := job.Origin{Delivery: "d", Seq: 9, InstallationID: 1, RepoID: 2}
	for _, a := range []job.Args{
		job.Push{Origin: o, After: "a"}, job.PullRequest{Origin: o, Number: 3, Head: "h", Action: "opened"},
		job.Command{Origin: o, Number: 3, CommentID: 4, Sender: "ada", Verb: "rescore", Criteria: []string{"C2"}},
		job.Rerequest{Origin: o, Head: "h", Suite: true}, job.Installation{Origin: o, Action: "created", Repos: []int64{2}},
	} {
		data, err := json.Marshal(a)
		require.NoError(t, err)
		assert.Less(t, len(data), 300)
		var back map[string]any
		require.NoError(t, json.Unmarshal(data, &back))
		assert.Equal(t, "d", back["delivery"], a.Kind())
		assert.Equal(t, o, a.From())
	}
	assert.Equal(t, "repo/7/pull/5", job.PullSubject(7, 5))
	assert.Equal(t, "repo/7/default", job.BranchSubject(7))
	for _, number := range []int{0, 5} {
		id := job.ExternalID(number, "head", "cause")
		assert.Equal(t, id, job.ExternalID(number, "head", "cause"))
		assert.NotEqual(t, id, job.ExternalID(number, "head", "another"))
		assert.NotEqual(t, id, job.ExternalID(number, "another", "cause"))
		got, ok := job.PullOfExternalID(id)
		assert.True(t, ok)
		assert.Equal(t, number, got)
	}
}

func TestBackoffStartsShortAndStaysBounded(t *testing.T) {
	for n := -1; n < 100; n++ {
		d := job.Backoff(n)
		assert.GreaterOrEqual(t, d, time.Second)
		assert.LessOrEqual(t, d, 36*time.Second)
	}
	assert.Less(t, job.Backoff(1), 2*time.Second)
}

// A process that dies in the middle of a job: the next one works the job again,
// at once, although it is marked running.
func TestKilledWorkIsTakenOver(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		s := open(t)
		started := make(chan int64, 10)
		var mu sync.Mutex
		var dead bool
		hang := make(chan struct{})
		q1 := queue(t, s, func(ctx context.Context, j *pull) error {
			started <- j.ID
			<-hang
			mu.Lock()
			defer mu.Unlock()
			if dead {
				return errors.New("a dead process reports nothing")
			}
			return nil
		})
		require.NoError(t, q1.Start(context.Background()))
		_, err := q1.Accept(context.Background(), event("d1", 5))
		require.NoError(t, err)
		id := receive(t, started)
		mu.Lock()
		dead = true
		mu.Unlock()

		ids := make(chan int64, 1)
		require.NoError(t, s.Close()) // the process is gone, and with it a lock or a heartbeat
		if s = open(t); !s.IsSQLite() {
			require.NoError(t, s.Retire(context.Background(), q1.ID())) // as silent for long
			_, err := s.Pool().Exec(context.Background(), "UPDATE river_job SET attempted_at = attempted_at - interval '1 minute'")
			require.NoError(t, err)
		}
		q2 := queue(t, s, func(_ context.Context, j *pull) error {
			ids <- j.ID
			assert.Equal(t, 1, j.Attempt, "being killed is no failure of the job")
			return nil
		})
		start(t, q2)
		assert.Equal(t, id, receive(t, ids))
		close(hang)
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = q1.Stop(ctx) // its database is closed
	})
}

// A job whose process ends again and again is known by it, and comes back later each
// time, apart from those that were under way beside it.
func TestLostJobsAreCountedAndSpread(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		s := open(t)
		q := queue(t, s, func(context.Context, *pull) error { return nil })
		ctx := context.Background()
		require.NoError(t, s.Beat(ctx, q.ID()))
		exec, row := statements(s)
		for n := range 40 {
			_, err := q.Accept(ctx, event(fmt.Sprint("d", n), n+1))
			require.NoError(t, err)
		}
		dead := "UPDATE river_job SET state = 'running', attempt = attempt + 1, attempted_at = '2020-01-01 00:00:00', attempted_by = "
		for n := 1; n <= job.MaxLost; n++ {
			if s.IsSQLite() {
				exec(dead + `jsonb('["dead"]')`)
			} else {
				exec(dead + "'{dead}'")
			}
			require.NoError(t, q.TakeOver(ctx))
			var jobs, counted, times int
			var soonest, latest float64
			row(`SELECT count(*), count(CASE WHEN metadata ->> 'lost' = $1 AND attempt = 0 AND state = 'available' THEN 1 END),
				count(DISTINCT scheduled_at), min({wait}), max({wait}) FROM river_job`, fmt.Sprint(n), &jobs, &counted, &times, &soonest, &latest)
			assert.Equal(t, 40, jobs)
			assert.Equal(t, jobs, counted, "lost %d times", n)
			if n == 1 {
				assert.LessOrEqual(t, latest, 0.0, "the first time it goes on at once")
				continue
			}
			assert.Greater(t, soonest, 0.0)
			assert.LessOrEqual(t, latest, 10.0*float64(n))
			assert.Greater(t, times, 4)
		}
	})
}

// statements runs SQL on either database; {wait} is how long a job still waits, in
// seconds.
func statements(s *store.Store) (exec func(query string), row func(query, arg string, into ...any)) {
	ctx := context.Background()
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	if s.IsSQLite() {
		wait := strings.NewReplacer("{wait}", "unixepoch(scheduled_at, 'subsec') - unixepoch('now', 'subsec')", "'lost' = $1", "'lost' = CAST($1 AS integer)")
		return func(query string) { _, err := s.SQLite().ExecContext(ctx, query); must(err) },
			func(query, arg string, into ...any) {
				must(s.SQLite().QueryRowContext(ctx, wait.Replace(query), arg).Scan(into...))
			}
	}
	wait := strings.NewReplacer("{wait}", "extract(epoch from scheduled_at - now())::float8")
	return func(query string) { _, err := s.Pool().Exec(ctx, query); must(err) },
		func(query, arg string, into ...any) {
			must(s.Pool().QueryRow(ctx, wait.Replace(query), arg).Scan(into...))
		}
}

func TestJobsOfLiveReplicasAreLeftAlone(t *testing.T) {
	url := testenv.PostgresURL(t)
	s, err := store.Open(context.Background(), store.Options{DatabaseURL: url})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	started, hang := make(chan struct{}, 1), make(chan struct{})
	q := queue(t, s, func(context.Context, *pull) error { started <- struct{}{}; <-hang; return nil })
	start(t, q)
	defer close(hang)
	_, err = q.Accept(context.Background(), event("d1", 5))
	require.NoError(t, err)
	receive(t, started)
	_, err = s.Pool().Exec(context.Background(), "UPDATE river_job SET attempted_at = attempted_at - interval '1 hour'")
	require.NoError(t, err)
	n, err := q.RequeueLost(context.Background())
	require.NoError(t, err)
	assert.Zero(t, n, "its replica lives")

	require.NoError(t, s.Retire(context.Background(), q.ID()))
	_, err = s.Pool().Exec(context.Background(), "UPDATE river_job SET attempted_at = now() WHERE kind = 'pull_request'")
	require.NoError(t, err)
	n, err = q.RequeueLost(context.Background())
	require.NoError(t, err)
	assert.Zero(t, n, "fetched a moment ago, perhaps by a replica that has not announced itself yet")
	require.NoError(t, s.Beat(context.Background(), q.ID()))
}

func TestStopLetsRunningJobsFinish(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		s := open(t)
		started, finish, finished := make(chan struct{}, 1), make(chan struct{}), make(chan error, 1)
		q := queue(t, s, func(ctx context.Context, _ *pull) error {
			started <- struct{}{}
			<-finish
			finished <- ctx.Err()
			return nil
		})
		require.NoError(t, q.Start(context.Background()))
		_, err := q.Accept(context.Background(), event("d1", 5))
		require.NoError(t, err)
		receive(t, started)
		stopped := make(chan error, 1)
		go func() { stopped <- q.Stop(context.Background()) }()
		close(finish)
		require.NoError(t, receive(t, stopped))
		require.NoError(t, receive(t, finished))
		counts, err := q.Counts(context.Background())
		require.NoError(t, err)
		for _, c := range counts {
			assert.NotEqual(t, job.KindPullRequest, c.Kind, "%+v", c)
		}
	})
}

func TestStopCancelsWhatTakesTooLong(t *testing.T) {
	onBoth(t, func(t *testing.T, open opener) {
		s := open(t)
		started := make(chan struct{}, 1)
		q := queue(t, s, func(ctx context.Context, _ *pull) error {
			started <- struct{}{}
			<-ctx.Done()
			return river.JobSnooze(0)
		})
		require.NoError(t, q.Start(context.Background()))
		_, err := q.Accept(context.Background(), event("d1", 5))
		require.NoError(t, err)
		receive(t, started)
		require.NoError(t, q.Stop(context.Background()))
		counts, err := q.Counts(context.Background())
		require.NoError(t, err)
		assert.Contains(t, counts, job.Count{Kind: job.KindPullRequest, State: string(rivertype.JobStateAvailable), Jobs: 1})
	})
}

func TestHeartbeatGoesOn(t *testing.T) {
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	q := queue(t, s, func(context.Context, *pull) error { return nil })
	ctx, cancel := context.WithCancel(context.Background())
	failed := make(chan error, 100)
	ended := make(chan struct{})
	go func() { q.Keep(ctx, func(err error) { failed <- err }); close(ended) }()
	require.NoError(t, s.Close())
	require.Error(t, receive(t, failed), "a database that is gone is told")
	cancel()
	receive(t, ended)
}

// Two replicas share one queue: every job runs once.
func TestReplicasShareTheWork(t *testing.T) {
	url := testenv.PostgresURL(t)
	const jobs = 40
	done := make(chan int, 2*jobs)
	var queues []*job.Queue
	for range 2 {
		s, err := store.Open(context.Background(), store.Options{DatabaseURL: url})
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, s.Close()) })
		q := queue(t, s, func(_ context.Context, j *pull) error { done <- j.Args.Number; return nil })
		start(t, q)
		queues = append(queues, q)
	}
	for i := range jobs {
		_, err := queues[i%2].Accept(context.Background(), event(fmt.Sprint(i), i+1))
		require.NoError(t, err)
	}
	seen := map[int]int{}
	for range jobs {
		seen[receive(t, done)]++
	}
	assert.Len(t, seen, jobs)
	assert.Empty(t, done)
}
