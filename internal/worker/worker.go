package worker

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/rs/zerolog"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/publish"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/store"
)

// Engine is the pipeline. *rescore.Engine has it.
type Engine interface {
	Rescore(ctx context.Context, repo rescore.Repo, req rescore.Request) (*outcome.Outcome, error)
	Verify(ctx context.Context, repo rescore.Repo, card *scorecard.Card, commit string) (*outcome.Verification, error)
}

// Deps are what the workers work with.
type Deps struct {
	Store   *store.Store
	Queue   *job.Queue
	App     *ghclient.App
	Mirrors *gitmirror.Mirrors
	// MirrorLimit bounds the mirrors on this replica's disk, in bytes.
	MirrorLimit int64
	// Searches are the kept results of searches, which Engine uses.
	Searches *store.SearchCache
	// Engine returns the pipeline with the named judges; none means those of the
	// configuration. An unknown name is an error that lists the known ones.
	Engine func(judges []string) (Engine, error)
	// WebURL is the address of a repository's page, GitURL that of its git.
	WebURL, GitURL func(owner, name string) string
	Checks         *publish.Checks
	Comments       *publish.Comments
	// Scorer is the version of program, rubric and configuration: results of
	// another one are not taken for current.
	Scorer  string
	Replica string // holder of leases
	Now     func() time.Time
	Log     zerolog.Logger
	// Observe is told what was published; it may be nil.
	Observe func(Published)
	// ObserveJob is told how each run of a job ended, ObserveGit of each exchange
	// with the git server; both may be nil.
	ObserveJob func(kind, end string, took time.Duration)
	ObserveGit func(took time.Duration, err error)
}

// Published is one published result, for metrics.
type Published struct {
	Kind       string // of the job
	Conclusion string
	Cost       outcome.Cost
	Age        time.Duration // from the delivery to the result
}

// Worker does every kind of job.
type Worker struct {
	Deps
	policies ownerPolicies
	denials  denials
}

// New returns a worker.
func New(d Deps) *Worker {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Observe == nil {
		d.Observe = func(Published) {}
	}
	if d.ObserveJob == nil {
		d.ObserveJob = func(string, string, time.Duration) {}
	}
	if d.ObserveGit == nil {
		d.ObserveGit = func(time.Duration, error) {}
	}
	return &Worker{Deps: d, policies: ownerPolicies{byOwner: map[int64]ownerPolicy{}}}
}

// Register adds the workers of all kinds.
func (w *Worker) Register(workers *river.Workers) {
	river.AddWorker(workers, &adapter[job.Push]{w: w, do: w.push})
	river.AddWorker(workers, &adapter[job.PullRequest]{w: w, do: w.pullRequest})
	river.AddWorker(workers, &adapter[job.Command]{w: w, do: w.command})
	river.AddWorker(workers, &adapter[job.Rerequest]{w: w, do: w.rerequest})
	river.AddWorker(workers, &adapter[job.Installation]{w: w, do: w.installation})
	river.AddWorker(workers, &adapter[job.Sweep]{w: w, do: func(ctx context.Context, _ attempt, _ job.Sweep) error { return w.sweep(ctx) }})
}

// attempt is one run of a job.
type attempt struct {
	row *rivertype.JobRow
	log zerolog.Logger
}

// cause names what asked for the work: the same for every attempt.
func (a attempt) cause(o job.Origin) string {
	if o.Delivery != "" {
		return o.Delivery
	}
	return fmt.Sprintf("job-%d", a.row.ID)
}

// adapter fits a function to River's worker.
type adapter[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	w  *Worker
	do func(ctx context.Context, a attempt, args T) error
}

// Work runs the job once and says what is to become of it.
func (h *adapter[T]) Work(ctx context.Context, j *river.Job[T]) error {
	fields := h.w.Log.With().Str("job", j.Kind).Int64("job_id", j.ID).Int("attempt", j.Attempt)
	if args, ok := any(j.Args).(job.Args); ok {
		o := args.From()
		fields = fields.Str("delivery", o.Delivery).Int64("installation", o.InstallationID).Int64("repository", o.RepoID)
	}
	a := attempt{row: j.JobRow, log: fields.Logger()}
	began := h.w.Now()
	err := h.run(a.log.WithContext(ctx), a, j.Args)
	verdict := h.w.verdict(ctx, a, err)
	event := a.log.Info()
	if err != nil {
		event = a.log.Warn().Err(err)
	}
	took := h.w.Now().Sub(began)
	h.w.ObserveJob(j.Kind, nameOf(verdict), took)
	event.Dur("took", took).Str("end", nameOf(verdict)).Msg("job")
	if verdict == nil {
		return nil
	}
	return storable{verdict}
}

// storable is a verdict whose text the database takes. River writes it beside the
// job; what cannot be written would keep the job, and those written with it, running.
type storable struct{ error }

func (s storable) Error() string { return store.Text(s.error.Error()) }
func (s storable) Unwrap() error { return s.error }

func (h *adapter[T]) run(ctx context.Context, a attempt, args T) (err error) {
	defer caught(a, &err)
	return h.do(ctx, a, args)
}

// caught, deferred, turns a panic into an error, so that it is handled like any other
// failure.
func caught(a attempt, err *error) {
	if p := recover(); p != nil {
		a.log.Error().Bytes("stack", debug.Stack()).Interface("panic", p).Msg("job panicked")
		*err = fmt.Errorf("panic: %v", p)
	}
}
