package ghclient_test

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/standin"
)

// A GitHub that does not answer is an outage, wherever it is silent: our own time
// limits are not the end of the caller's time.
func TestSilenceIsAnOutage(t *testing.T) {
	const limit = 50 * time.Millisecond
	for name, transport := range map[string]*http.Transport{
		"no answer":     {ResponseHeaderTimeout: limit},
		"no connection": {DialContext: (&net.Dialer{Timeout: time.Nanosecond}).DialContext},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, func(_ *standin.Options, o *ghclient.Options) { o.Transport = transport })
			defer f.gh.FailNext("", 1_000, standin.Fault{Hang: true})()
			for what, request := range map[string]func(ctx context.Context) error{
				"token": func(ctx context.Context) error { _, err := f.inst.Token(ctx); return err },
				"read":  func(ctx context.Context) error { _, err := f.inst.Pull(ctx, f.repo, f.pull); return err },
				"write": func(ctx context.Context) error {
					_, err := f.inst.CreateComment(ctx, f.repo, f.pull, "x")
					return err
				},
				"as the App": func(ctx context.Context) error { _, err := f.app.Login(ctx); return err },
			} {
				require.ErrorIs(t, request(f.ctx), ghclient.ErrUnavailable, what)
				ended, cancel := context.WithDeadline(f.ctx, time.Now().Add(-time.Second))
				err := request(ended)
				cancel()
				require.ErrorIs(t, err, context.DeadlineExceeded, what)
				assert.NotErrorIs(t, err, ghclient.ErrUnavailable, "the caller's time is up: %s", what)
			}
		})
	}
}
