package ghclient_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/standin"
)

const pullOperation = "GET /repos/{owner}/{repo}/pulls/{pull_number}"

// clock is a time that the test moves.
type clock struct{ now time.Time }

func limitedUntil(t *testing.T, err error) time.Time {
	t.Helper()
	var limit *ghclient.RateLimitError
	require.ErrorAs(t, err, &limit)
	return limit.Until
}

func TestRateLimits(t *testing.T) {
	start := time.Now().Truncate(time.Second)
	cases := map[string]struct {
		fault standin.Fault
		want  time.Duration // pause from the start
	}{
		"429 with Retry-After":           {standin.SecondaryLimited(http.StatusTooManyRequests, 17*time.Second), 17 * time.Second},
		"403 with Retry-After":           {standin.SecondaryLimited(http.StatusForbidden, 17*time.Second), 17 * time.Second},
		"403 secondary without a time":   {standin.SecondaryLimited(http.StatusForbidden, 0), 60 * time.Second},
		"429 without a time":             {standin.SecondaryLimited(http.StatusTooManyRequests, 0), 60 * time.Second},
		"403 primary, reset":             {standin.RateLimited(start.Add(300 * time.Second)), 301 * time.Second},
		"429 with nothing remaining":     {standin.Fault{Status: 429, Message: "slow down", Header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9999999999"}}, time.Unix(10_000_000_000, 0).Sub(start)},
		"403 whose words speak of abuse": {standin.Fault{Status: 403, Message: "You have triggered an abuse detection mechanism."}, 60 * time.Second},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			clk := &clock{now: start}
			f := newFixture(t, func(_ *standin.Options, o *ghclient.Options) { o.Now = func() time.Time { return clk.now } })
			f.gh.FailNext(pullOperation, 1, c.fault)
			_, err := f.inst.Pull(f.ctx, f.repo, f.pull)
			assert.Equal(t, start.Add(c.want).Unix(), limitedUntil(t, err).Unix())
			sent := len(f.requests())
			_, err = f.inst.Pull(f.ctx, f.repo, f.pull)
			limitedUntil(t, err)
			assert.Len(t, f.requests(), sent, "nothing is sent before the time")
			clk.now = start.Add(c.want + time.Second)
			_, err = f.inst.Pull(f.ctx, f.repo, f.pull)
			require.NoError(t, err)
		})
	}
}

// A limit without a time makes the pause grow until a request gets through.
func TestUnknownPausesGrow(t *testing.T) {
	clk := &clock{now: time.Now()}
	f := newFixture(t, func(_ *standin.Options, o *ghclient.Options) { o.Now = func() time.Time { return clk.now } })
	pause := func() time.Duration {
		f.gh.FailNext(pullOperation, 1, standin.SecondaryLimited(http.StatusTooManyRequests, 0))
		_, err := f.inst.Pull(f.ctx, f.repo, f.pull)
		d := limitedUntil(t, err).Sub(clk.now)
		clk.now = clk.now.Add(d)
		return d
	}
	for _, want := range []time.Duration{1, 2, 4, 8, 15, 15} {
		assert.Equal(t, want*time.Minute, pause())
	}
	_, err := f.inst.Pull(f.ctx, f.repo, f.pull)
	require.NoError(t, err)
	assert.Equal(t, time.Minute, pause())
}

// One installation's limit is not another's.
func TestLimitsAreAnInstallations(t *testing.T) {
	f := newFixture(t)
	f.gh.FailNext(pullOperation, 1, standin.SecondaryLimited(http.StatusForbidden, time.Hour))
	_, err := f.inst.Pull(f.ctx, f.repo, f.pull)
	limitedUntil(t, err)
	_, err = f.app.Login(f.ctx)
	require.NoError(t, err)
}

// A limit outlives the token: nothing is sent before its time with a new one either.
func TestLimitOutlivesTheToken(t *testing.T) {
	f := newFixture(t)
	f.gh.FailNext(pullOperation, 1, standin.SecondaryLimited(http.StatusForbidden, time.Hour))
	_, err := f.inst.Pull(f.ctx, f.repo, f.pull)
	until := limitedUntil(t, err)
	sent := len(f.requests())
	f.app.Forget(f.id)
	_, err = f.app.Installation(f.id).Pull(f.ctx, f.repo, f.pull)
	assert.Equal(t, until, limitedUntil(t, err))
	assert.Len(t, f.requests(), sent)
}

// Whatever the App is asked to do, it stays within what GitHub grants.
func TestBudgetIsKept(t *testing.T) {
	clk := &clock{now: time.Now()}
	f := newFixture(t, func(_ *standin.Options, o *ghclient.Options) { o.Now = func() time.Time { return clk.now } })
	sent := 0
	for range 200 { // a minute by the test's clock: the App must stop by itself
		_, err := f.inst.CreateComment(f.ctx, f.repo, f.pull, "x")
		if err != nil {
			until := limitedUntil(t, err)
			assert.Less(t, until.Sub(clk.now), time.Minute)
			break
		}
		sent++
	}
	assert.LessOrEqual(t, sent, 80)
	assert.GreaterOrEqual(t, sent, 10)
}

func TestLimitOfTheTokenItself(t *testing.T) {
	f := newFixture(t)
	f.gh.FailNext("POST /app/installations/{installation_id}/access_tokens", 1, standin.SecondaryLimited(http.StatusForbidden, 20*time.Second))
	_, err := f.inst.Token(f.ctx)
	assert.WithinDuration(t, time.Now().Add(20*time.Second), limitedUntil(t, err), 5*time.Second)
}
