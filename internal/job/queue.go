package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"

	"github.com/rescore-app/rescore/internal/store"
)

const (
	// fetchPoll is how often a queue looks for work it was not told of.
	fetchPoll = time.Second
	// fetchCooldown is the least time between two fetches.
	fetchCooldown = 20 * time.Millisecond
	// sweepEvery is how often failed deliveries are looked for.
	sweepEvery = 10 * time.Minute
)

// Options opens the queue.
type Options struct {
	Workers     *river.Workers
	Concurrency int // jobs worked at once
	Logger      *slog.Logger
	Middleware  []rivertype.Middleware
	// Drain bounds how long running jobs may go on after Stop before their contexts
	// are cancelled.
	Drain time.Duration
}

// engine is what River's client does, without the type of its transactions.
type engine interface {
	insert(ctx context.Context, tx *store.Tx, params []river.InsertManyParams) error
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
	ID() string
}

// Queue is the durable queue of one replica. Make it with New, give it to the
// workers, then Open it.
type Queue struct {
	store  *store.Store
	engine engine
}

// New returns a queue that is not open yet.
func New(s *store.Store) *Queue { return &Queue{store: s} }

// Open brings the queue's tables up to date and makes insertion possible. Work
// begins with Start.
func (q *Queue) Open(ctx context.Context, o Options) error {
	if err := q.store.Exclusively(ctx, func(ctx context.Context) error { return migrate(ctx, q.store, o.Logger) }); err != nil {
		return fmt.Errorf("prepare the job queue: %w", err)
	}
	cfg := &river.Config{
		ID: replicaID(),
		Queues: map[string]river.QueueConfig{
			QueueDefault:    {MaxWorkers: max(o.Concurrency, 1)},
			QueueBackground: {MaxWorkers: 1},
		},
		Workers: o.Workers, Logger: o.Logger, Middleware: o.Middleware,
		FetchCooldown: fetchCooldown, FetchPollInterval: fetchPoll,
		JobTimeout: Timeout, MaxAttempts: MaxAttempts, RescueStuckJobsAfter: rescueAfter,
		RetryPolicy: retryPolicy{now: time.Now}, SoftStopTimeout: o.Drain,
		PeriodicJobs: []*river.PeriodicJob{river.NewPeriodicJob(river.PeriodicInterval(sweepEvery),
			func() (river.JobArgs, *river.InsertOpts) { return Sweep{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true})},
	}
	var err error
	if q.store.IsSQLite() {
		q.engine, err = newClient(riversqlite.New(q.store.SQLite()), cfg, (*store.Tx).SQLite)
	} else {
		q.engine, err = newClient(riverpgxv5.New(q.store.Pool()), cfg, (*store.Tx).Postgres)
	}
	if err != nil {
		return fmt.Errorf("open the job queue: %w", err)
	}
	return nil
}

// maxHost bounds the host's part of a replica's name: River allows 100 bytes in all.
const maxHost = 50

// replicaID names this process among the replicas: two processes never share a
// name, also on one host or in containers that are called the same.
func replicaID() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%.*s_%d_%016x", maxHost, host, os.Getpid(), rand.Uint64())
}

// Start announces this replica, takes back what dead ones left, and begins work.
// Keep runs beside it.
func (q *Queue) Start(ctx context.Context) error {
	if err := q.store.Beat(ctx, q.engine.ID()); err != nil {
		return err
	}
	if err := q.takeOver(ctx); err != nil {
		return err
	}
	if err := q.engine.Start(ctx); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	return nil
}

// Stop ends work in good order: no new job, running ones finish, and after the
// drain time their contexts are cancelled, which sends them back to the queue.
// When ctx ends first, jobs are left to RequeueLost of the next process.
func (q *Queue) Stop(ctx context.Context) error {
	err := q.engine.Stop(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("stop the job queue: jobs still running go back to the queue at the next start: %w", err)
	}
	if err != nil {
		return fmt.Errorf("stop the job queue: %w", err)
	}
	return q.store.Retire(ctx, q.engine.ID())
}

// ID is this replica's name.
func (q *Queue) ID() string { return q.engine.ID() }

// Insert adds jobs in the transaction: they are there when it is committed.
func (q *Queue) Insert(ctx context.Context, tx *store.Tx, jobs ...Args) error {
	if len(jobs) == 0 {
		return nil
	}
	params := make([]river.InsertManyParams, len(jobs))
	for i, j := range jobs {
		params[i] = river.InsertManyParams{Args: j}
	}
	if err := q.engine.insert(ctx, tx, params); err != nil {
		return fmt.Errorf("insert %d jobs: %w", len(jobs), err)
	}
	return nil
}
