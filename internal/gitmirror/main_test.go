package gitmirror_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rescore-app/rescore/internal/gitmirror"
)

// How long tests wait for something that another process does, at most.
const (
	wait = 20 * time.Second
	tick = 10 * time.Millisecond
)

// fetcherEnv makes the test binary fetch into a mirror and end, so that a test can
// watch several processes share one. Its value is "ROOT ID URL COMMIT BLOB".
const fetcherEnv = "GITMIRROR_TEST_FETCHER"

func TestMain(m *testing.M) {
	if job := os.Getenv(fetcherEnv); job != "" {
		if err := fetcher(strings.Fields(job)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func fetcher(job []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	mirrors, err := gitmirror.OpenMirrors(job[0])
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(job[1], 10, 64)
	if err != nil {
		return err
	}
	m, err := mirrors.Get(ctx, id)
	if err != nil {
		return err
	}
	defer m.Close()
	if err := m.Fetch(ctx, job[2], token, job[3]); err != nil {
		return err
	}
	if err := m.FetchBlobs(ctx, job[2], token, []gitmirror.OID{oid(job[4])}); err != nil {
		return err
	}
	_, err = m.Blob(ctx, oid(job[4]), 1<<20)
	return err
}
