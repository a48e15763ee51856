package gitmirror_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/testenv"
)

func basic(token string) string {
	return base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
}

var token = gitmirror.NewToken(goodToken)

const (
	advertisement = "GET /owner/name.git/info/refs?service=git-upload-pack"
	uploadPack    = "POST /owner/name.git/git-upload-pack"
)

func openMirrors(t testing.TB, root string, opts ...gitmirror.Option) *gitmirror.Mirrors {
	t.Helper()
	m, err := gitmirror.OpenMirrors(root, opts...)
	require.NoError(t, err)
	return m
}

func get(t testing.TB, mirrors *gitmirror.Mirrors, id int64) *gitmirror.Mirror {
	t.Helper()
	m, err := mirrors.Get(context.Background(), id)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, m.Close()) })
	return m
}

// history is a repository with a base, and a branch that changes one of its files.
func history(t testing.TB) (src *testenv.Repo, base, head string) {
	t.Helper()
	src = testenv.NewRepo(t)
	src.Write("d/kept", "kept\n")
	src.Write("d/changed", "before\n")
	base = src.Commit("base")
	src.Branch("topic")
	src.Write("d/changed", "after\n")
	head = src.Commit("head")
	src.Checkout("main")
	src.Write("other", "on main\n")
	src.Commit("main goes on")
	return src, base, head
}

func TestFetchBringsTreesAndNoBlobs(t *testing.T) {
	src, base, head := history(t)
	tip := src.Git("rev-parse", "main")
	s := serve(t, src)
	m := get(t, openMirrors(t, t.TempDir()), 42)
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, head, tip))
	assert.Equal(t, []string{advertisement, uploadPack}, s.requests())

	fork, err := m.MergeBase(t.Context(), oid(head), oid(tip))
	require.NoError(t, err)
	assert.Equal(t, oid(base), fork)
	changes, err := m.DiffTree(t.Context(), fork, oid(head))
	require.NoError(t, err)
	require.Len(t, changes, 1)
	assert.Equal(t, "d/changed", changes[0].Path)
	entries, err := m.List(t.Context(), oid(head), []string{""})
	require.NoError(t, err)
	require.Len(t, entries, 2)
	before, after := changes[0].OldOID, changes[0].NewOID
	missing, err := m.Missing(t.Context(), []gitmirror.OID{before, after, entries[1].OID})
	require.NoError(t, err)
	assert.Len(t, missing, 3, "no file content came along")
	_, err = m.Blob(t.Context(), after, 100)
	require.ErrorIs(t, err, gitmirror.ErrMissing)
	assert.Empty(t, s.requests(), "reading a missing blob sends nothing")

	var asked bytes.Buffer
	s.onRequest(func(r *http.Request) {
		body := io.TeeReader(r.Body, &asked)
		r.Body = io.NopCloser(body)
	})
	require.NoError(t, m.FetchBlobs(t.Context(), s.url(), token, []gitmirror.OID{before, after, before}))
	s.onRequest(nil)
	assert.Equal(t, []string{advertisement, uploadPack}, s.requests(), "one round trip")
	assert.Equal(t, 2, strings.Count(asked.String(), "want "), "each once")
	assert.NotContains(t, asked.String(), "have ", "a blob has no history to negotiate about")
	data, err := m.Blob(t.Context(), after, 100)
	require.NoError(t, err)
	assert.Equal(t, "after\n", string(data))
	_, err = m.Blob(t.Context(), entries[1].OID, 100)
	require.ErrorIs(t, err, gitmirror.ErrMissing, "only what was asked for")

	require.NoError(t, m.FetchBlobs(t.Context(), s.url(), token, []gitmirror.OID{before, after}))
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, head, tip, base, strings.ToUpper(base)))
	require.NoError(t, m.Fetch(t.Context(), s.url(), token))
	assert.Empty(t, s.requests(), "what is here is not asked for")
}

func TestLaterFetchBringsOnlyWhatIsNew(t *testing.T) {
	src := testenv.NewRepo(t)
	for i := range 200 {
		src.Write(fmt.Sprintf("d%d/f", i), strconv.Itoa(i))
	}
	first := src.Commit("1")
	s := serve(t, src)
	root := t.TempDir()
	m := get(t, openMirrors(t, root), 7)
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, first))
	before := packs(t, m)

	src.Write("d3/f", "changed")
	second := src.Commit("2")
	s.publish(t, src)
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, second))
	var fresh int64
	for path, size := range packs(t, m) {
		if _, ok := before[path]; !ok {
			fresh += size
		}
	}
	assert.Positive(t, fresh)
	assert.Less(t, fresh, int64(8<<10), "one commit, two trees")
}

