package standin_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/testenv"
)

// hostile is a stand-in without a listener, and an installation's token for it.
func hostile(t testing.TB) (*standin.GitHub, string) {
	t.Helper()
	source := testenv.NewRepo(t)
	source.Write("a.txt", "a\n")
	source.Commit("first")
	gh, err := standin.New(standin.Options{Key: sharedKey()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, gh.Close()) })
	gh.AddUser(person)
	_, err = gh.AddRepo(t.Context(), repo, standin.RepoOptions{From: source.Dir()})
	require.NoError(t, err)
	_, err = gh.Commit(t.Context(), owner, repo, "topic", "Topic", standin.File{Path: "b.txt", Content: "b\n"})
	require.NoError(t, err)
	_, err = gh.OpenPull(t.Context(), owner, repo, standin.PullRequest{Title: "Topic", Head: "topic"})
	require.NoError(t, err)
	token, err := gh.UserToken(owner)
	require.NoError(t, err)
	return gh, token
}

// Whatever is asked, the answer is one of GitHub's, and never our own failure.
func FuzzRequests(f *testing.F) {
	gh, token := hostile(f)
	for _, path := range []string{
		"/repos/acme/agent/commits/main", "/repos/acme/agent/compare/main...topic", "/repos/acme/agent/contents/a.txt?ref=topic",
		"/repos/acme/agent/git/trees/main?recursive=1", "/repos/acme/agent/issues/1/comments", "/repos/acme/agent/pulls/1/files?page=2&per_page=1",
		"/repos/acme/agent/commits?path=..%2f..&sha=--all", "/repos/acme/agent/commits?path=..%2f..", "/repos/acme/agent/commits?path=%2fetc", "/repos/acme/agent/branches/--help",
		"/repos/acme/agent/commits?path=%00", "/repos/acme/agent/commits?author=%5B", "/repos/acme/agent/contents/%00",
		"/repos/acme/agent/commits?since=never", "/repositories/1001/check-runs", "/acme/agent.git/info/refs?service=x",
	} {
		f.Add("GET", path, "")
		f.Add("POST", path, `{"body":"x","head_sha":"main","name":"n"}`)
	}
	f.Fuzz(func(t *testing.T, method, path, body string) {
		req, err := http.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
		if err != nil || !strings.HasPrefix(path, "/") || strings.Contains(path, "git-receive-pack") {
			t.Skip("no request that a client can send")
		}
		req.Header.Set("Authorization", "token "+token)
		w := httptest.NewRecorder()
		gh.ServeHTTP(w, req)
		require.NotEqual(t, http.StatusInternalServerError, w.Code, "%s %s: %s", method, path, w.Body)
		if w.Code >= 400 && w.Header().Get("Content-Type") == "application/json; charset=utf-8" {
			var answer struct{ Message string }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
			require.NotEmpty(t, answer.Message)
		}
	})
}

func TestPathsStayInTheRepository(t *testing.T) {
	gh, token := hostile(t)
	for _, path := range []string{
		"/repos/acme/agent/contents/..%2f..%2fetc%2fpasswd", "/repos/acme/agent/contents/../../../etc/passwd", "/repos/acme/agent/contents/a.txt%2f..%2fa.txt",
		"/repos/acme/agent/branches/--upload-pack=touch", "/repos/acme/agent/git/blobs/--help", "/repos/acme/agent/git/ref/..%2f..%2fHEAD",
		"/repos/acme/agent/contents/:(top)a.txt", "/repos/acme/agent/contents/*",
	} {
		req := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+path, nil)
		req.Header.Set("Authorization", "token "+token)
		w := httptest.NewRecorder()
		gh.ServeHTTP(w, req)
		assert.Equal(t, http.StatusNotFound, w.Code, "%s: %s", path, w.Body)
	}
}
