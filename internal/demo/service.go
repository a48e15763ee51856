package demo

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/rs/zerolog"

	"github.com/rescore-app/rescore/internal/app"
	"github.com/rescore-app/rescore/internal/config"
	"github.com/rescore-app/rescore/internal/standin"
)

// service is the app, running.
type service struct {
	app  *app.App
	log  *tail
	stop context.CancelFunc
	done chan error
}

// startService runs the app as `rescore serve` does, against the stand-in, with its
// database in a directory. It takes deliveries when startService returns.
func startService(ctx context.Context, dir string, gh *standin.GitHub, version string) (*service, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the app's directory: %w", err)
	}
	settings := map[string]string{
		"GITHUB_WEB_URL":            gh.URL(),
		"GITHUB_V3_API_URL":         gh.APIURL(),
		"GITHUB_APP_INTEGRATION_ID": strconv.FormatInt(gh.AppID(), 10),
		"GITHUB_APP_PRIVATE_KEY":    string(gh.PrivateKeyPEM()),
		"GITHUB_APP_WEBHOOK_SECRET": gh.WebhookSecret(),
		"RESCORE_LISTEN":            "127.0.0.1:0",
		"RESCORE_DATA_DIR":          dir,
	}
	cfg, err := config.Load("", func(name string) (string, bool) { v, ok := settings[name]; return v, ok })
	if err != nil {
		return nil, err
	}
	s := &service{log: &tail{}, done: make(chan error, 1)}
	s.app, err = app.New(ctx, cfg, app.Deps{Version: version, Log: zerolog.New(zerolog.ConsoleWriter{
		Out: s.log, NoColor: true, TimeFormat: time.TimeOnly,
	}).With().Timestamp().Logger()})
	if err != nil {
		return nil, err
	}
	// The app outlives ctx for as long as it takes to drain.
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	go func() { s.done <- s.app.Run(ctx) }()
	return s, nil
}

func (s *service) hookURL() string { return s.app.URL() + "/api/github/hook" }

// close drains the app.
func (s *service) close() error {
	s.stop()
	return <-s.done
}