// packs returns the pack files of a mirror and their sizes.
func packs(t testing.TB, m *gitmirror.Mirror) map[string]int64 {
	t.Helper()
	found := map[string]int64{}
	paths, err := filepath.Glob(filepath.Join(m.Dir(), "objects", "pack", "*.pack"))
	require.NoError(t, err)
	for _, path := range paths {
		info, err := os.Stat(path)
		require.NoError(t, err)
		found[path] = info.Size()
	}
	return found
}

func TestFetchReference(t *testing.T) {
	src, _, head := history(t)
	src.Git("update-ref", "refs/pull/7/head", head)
	src.Git("branch", "-D", "topic")
	s := serve(t, src)
	m := get(t, openMirrors(t, t.TempDir()), 42)
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, "refs/pull/7/head"))
	got, err := m.Resolve(t.Context(), gitmirror.TrackingRef("refs/pull/7/head"))
	require.NoError(t, err)
	assert.Equal(t, oid(head), got)

	src.Git("checkout", "--quiet", "--detach", "main")
	forced := src.Commit("forced")
	src.Git("update-ref", "refs/pull/7/head", forced)
	s.publish(t, src)
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, "refs/pull/7/head"))
	got, err = m.Resolve(t.Context(), gitmirror.TrackingRef("refs/pull/7/head"))
	require.NoError(t, err)
	assert.Equal(t, oid(forced), got, "a forced push moves it")
}

// A branch can make way for a directory of branches.
func TestTrackingRefsDoNotObstructEachOther(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Commit("c")
	long := "refs/heads/" + strings.Repeat("x/", 150) + "y"
	names := []string{"refs/heads/a", "refs/heads/a/b", "refs/heads/a%2Fb", long}
	m := get(t, openMirrors(t, t.TempDir()), 42)
	seen := map[string]bool{}
	for _, name := range names {
		src.Git("update-ref", name, "HEAD")
		s := serve(t, src)
		require.NoError(t, m.Fetch(t.Context(), s.url(), token, name))
		seen[gitmirror.TrackingRef(name)] = true
		src.Git("update-ref", "-d", name)
	}
	assert.Len(t, seen, len(names))
}

func TestFetchSaysWhatIsWrong(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	m := get(t, openMirrors(t, t.TempDir()), 42)
	absent := strings.Repeat("1", 40)
	for _, tc := range []struct {
		name, url string
		token     gitmirror.Token
		want      string
		is        error
	}{
		{"expired token", s.url(), gitmirror.NewToken(deadToken), head, gitmirror.ErrUnauthorized},
		{"no token", s.url(), gitmirror.Token{}, head, gitmirror.ErrUnauthorized},
		{"token of another installation", s.url(), gitmirror.NewToken(blindToken), head, gitmirror.ErrRemoteNotFound},
		{"no such repository", s.URL + "/owner/none.git", token, head, gitmirror.ErrRemoteNotFound},
		{"access denied", s.URL + "/forbidden.git", token, head, gitmirror.ErrForbidden},
		{"bad gateway", s.URL + "/broken.git", token, head, gitmirror.ErrUnavailable},
		{"rate limit", s.URL + "/busy.git", token, head, gitmirror.ErrUnavailable},
		{"nobody listens", dead.URL + "/owner/name.git", token, head, gitmirror.ErrUnavailable},
		{"unknown commit", s.url(), token, absent, gitmirror.ErrUnknownRev},
		{"unknown reference", s.url(), token, "refs/pull/9/head", gitmirror.ErrUnknownRev},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := m.Fetch(t.Context(), tc.url, tc.token, tc.want)
			require.ErrorIs(t, err, tc.is)
			assert.ErrorContains(t, err, tc.url)
			assertNoSecret(t, err.Error())
			var failed *gitmirror.GitError
			require.ErrorAs(t, err, &failed)
			assertNoSecret(t, fmt.Sprintf("%+v %#v", failed, failed))
		})
	}
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, head), "a failed fetch leaves the mirror usable")
}

