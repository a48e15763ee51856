package standin_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

const (
	getRepoOp    = "GET /repos/{owner}/{repo}"
	newCommentOp = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments"
)

func TestFailNextThenRecover(t *testing.T) {
	f := newFixture(t)
	c := f.client()
	f.gh.FailNext(getRepoOp, 2, standin.Fault{Status: http.StatusBadGateway})
	for range 2 {
		_, resp, err := c.Repositories.Get(f.ctx, owner, name)
		assert.Equal(t, http.StatusBadGateway, statusOf(t, resp, err))
	}
	_, _, err := c.Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err)

	end := f.gh.FailNext("", 100, standin.Fault{Status: http.StatusInternalServerError, Message: "Server Error"})
	_, resp, err := c.Repositories.Get(f.ctx, owner, name)
	assert.Equal(t, http.StatusInternalServerError, statusOf(t, resp, err))
	end()
	_, _, err = c.Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err)
}

func TestRateLimitFaultsAsGoGitHubSeesThem(t *testing.T) {
	f := newFixture(t)
	f.gh.FailNext(getRepoOp, 1, standin.SecondaryLimited(http.StatusForbidden, 7*time.Second))
	_, _, err := f.client().Repositories.Get(f.ctx, owner, name)
	var abuse *github.AbuseRateLimitError
	require.ErrorAs(t, err, &abuse)
	assert.Equal(t, 7*time.Second, abuse.GetRetryAfter())

	f.gh.FailNext(getRepoOp, 1, standin.RateLimited(time.Now().Add(time.Minute)))
	_, _, err = f.client().Repositories.Get(f.ctx, owner, name)
	var primary *github.RateLimitError
	require.ErrorAs(t, err, &primary)
	assert.Zero(t, primary.Rate.Remaining)

	f.gh.FailNext(getRepoOp, 1, standin.SecondaryLimited(http.StatusTooManyRequests, 0))
	_, resp, err := f.client().Repositories.Get(f.ctx, owner, name)
	assert.Equal(t, http.StatusTooManyRequests, statusOf(t, resp, err))
	var plain *github.ErrorResponse
	assert.ErrorAs(t, err, &plain, "429 is a plain error for go-github")
}

func TestLostAnswersAndDroppedRequests(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	c := f.client()
	f.gh.FailNext(newCommentOp, 1, standin.Fault{Status: http.StatusBadGateway, AfterWork: true})
	_, resp, err := c.Issues.CreateComment(f.ctx, owner, name, p.Number, body("written"))
	assert.Equal(t, http.StatusBadGateway, statusOf(t, resp, err))
	f.gh.FailNext(newCommentOp, 1, standin.Fault{Drop: true})
	_, _, err = c.Issues.CreateComment(f.ctx, owner, name, p.Number, body("not written"))
	require.Error(t, err)
	f.gh.FailNext(newCommentOp, 1, standin.Fault{Drop: true, AfterWork: true})
	_, _, err = c.Issues.CreateComment(f.ctx, owner, name, p.Number, body("written, unknown"))
	require.Error(t, err)
	all, err := f.gh.Comments(repo, p.Number)
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, "written, unknown", all[1].Body)
	journal := f.gh.Journal()
	last := journal[len(journal)-1]
	assert.Zero(t, last.Status)
	assert.True(t, last.Faulted)
	assert.True(t, last.ContentWrite)
}

func TestHangAndDelay(t *testing.T) {
	f := newFixture(t)
	c := f.client()
	_, _, err := c.Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err)
	f.gh.FailNext(getRepoOp, 1, standin.Fault{Hang: true})
	ctx, cancel := contextFor(f.ctx, 50*time.Millisecond)
	defer cancel()
	mark := f.gh.Mark()
	_, _, err = c.Repositories.Get(ctx, owner, name)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	hung, err := f.gh.WaitExchange(f.ctx, mark, func(e standin.Exchange) bool { return e.Operation == getRepoOp })
	require.NoError(t, err)
	assert.Zero(t, hung.Status)

	f.gh.FailNext(getRepoOp, 1, standin.Fault{Delay: 30 * time.Millisecond})
	start := time.Now()
	_, _, err = c.Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, time.Since(start), 30*time.Millisecond)
}

func TestCloseEndsHangingRequests(t *testing.T) {
	f := newFixture(t)
	f.gh.FailNext(getRepoOp, 100, standin.Fault{Hang: true}) // a client asks again when it is cut off
	c := f.client()
	done := make(chan error, 1)
	go func() {
		_, _, err := c.Repositories.Get(f.ctx, owner, name)
		done <- err
	}()
	_, err := f.gh.WaitExchange(f.ctx, 0, func(e standin.Exchange) bool { return e.Status == http.StatusCreated })
	require.NoError(t, err)
	require.NoError(t, f.gh.Close())
	select {
	case err := <-done:
		require.Error(t, err)
	case <-f.ctx.Done():
		t.Fatal("the request still hangs")
	}
}

