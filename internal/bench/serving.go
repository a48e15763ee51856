package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/standin"
)

// The world in which the server is measured.
const (
	owner    = "acme"
	author   = "ada"
	fullName = owner + "/bench"
	cardPath = ".github/rescore/scorecard.json"

	quietPushes = 20
	// answerIn bounds one answer. The first takes longest: it counts ten searches
	// of the whole tree.
	answerIn = 5 * time.Minute
)

// serving lets `rescore serve` work on the repository with its searches of the
// whole tree: it verifies the card, answers a pull request of five files, and then
// quiet pushes. What counts is the most memory it held.
func serving(ctx context.Context, o Options, s *subject, t *Table, at int) (err error) {
	gh, err := s.github(ctx, filepath.Join(o.Dir, fmt.Sprintf("github-%d", s.Files)))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, gh.Close()) }()
	srv, err := startServer(ctx, o.Binary, filepath.Join(o.Dir, fmt.Sprintf("data-%d", s.Files)), gh)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.stop()) }()
	gh.SetWebhook(srv.url+"/api/github/hook", "")
	if _, err := gh.Install(owner, standin.InstallOptions{}); err != nil {
		return err
	}
	if err := s.keepBusy(ctx, gh); err != nil {
		return fmt.Errorf("%w\nthe server's log ends:\n%s", err, srv.log.tail())
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", srv.cmd.Process.Pid))
	if err != nil {
		return fmt.Errorf("memory of the server: %w", err)
	}
	t.set("serving, searches of the whole tree: peak memory, MB", "at most 150, no growth", at, fmt.Sprintf("%.0f", float64(highWater(string(status)))/1e6))
	return nil
}

// github starts a stand-in that holds the repository at its base.
func (s *subject) github(ctx context.Context, dir string) (*standin.GitHub, error) {
	gh, err := standin.New(standin.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	if err := gh.Start(); err != nil {
		return nil, errors.Join(err, gh.Close())
	}
	gh.AddOrg(owner)
	gh.AddUser(author)
	_, err = gh.AddRepo(ctx, fullName, standin.RepoOptions{From: s.Dir, Rev: s.Base, Private: true})
	if err == nil {
		err = gh.SetRole(fullName, author, standin.RoleWrite)
	}
	if err != nil {
		return nil, errors.Join(err, gh.Close())
	}
	return gh, nil
}

// keepBusy makes the events one after the other, waiting for each answer.
func (s *subject) keepBusy(ctx context.Context, gh *standin.GitHub) error {
	card, err := cardfile.WriteJSON(s.wide)
	if err != nil {
		return err
	}
	sha, err := gh.Commit(ctx, author, fullName, "main", "the scorecard", standin.File{Path: cardPath, Content: string(card)})
	if err != nil {
		return err
	}
	if err := answered(ctx, gh, sha, "success"); err != nil {
		return err
	}
	if sha, err = gh.Push(ctx, author, fullName, "topic", s.Dir, s.Five); err != nil {
		return err
	}
	if _, err := gh.OpenPull(ctx, author, fullName, standin.PullRequest{Title: "Five files", Head: "topic"}); err != nil {
		return err
	}
	if err := answered(ctx, gh, sha, "neutral"); err != nil {
		return err
	}
	for n := range quietPushes {
		sha, err := gh.Commit(ctx, author, fullName, "main", "notes", standin.File{Path: quietFile, Content: fmt.Sprintf("# Notes\n\n%d\n", n)})
		if err != nil {
			return err
		}
		if err := answered(ctx, gh, sha, "success"); err != nil {
			return err
		}
	}
	return nil
}

// answered waits for the check of a commit.
func answered(ctx context.Context, gh *standin.GitHub, sha, conclusion string) error {
	ctx, cancel := context.WithTimeout(ctx, answerIn)
	defer cancel()
	run, err := gh.WaitCheck(ctx, fullName, sha, func(k standin.CheckRun) bool { return k.Status == "completed" })
	if err != nil {
		return fmt.Errorf("wait for the check of %.12s: %w", sha, err)
	}
	if run.Conclusion != conclusion {
		return fmt.Errorf("the check of %.12s is a %s, %q; it should be a %s", sha, run.Conclusion, run.Title, conclusion)
	}
	return nil
}

// server is `rescore serve`, running.
type server struct {
	cmd *exec.Cmd
	url string
	log *ending
}

// startServer returns when the server is ready.
func startServer(ctx context.Context, binary, dir string, gh *standin.GitHub) (*server, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, err
	}
	s := &server{cmd: exec.CommandContext(ctx, binary, "serve"), url: "http://" + addr, log: &ending{}}
	s.cmd.Env = append(environment(),
		"GITHUB_WEB_URL="+gh.URL(), "GITHUB_V3_API_URL="+gh.APIURL(),
		"GITHUB_APP_INTEGRATION_ID="+strconv.FormatInt(gh.AppID(), 10),
		"GITHUB_APP_PRIVATE_KEY="+string(gh.PrivateKeyPEM()),
		"GITHUB_APP_WEBHOOK_SECRET="+gh.WebhookSecret(),
		"RESCORE_LISTEN="+addr, "RESCORE_DATA_DIR="+dir, "DATABASE_URL=")
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	if err := s.ready(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%w\nits log ends:\n%s", err, s.log.tail()), s.stop())
	}
	return s, nil
}

func (s *server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/readyz", nil)
		if err != nil {
			return err
		}
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server was not ready in time: %w", context.Cause(ctx))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stop drains the server.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("the server: %w", err)
	}
	return nil
}

// ending keeps the end of what a process writes, whose one writer it is.
type ending struct{ bytes.Buffer }

const endingBytes = 4 << 10

func (e *ending) Write(p []byte) (int, error) {
	n, err := e.Buffer.Write(p)
	if over := e.Len() - endingBytes; over > 0 {
		e.Next(over)
	}
	return n, err
}

func (e *ending) tail() string { return e.String() }
