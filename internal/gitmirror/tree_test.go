package gitmirror_test

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

func TestTreeIsASearchSource(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("a/one.py", "confirm()\nconfirm()\n")
	src.Write("a/two.txt", "confirm()\n")
	src.Write("b", "x")
	src.Symlink("a/one.py", "a/link.py")
	head := src.Commit("c")
	src.Write("a/one.py", "nothing\n")
	src.Commit("later")
	tree := open(t, src.Dir()).At(oid(head))
	assert.Equal(t, oid(head), tree.Commit())

	files, err := tree.List(t.Context(), []string{"a"})
	require.NoError(t, err)
	assert.Equal(t, []search.File{
		{Path: "a/link.py", Mode: search.ModeSymlink, OID: src.Git("rev-parse", head+":a/link.py")},
		{Path: "a/one.py", Mode: search.ModeFile, OID: src.Git("rev-parse", head+":a/one.py")},
		{Path: "a/two.txt", Mode: search.ModeFile, OID: src.Git("rev-parse", head+":a/two.txt")},
	}, files)

	var read []string
	require.NoError(t, tree.Read(t.Context(), files, func(f search.File, data []byte) error {
		read = append(read, f.Path+"="+string(data))
		return nil
	}))
	assert.Equal(t, []string{"a/link.py=a/one.py", "a/one.py=confirm()\nconfirm()\n", "a/two.txt=confirm()\n"}, read)

	dir, found, err := tree.Stat(t.Context(), "a")
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, search.File{Path: "a", Mode: search.ModeDir, OID: src.Git("rev-parse", head+":a")}, dir)
	_, found, err = tree.Stat(t.Context(), "nope")
	require.NoError(t, err)
	assert.False(t, found)
	_, _, err = open(t, src.Dir()).At(oid(strings.Repeat("1", 40))).Stat(t.Context(), "a")
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)

	q, err := search.Parse("rg -n 'confirm' -g '*.py'", "a b")
	require.NoError(t, err)
	result, err := q.Run(t.Context(), tree)
	require.NoError(t, err)
	assert.Equal(t, 2, result.Hits)
}

func TestTreeReadStopsAtWhatCannotBeRead(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("a", "small")
	src.Write("b", strings.Repeat("x", 100))
	src.Write("c", "small too")
	head := src.Commit("c")
	tree := open(t, src.Dir(), gitmirror.WithBlobLimit(99)).At(oid(head))
	files, err := tree.List(t.Context(), []string{""})
	require.NoError(t, err)

	var read []string
	collect := func(f search.File, _ []byte) error { read = append(read, f.Path); return nil }
	err = tree.Read(t.Context(), files, collect)
	require.ErrorIs(t, err, search.ErrTooLarge)
	require.ErrorIs(t, err, gitmirror.ErrTooLarge)
	require.ErrorContains(t, err, `"b"`)
	assert.Equal(t, []string{"a"}, read)

	gone := search.File{Path: "gone", OID: strings.Repeat("1", 40)}
	require.ErrorIs(t, tree.Read(t.Context(), []search.File{gone}, collect), gitmirror.ErrMissing)
	stop := errors.New("stop")
	require.ErrorIs(t, tree.Read(t.Context(), files[:1], func(search.File, []byte) error { return stop }), stop)
}

// allOf reads a listing in pieces of several sizes, which come to the same.
func allOf(t *testing.T, l search.Listing) (all []search.File) {
	t.Helper()
	whole, next := l.From(0, 1_000_000, nil)
	require.Equal(t, -1, next)
	for _, most := range []int{1, 2, 7, len(whole), len(whole) + 1} {
		all = nil
		for at := 0; at >= 0; {
			all, at = l.From(at, most, all)
		}
		require.Equal(t, whole, all)
	}
	return whole
}

// Walking by directories comes to what List lists, twins of one tree included.
func TestTreeIsASearchWalker(t *testing.T) {
	src := testenv.NewRepo(t)
	for i := range 600 { // more than are asked about in one exchange
		src.Write(fmt.Sprintf("many/%d/f.py", i), fmt.Sprint(i%7))
	}
	src.Write("a/one.py", "1\n")
	src.Write("a/deep/er/two.py", "2\n")
	src.Symlink("one.py", "a/link.py")
	head := src.Commit("c")
	tree := open(t, src.Dir()).At(oid(head))

	root, found, err := tree.Stat(t.Context(), "")
	require.NoError(t, err)
	require.True(t, found)
	var files []search.File
	for level := []search.File{root}; len(level) > 0; {
		var next []search.File
		seen := map[int]bool{}
		require.NoError(t, tree.Dirs(t.Context(), level, func(i int, entries search.Listing) error {
			assert.False(t, seen[i])
			seen[i] = true
			for _, e := range allOf(t, entries) {
				assert.Equal(t, level[i].Path, strings.TrimPrefix(path.Dir(e.Path), "."))
				if e.Mode == search.ModeDir {
					next = append(next, e)
				} else {
					files = append(files, e)
				}
			}
			return nil
		}))
		assert.Len(t, seen, len(level))
		level = next
	}
	slices.SortFunc(files, func(a, b search.File) int { return strings.Compare(a.Path, b.Path) })
	want, err := tree.List(t.Context(), []string{""})
	require.NoError(t, err)
	assert.Equal(t, want, files)

	missing := []search.File{{Path: "x", Mode: search.ModeDir, OID: strings.Repeat("1", 40)}}
	nothing := func(int, search.Listing) error { return nil }
	require.ErrorIs(t, tree.Dirs(t.Context(), missing, nothing), gitmirror.ErrMissing)
	stop := errors.New("stop")
	require.ErrorIs(t, tree.Dirs(t.Context(), []search.File{root}, func(int, search.Listing) error { return stop }), stop)
}