func assertNoSecret(t testing.TB, text string) {
	t.Helper()
	for _, secret := range []string{goodToken, deadToken, blindToken} {
		assert.NotContains(t, text, secret)
		assert.NotContains(t, text, basic(secret))
	}
}

func TestWantsAreChecked(t *testing.T) {
	m := get(t, openMirrors(t, t.TempDir()), 42)
	for _, want := range []string{
		"", "HEAD", "main", "--upload-pack=touch x", "refs/heads/*", "refs/heads/a:refs/heads/b", "^refs/heads/a", "refs/heads/a b",
		"refs/heads/a\nrefs/heads/b", "refs/heads/../x", "refs/", "refs/heads/.x", "refs/heads/x.lock", "refs/heads//x", "refs/heads/x@{1}",
		strings.Repeat("0", 40), "abc1234",
	} {
		err := m.Fetch(t.Context(), "https://git.invalid/owner/name.git", token, want)
		require.Error(t, err, "%q", want)
		require.NotErrorIs(t, err, gitmirror.ErrUnavailable, "%q was sent", want)
	}
	err := m.FetchBlobs(t.Context(), "https://git.invalid/owner/name.git", token, []gitmirror.OID{"refs/heads/x"})
	require.ErrorContains(t, err, "hexadecimal")
	assert.Zero(t, m.Stats().GitProcesses)
}

func TestRemoteURLs(t *testing.T) {
	src := testenv.NewRepo(t)
	head := src.Commit("c")
	m := get(t, openMirrors(t, t.TempDir()), 42)
	for _, url := range []string{
		"", "/tmp/x", "http://git.example.com/o/n.git", "http://10.0.0.1/o/n.git", "git://h/x", "ssh://h/x", "git@h:o/n.git",
		"ext::sh -c x", "file://" + src.Dir(), "https://user:" + goodToken + "@h/o/n.git", "https://h", "https://h/?x=y", "https:///o/n",
		"https://h/o/n#x", "https://h\n/o", "http://localhost.example.com/o/n.git",
	} {
		err := m.Fetch(t.Context(), url, token, head)
		require.ErrorIs(t, err, gitmirror.ErrRemoteURL, "%q", url)
		assertNoSecret(t, err.Error())
	}
	assert.Zero(t, m.Stats().GitProcesses)

	local := get(t, openMirrors(t, t.TempDir(), gitmirror.WithLocalRemotes()), 42)
	src.Git("config", "uploadpack.allowFilter", "true")
	require.NoError(t, local.Fetch(t.Context(), "file://"+src.Dir(), gitmirror.Token{}, head))
}

func TestInsecureHTTPIsAskedFor(t *testing.T) {
	m := get(t, openMirrors(t, t.TempDir(), gitmirror.WithInsecureHTTP(), gitmirror.WithGit(script(t, `
case "$*" in *cat-file*) while read -r line; do echo "${line#info } missing"; done;; *) echo "$*" >&2; exit 3;; esac`),
	)), 42)
	err := m.Fetch(t.Context(), "http://git.example.com/o/n.git", token, strings.Repeat("1", 40))
	var failed *gitmirror.GitError
	require.ErrorAs(t, err, &failed, "it got as far as git")
	assert.Equal(t, 3, failed.ExitCode)
}

// A renamed repository answers with a redirect. Following it could carry the token
// to another host.
func TestRedirectIsNotFollowed(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	moved := httptest.NewServer(http.RedirectHandler(s.URL+"/owner/name.git/info/refs?service=git-upload-pack", http.StatusMovedPermanently))
	defer moved.Close()
	m := get(t, openMirrors(t, t.TempDir()), 42)
	err := m.Fetch(t.Context(), moved.URL+"/owner/old.git", token, head)
	require.ErrorIs(t, err, gitmirror.ErrRedirected)
	assert.Empty(t, s.requests())
}

// process is a running descendant of the test.
type process struct {
	pid     int
	command string
	environ string
}

// descendants finds the processes below this one.
func descendants(t testing.TB) []process {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	if len(stats) == 0 {
		t.Skip("no /proc here to look for processes in")
	}
	parent, all := map[int]int{}, []process{}
	for _, path := range stats {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		require.NoError(t, err)
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it ended
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		fields := strings.Fields(rest)
		if fields[0] == "Z" {
			continue
		}
		parent[pid], err = strconv.Atoi(fields[1])
		require.NoError(t, err)
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		environ, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "environ"))
		all = append(all, process{pid, strings.ReplaceAll(string(command), "\x00", " "), string(environ)})
	}
	return slices.DeleteFunc(all, func(p process) bool {
		for at := parent[p.pid]; at != os.Getpid(); at = parent[at] {
			if at <= 1 {
				return true
			}
		}
		return false
	})
}

