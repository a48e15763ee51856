package gitmirror_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/testenv"
)

const (
	goodToken  = "ghs_TheSecretOfTheInstallation"
	deadToken  = "ghs_ExpiredLongAgo"
	blindToken = "ghs_OfAnotherInstallation"
)

// gitServer serves one repository over smart HTTP by git's own backend, behind
// GitHub's rule for tokens, and keeps a log.
type gitServer struct {
	*httptest.Server
	root   string
	env    []string
	mu     sync.Mutex
	log    []string
	before func(*http.Request) // called before a request is answered, when set
}

// serve publishes a copy of src at /owner/name.git.
func serve(t testing.TB, src *testenv.Repo) *gitServer {
	t.Helper()
	s := &gitServer{root: t.TempDir(), env: testenv.GitEnv(t)}
	s.publish(t, src)
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *gitServer) bare() string { return filepath.Join(s.root, "owner", "name.git") }
func (s *gitServer) url() string  { return s.URL + "/owner/name.git" }

// publish brings the served copy up to date, with all of its references.
func (s *gitServer) publish(t testing.TB, src *testenv.Repo) {
	t.Helper()
	src.Git("init", "--quiet", "--bare", "--template=", s.bare())
	for _, config := range []string{"uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"} {
		src.Git("--git-dir="+s.bare(), "config", config, "true")
	}
	src.Git("push", "--quiet", "--force", s.bare(), "refs/*:refs/*")
}

func (s *gitServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.log = append(s.log, r.Method+" "+r.URL.RequestURI())
	before := s.before
	s.mu.Unlock()
	if before != nil {
		before(r)
	}
	user, password, _ := r.BasicAuth()
	switch {
	case user != "x-access-token" || password == deadToken:
		w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
		http.Error(w, "Invalid username or token.", http.StatusUnauthorized)
	case strings.Contains(r.URL.Path, "forbidden"):
		http.Error(w, "denied", http.StatusForbidden)
	case strings.Contains(r.URL.Path, "broken"):
		http.Error(w, "try later", http.StatusBadGateway)
	case strings.Contains(r.URL.Path, "busy"):
		http.Error(w, "slow down", http.StatusTooManyRequests)
	case password != goodToken || !strings.HasPrefix(r.URL.Path, "/owner/name.git/"):
		http.Error(w, "Repository not found.", http.StatusNotFound)
	default:
		s.backend(w, r)
	}
}

func (s *gitServer) backend(w http.ResponseWriter, r *http.Request) {
	if len(r.TransferEncoding) > 0 { // net/http/cgi refuses the chunked bodies of long requests
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	}
	exec, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	handler := cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(exec)), "git-http-backend"), Root: "/", Stderr: io.Discard,
		Env: append(s.env, "GIT_PROJECT_ROOT="+s.root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=x-access-token"),
	}
	handler.ServeHTTP(w, r)
}

// requests returns the log since the last call.
func (s *gitServer) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return log
}

func (s *gitServer) onRequest(fn func(*http.Request)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = fn
}

func TestServerServes(t *testing.T) {
	src := testenv.NewRepo(t)
	head := src.Commit("c")
	s := serve(t, src)
	out := src.Git("-c", "http.extraHeader=Authorization: Basic "+basic(goodToken), "ls-remote", s.url())
	require.Contains(t, out, head)
}
