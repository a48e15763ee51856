package gitmirror_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/testenv"
)

func TestBlobs(t *testing.T) {
	src := testenv.NewRepo(t)
	var want []string
	for i := range 600 { // more than one batch
		content := fmt.Sprintf("file %d\n%s", i, strings.Repeat("x", i))
		src.Write(fmt.Sprintf("d/%04d", i), content)
		want = append(want, content)
	}
	head := src.Commit("c")
	r := open(t, src.Dir())
	entries, err := r.List(t.Context(), oid(head), []string{"d"})
	require.NoError(t, err)
	var ids []gitmirror.OID
	for _, e := range entries {
		ids = append(ids, e.OID)
	}
	var got []string
	err = r.Blobs(t.Context(), ids, 1<<20, func(id gitmirror.OID, data []byte, err error) error {
		assert.NoError(t, err)
		assert.Equal(t, ids[len(got)], id)
		got = append(got, string(data))
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	stats := r.Stats()
	assert.EqualValues(t, 600, stats.BlobsRead)
	assert.EqualValues(t, len(strings.Join(want, "")), stats.BytesRead)
	assert.EqualValues(t, 1, stats.GitProcesses)
}

func TestBlobsGivesAReasonForEachThatCannotBeRead(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("small", "small")
	src.Write("large", strings.Repeat("x", 1000))
	head := src.Commit("c")
	small, large, tree := oid(src.Git("rev-parse", "HEAD:small")), oid(src.Git("rev-parse", "HEAD:large")), oid(src.Git("rev-parse", "HEAD^{tree}"))
	absent := oid(strings.Repeat("1", 40))
	r := open(t, src.Dir())

	ids := []gitmirror.OID{large, small, absent, tree, oid(head), small}
	var reasons []error
	err := r.Blobs(t.Context(), ids, 999, func(_ gitmirror.OID, data []byte, err error) error {
		assert.Equal(t, err == nil, string(data) == "small")
		reasons = append(reasons, err)
		return nil
	})
	require.NoError(t, err)
	for i, want := range []error{gitmirror.ErrTooLarge, nil, gitmirror.ErrMissing, gitmirror.ErrWrongType, gitmirror.ErrWrongType, nil} {
		require.ErrorIs(t, reasons[i], want)
	}
	assert.EqualValues(t, 2, r.Stats().BlobsRead)
	assert.EqualValues(t, 10, r.Stats().BytesRead, "the large one was never read")

	data, err := r.Blob(t.Context(), large, 1000)
	require.NoError(t, err)
	assert.Len(t, data, 1000)
	stop := errors.New("stop")
	calls := 0
	err = r.Blobs(t.Context(), ids, 999, func(gitmirror.OID, []byte, error) error { calls++; return stop })
	require.ErrorIs(t, err, stop)
	assert.Equal(t, 1, calls)
	_, err = r.Blob(t.Context(), "zz\nHEAD", 10)
	require.ErrorContains(t, err, "hexadecimal")
}

func TestEmptyBlobAndBinaryContent(t *testing.T) {
	src := testenv.NewRepo(t)
	all := make([]byte, 0, 70_000)
	for len(all) < 66_000 {
		for b := range 256 {
			all = append(all, byte(b))
		}
	}
	src.Write("empty", "")
	src.Write("binary", string(all))
	src.Commit("c")
	r := open(t, src.Dir())
	data, err := r.Blob(t.Context(), oid(src.Git("rev-parse", "HEAD:empty")), 0)
	require.NoError(t, err)
	assert.Equal(t, []byte{}, data)
	data, err = r.Blob(t.Context(), oid(src.Git("rev-parse", "HEAD:binary")), 1<<20)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(all, data))
}

func TestCallbackMayUseTheRepository(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("a", "1")
	head := src.Commit("c")
	a := oid(src.Git("rev-parse", "HEAD:a"))
	r := open(t, src.Dir())
	err := r.Blobs(t.Context(), []gitmirror.OID{a}, 10, func(id gitmirror.OID, data []byte, _ error) error {
		again, err := r.Blob(t.Context(), id, 10)
		assert.Equal(t, data, again)
		if err != nil {
			return err
		}
		_, err = r.List(t.Context(), oid(head), []string{""})
		return err
	})
	require.NoError(t, err)
}

func TestParallelReaders(t *testing.T) {
	src := testenv.NewRepo(t)
	for i := range 40 {
		src.Write(fmt.Sprintf("d%d/f%d", i%4, i), strings.Repeat(fmt.Sprint(i), 2000))
	}
	head := src.Commit("c")
	r := open(t, src.Dir())
	entries, err := r.List(t.Context(), oid(head), []string{""})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, e := range entries {
				data, err := r.Blob(t.Context(), e.OID, 1<<20)
				if assert.NoError(t, err) {
					_, number, _ := strings.Cut(e.Path, "/f")
					assert.Equal(t, strings.Repeat(number, 2000), string(data))
				}
			}
			again, err := r.List(t.Context(), oid(head), []string{""})
			assert.NoError(t, err)
			assert.Equal(t, entries, again)
		})
	}
	wg.Wait()
	assert.EqualValues(t, 1, r.Stats().GitProcesses)
}

