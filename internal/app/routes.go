package app

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/rescore-app/rescore/internal/webhook"
)

// readyTimeout bounds the question to the database behind /readyz.
const readyTimeout = 2 * time.Second

// routes are those of the command line contract.
func (a *App) routes(hook http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(webhook.Route, hook)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", a.ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.metrics.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError}))
	return mux
}

// ready answers whether work is done here: the database answers with its schema in
// place, and this process is not about to stop.
func (a *App) ready(w http.ResponseWriter, r *http.Request) {
	if !a.serving.Load() {
		plain(w, http.StatusServiceUnavailable, "starting or stopping")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if err := a.store.Ping(ctx); err != nil {
		a.log.Warn().Err(err).Msg("not ready")
		plain(w, http.StatusServiceUnavailable, "the database does not answer")
		return
	}
	plain(w, http.StatusOK, "ready")
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // the asker may have left
}
