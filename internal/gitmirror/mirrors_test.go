package gitmirror_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/testenv"
)

func TestMirrorIsEmptyAtFirst(t *testing.T) {
	root := t.TempDir()
	m := get(t, openMirrors(t, root), 123456)
	assert.Equal(t, filepath.Join(root, "40", "123456.git"), m.Dir())
	_, err := m.Resolve(t.Context(), "HEAD")
	require.ErrorIs(t, err, gitmirror.ErrEmpty)
	_, err = m.DiffTree(t.Context(), oid(strings.Repeat("1", 40)), oid(strings.Repeat("2", 40)))
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
	for _, id := range []int64{0, -1} {
		_, err := openMirrors(t, root).Get(t.Context(), id)
		require.ErrorContains(t, err, "positive")
	}
}

func TestGitAcceptsTheMirror(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	m := get(t, openMirrors(t, t.TempDir()), 42)
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, head))
	config, err := os.ReadFile(filepath.Join(m.Dir(), "config"))
	require.NoError(t, err)
	assert.NotContains(t, string(config), "promisor", "git would fetch by itself")
	assert.Equal(t, "true", src.Git("--git-dir="+m.Dir(), "rev-parse", "--is-bare-repository"))
	src.Git("--git-dir="+m.Dir(), "-c", "remote.x.promisor=true", "fsck", "--no-dangling")
}

func TestMirrorSurvivesReopening(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	root := t.TempDir()
	require.NoError(t, get(t, openMirrors(t, root), 42).Fetch(t.Context(), s.url(), token, head))
	s.requests()
	again := get(t, openMirrors(t, root), 42)
	require.NoError(t, again.Fetch(t.Context(), s.url(), token, head))
	assert.Empty(t, s.requests())
	got, err := again.Resolve(t.Context(), gitmirror.TrackingRef(head))
	require.NoError(t, err)
	assert.Equal(t, oid(head), got)
}

func TestDamagedMirrorIsBegunAnew(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	only := func(t *testing.T, dir, pattern string) string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(dir, "objects", "pack", pattern))
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.NoError(t, os.Chmod(found[0], 0o600))
		return found[0]
	}
	for name, damage := range map[string]func(*testing.T, string) error{
		"no HEAD": func(_ *testing.T, dir string) error { return os.Remove(filepath.Join(dir, "HEAD")) },
		"foreign config": func(_ *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, "config"), []byte("[core]\n\tfsmonitor = evil\n"), 0o600)
		},
		"no refs": func(_ *testing.T, dir string) error { return os.RemoveAll(filepath.Join(dir, "refs")) },
		"a plain file": func(_ *testing.T, dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, []byte("x"), 0o600))
		},
		"empty pack":  func(t *testing.T, dir string) error { return os.Truncate(only(t, dir, "*.pack"), 0) },
		"empty index": func(t *testing.T, dir string) error { return os.Truncate(only(t, dir, "*.idx"), 0) },
		"no pack":     func(t *testing.T, dir string) error { return os.Remove(only(t, dir, "*.pack")) },
		// What no cheap test sees, the next fetch finds.
		"cut pack":  func(t *testing.T, dir string) error { return os.Truncate(only(t, dir, "*.pack"), 40) },
		"cut index": func(t *testing.T, dir string) error { return os.Truncate(only(t, dir, "*.idx"), 1100) },
		"garbage in the pack": func(t *testing.T, dir string) error {
			return os.WriteFile(only(t, dir, "*.pack"), bytes.Repeat([]byte("garbage "), 200), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			mirrors := openMirrors(t, root)
			m := get(t, mirrors, 42)
			require.NoError(t, m.Fetch(t.Context(), s.url(), token, head))
			require.NoError(t, damage(t, m.Dir()))

			again := get(t, mirrors, 42)
			require.NoError(t, again.Fetch(t.Context(), s.url(), token, head))
			entries, err := again.List(t.Context(), oid(head), []string{""})
			require.NoError(t, err)
			assert.Len(t, entries, 2)
			aside, err := filepath.Glob(filepath.Join(root, "trash", "42.git-*", "42.git"))
			require.NoError(t, err)
			assert.Len(t, aside, 1, "the damaged one was kept aside")
		})
	}
}