func TestCancelledReaderLeavesTheRepositoryUsable(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("a", strings.Repeat("x", 1<<20))
	src.Commit("c")
	a := oid(src.Git("rev-parse", "HEAD:a"))
	r := open(t, src.Dir())
	ctx, cancel := context.WithCancel(t.Context())
	err := r.Blobs(ctx, slices.Repeat([]gitmirror.OID{a}, 200), 1<<21, func(gitmirror.OID, []byte, error) error {
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	data, err := r.Blob(t.Context(), a, 1<<21)
	require.NoError(t, err)
	assert.Len(t, data, 1<<20)
}

func TestKilledCatFileIsStartedAgain(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("a", "1")
	src.Commit("c")
	a := oid(src.Git("rev-parse", "HEAD:a"))
	pids := filepath.Join(t.TempDir(), "pids")
	r := open(t, src.Dir(), gitmirror.WithGit(script(t, "echo $$ >> "+pids+"\nexec git \"$@\"")))
	_, err := r.Blob(t.Context(), a, 10)
	require.NoError(t, err)
	kill(t, pids)
	_, err = r.Blob(t.Context(), a, 10)
	require.NoError(t, err)
	assert.EqualValues(t, 2, r.Stats().GitProcesses)
}

// kill ends the only process whose number the file holds and waits for its end.
func kill(t *testing.T, pids string) {
	t.Helper()
	data, err := os.ReadFile(pids)
	require.NoError(t, err)
	pid := strings.TrimSpace(string(data))
	require.NoError(t, exec.Command("kill", "-KILL", pid).Run())
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		return err != nil || strings.Contains(string(stat), ") Z ")
	}, wait, tick)
}

// Git before 2.36 has no --batch-command.
func TestOldGit(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("d/a", "1")
	head := src.Commit("c")
	git := script(t, `case " $* " in *" --batch-command "*) echo "usage: git cat-file" >&2; exit 129;; esac
exec git "$@"`)
	r := open(t, src.Dir(), gitmirror.WithGit(git))
	entries, err := r.List(t.Context(), oid(head), []string{"d"})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	data, err := r.Blob(t.Context(), entries[0].OID, 10)
	require.NoError(t, err)
	assert.Equal(t, "1", string(data))
	_, err = r.Resolve(t.Context(), "nope")
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
}

func TestUseAfterClose(t *testing.T) {
	src := testenv.NewRepo(t)
	head := src.Commit("c")
	r, err := gitmirror.Open(t.Context(), src.Dir())
	require.NoError(t, err)
	_, err = r.Resolve(t.Context(), "HEAD")
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.NoError(t, r.Close())
	_, err = r.List(t.Context(), oid(head), []string{""})
	require.ErrorIs(t, err, gitmirror.ErrClosed)
}

