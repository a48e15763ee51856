package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/store"
)

var now = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

func fixedWorker() *Worker { return New(Deps{Now: func() time.Time { return now }}) }

func attemptAt(created time.Time, n int, metadata string) attempt {
	return attempt{row: &rivertype.JobRow{CreatedAt: created, Attempt: n, MaxAttempts: 10, Metadata: []byte(metadata)}, log: zerolog.Nop()}
}

func TestVerdicts(t *testing.T) {
	w := fixedWorker()
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	leaseless, lose := context.WithCancelCause(context.Background())
	lose(errLeaseLost)
	wrap := func(err error) error { return fmt.Errorf("some stage: %w", err) }
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		ctx      context.Context
		err      error
		old      bool
		end      string
		min, max time.Duration
		last     bool // when it is the tenth attempt
	}{
		"done":                   {err: nil, end: "done"},
		"nothing to do":          {err: wrap(&errDone{reason: boom}), end: "cancelled", last: true},
		"another job is at it":   {err: wrap(store.ErrHeld), end: "put off", min: time.Second, max: time.Second},
		"lease lost":             {err: wrap(errLeaseLost), end: "put off", min: time.Second, max: time.Second},
		"refused without lease":  {ctx: leaseless, err: wrap(ghclient.ErrInvalid), end: "put off", min: time.Second, max: time.Second},
		"held for a day":         {err: wrap(store.ErrHeld), old: true, end: "failed", last: true},
		"lost for a day":         {err: wrap(errLeaseLost), old: true, end: "failed", last: true},
		"too large to read":      {err: wrap(gitmirror.ErrTooLarge), end: "cancelled", last: true},
		"rate limit":             {err: wrap(&ghclient.RateLimitError{Until: now.Add(time.Minute)}), end: "put off", min: time.Minute, max: 62 * time.Second},
		"rate limit just over":   {err: wrap(&ghclient.RateLimitError{Until: now.Add(-time.Minute)}), end: "put off", min: time.Second, max: 3 * time.Second},
		"rate limited for a day": {err: wrap(&ghclient.RateLimitError{Until: now.Add(time.Minute)}), old: true, end: "failed", last: true},
		"GitHub away":            {err: wrap(ghclient.ErrUnavailable), end: "put off", min: time.Second, max: 30 * time.Second},
		"GitHub away for a day":  {err: wrap(ghclient.ErrUnavailable), old: true, end: "failed", last: true},
		"git away":               {err: wrap(gitmirror.ErrUnavailable), end: "put off", min: time.Second, max: 30 * time.Second},
		"disk full":              {err: wrap(&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}), end: "put off", min: time.Second, max: 30 * time.Second},
		"disk full, git says":    {err: wrap(&gitmirror.GitError{Args: []string{"fetch"}, Stderr: "fatal: write error: No space left on device\n"}), end: "put off", min: time.Second, max: 30 * time.Second},
		"disk full for a day":    {err: wrap(syscall.EDQUOT), old: true, end: "failed", last: true},
		"clock wrong":            {err: wrap(&ghclient.ClockSkewError{Ahead: time.Hour}), end: "put off", min: time.Second, max: 30 * time.Second},
		"key wrong":              {err: wrap(ghclient.ErrCredentials), end: "put off", min: time.Second, max: 30 * time.Second},
		"suspended":              {err: wrap(ghclient.ErrSuspended), end: "cancelled", last: true},
		"no permission":          {err: wrap(ghclient.ErrPermission), end: "cancelled", last: true},
		"archived":               {err: wrap(ghclient.ErrArchived), end: "cancelled", last: true},
		"no such commit":         {err: wrap(ghclient.ErrNoCommit), end: "cancelled", last: true},
		"refused":                {err: wrap(ghclient.ErrInvalid), end: "cancelled", last: true},
		"token refused":          {err: wrap(ghclient.ErrToken), end: "failed", last: true},
		"anything else":          {err: wrap(boom), end: "failed", last: true},
		"the process stops":      {ctx: stopped, err: wrap(context.Canceled), end: "put off"},
		"stops, and git says so": {ctx: stopped, err: boom, end: "put off"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.ctx == nil {
				c.ctx = context.Background()
			}
			created := now
			if c.old {
				created = now.Add(-25 * time.Hour)
			}
			verdict := w.verdict(c.ctx, attemptAt(created, 1, "{}"), c.err)
			assert.Equal(t, c.end, nameOf(verdict))
			var snooze *river.JobSnoozeError
			if errors.As(verdict, &snooze) {
				assert.GreaterOrEqual(t, snooze.Duration, c.min)
				assert.LessOrEqual(t, snooze.Duration, c.max)
			}
			assert.Equal(t, c.last, w.isLast(c.ctx, attemptAt(created, 10, "{}"), c.err))
			if c.end == "failed" {
				assert.False(t, w.isLast(c.ctx, attemptAt(created, 9, "{}"), c.err))
			}
		})
	}
}