func TestTokenTravelsInTheEnvironmentAlone(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	var mu sync.Mutex
	var seen []process
	s.onRequest(func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		assert.Equal(t, "Basic "+basic(goodToken), r.Header.Get("Authorization"))
		for _, p := range descendants(t) {
			if strings.Contains(p.command, "fetch") || strings.Contains(p.command, "remote-http") {
				seen = append(seen, p)
			}
		}
	})
	root := t.TempDir()
	m := get(t, openMirrors(t, root), 42)
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, head))
	s.onRequest(nil)

	carried := false
	for _, p := range seen {
		assertNoSecret(t, p.command)
		carried = carried || strings.Contains(p.environ, basic(goodToken))
	}
	assert.GreaterOrEqual(t, len(seen), 2, "git fetch and its helper were looked at")
	assert.True(t, carried, "the environment is where it is")
	require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			assertNoSecret(t, string(data))
		}
		return err
	}))
}

func TestTokenIsNeverPrinted(t *testing.T) {
	type record struct{ Token gitmirror.Token }
	text, err := token.MarshalText()
	require.NoError(t, err)
	for _, printed := range []string{
		fmt.Sprint(token), fmt.Sprintf("%v %+v %#v %s %q %x", token, token, token, token, token, token),
		fmt.Sprintf("%v %+v %#v", record{token}, record{token}, &record{token}), string(text),
	} {
		assertNoSecret(t, printed)
		assert.NotContains(t, printed, fmt.Sprintf("%x", goodToken))
	}
}

func TestWhatTheRemoteSaysIsRedacted(t *testing.T) {
	git := script(t, `
case "$*" in *cat-file*) while read -r line; do echo "${line#info } missing"; done;; esac
env | grep extraHeader -A1 >&2; env | grep -i authorization >&2; echo "`+goodToken+`" >&2; printf '\033[31mred\n' >&2; exit 128`)
	m := get(t, openMirrors(t, t.TempDir(), gitmirror.WithGit(git)), 42)
	err := m.Fetch(t.Context(), "https://git.invalid/o/n.git", token, strings.Repeat("1", 40))
	require.Error(t, err)
	assertNoSecret(t, err.Error())
	assert.Contains(t, err.Error(), "[redacted]")
	assert.NotContains(t, err.Error(), "\x1b")
}

func TestCancellingAFetchKillsGit(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	var running []process
	var cancelled time.Time
	hold := make(chan struct{})
	s.onRequest(func(r *http.Request) {
		if r.Method != http.MethodPost {
			return
		}
		mu.Lock()
		running, cancelled = descendants(t), time.Now()
		mu.Unlock()
		cancel()
		<-hold
	})
	m := get(t, openMirrors(t, t.TempDir()), 42)
	err := m.Fetch(ctx, s.url(), token, head)
	close(hold)
	require.ErrorIs(t, err, context.Canceled)
	mu.Lock()
	defer mu.Unlock()
	assert.Less(t, time.Since(cancelled), 4*time.Second, "nothing had to be waited for")
	fetching := slices.DeleteFunc(running, func(p process) bool {
		return !strings.Contains(p.command, "fetch") && !strings.Contains(p.command, "remote-http")
	})
	require.GreaterOrEqual(t, len(fetching), 2, "git fetch and its helper ran")
	require.Eventually(t, func() bool {
		return !slices.ContainsFunc(descendants(t), func(p process) bool {
			return slices.ContainsFunc(fetching, func(q process) bool { return p.pid == q.pid })
		})
	}, wait, tick)

	s.onRequest(nil)
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, head), "the mirror is usable afterwards")
}

func TestFetchTimeout(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	hold := make(chan struct{})
	defer close(hold)
	s.onRequest(func(*http.Request) { <-hold })
	m := get(t, openMirrors(t, t.TempDir(), gitmirror.WithFetchTimeout(200*time.Millisecond)), 42)
	require.ErrorIs(t, m.Fetch(t.Context(), s.url(), token, head), context.DeadlineExceeded)
}