func TestList(t *testing.T) {
	src := testenv.NewRepo(t)
	first := src.Commit("1")
	for _, p := range []string{"a.txt", "a/b.txt", "a/c/d.txt", "a-b", "b/x", "b/y", "z"} {
		src.Write(p, p)
	}
	src.Symlink("a", "link")
	src.Submodule("sub", first)
	src.Chmod("z", true)
	head := src.Commit("2")
	r := open(t, src.Dir())
	list := func(paths ...string) []string {
		t.Helper()
		entries, err := r.List(t.Context(), oid(head), paths)
		require.NoError(t, err)
		names := []string{}
		for _, e := range entries {
			names = append(names, e.Path)
		}
		return names
	}
	all := []string{"a-b", "a.txt", "a/b.txt", "a/c/d.txt", "b/x", "b/y", "link", "sub", "z"}
	assert.Equal(t, all, list(""))
	assert.Equal(t, all, list("."))
	assert.Equal(t, all, list("a", "./"))
	assert.Equal(t, []string{"a/b.txt", "a/c/d.txt"}, list("a"))
	assert.Equal(t, []string{"a/b.txt", "a/c/d.txt"}, list("a/", "a/c", "a/c/d.txt", "./a//c/../c"))
	assert.Equal(t, []string{"a/c/d.txt", "z"}, list("z", "a/c/d.txt", "z"))
	assert.Equal(t, []string{"link"}, list("link", "link/b.txt", "sub/x"))
	assert.Equal(t, []string{"sub"}, list("sub"))
	for _, p := range []string{"nope", "a/nope", "z/", "z/x", "../repo", "/", "/a", "a/../..", "a\x00", "A", "..", "link/"} {
		assert.Empty(t, list(p), "%q", p)
	}
	assert.Equal(t, []string{"z"}, list("z/", "z"), "a path that is wanted both ways is wanted")
	assert.Equal(t, []string{"z"}, list("z", "z/"))
	assert.Empty(t, list())

	entries, err := r.List(t.Context(), oid(head), []string{"link", "sub", "z"})
	require.NoError(t, err)
	assert.Equal(t, []gitmirror.Entry{
		{Path: "link", Mode: gitmirror.ModeSymlink, OID: oid(src.Git("rev-parse", "HEAD:link")), Type: "blob"},
		{Path: "sub", Mode: gitmirror.ModeSubmodule, OID: oid(first), Type: "commit"},
		{Path: "z", Mode: gitmirror.ModeExecutable, OID: oid(src.Git("rev-parse", "HEAD:z")), Type: "blob"},
	}, entries)
	assert.EqualValues(t, 1, r.Stats().GitProcesses)
	assert.Zero(t, r.Stats().BlobsRead)

	_, err = r.List(t.Context(), oid(strings.Repeat("1", 40)), []string{""})
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
}

func TestPathAt(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("a/b/c.txt", "x")
	src.Symlink("a", "link")
	head := src.Commit("1")
	r := open(t, src.Dir())
	for p, want := range map[string]gitmirror.Entry{
		"a/b/c.txt": {Path: "a/b/c.txt", Mode: gitmirror.ModeFile, OID: oid(src.Git("rev-parse", "HEAD:a/b/c.txt")), Type: "blob"},
		"a/b":       {Path: "a/b", Mode: gitmirror.ModeTree, OID: oid(src.Git("rev-parse", "HEAD:a/b")), Type: "tree"},
		"a/b/":      {Path: "a/b", Mode: gitmirror.ModeTree, OID: oid(src.Git("rev-parse", "HEAD:a/b")), Type: "tree"},
		"":          {Mode: gitmirror.ModeTree, OID: oid(src.Git("rev-parse", "HEAD^{tree}")), Type: "tree"},
		"link":      {Path: "link", Mode: gitmirror.ModeSymlink, OID: oid(src.Git("rev-parse", "HEAD:link")), Type: "blob"},
	} {
		got, err := r.PathAt(t.Context(), oid(head), p)
		require.NoError(t, err, p)
		assert.Equal(t, want, got, p)
	}
	for _, p := range []string{"nope", "a/nope", "link/b", "a/b/c.txt/d", "a/b/c.txt/", "../x", "/a"} {
		_, err := r.PathAt(t.Context(), oid(head), p)
		require.ErrorIs(t, err, gitmirror.ErrNotFound, p)
	}
}

// List must agree with git ls-tree on any tree and any paths.
func TestListEqualsLsTree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom([]string{"a", "b", "a.b", "a-b", "é", "A", "c\n", "*"})
		path := rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(name, 1, 4).Draw(rt, "names"), "/")
		})
		src := testenv.NewRepo(t)
		paths := rapid.SliceOfN(path, 0, 12).Draw(rt, "paths")
		for _, p := range paths {
			if _, err := os.Lstat(src.Path(p)); err == nil || !parentsAreDirectories(src, p) {
				continue
			}
			src.Write(p, p)
		}
		head := src.Commit("c")
		wanted := rapid.SliceOfN(path, 1, 6).Draw(rt, "wanted")
		entries, err := open(t, src.Dir()).List(t.Context(), oid(head), wanted)
		require.NoError(rt, err)
		var got strings.Builder
		for _, e := range entries {
			fmt.Fprintf(&got, "%06o %s %s\t%s\x00", e.Mode, e.Type, e.OID, e.Path)
		}
		want := src.GitInput(nil, append([]string{"--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", head, "--"}, wanted...)...)
		require.Equal(rt, string(want), got.String())
	})
}

