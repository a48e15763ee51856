package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/store"
)

// asNobody runs fn as a user who owns nothing here: root may write everywhere.
func asNobody(t *testing.T, fn func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		fn()
		return
	}
	const nobody = 65534
	runtime.LockOSThread() // the user of file access is the thread's alone
	defer runtime.UnlockOSThread()
	require.NoError(t, syscall.Setfsuid(nobody))
	defer func() { require.NoError(t, syscall.Setfsuid(0)) }()
	fn()
}

// What keeps the data directory from being used is told with the directory, the
// reason, and what to do about it.
func TestUnusableDirectories(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{top, filepath.Dir(top)} {
		require.NoError(t, os.Chmod(dir, 0o755))
	}
	file := filepath.Join(top, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	closed := filepath.Join(top, "closed")
	require.NoError(t, os.Mkdir(closed, 0o555))
	for _, c := range []struct{ name, dir, reason, fix string }{
		{"below a file", filepath.Join(file, "data"), "not a directory", "a file stands in its way"},
		{"a file", file, "not a directory", "a file stands in its way"},
		{"not to be made", filepath.Join(closed, "data"), "permission denied", "may not write there: make the directory, or the volume mounted there, that user's (chown -R "},
		{"not to be written to", closed, "permission denied", "may not write there"},
		{"nowhere to make it", "/proc/data", "no such file", "it cannot be made there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			asNobody(t, func() {
				_, openErr := store.Open(context.Background(), store.Options{Dir: c.dir})
				for _, err := range []error{openErr, store.CheckDir(c.dir)} {
					require.ErrorContains(t, err, "data directory "+c.dir+": ")
					assert.ErrorContains(t, err, c.reason)
					assert.ErrorContains(t, err, c.fix)
					assert.ErrorContains(t, err, "or name another directory with RESCORE_DATA_DIR")
				}
			})
		})
	}
}

func TestUsableDirectoryIsLeftAsItWas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	require.NoError(t, store.CheckDir(dir))
	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// A disk that is full from the start, or fills up at the first tables.
func TestFullDisk(t *testing.T) {
	for _, size := range []string{"16k", "120k"} {
		dir := t.TempDir()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
			t.Skipf("no small disk to be had: mount as root (%v)", err)
		}
		t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, 0)) })
		_, err := store.Open(context.Background(), store.Options{Dir: dir})
		require.ErrorContains(t, err, "data directory "+dir+": ", size)
		assert.ErrorContains(t, err, "its disk is full: free space there, or name another directory with RESCORE_DATA_DIR")
		assert.True(t, store.IsFull(err))
	}
}

func TestErrorsOfDisks(t *testing.T) {
	at := func(errno syscall.Errno) error {
		return fmt.Errorf("around: %w", &os.PathError{Op: "write", Path: "/d/x", Err: errno})
	}
	for errno, want := range map[syscall.Errno]string{
		syscall.ENOSPC: "its disk is full", syscall.EDQUOT: "its disk is full", syscall.EROFS: "its file system is read-only",
		syscall.EACCES: fmt.Sprintf("of user %d,", os.Geteuid()), syscall.EPERM: "may not write there", syscall.EIO: "see to that place",
	} {
		err := store.ExplainDir("/d", at(errno))
		require.ErrorIs(t, err, errno)
		assert.ErrorContains(t, err, want)
	}
	other := errors.New("something else")
	assert.Equal(t, other, store.ExplainDir("/d", other))
	assert.NoError(t, store.ExplainDir("/d", nil))
	assert.False(t, store.IsFull(other))
}

// A disk that is full for a while is an outage, not a failure of what was to be
// written: after it the same statement succeeds.
func TestFullDatabaseIsTransient(t *testing.T) {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()
	card := make([]byte, 1<<20)
	add := func() error {
		_, err := s.AddBaseline(ctx, store.Baseline{RepoID: 1, Commit: "c", Card: card})
		return err
	}
	_, err = s.SQLite().Exec("PRAGMA max_page_count = 1") // what there is now, and no page more
	require.NoError(t, err)
	err = add()
	require.Error(t, err)
	assert.True(t, store.IsFull(err), "%v", err)
	assert.True(t, store.IsTransient(err), "%v", err)
	require.NoError(t, store.Retry(ctx, func() error {
		_, err := s.SQLite().Exec("PRAGMA max_page_count = 1000000")
		return errors.Join(err, add())
	}))
}
