package app_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/rs/zerolog"

	"github.com/rescore-app/rescore/internal/app"
	"github.com/rescore-app/rescore/internal/config"
)

// childVariable makes the test binary run the app instead of the tests, as a
// process of its own that a test can kill.
const childVariable = "RESCORE_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		if err := child(); err != nil {
			fmt.Fprintln(os.Stderr, "child:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child is the app by its environment, until SIGTERM.
func child() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	cfg, err := config.Load("", nil)
	if err != nil {
		return err
	}
	a, err := app.New(ctx, cfg, app.Deps{Version: "test", Log: zerolog.New(os.Stderr)})
	if err != nil {
		return err
	}
	return a.Run(ctx)
}
