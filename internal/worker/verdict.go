package worker

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/tidwall/gjson"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
)

const (
	// heldPause is how long a job waits for another one on the same subject, and
	// heldRuns after how many pauses they double, up to four times as long: a job
	// that takes minutes is not asked about each second.
	heldPause = time.Second
	heldRuns  = 8
	// outagePause is the longest pause while GitHub or the database is away: work
	// has to resume within 45 s of their recovery.
	outagePause = 30 * time.Second
	// maxTimeouts is how many runs of a job may take all of job.Timeout: the next would
	// hold a worker as long, for an answer that is likely the same.
	maxTimeouts = 2
	// maxOutage is how long a job waits for them, or for others, in all.
	maxOutage = 24 * time.Hour
)

// errLeaseLost says that another job may be working on the subject.
var errLeaseLost = errors.New("the lease on the subject was lost")

// errDeadly says that the process ended again and again while it worked on a job.
var errDeadly = errors.New("the process ended each time it worked on this")

// errDone marks the end of a job with nothing left to do for good: the reason is
// in the log, nothing is wrong with us.
type errDone struct{ reason error }

func (e *errDone) Error() string { return e.reason.Error() }
func (e *errDone) Unwrap() error { return e.reason }

// final are failures that no repetition mends.
var final = []error{
	ghclient.ErrSuspended, ghclient.ErrUninstalled, ghclient.ErrPermission, ghclient.ErrArchived, ghclient.ErrDisabled,
	ghclient.ErrEmpty, ghclient.ErrNoCommit, ghclient.ErrInvalid, ghclient.ErrForeignHost, gitmirror.ErrRemoteURL,
	gitmirror.ErrTooLarge, errDeadly,
}

// outages are failures that pass by themselves, or when the operator mends
// something: attempts are not counted.
var outages = []error{
	ghclient.ErrUnavailable, ghclient.ErrClockSkew, ghclient.ErrCredentials, gitmirror.ErrUnavailable,
}

func isAny(err error, kinds []error) bool {
	for _, k := range kinds {
		if errors.Is(err, k) {
			return true
		}
	}
	return false
}

// verdict maps how a job ended to what River does with it.
func (w *Worker) verdict(ctx context.Context, a attempt, err error) error {
	var limit *ghclient.RateLimitError
	var done *errDone
	old := w.Now().Sub(a.row.CreatedAt) > maxOutage
	switch {
	case err == nil:
		return nil
	case errors.As(err, &done):
		return river.JobCancel(err)
	case (isAny(err, []error{store.ErrHeld, errLeaseLost}) || errors.Is(context.Cause(ctx), errLeaseLost)) && !old:
		return river.JobSnooze(heldPause << min(a.snoozes()/heldRuns, 2))
	case errors.As(err, &limit) && !old:
		return river.JobSnooze(max(limit.Until.Sub(w.Now()), time.Second) + jitter(2*time.Second))
	case isAny(err, final):
		return river.JobCancel(err)
	case (isAny(err, outages) || store.IsTransient(err) || isFull(err)) && !old:
		return river.JobSnooze(outageBackoff(a))
	case errors.Is(ctx.Err(), context.Canceled): // this process stops
		return river.JobSnooze(0)
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && a.row.Attempt >= maxTimeouts:
		return river.JobCancel(err)
	}
	return err
}

// isFull reports that a disk is full, also where git says so of a mirror's.
func isFull(err error) bool {
	var git *gitmirror.GitError
	return store.IsFull(err) || errors.As(err, &git) &&
		(strings.Contains(git.Stderr, "No space left on device") || strings.Contains(git.Stderr, "Disk quota exceeded"))
}

// outageBackoff grows with the number of times the job was put off.
func outageBackoff(a attempt) time.Duration {
	return min(job.Backoff(a.snoozes()+1), outagePause)
}

// snoozes is how often the job was put off, which does not count as an attempt.
func (a attempt) snoozes() int { return int(gjson.GetBytes(a.row.Metadata, "snoozes").Int()) }

// isFirst reports whether the job was neither tried nor put off before.
func (a attempt) isFirst() bool { return a.row.Attempt == 1 && a.snoozes() == 0 }

func jitter(most time.Duration) time.Duration {
	return time.Duration(rand.Int64N(int64(most)))
}

// isLast reports whether River will not run the job again after this error.
func (w *Worker) isLast(ctx context.Context, a attempt, err error) bool {
	verdict := w.verdict(ctx, a, err)
	var snooze *river.JobSnoozeError
	var cancel *river.JobCancelError
	switch {
	case verdict == nil, errors.As(verdict, &snooze):
		return false
	case errors.As(verdict, &cancel):
		return true
	}
	return a.row.Attempt >= a.row.MaxAttempts
}

// nameOf names a verdict for the log.
func nameOf(verdict error) string {
	var snooze *river.JobSnoozeError
	var cancel *river.JobCancelError
	switch {
	case verdict == nil:
		return "done"
	case errors.As(verdict, &snooze):
		return "put off"
	case errors.As(verdict, &cancel):
		return "cancelled"
	}
	return "failed"
}