func TestFaultsOfGitAndTokens(t *testing.T) {
	f := newFixture(t)
	f.gh.FailNext("POST /app/installations/{installation_id}/access_tokens", 1, standin.Fault{Status: http.StatusServiceUnavailable})
	_, err := f.transport().Token(f.ctx)
	require.Error(t, err)
	at := f.remote(repo, "x-access-token", f.installationToken())
	f.gh.FailNext("git-upload-pack", 1, standin.Fault{Status: http.StatusServiceUnavailable, Message: "Try again"})
	out, err := f.git(".", "ls-remote", at)
	require.Error(t, err)
	assert.Contains(t, out, "503")
	f.gh.FailNext("git-upload-pack", 1, standin.Fault{Drop: true})
	_, err = f.git(".", "ls-remote", at)
	require.Error(t, err)
	f.mustGit(".", "ls-remote", at)
}

func TestPrimaryLimit(t *testing.T) {
	now := time.Now()
	f := newFixture(t, func(o *standin.Options) {
		o.Clock = func() time.Time { return now }
		o.Limits = &standin.Limits{RequestsPerHour: 2}
	})
	c := f.client()
	for range 2 {
		_, resp, err := c.Repositories.Get(f.ctx, owner, name)
		require.NoError(t, err)
		assert.Equal(t, 2, resp.Rate.Limit)
	}
	_, _, err := f.client().Repositories.Get(f.ctx, owner, name)
	var limited *github.RateLimitError
	require.ErrorAs(t, err, &limited)
	rates, _, err := f.client().RateLimit.Get(f.ctx)
	require.NoError(t, err, "asking for the limits costs nothing")
	assert.Zero(t, rates.GetCore().Remaining)
	f.gh.SetRateLimit(f.install, 10, 5, now.Add(time.Minute))
	_, resp, err := f.client().Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err)
	assert.Equal(t, 4, resp.Rate.Remaining)
}

func TestSecondaryLimits(t *testing.T) {
	for what, limits := range map[string]standin.Limits{
		"writes a minute": {ContentWritesPerMinute: 3},
		"writes an hour":  {ContentWritesPerHour: 3},
		"points a minute": {PointsPerMinute: 17},
	} {
		t.Run(what, func(t *testing.T) {
			now := time.Now()
			f := newFixture(t, func(o *standin.Options) {
				o.Clock = func() time.Time { return now }
				o.Limits = &limits
			})
			p := f.pull("feature")
			tr := f.transport()
			comment := func() error { // a new client each time: it must not remember the limit
				_, _, err := f.clientOf(tr).Issues.CreateComment(f.ctx, owner, name, p.Number, body("x"))
				return err
			}
			for range 3 {
				require.NoError(t, comment())
			}
			var abuse *github.AbuseRateLimitError
			require.ErrorAs(t, comment(), &abuse)
			wait := abuse.GetRetryAfter()
			assert.Positive(t, wait)
			all, err := f.gh.Comments(repo, p.Number)
			require.NoError(t, err)
			assert.Len(t, all, 3)
			now = now.Add(wait)
			if wait <= time.Minute { // after an hour the token is no longer good either
				require.NoError(t, comment(), "the limit has passed")
			}
		})
	}
	assert.Equal(t, standin.Limits{RequestsPerHour: 5000, ContentWritesPerMinute: 80, ContentWritesPerHour: 500, PointsPerMinute: 900}, standin.GitHubLimits())
}

func TestNotModified(t *testing.T) {
	f := newFixture(t)
	get := func(etag string) *http.Response {
		req, err := http.NewRequestWithContext(f.ctx, http.MethodGet, f.gh.APIURL()+"repos/"+repo, nil)
		require.NoError(t, err)
		req.Header.Set("If-None-Match", etag)
		resp, err := (&http.Client{Transport: f.transport()}).Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp
	}
	first := get("")
	second := get(first.Header.Get("ETag"))
	assert.Equal(t, http.StatusNotModified, second.StatusCode)
	third := get(`W/"other"`)
	assert.Equal(t, http.StatusOK, third.StatusCode)
	assert.Equal(t, "2", third.Header.Get("X-RateLimit-Used"), "a 304 costs nothing")
}

func TestJournalCountsWhatAnEventCosts(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	c := f.client()
	mark := f.gh.Mark()
	_, _, err := c.PullRequests.Get(f.ctx, owner, name, p.Number)
	require.NoError(t, err)
	_, _, err = c.Issues.CreateComment(f.ctx, owner, name, p.Number, body("x"))
	require.NoError(t, err)
	var operations []string
	writes := 0
	for _, e := range f.gh.JournalSince(mark) {
		operations = append(operations, e.Operation)
		if e.ContentWrite {
			writes++
			assert.Len(t, e.BodyDigest, 64)
		}
	}
	assert.Equal(t, []string{"POST /app/installations/{installation_id}/access_tokens", "GET /repos/{owner}/{repo}/pulls/{pull_number}", newCommentOp}, operations)
	assert.Equal(t, 1, writes)
}