// A job that takes all of its time may be one that a repository was made to cost: it
// is tried twice, and not as often as one that fails at once. A limit of our own
// inside the job is a failure like others.
func TestWorkThatTakesTooLongIsTriedTwice(t *testing.T) {
	w := fixedWorker()
	timedOut, cancel := context.WithDeadline(context.Background(), now.Add(-time.Hour))
	defer cancel()
	slow := fmt.Errorf("some stage: %w", context.DeadlineExceeded)
	for attempt, c := range map[int]struct{ end, inside string }{1: {"failed", "failed"}, 2: {"cancelled", "failed"}, 3: {"cancelled", "failed"}} {
		assert.Equal(t, c.end, nameOf(w.verdict(timedOut, attemptAt(now, attempt, "{}"), slow)))
		assert.Equal(t, c.end == "cancelled", w.isLast(timedOut, attemptAt(now, attempt, "{}"), slow))
		assert.Equal(t, c.inside, nameOf(w.verdict(context.Background(), attemptAt(now, attempt, "{}"), slow)))
	}
	assert.Contains(t, failed(slow, true).Summary, "took longer")
}

// Work goes on within 45 s of GitHub's recovery, however long it was away.
func TestOutagePausesGrowAndStayShort(t *testing.T) {
	w := fixedWorker()
	for snoozes := range 200 {
		verdict := w.verdict(context.Background(), attemptAt(now, 1, fmt.Sprintf(`{"snoozes":%d}`, snoozes)), ghclient.ErrUnavailable)
		var snooze *river.JobSnoozeError
		require.ErrorAs(t, verdict, &snooze)
		assert.LessOrEqual(t, snooze.Duration, 30*time.Second)
		if snoozes == 0 {
			assert.Less(t, snooze.Duration, 2*time.Second)
		}
		if snoozes > 10 {
			assert.Equal(t, 30*time.Second, snooze.Duration)
		}
	}
}

// Who waits for another job on the same subject asks often at first, and does not
// wear out the installation's budget while that one takes minutes.
func TestPausesOfTheHeldGrowALittle(t *testing.T) {
	w := fixedWorker()
	for snoozes, want := range map[int]time.Duration{0: 1, 7: 1, 8: 2, 15: 2, 16: 4, 1000: 4} {
		verdict := w.verdict(context.Background(), attemptAt(now, 1, fmt.Sprintf(`{"snoozes":%d}`, snoozes)), store.ErrHeld)
		var snooze *river.JobSnoozeError
		require.ErrorAs(t, verdict, &snooze)
		assert.Equal(t, want*time.Second, snooze.Duration, "after %d pauses", snoozes)
	}
}

func TestPanicsAreFailures(t *testing.T) {
	w := fixedWorker()
	h := &adapter[sweepArgs]{w: w, do: func(context.Context, attempt, sweepArgs) error { panic("oh no") }}
	err := h.Work(context.Background(), &river.Job[sweepArgs]{JobRow: &rivertype.JobRow{CreatedAt: now, Attempt: 1, MaxAttempts: 3}})
	require.ErrorContains(t, err, "panic: oh no")
}

type sweepArgs struct{}

func (sweepArgs) Kind() string { return "x" }
