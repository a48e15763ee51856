package app_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

// secretForms are how tokens look: as GitHub gives them, and as git sends them.
var secretForms = regexp.MustCompile(`ghs_[0-9a-zA-Z]|` + base64.RawStdEncoding.EncodeToString([]byte("x-access-token:"))[:16] + `|[Bb]earer [A-Za-z0-9]|PRIVATE KEY`)

// Whatever goes wrong, neither the log, at its most talkative, nor what is shown on
// GitHub holds a secret: tokens, keys, the webhook's secret, the database's password, or
// the text of a delivery.
func TestNoSecretIsTold(t *testing.T) {
	const said, password = "the-text-of-a-delivery", "hunter2-the-password"
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database)
		if database != "" {
			u, err := url.Parse(database)
			require.NoError(t, err)
			u.User = url.UserPassword(u.User.Username(), password)
			w.config["DATABASE_URL"] = u.String()
		}
		w.installed()
		p := w.quietPull("b")
		for _, fault := range []struct {
			operation string
			fault     standin.Fault
		}{
			{"git-upload-pack", standin.Fault{Status: http.StatusUnauthorized}},
			{"git-upload-pack", standin.Fault{Status: http.StatusForbidden, Message: "no"}},
			{"git-upload-pack", standin.Fault{Drop: true}},
			{"POST /app/installations/{installation_id}/access_tokens", standin.Fault{Status: http.StatusUnauthorized, Message: "Bad credentials"}},
			{"POST /repos/{owner}/{repo}/check-runs", standin.Fault{Status: http.StatusUnauthorized, Message: "Bad credentials"}},
			{"PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", standin.Fault{Drop: true}},
		} {
			w.gh.FailNext(fault.operation, 2, fault.fault)
			w.say(person, p.Number, "/rescore "+said+"\n")
			w.say(person, p.Number, "/rescore")
		}
		if database != "" {
			dropConnections(t, w)
			w.say(person, p.Number, "/rescore")
		}
		forged, err := http.Post(w.app.URL()+"/api/github/hook", "application/json", strings.NewReader(`{"action":"`+said+`2"}`))
		require.NoError(t, err)
		require.NoError(t, forged.Body.Close())
		w.stop()

		told := w.log.String()
		for _, c := range w.checks(p.HeadSHA) {
			told += c.Title + c.Summary + c.Text
		}
		for _, c := range w.ours(p.Number) {
			told += c.Body
		}
		assert.Empty(t, secretForms.FindString(told))
		assert.NotContains(t, told, w.gh.WebhookSecret())
		assert.NotContains(t, told, password)
		assert.NotContains(t, w.log.String(), said)
		require.Contains(t, told, "Bad credentials", "the faults were met")
	})
}