func parentsAreDirectories(src *testenv.Repo, p string) bool {
	for dir := filepath.Dir(p); dir != "."; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(src.Path(dir)); err == nil && !info.IsDir() {
			return false
		}
	}
	return true
}

// writeTree stores a tree object as it is, without git's checks.
func writeTree(t testing.TB, src *testenv.Repo, raw string) string {
	t.Helper()
	data := []byte(fmt.Sprintf("tree %d\x00%s", len(raw), raw))
	id := fmt.Sprintf("%x", sha1.Sum(data))
	dir := filepath.Join(src.Dir(), ".git", "objects", id[:2])
	require.NoError(t, os.MkdirAll(dir, 0o755))
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(data)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, os.WriteFile(filepath.Join(dir, id[2:]), packed.Bytes(), 0o644))
	return id
}

func commitTree(src *testenv.Repo, tree string) gitmirror.OID {
	return oid(src.Git("commit-tree", "-m", "c", tree))
}

func TestHostileTrees(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("f", "x")
	src.Commit("c")
	blob := unhex(t, src.Git("rev-parse", "HEAD:f"))
	r := open(t, src.Dir())
	for name, raw := range map[string]string{
		"slash in a name": "100644 a/b\x00" + blob,
		"dot dot":         "100644 ..\x00" + blob,
		"dot":             "100644 .\x00" + blob,
		"no name":         "100644 \x00" + blob,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := r.List(t.Context(), commitTree(src, writeTree(t, src, raw)), []string{""})
			require.ErrorIs(t, err, gitmirror.ErrCorrupt)
		})
	}
	t.Run("old modes are canonical", func(t *testing.T) {
		entries, err := r.List(t.Context(), commitTree(src, writeTree(t, src, "100664 a\x00"+blob+"100755 b\x00"+blob)), []string{""})
		require.NoError(t, err)
		assert.Equal(t, gitmirror.ModeFile, entries[0].Mode)
		assert.Equal(t, gitmirror.ModeExecutable, entries[1].Mode)
	})
	t.Run("a tree of trees that multiplies", func(t *testing.T) {
		tree := writeTree(t, src, "100644 f\x00"+blob)
		for range 12 {
			var raw strings.Builder
			for i := range 10 {
				fmt.Fprintf(&raw, "40000 %d\x00%s", i, unhex(t, tree))
			}
			tree = writeTree(t, src, raw.String())
		}
		_, err := r.List(t.Context(), commitTree(src, tree), []string{""})
		require.ErrorIs(t, err, gitmirror.ErrTooLarge)
		entries, err := r.List(t.Context(), commitTree(src, tree), []string{"0/1/2/3/4/5/6/7/8/9/0"})
		require.NoError(t, err, "a narrow path through it costs little")
		assert.Len(t, entries, 10)
	})
	t.Run("nested without end", func(t *testing.T) {
		tree := writeTree(t, src, "100644 f\x00"+blob)
		for range 2100 {
			tree = writeTree(t, src, "40000 x\x00"+unhex(t, tree))
		}
		_, err := r.List(t.Context(), commitTree(src, tree), []string{""})
		require.ErrorIs(t, err, gitmirror.ErrTooLarge)
		assert.ErrorContains(t, err, "nested deeper")
	})
}

func unhex(t testing.TB, s string) string {
	t.Helper()
	var out []byte
	_, err := fmt.Sscanf(s, "%x", &out)
	require.NoError(t, err)
	return string(out)
}

func TestCorruptObject(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("f", strings.Repeat("content ", 100))
	head := src.Commit("c")
	f := src.Git("rev-parse", "HEAD:f")
	object := filepath.Join(src.Dir(), ".git", "objects", f[:2], f[2:])
	require.NoError(t, os.Chmod(object, 0o644))
	require.NoError(t, os.WriteFile(object, []byte("garbage"), 0o644))
	r := open(t, src.Dir())
	_, err := r.Blob(t.Context(), oid(f), 1<<20)
	require.Error(t, err)
	require.ErrorIs(t, err, gitmirror.ErrMissing)
	_, err = r.List(t.Context(), oid(head), []string{""})
	require.NoError(t, err, "the rest is still readable")
}
