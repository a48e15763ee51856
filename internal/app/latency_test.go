package app_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

// deliver sends a signed pull request event of our own making and returns how long
// the answer took.
func (w *world) deliver(tb testing.TB, n int) time.Duration {
	tb.Helper()
	body, err := json.Marshal(map[string]any{
		"action": "synchronize", "installation": map[string]any{"id": w.install},
		"repository": map[string]any{"id": 1001, "name": "heron", "owner": map[string]any{"login": owner, "id": 1}, "default_branch": "main", "updated_at": "2025-01-01T00:00:00Z"},
		"pull_request": map[string]any{"number": 1000 + n, "state": "open", "updated_at": "2025-01-01T00:00:00Z",
			"head": map[string]any{"sha": fmt.Sprintf("%040x", n+1)}, "base": map[string]any{"ref": "main"}},
	})
	require.NoError(tb, err)
	r, err := http.NewRequestWithContext(w.ctx, http.MethodPost, w.app.URL()+"/api/github/hook", bytes.NewReader(body))
	require.NoError(tb, err)
	mac := hmac.New(sha256.New, []byte(w.gh.WebhookSecret()))
	mac.Write(body)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Event", "pull_request")
	r.Header.Set("X-GitHub-Delivery", fmt.Sprintf("00000000-0000-0000-0000-%012d", n))
	r.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	began := time.Now()
	resp, err := http.DefaultClient.Do(r)
	took := time.Since(began)
	require.NoError(tb, err)
	require.NoError(tb, resp.Body.Close())
	require.Equal(tb, http.StatusAccepted, resp.StatusCode)
	return took
}

// The webhook is answered before the work: with GitHub's git hanging, deliveries
// are stored and answered all the same.
func TestDeliveriesAreAnsweredBeforeTheWork(t *testing.T) {
	w := newWorld(t, "").installed()
	w.gh.Fail(func(r standin.Request) *standin.Fault {
		if r.Operation == "git-upload-pack" {
			return &standin.Fault{Hang: true}
		}
		return nil
	})
	var took []time.Duration
	for n := range 100 {
		took = append(took, w.deliver(t, n))
	}
	slices.Sort(took)
	assert.Less(t, took[50], time.Second, "stored and answered while nothing is worked")
	n, err := unfinished(w)
	require.NoError(t, err)
	assert.Equal(t, 100, n)
	require.NoError(t, w.gh.Close()) // lets the jobs go, so that the drain need not wait for them
}

// answerLimit is what 95 of a hundred deliveries have to be answered within; GitHub
// itself waits 10 s.
const answerLimit = 50 * time.Millisecond

// BenchmarkDelivery measures how long a delivery takes to be stored and answered
// while a thousand others wait and two workers are busy, and fails beyond answerLimit.
func BenchmarkDelivery(b *testing.B) {
	for name, url := range databases {
		b.Run(name, func(b *testing.B) {
			w := newWorld(b, url(b)).installed()
			for n := range 1000 {
				w.deliver(b, n)
			}
			var took []time.Duration
			n := 1000
			for b.Loop() {
				took = append(took, w.deliver(b, n))
				n++
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			b.ReportMetric(0, "ns/op")
			if len(took) >= 100 { // fewer have no such share
				assert.Less(b, took[len(took)*95/100], answerLimit)
			}
		})
	}
}
