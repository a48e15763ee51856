package app_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

// recovery is how soon work has to go on after a kill.
const recovery = 45 * time.Second

// process is the app as a process of its own.
type process struct {
	cmd   *exec.Cmd
	ended chan error
}

// spawn starts the app as a process and waits until it is ready.
func (w *world) spawn(addr string) *process {
	w.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"=1")
	for k, v := range w.config {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	cmd.Env = append(cmd.Env, "RESCORE_LISTEN="+addr)
	cmd.Stdout, cmd.Stderr = w.log, w.log
	require.NoError(w.t, cmd.Start())
	p := &process{cmd: cmd, ended: make(chan error, 1)}
	go func() { p.ended <- cmd.Wait() }()
	w.t.Cleanup(p.kill)
	require.Eventually(w.t, func() bool {
		resp, err := http.Get("http://" + addr + "/readyz")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	}, patience, pollEvery, "the process is not ready: %s", w.log)
	return p
}

// kill is kill -9: no last words.
func (p *process) kill() { _ = p.cmd.Process.Kill() } // it may have ended

func (p *process) wait(t *testing.T) error {
	t.Helper()
	select {
	case err := <-p.ended:
		return err
	case <-time.After(patience):
		require.FailNow(t, "the process does not end")
		return nil
	}
}

// freeAddr is a port that nobody listens on, for a process that comes back to it.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}

// points are the moments at which a process is killed: when a request arrives, or
// when it has taken effect and its answer is lost.
func points() map[string]struct {
	operation string
	after     bool
} {
	type point = struct {
		operation string
		after     bool
	}
	out := map[string]point{}
	for name, operation := range map[string]string{
		"fetching":             "git-upload-pack",
		"creating the check":   "POST /repos/{owner}/{repo}/check-runs",
		"completing the check": "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
		"listing comments":     "GET /repos/{owner}/{repo}/issues/{issue_number}/comments",
		"writing the comment":  "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
	} {
		out["before "+name] = point{operation, false}
		out["after "+name] = point{operation, true}
	}
	return out
}

// A process that is killed at any of these moments, and the one that comes after
// it, together publish one check and one comment.
func TestKilledAtAnyMoment(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		for name, point := range points() {
			t.Run(name, func(t *testing.T) {
				t.Parallel() // most of the time is waiting for a dead replica to be noticed
				own := database
				if own != "" {
					own = databases["postgres"](t)
				}
				w := newWorld(t, own)
				addr := freeAddr(t)
				p := w.spawn(addr)
				w.gh.SetWebhook("http://"+addr+"/api/github/hook", "")
				_, err := w.gh.Install(owner, standin.InstallOptions{})
				require.NoError(t, err)
				w.waitCheck(w.source.Head(), completed)
				require.NoError(t, w.gh.WaitDelivered(w.ctx))

				var killed atomic.Bool
				w.gh.Fail(func(r standin.Request) *standin.Fault {
					if r.Operation != point.operation || killed.Swap(true) {
						return nil
					}
					p.kill()
					return &standin.Fault{Drop: true, AfterWork: point.after}
				})
				w.branch("b")
				w.touch(1)
				pr := w.open("b")
				require.Error(t, p.wait(t))
				assert.True(t, killed.Load())

				began := time.Now()
				w.spawn(addr)
				w.waitComment(pr.Number, func(c standin.Comment) bool { return c.ViaApp })
				w.settled(pr.Number, pr.HeadSHA)
				assert.Less(t, time.Since(began), recovery)
				require.NoError(t, w.gh.WaitDelivered(w.ctx))
				w.exactlyOne(pr.Number, pr.HeadSHA)
			})
		}
	})
}

// Two replicas: what the killed one was at is finished by the other.
func TestOtherReplicaTakesOver(t *testing.T) {
	w := newWorld(t, databases["postgres"](t))
	first, second := freeAddr(t), freeAddr(t)
	processes := map[string]*process{}
	dirs := map[string]string{first: filepath.Join(t.TempDir(), "a"), second: filepath.Join(t.TempDir(), "b")}
	for _, addr := range []string{first, second} {
		w.config["RESCORE_DATA_DIR"] = dirs[addr]
		processes[addr] = w.spawn(addr)
	}
	w.gh.SetWebhook("http://"+first+"/api/github/hook", "")
	_, err := w.gh.Install(owner, standin.InstallOptions{})
	require.NoError(t, err)
	w.waitCheck(w.source.Head(), completed)
	require.NoError(t, w.gh.WaitDelivered(w.ctx))

	// Whichever replica works on it hangs in the fetch; both hear of it only when
	// the one at work is killed.
	reached := make(chan struct{})
	var once atomic.Bool
	w.gh.Fail(func(r standin.Request) *standin.Fault {
		if r.Operation != "POST /repos/{owner}/{repo}/check-runs" || once.Swap(true) {
			return nil
		}
		close(reached)
		return &standin.Fault{Hang: true}
	})
	w.branch("b")
	w.touch(1)
	pr := w.open("b")
	select {
	case <-reached:
	case <-w.ctx.Done():
		require.FailNow(t, "no replica began")
	}
	require.NoError(t, w.gh.WaitDelivered(w.ctx))
	victim := first
	if holds(t, w, processes[second]) {
		victim = second
	}
	processes[victim].kill()
	began := time.Now()
	w.settled(pr.Number, pr.HeadSHA)
	w.waitComment(pr.Number, func(c standin.Comment) bool { return c.ViaApp })
	assert.Less(t, time.Since(began), recovery)
	w.exactlyOne(pr.Number, pr.HeadSHA)
}

// holds reports whether the process is the one with a connection that hangs at the
// stand-in: it has the lease, whose holder begins with its queue's id.
func holds(t testing.TB, w *world, p *process) bool {
	t.Helper()
	return strings.Contains(leaseHolder(t, w), fmt.Sprintf("_%d_", p.cmd.Process.Pid))
}

// SIGTERM ends the process in good order within its time.
func TestTerminatedInGoodOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database)
		addr := freeAddr(t)
		p := w.spawn(addr)
		w.gh.SetWebhook("http://"+addr+"/api/github/hook", "")
		_, err := w.gh.Install(owner, standin.InstallOptions{})
		require.NoError(t, err)
		w.waitCheck(w.source.Head(), completed)
		began := time.Now()
		require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(t, p.wait(t))
		assert.Less(t, time.Since(began), 30*time.Second)
		assert.Contains(t, w.log.String(), "stopped")
	})
}
