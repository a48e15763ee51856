package worker

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
)

const (
	// compareEvery is how often GitHub is asked about a repository whatever events told:
	// it sends none that is larger than 25 MB, none while an installation is suspended,
	// and none again that is older than three days.
	compareEvery = 24 * time.Hour
	// compareBatch bounds how many repositories one sweep asks about, two requests each:
	// over four thousand a day.
	compareBatch = 30
	// compareSlack is how far GitHub's times may be from ours: it refuses the App's
	// signature when it is much more.
	compareSlack = 3 * time.Minute
	// gapSubject keeps, among the progress, when deliveries were last lost that cannot be
	// asked for again, in seconds: every repository is compared after it.
	gapSubject = "gap"
)

// lostUntil notes that deliveries were lost up to a time. It is kept in whole seconds,
// rounded up: what was asked about in the same second may have been asked before.
func (w *Worker) lostUntil(ctx context.Context, t time.Time) error {
	return w.Store.SetDoneSeq(ctx, gapSubject, t.Unix()+1)
}

// compare looks for what no event told: a push, a pull request that was opened, pushed
// to or closed. What cannot be asked now is asked by a later sweep.
func (w *Worker) compare(ctx context.Context) error {
	gap, err := w.Store.DoneSeq(ctx, gapSubject)
	if err != nil {
		return err
	}
	before := w.Now().Add(-compareEvery)
	if lost := time.Unix(gap, 0); lost.After(before) {
		before = lost
	}
	due, err := w.Store.UnaskedSince(ctx, before, compareBatch)
	if err != nil {
		return err
	}
	for _, r := range due {
		asked := w.Now() // what happens from here on may not be in the answer
		err := w.compareOne(ctx, r)
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			w.Log.Warn().Err(err).Int64("repository", r.ID).Msg("not compared with GitHub")
			w.note(ctx, attempt{log: w.Log}, r.Repository, err)
		}
		var limit *ghclient.RateLimitError
		if errors.As(err, &limit) || isAny(err, outages) || store.IsTransient(err) {
			continue
		}
		if err := w.Store.SetAsked(ctx, r.ID, asked); err != nil {
			return err
		}
	}
	return nil
}

// compareOne asks by the repository's id, for another may have its name by now.
func (w *Worker) compareOne(ctx context.Context, r store.Unasked) error {
	inst := w.App.Installation(r.InstallationID)
	now, err := inst.RepositoryByID(ctx, r.ID)
	if errors.Is(err, ghclient.ErrNotFound) {
		_, err := w.Store.SetRepositoryState(ctx, r.ID, store.StateRemoved)
		return err
	}
	if err != nil {
		return err
	}
	record := recordOf(r.InstallationID, now)
	if record.State != store.StateActive {
		return w.Store.PutRepository(ctx, record)
	}
	known, err := w.Store.OpenPulls(ctx, r.ID)
	if err != nil {
		return err
	}
	open, err := inst.OpenPulls(ctx, ghRepo(record))
	if err != nil {
		return err
	}
	d, err := w.differences(ctx, r, known, open)
	if err != nil {
		return err
	}
	origin := job.Origin{InstallationID: r.InstallationID, RepoID: r.ID}
	jobs := d.jobs(origin)
	if now.GetPushedAt().After(r.AskedAt.Add(-compareSlack)) {
		jobs = append(jobs, job.Push{Origin: origin})
	}
	return w.Store.InTx(ctx, func(tx *store.Tx) error {
		if err := tx.PutRepository(ctx, record); err != nil {
			return err
		}
		if err := d.record(ctx, tx); err != nil {
			return err
		}
		return w.Queue.Insert(ctx, tx, jobs...)
	})
}

// pullDifferences are where GitHub tells something else of a repository's pull requests
// than events did.
type pullDifferences struct {
	open []store.Pull // as GitHub tells
	gone []store.Pull // open on record, and not among the open ones
}

// differences compares what is known with the open pull requests. One that is not on
// record counts only when it was opened since GitHub was asked last: of older ones
// somebody decided without us, and is not to be disturbed.
func (w *Worker) differences(ctx context.Context, r store.Unasked, known []int, open []ghclient.OpenPull) (pullDifferences, error) {
	var d pullDifferences
	listed := map[int]bool{}
	for _, p := range open {
		listed[p.Number] = true
		answer := store.Pull{RepoID: r.ID, Number: p.Number, BaseRef: p.BaseRef, Head: p.Head, State: store.PullOpen, FactsAt: p.Updated}
		known, err := w.Store.Pull(ctx, r.ID, p.Number)
		isNew := errors.Is(err, store.ErrNotFound)
		if err != nil && !isNew {
			return d, err
		}
		same := known.State == answer.State && known.Head == answer.Head && known.BaseRef == answer.BaseRef
		if isNew {
			same = r.AskedAt.IsZero() || p.Created.Before(r.AskedAt.Add(-compareSlack))
		}
		if !same {
			d.open = append(d.open, answer)
		}
	}
	for _, number := range known {
		if !listed[number] {
			d.gone = append(d.gone, store.Pull{RepoID: r.ID, Number: number})
		}
	}
	return d, nil
}

// jobs are those that make the differences right.
func (d pullDifferences) jobs(o job.Origin) []job.Args {
	var out []job.Args
	for _, p := range slices.Concat(d.open, d.gone) {
		out = append(out, job.PullRequest{Origin: o, Number: p.Number})
	}
	return out
}

// record notes what GitHub told. An event of the same second may be newer, and the list
// does not tell what became of those that are not on it: where there is doubt, the job
// asks about the one pull request.
func (d pullDifferences) record(ctx context.Context, tx *store.Tx) error {
	for _, p := range d.open {
		if err := tx.PutPull(ctx, p); err != nil {
			return err
		}
	}
	for _, p := range d.gone {
		if err := tx.DoubtPull(ctx, p.RepoID, p.Number); err != nil {
			return err
		}
	}
	return nil
}