// What the tests of Get and Fetch cannot see, a reader finds; the next attempt must
// not find it again.
func TestMirrorThatCannotBeReadIsBegunAnew(t *testing.T) {
	src, base, head := history(t)
	s := serve(t, src)
	tree := src.Git("rev-parse", head+":d")
	for name, read := range map[string]func(*gitmirror.Mirror) error{
		"List": func(m *gitmirror.Mirror) error {
			_, err := m.List(t.Context(), oid(head), []string{"d"})
			return err
		},
		"PathAt": func(m *gitmirror.Mirror) error {
			_, err := m.PathAt(t.Context(), oid(head), "d/kept")
			return err
		},
		"DiffTree": func(m *gitmirror.Mirror) error {
			_, err := m.DiffTree(t.Context(), oid(base), oid(head))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			mirrors := openMirrors(t, t.TempDir())
			visit := func() (err error) {
				m, err := mirrors.Get(t.Context(), 42)
				require.NoError(t, err)
				defer func() { require.NoError(t, m.Close()) }()
				require.NoError(t, m.Fetch(t.Context(), s.url(), token, base, head))
				return read(m)
			}
			require.NoError(t, visit())
			m := get(t, mirrors, 42)
			loseObject(t, src, m.Dir(), tree)
			require.ErrorIs(t, visit(), gitmirror.ErrMissing, "the commits are there, so no fetch sees it")
			require.NoError(t, visit())
			require.NoError(t, m.Discard(t.Context()), "a handle on the old one")
			s.requests()
			require.NoError(t, visit())
			assert.Empty(t, s.requests(), "does not discard the new one")
		})
	}
}

// loseObject takes one object out of a mirror whose packs are otherwise in order.
func loseObject(t *testing.T, src *testenv.Repo, dir, object string) {
	t.Helper()
	all := src.Git("--git-dir="+dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
	kept := strings.Replace(all+"\n", object+"\n", "", 1)
	require.NotEqual(t, all+"\n", kept)
	pack := filepath.Join(dir, "objects", "pack")
	old, err := filepath.Glob(filepath.Join(pack, "*"))
	require.NoError(t, err)
	src.GitInput([]byte(kept), "--git-dir="+dir, "pack-objects", "--quiet", filepath.Join(pack, "pack"))
	for _, file := range old {
		require.NoError(t, os.Remove(file))
	}
	fresh, err := filepath.Glob(filepath.Join(pack, "*.pack"))
	require.NoError(t, err)
	require.Len(t, fresh, 1)
	require.NoError(t, os.WriteFile(strings.TrimSuffix(fresh[0], ".pack")+".promisor", nil, 0o600))
}

func TestDiscard(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	mirrors := openMirrors(t, t.TempDir())
	m := get(t, mirrors, 42)
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, head))
	require.NoError(t, m.Discard(t.Context()))
	require.NoError(t, m.Discard(t.Context()), "nothing is left to discard")
	_, err := get(t, mirrors, 42).Resolve(t.Context(), head)
	require.ErrorIs(t, err, gitmirror.ErrEmpty)
}

func TestManyHandlesOnOneMirror(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	blob := src.Git("rev-parse", head+":d/changed")
	mirrors := openMirrors(t, t.TempDir())
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			m, err := mirrors.Get(t.Context(), 42)
			if !assert.NoError(t, err) {
				return
			}
			defer m.Close()
			assert.NoError(t, m.Fetch(t.Context(), s.url(), token, head))
			assert.NoError(t, m.FetchBlobs(t.Context(), s.url(), token, []gitmirror.OID{oid(blob)}))
			data, err := m.Blob(t.Context(), oid(blob), 100)
			assert.NoError(t, err)
			assert.Equal(t, "after\n", string(data))
		})
	}
	wg.Wait()
	assert.Len(t, s.requests(), 4, "one fetched the commit, one the blob, and the others found them")
}

func TestTwoProcessesOnOneMirror(t *testing.T) {
	src, _, head := history(t)
	s := serve(t, src)
	blob := src.Git("rev-parse", head+":d/changed")
	root := t.TempDir()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s 42 %s %s %s", fetcherEnv, root, s.url(), head, blob))
			out, err := cmd.CombinedOutput()
			assert.NoError(t, err, string(out))
		})
	}
	wg.Wait()
	assert.Len(t, s.requests(), 4)
}

