package app_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/app"
	"github.com/rescore-app/rescore/internal/config"
)

func get(t testing.TB, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(body)
}

func TestRoutes(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		w.quietPull("b")
		status, body := get(t, w.app.URL()+"/healthz")
		assert.Equal(t, http.StatusOK, status)
		assert.Equal(t, "alive\n", body)
		status, body = get(t, w.app.URL()+"/readyz")
		assert.Equal(t, http.StatusOK, status)
		assert.Equal(t, "ready\n", body)
		status, body = get(t, w.app.URL()+"/metrics")
		assert.Equal(t, http.StatusOK, status)
		for _, series := range []string{
			`rescore_deliveries_total{event="pull_request",result="accepted"} 1`,
			`rescore_jobs_total{end="done",kind="pull_request"} 1`,
			`rescore_github_requests_total{method="POST",route="/repos/*/*/check-runs",status="201"} 2`,
			`rescore_outcomes_total{conclusion="success",kind="pull_request"} 1`,
			`rescore_git_round_trips_total{end="done"}`,
			`rescore_result_age_seconds_count{kind="pull_request"} 1`,
			`go_goroutines`,
		} {
			assert.Contains(t, body, series)
		}
		assert.NotContains(t, body, "heron", "no repository becomes a label")
		status, _ = get(t, w.app.URL()+"/api/github/hook")
		assert.Equal(t, http.StatusMethodNotAllowed, status)
		status, _ = get(t, w.app.URL()+"/")
		assert.Equal(t, http.StatusNotFound, status)

		// A database that is gone: alive still, ready no more, metrics go on.
		require.NoError(t, w.app.Store().Close())
		status, _ = get(t, w.app.URL()+"/healthz")
		assert.Equal(t, http.StatusOK, status)
		status, _ = get(t, w.app.URL()+"/readyz")
		assert.Equal(t, http.StatusServiceUnavailable, status)
		status, body = get(t, w.app.URL()+"/metrics")
		assert.Equal(t, http.StatusOK, status)
		assert.Contains(t, body, "rescore_deliveries_total")
		w.mayFail = true
	})
}

func TestUnusableConfiguration(t *testing.T) {
	w := newWorld(t, "")
	try := func(key, value string) error {
		t.Helper()
		was := w.config[key]
		w.config[key] = value
		defer func() { w.config[key] = was }()
		cfg, err := config.Load("", w.lookup)
		require.NoError(t, err)
		a, err := app.New(w.ctx, cfg, app.Deps{Version: "test", Log: zerolog.Nop()})
		if err == nil {
			require.NoError(t, a.Close())
		}
		return err
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for name, url := range databases { // with PostgreSQL the mirrors alone are there
		was := w.config["DATABASE_URL"]
		w.config["DATABASE_URL"] = url(t)
		require.ErrorContains(t, try("RESCORE_DATA_DIR", filepath.Join(file, "data")), "or name another directory with RESCORE_DATA_DIR", name)
		w.config["DATABASE_URL"] = was
	}
	require.ErrorContains(t, try("DATABASE_URL", "postgres://u:hunter2@127.0.0.1:1/x"), "connect to PostgreSQL at 127.0.0.1:1")
	require.NoError(t, try("RESCORE_WORKERS", "1"))
	w.start()
	require.ErrorContains(t, try("RESCORE_WORKERS", "1"), "another rescore process is using it")
	w.config["RESCORE_DATA_DIR"] = t.TempDir()
	require.ErrorContains(t, try("RESCORE_LISTEN", w.app.URL()[len("http://"):]), "choose another address with RESCORE_LISTEN")
}
