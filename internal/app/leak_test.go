package app_test

import (
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

// running recognises the goroutines of the server and of what it works with.
var running = regexp.MustCompile(`rescore/internal/(app|config|ghclient|gitmirror|job|publish|store|webhook|worker)\.|riverqueue|pgxpool|database/sql`)

// left lists the goroutines that still run for the server.
func left() []string {
	stacks := make([]byte, 4<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var out []string
	for _, g := range strings.Split(string(stacks), "\n\n") {
		if running.MatchString(g) && !strings.Contains(g, "app_test.left(") {
			out = append(out, g)
		}
	}
	return out
}

// A server that ended leaves nothing running, whatever it was at: work, requests cut
// short, a process of git that hung.
func TestNothingRunsOn(t *testing.T) {
	for name, url := range databases {
		t.Run(name, func(t *testing.T) {
			before := len(left())
			w := newWorld(t, url(t)).installed()
			w.answersOne()
			if name == "sqlite" { // once: it takes all of the time for draining
				first, _ := w.away("git-upload-pack", "", standin.Fault{Hang: true})
				w.branch("c")
				w.touch(2)
				w.open("c")
				w.wait(first)
			}
			require.Greater(t, len(left()), before)
			w.stop()
			if !assert.Eventually(t, func() bool { return len(left()) <= before }, patience/4, pollEvery) {
				t.Log(strings.Join(left(), "\n\n"))
			}
		})
	}
}