func TestWaitingForALockCanBeCancelled(t *testing.T) {
	src, base, head := history(t)
	s := serve(t, src)
	mirrors := openMirrors(t, t.TempDir())
	first, second := get(t, mirrors, 42), get(t, mirrors, 42)
	hold, held := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s.onRequest(func(*http.Request) {
		once.Do(func() { close(held) })
		<-hold
	})
	done := make(chan error)
	go func() { done <- first.Fetch(t.Context(), s.url(), token, head) }()
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := second.Fetch(ctx, s.url(), token, base)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "wait for lock")
	close(hold)
	require.NoError(t, <-done)
}

func TestLeftoverLockIsRemoved(t *testing.T) {
	src, base, head := history(t)
	s := serve(t, src)
	m := get(t, openMirrors(t, t.TempDir()), 42)
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, base, "refs/heads/main"))
	ref := gitmirror.TrackingRef("refs/heads/topic")
	leftover := filepath.Join(m.Dir(), filepath.FromSlash(ref)+".lock")
	require.NoError(t, os.WriteFile(leftover, nil, 0o600))

	err := m.Fetch(t.Context(), s.url(), token, "refs/heads/topic")
	require.ErrorContains(t, err, "File exists", "a fresh lock may belong to somebody")
	old := time.Now().Add(-time.Minute)
	require.NoError(t, os.Chtimes(leftover, old, old))
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, "refs/heads/topic"))
	got, err := m.Resolve(t.Context(), ref)
	require.NoError(t, err)
	assert.Equal(t, oid(head), got)
}

// clock is a clock that a test sets.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func TestSweep(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("f", "x")
	head := src.Commit("c")
	s := serve(t, src)
	now := &clock{now: time.Now()}
	root := t.TempDir()
	mirrors := openMirrors(t, root, gitmirror.WithClock(now.Now))
	fill := func(id int64) {
		m, err := mirrors.Get(t.Context(), id)
		require.NoError(t, err)
		require.NoError(t, m.Fetch(t.Context(), s.url(), token, head))
		require.NoError(t, m.Close())
		now.advance(time.Hour)
	}
	exists := func(id int) bool {
		_, err := os.Stat(filepath.Join(root, fmt.Sprintf("%02x", id%256), fmt.Sprintf("%d.git", id)))
		return err == nil
	}
	for id := range int64(5) {
		fill(id + 1)
	}
	report, err := mirrors.Sweep(t.Context(), gitmirror.SweepPolicy{})
	require.NoError(t, err)
	assert.Equal(t, 5, report.Mirrors)
	assert.Zero(t, report.Removed)
	each := report.Bytes / 5

	// By age: 1 and 2 are over three hours and a half old, but 1 is in use.
	held := get(t, mirrors, 1)
	require.NoError(t, os.Chtimes(filepath.Join(root, "01", "1.use"), time.Now(), now.Now().Add(-5*time.Hour)))
	report, err = mirrors.Sweep(t.Context(), gitmirror.SweepPolicy{MaxAge: 3*time.Hour + 30*time.Minute})
	require.NoError(t, err)
	assert.Equal(t, 1, report.Removed)
	assert.Equal(t, 1, report.InUse)
	assert.Equal(t, 4, report.Mirrors)
	assert.False(t, exists(2))
	_, err = held.List(t.Context(), oid(head), []string{""})
	require.NoError(t, err)

	// By size: the longest unused go first, and no more than must.
	report, err = mirrors.Sweep(t.Context(), gitmirror.SweepPolicy{MaxBytes: 3*each + each/2})
	require.NoError(t, err)
	assert.Equal(t, 1, report.Removed)
	assert.True(t, exists(1) && exists(4) && exists(5))
	assert.False(t, exists(3))

	// A removed one is fetched again.
	fill(3)
	assert.True(t, exists(3))
}

func TestSweepEmptiesTheTrashInTime(t *testing.T) {
	now := &clock{now: time.Now()}
	root := t.TempDir()
	mirrors := openMirrors(t, root, gitmirror.WithClock(now.Now))
	m := get(t, mirrors, 42)
	require.NoError(t, m.Discard(t.Context()))
	temporary := filepath.Join(get(t, mirrors, 42).Dir(), "objects", "pack", "tmp_pack_x")
	require.NoError(t, os.WriteFile(temporary, nil, 0o600))
	count := func() int {
		entries, err := os.ReadDir(filepath.Join(root, "trash"))
		require.NoError(t, err)
		return len(entries)
	}
	now.advance(23 * time.Hour)
	_, err := mirrors.Sweep(t.Context(), gitmirror.SweepPolicy{})
	require.NoError(t, err)
	assert.Equal(t, 1, count())
	assert.FileExists(t, temporary)
	now.advance(2 * time.Hour)
	_, err = mirrors.Sweep(t.Context(), gitmirror.SweepPolicy{})
	require.NoError(t, err)
	assert.Zero(t, count())
	assert.NoFileExists(t, temporary)
}

