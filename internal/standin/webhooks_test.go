package standin_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

func TestWebhookHeaders(t *testing.T) {
	f := newFixture(t)
	hooks := f.delivered()
	require.NotEmpty(t, hooks)
	h := hooks[0].header
	assert.Equal(t, "installation", h.Get("X-GitHub-Event"))
	assert.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4`, h.Get("X-GitHub-Delivery"))
	assert.Regexp(t, `^sha256=[0-9a-f]{64}$`, h.Get("X-Hub-Signature-256"))
	assert.Regexp(t, `^sha1=[0-9a-f]{40}$`, h.Get("X-Hub-Signature"))
	assert.Equal(t, "integration", h.Get("X-GitHub-Hook-Installation-Target-Type"))
	assert.NotEmpty(t, h.Get("X-GitHub-Hook-ID"))
	assert.Contains(t, h.Get("User-Agent"), "GitHub-Hookshot/")
	assert.Equal(t, "application/json", h.Get("Content-Type"))
}

func TestFailedDeliveriesCanBeRedelivered(t *testing.T) {
	now := time.Now()
	f := newFixture(t, func(o *standin.Options) { o.Clock = func() time.Time { return now } })
	f.delivered()
	f.receiver.respond(func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	f.commit("main", "a.txt", "a")
	assert.Empty(t, f.delivered(), "GitHub does not retry")
	f.receiver.respond(nil)

	c := f.appClient()
	list, resp, err := c.Apps.ListHookDeliveries(f.ctx, &github.ListCursorOptions{PerPage: 1})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.NotEmpty(t, resp.Cursor)
	var all []*github.HookDelivery
	opts := &github.ListCursorOptions{PerPage: 1}
	for {
		page, resp, err := c.Apps.ListHookDeliveries(f.ctx, opts)
		require.NoError(t, err)
		all = append(all, page...)
		if resp.Cursor == "" {
			break
		}
		opts.Cursor = resp.Cursor
	}
	require.Len(t, all, 3, "installation, push, check_suite")
	push := all[slices.IndexFunc(all, func(d *github.HookDelivery) bool { return d.GetEvent() == "push" })]
	assert.Equal(t, http.StatusServiceUnavailable, push.GetStatusCode())
	assert.Equal(t, f.install, push.GetInstallationID())
	whole, _, err := c.Apps.GetHookDelivery(f.ctx, push.GetID())
	require.NoError(t, err)
	payload, err := whole.ParseRequestPayload()
	require.NoError(t, err)
	assert.Equal(t, "refs/heads/main", payload.(*github.PushEvent).GetRef())
	assert.Equal(t, push.GetGUID(), whole.GetRequest().GetHeaders()["X-GitHub-Delivery"])

	_, _, err = c.Apps.RedeliverHookDelivery(f.ctx, push.GetID())
	var accepted *github.AcceptedError
	require.ErrorAs(t, err, &accepted)
	hooks := f.delivered()
	require.Len(t, hooks, 1)
	assert.Equal(t, push.GetGUID(), hooks[0].guid, "a redelivery keeps its GUID")
	last := f.gh.Deliveries()[len(f.gh.Deliveries())-1]
	assert.True(t, last.Redelivery)
	assert.NotEqual(t, push.GetID(), last.ID)
	require.NoError(t, f.gh.Redeliver(push.GetID()))
	assert.Len(t, f.delivered(), 1)
	require.ErrorContains(t, f.gh.Redeliver(5), "no delivery")

	now = now.Add(73 * time.Hour)
	list, _, err = c.Apps.ListHookDeliveries(f.ctx, nil)
	if err == nil {
		assert.Empty(t, list, "three days")
	}
	_, resp, err = f.appClient().Apps.RedeliverHookDelivery(f.ctx, push.GetID())
	assert.NotEqual(t, http.StatusAccepted, statusOf(t, resp, err))
}

func TestSlowAnswersAndNobodyListening(t *testing.T) {
	f := newFixture(t, func(o *standin.Options) { o.DeliveryTimeout = 50 * time.Millisecond })
	f.delivered()
	f.receiver.respond(func(_ http.ResponseWriter, r *http.Request) bool {
		_, err := io.Copy(io.Discard, r.Body) // else the end of the client is not seen
		assert.NoError(t, err)
		<-r.Context().Done()
		return true
	})
	f.commit("main", "a.txt", "a")
	d, err := f.gh.WaitDelivery(f.ctx, func(d standin.Delivery) bool { return d.Event == "push" })
	require.NoError(t, err)
	assert.Equal(t, "timed out", d.Status)
	assert.Equal(t, http.StatusGatewayTimeout, d.StatusCode)
	assert.True(t, d.Failed())
	require.NoError(t, f.gh.WaitDelivered(f.ctx))

	f.gh.SetWebhook("http://127.0.0.1:1/", "")
	f.commit("other", "a.txt", "b")
	d, err = f.gh.WaitDelivery(f.ctx, func(d standin.Delivery) bool { return d.Event == "push" && d.ID > 1003 })
	require.NoError(t, err)
	assert.Equal(t, "failed to connect to host", d.Status)
}

func TestAnswersOtherThan2xxAreFailures(t *testing.T) {
	f := newFixture(t)
	f.delivered()
	for code, failed := range map[int]bool{200: false, 202: false, 204: false, 301: true, 400: true, 500: true} {
		f.receiver.respond(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(code)
			return true
		})
		_, err := f.gh.Comment(person, repo, f.pullOnce().Number, "x")
		require.NoError(t, err)
		require.NoError(t, f.gh.WaitDelivered(f.ctx))
		all := f.gh.Deliveries()
		assert.Equal(t, failed, all[len(all)-1].Failed(), code)
	}
}

// pullOnce is the first pull request, opened when there is none.
func (f *fixture) pullOnce() standin.Pull {
	f.t.Helper()
	all, err := f.gh.Pulls(repo)
	require.NoError(f.t, err)
	if len(all) > 0 {
		return all[0]
	}
	return f.pull("feature")
}

func TestDroppedAndDoubledDeliveries(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	f.delivered()
	end := f.gh.FailDelivery(func(d standin.Delivery) *standin.DeliveryFault {
		return &standin.DeliveryFault{Drop: d.Event == "issue_comment"}
	})
	_, err := f.gh.Comment(person, repo, p.Number, "lost")
	require.NoError(t, err)
	assert.Empty(t, f.delivered())
	end()
	all := f.gh.Deliveries()
	assert.True(t, all[len(all)-1].Failed(), "a lost delivery is in the log")

	for fresh, guids := range map[bool]int{false: 1, true: 3} {
		end = f.gh.FailDelivery(func(standin.Delivery) *standin.DeliveryFault {
			return &standin.DeliveryFault{Copies: 2, FreshGUID: fresh}
		})
		_, err = f.gh.Comment(person, repo, p.Number, "thrice")
		require.NoError(t, err)
		hooks := f.delivered()
		require.Len(t, hooks, 3)
		seen := map[string]bool{}
		for _, h := range hooks {
			seen[h.guid] = true
		}
		assert.Len(t, seen, guids)
		end()
	}
}

func TestHeldDeliveriesInAnotherOrder(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	f.delivered()
	f.gh.HoldDeliveries()
	for _, text := range []string{"one", "two", "three"} {
		_, err := f.gh.Comment(person, repo, p.Number, text)
		require.NoError(t, err)
	}
	assert.Empty(t, f.receiver.take())
	f.gh.ReleaseDeliveries(func(all []standin.Delivery) []standin.Delivery {
		return []standin.Delivery{all[2], all[0], all[0]}
	})
	var texts []string
	for _, e := range eventsOf[*github.IssueCommentEvent](f.delivered()) {
		texts = append(texts, e.GetComment().GetBody())
	}
	assert.Equal(t, []string{"three", "one", "one"}, texts)
}

func TestPayloadsTellWhatWasTrueThen(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	f.delivered()
	f.gh.HoldDeliveries()
	first := f.commit("feature", "a.txt", "1")
	second := f.commit("feature", "a.txt", "2")
	f.gh.ReleaseDeliveries(nil)
	events := eventsOf[*github.PullRequestEvent](f.delivered())
	require.Len(t, events, 2)
	assert.Equal(t, first, events[0].GetPullRequest().GetHead().GetSHA())
	assert.Equal(t, second, events[1].GetPullRequest().GetHead().GetSHA())
	got, err := f.gh.Pull(repo, p.Number)
	require.NoError(t, err)
	assert.Equal(t, second, got.HeadSHA)
}

func TestOnlySubscribedEventsAreSent(t *testing.T) {
	f := newFixture(t, func(o *standin.Options) { o.Events = []string{"issue_comment"} })
	p := f.pull("feature")
	_, err := f.gh.Comment(person, repo, p.Number, "x")
	require.NoError(t, err)
	run, _, err := f.client().Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{Name: "x", HeadSHA: p.HeadSHA})
	require.NoError(t, err)
	require.NoError(t, f.gh.RerequestCheck(person, repo, run.GetID()))
	assert.Equal(t, []string{"installation created", "check_suite requested", "issue_comment created", "check_run rerequested"}, names(f.delivered()),
		"an App that may write checks is always asked for them")
}

func TestPushPayloadTimesAreSeconds(t *testing.T) {
	f := newFixture(t)
	f.commit("main", "a.txt", "a")
	require.NoError(t, f.gh.WaitDelivered(f.ctx))
	for _, d := range f.gh.Deliveries() {
		if d.Event != "push" {
			continue
		}
		var p struct {
			Repository struct {
				CreatedAt json.Number `json:"created_at"`
			}
		}
		require.NoError(t, json.Unmarshal(d.Payload, &p))
		assert.NotEmpty(t, p.Repository.CreatedAt)
	}
}

func TestManyWorkersDeliverEverything(t *testing.T) {
	f := newFixture(t, func(o *standin.Options) { o.DeliveryWorkers = 8 })
	p := f.pull("feature")
	f.delivered()
	for range 40 {
		_, err := f.gh.Comment(person, repo, p.Number, "x")
		require.NoError(t, err)
	}
	assert.Len(t, f.delivered(), 40)
}
