package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/webhook"
)

// intake keeps what it accepts.
type intake struct {
	mu     sync.Mutex
	events []job.Event
	err    error
	ctxErr error // the context's state while storing
	before func()
}

func (i *intake) Accept(ctx context.Context, e job.Event) (bool, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.before != nil {
		i.before()
	}
	i.ctxErr = ctx.Err()
	if i.err != nil {
		return false, i.err
	}
	for _, known := range i.events {
		if known.Delivery.ID == e.Delivery.ID {
			return false, nil
		}
	}
	i.events = append(i.events, e)
	return true, nil
}

type fixture struct {
	t       *testing.T
	intake  *intake
	handler http.Handler
	results map[string][]webhook.Result
	log     bytes.Buffer
}

func newFixture(t *testing.T, secrets ...string) *fixture {
	t.Helper()
	f := &fixture{t: t, intake: &intake{}, results: map[string][]webhook.Result{}}
	h, err := webhook.New(webhook.Options{
		Secrets: secrets, AppID: appID, Intake: f.intake, Log: zerolog.New(&f.log),
		Observe: func(event string, r webhook.Result) { f.results[event] = append(f.results[event], r) },
	})
	require.NoError(t, err)
	f.handler = h
	return f
}

func sign(h func() hash.Hash, secret string, body []byte) string {
	mac := hmac.New(h, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// request builds a delivery as GitHub does.
func request(event, id, secret string, body []byte) *http.Request {
	r := httptest.NewRequest(http.MethodPost, webhook.Route, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Event", event)
	r.Header.Set("X-GitHub-Delivery", id)
	r.Header.Set("X-Hub-Signature-256", "sha256="+sign(sha256.New, secret, body))
	r.Header.Set("X-Hub-Signature", "sha1="+sign(sha1.New, secret, body))
	return r
}

func (f *fixture) send(r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, o object) []byte {
	t.Helper()
	data, err := json.Marshal(o)
	require.NoError(t, err)
	return data
}

func TestDeliveryIsStoredThenAnswered(t *testing.T) {
	f := newFixture(t, "s3cret")
	resp := f.send(request("pull_request", "guid-1", "s3cret", body(t, pullEvent("opened"))))
	assert.Equal(t, http.StatusAccepted, resp.StatusCode)
	require.Len(t, f.intake.events, 1)
	assert.Equal(t, "guid-1", f.intake.events[0].Delivery.ID)
	assert.Equal(t, http.StatusAccepted, f.send(request("pull_request", "guid-1", "s3cret", body(t, pullEvent("opened")))).StatusCode)
	assert.Equal(t, []webhook.Result{webhook.Accepted, webhook.Duplicate}, f.results["pull_request"])
}

func TestUnknownEventsAndActionsAreAnsweredWell(t *testing.T) {
	f := newFixture(t, "s3cret")
	for event, data := range map[string]string{
		"ping": `{"zen":"x"}`, "an_event_of_the_future": `{}`, "pull_request": `{"action":"an_action_of_the_future"}`, "star": `[]`,
	} {
		resp := f.send(request(event, "guid", "s3cret", []byte(data)))
		assert.Equal(t, 2, resp.StatusCode/100, event)
		assert.Equal(t, []webhook.Result{webhook.Ignored}, f.results[event], event)
	}
	assert.Empty(t, f.intake.events)
}

func TestForgedDeliveriesAreRefused(t *testing.T) {
	data := body(t, pullEvent("opened"))
	for name, c := range map[string]struct {
		change func(r *http.Request)
		status int
	}{
		"wrong secret":       {func(r *http.Request) { r.Header.Set("X-Hub-Signature-256", "sha256="+sign(sha256.New, "other", data)) }, 401},
		"unsigned":           {func(r *http.Request) { r.Header.Del("X-Hub-Signature-256"); r.Header.Del("X-Hub-Signature") }, 401},
		"only SHA-1":         {func(r *http.Request) { r.Header.Del("X-Hub-Signature-256") }, 401},
		"SHA-1 in its place": {func(r *http.Request) { r.Header.Set("X-Hub-Signature-256", r.Header.Get("X-Hub-Signature")) }, 401},
		"no prefix":          {func(r *http.Request) { r.Header.Set("X-Hub-Signature-256", sign(sha256.New, "s3cret", data)) }, 401},
		"not hex":            {func(r *http.Request) { r.Header.Set("X-Hub-Signature-256", "sha256=xyz") }, 401},
		"empty":              {func(r *http.Request) { r.Header.Set("X-Hub-Signature-256", "sha256=") }, 401},
		"body changed":       {func(r *http.Request) { r.Body = io.NopCloser(bytes.NewReader(append([]byte(" "), data...))) }, 401},
		"no delivery id":     {func(r *http.Request) { r.Header.Del("X-GitHub-Delivery") }, 400},
		"id of nonsense":     {func(r *http.Request) { r.Header.Set("X-GitHub-Delivery", strings.Repeat("a", 65)) }, 400},
		"no event":           {func(r *http.Request) { r.Header.Del("X-GitHub-Event") }, 400},
		"GET":                {func(r *http.Request) { r.Method = http.MethodGet }, 405},
	} {
		f := newFixture(t, "s3cret")
		r := request("pull_request", "guid", "s3cret", data)
		c.change(r)
		assert.Equal(t, c.status, f.send(r).StatusCode, name)
		assert.Empty(t, f.intake.events, name)
		assert.NotContains(t, f.log.String(), "s3cret", name)
	}
}

func TestBothSecretsDuringRotation(t *testing.T) {
	f := newFixture(t, "new", "old")
	for id, secret := range map[string]string{"1": "new", "2": "old"} {
		assert.Equal(t, http.StatusAccepted, f.send(request("pull_request", id, secret, body(t, pullEvent("opened")))).StatusCode, secret)
	}
	assert.Equal(t, http.StatusUnauthorized, f.send(request("pull_request", "3", "older", body(t, pullEvent("opened")))).StatusCode)
	assert.Len(t, f.intake.events, 2)
}

func TestEmptySecretIsRefused(t *testing.T) {
	for _, secrets := range [][]string{nil, {}, {""}, {"a", ""}} {
		_, err := webhook.New(webhook.Options{Secrets: secrets, Intake: &intake{}})
		require.ErrorIs(t, err, webhook.ErrEmptySecret)
	}
}

func TestFormEncodedDelivery(t *testing.T) {
	f := newFixture(t, "s3cret")
	data := []byte(url.Values{"payload": {string(body(t, pullEvent("opened")))}}.Encode())
	r := request("pull_request", "guid", "s3cret", data)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	assert.Equal(t, http.StatusAccepted, f.send(r).StatusCode)
	assert.Len(t, f.intake.events, 1)
}

func TestTooLargeBodyIsNotRead(t *testing.T) {
	f := newFixture(t, "s3cret")
	r := request("push", "guid", "s3cret", nil)
	read := &counter{}
	r.Body = io.NopCloser(read)
	assert.Equal(t, http.StatusRequestEntityTooLarge, f.send(r).StatusCode)
	assert.LessOrEqual(t, read.n, webhook.MaxBody+(1<<20))
}

// counter is an endless body.
type counter struct{ n int }

func (c *counter) Read(p []byte) (int, error) {
	c.n += len(p)
	return len(p), nil
}

func TestUnreadablePayloadIsTold(t *testing.T) {
	f := newFixture(t, "s3cret")
	for _, data := range []string{"{", `{"action":"opened","pull_request":5}`, `{"action":"opened"}`} {
		assert.Equal(t, http.StatusBadRequest, f.send(request("pull_request", "guid", "s3cret", []byte(data))).StatusCode, data)
	}
	assert.Equal(t, []webhook.Result{webhook.Refused, webhook.Refused, webhook.Refused}, f.results["pull_request"])
}

// A delivery that could not be stored must not be answered well: GitHub would
// take it for done.
func TestUnstoredDeliveryFails(t *testing.T) {
	f := newFixture(t, "s3cret")
	f.intake.err = errors.New("database is away")
	resp := f.send(request("pull_request", "guid", "s3cret", body(t, pullEvent("opened"))))
	assert.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.NotContains(t, string(text), "database is away")
	assert.Equal(t, []webhook.Result{webhook.Failed}, f.results["pull_request"])
	assert.Contains(t, f.log.String(), `"delivery":"guid"`)
}

// A sender that hangs up does not undo the storing.
func TestStoringOutlivesTheSender(t *testing.T) {
	f := newFixture(t, "s3cret")
	ctx, cancel := context.WithCancel(context.Background())
	f.intake.before = cancel
	f.send(request("pull_request", "guid", "s3cret", body(t, pullEvent("opened"))).WithContext(ctx))
	require.NoError(t, f.intake.ctxErr)
	assert.Len(t, f.intake.events, 1)
}
