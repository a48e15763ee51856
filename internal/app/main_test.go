package app_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
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
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		if err := f.Value.Set(strconv.Itoa(atOnce)); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// atOnce is how many tests run at the same time where nothing else is asked for: most of
// their time is waiting.
const atOnce = 4

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
