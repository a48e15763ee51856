package job

import (
	"math/rand/v2"
	"time"

	"github.com/riverqueue/river/rivertype"
)

const (
	// MaxAttempts bounds how often a failing job runs. Waiting for GitHub or for
	// another job is a snooze and does not count.
	MaxAttempts = 10
	// Timeout bounds one run of a job.
	Timeout = 10 * time.Minute
	// rescueAfter is River's own net for jobs that were lost; ours (RequeueLost) is
	// much faster. It has to be above Timeout.
	rescueAfter = Timeout + 10*time.Minute
)

// unfinished are the states of work that is not done.
var unfinished = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
	rivertype.JobStateRetryable, rivertype.JobStateScheduled,
}

// delays are the pauses after the first, second, ... failure. They start short:
// a status that comes late holds up a merge.
var delays = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 20 * time.Second, 30 * time.Second,
}

// jitter spreads retries so that they do not come at once, as a share of the delay.
const jitter = 0.2

// retryPolicy implements river.ClientRetryPolicy.
type retryPolicy struct{ now func() time.Time }

// NextRetry returns when a failed job runs again.
func (p retryPolicy) NextRetry(j *rivertype.JobRow) time.Time {
	return p.now().Add(Backoff(len(j.Errors) + 1))
}

// Backoff is the pause after the nth failure, n from 1.
func Backoff(n int) time.Duration {
	d := delays[min(max(n, 1), len(delays))-1]
	return d + time.Duration(rand.Float64()*jitter*float64(d))
}