func TestRepackKeepsEverythingAndFetchesNothing(t *testing.T) {
	src := testenv.NewRepo(t)
	s := serve(t, commitFile(src, "start"))
	root := t.TempDir()
	mirrors := openMirrors(t, root)
	m := get(t, mirrors, 42)
	var heads []gitmirror.OID
	for i := range 6 {
		src.Write("f", fmt.Sprint(i))
		head := src.Commit(fmt.Sprint(i))
		heads = append(heads, oid(head))
		s.publish(t, src)
		require.NoError(t, m.Fetch(t.Context(), s.url(), token, head))
	}
	blob := oid(src.Git("rev-parse", "HEAD:f"))
	require.NoError(t, m.FetchBlobs(t.Context(), s.url(), token, []gitmirror.OID{blob}))
	require.Greater(t, len(packs(t, m)), 5)
	s.requests()

	report, err := mirrors.Sweep(t.Context(), gitmirror.SweepPolicy{MaxPacks: 5})
	require.NoError(t, err)
	assert.Equal(t, 1, report.Repacked)
	assert.Len(t, packs(t, m), 1)
	assert.Empty(t, s.requests())

	for _, r := range []*gitmirror.Mirror{m, get(t, mirrors, 42)} { // the one that was open meanwhile, and a new one
		data, err := r.Blob(t.Context(), blob, 100)
		require.NoError(t, err)
		assert.Equal(t, "5", string(data))
		missing, err := r.Missing(t.Context(), heads)
		require.NoError(t, err)
		assert.Empty(t, missing)
		changes, err := r.DiffTree(t.Context(), heads[0], heads[5])
		require.NoError(t, err)
		_, err = r.Blob(t.Context(), changes[0].OldOID, 100)
		require.ErrorIs(t, err, gitmirror.ErrMissing)
		require.NoError(t, r.Fetch(t.Context(), s.url(), token, string(heads[3])))
	}
	report, err = mirrors.Sweep(t.Context(), gitmirror.SweepPolicy{MaxPacks: 5})
	require.NoError(t, err)
	assert.Zero(t, report.Repacked)
}

func commitFile(src *testenv.Repo, content string) *testenv.Repo {
	src.Write("f", content)
	src.Commit(content)
	return src
}

func TestRepackForgetsTheOldestTips(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("f", "0")
	var tips []string
	for i := range 1005 {
		tips = append(tips, fmt.Sprintf("commit refs/heads/b%d\ncommitter A <a@example.com> %d +0000\ndata 1\n%d\nM 100644 inline f\ndata 1\n%d\n",
			i, 1700000000+i, i%10, i%10))
	}
	src.GitInput([]byte(strings.Join(tips, "")), "fast-import", "--quiet")
	s := serve(t, src)
	mirrors := openMirrors(t, t.TempDir())
	m := get(t, mirrors, 42)
	wants := strings.Fields(src.Git("for-each-ref", "--format=%(objectname)", "refs/heads"))
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, wants[:1]...))
	require.NoError(t, m.Fetch(t.Context(), s.url(), token, wants...))

	report, err := mirrors.Sweep(t.Context(), gitmirror.SweepPolicy{MaxPacks: 1})
	require.NoError(t, err)
	assert.Equal(t, 1, report.Repacked)
	left := strings.Fields(src.Git("--git-dir="+m.Dir(), "for-each-ref", "--sort=committerdate", "--format=%(objectname)"))
	assert.Len(t, left, 1000)
	assert.Equal(t, src.Git("rev-parse", "b5"), left[0])
	missing, err := m.Missing(t.Context(), []gitmirror.OID{oid(src.Git("rev-parse", "b0"))})
	require.NoError(t, err)
	assert.Empty(t, missing, "what is forgotten as a tip stays as an object")
}
