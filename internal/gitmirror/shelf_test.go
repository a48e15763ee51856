package gitmirror_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

// filled is a repository of files of different contents and sizes, some larger than
// what is read at a time.
func filled(t *testing.T) (*gitmirror.Repo, *gitmirror.Tree, []search.File, map[string][]byte) {
	t.Helper()
	src := testenv.NewRepo(t)
	contents := map[string][]byte{}
	for i := range 300 {
		size := 40_000 + i
		if i%100 == 50 {
			size = 3 << 20
		}
		path := fmt.Sprintf("d%d/f%03d.py", i%7, i)
		contents[path] = bytes.Repeat(fmt.Appendf(nil, "%03d\n", i), size/4)
		src.Write(path, string(contents[path]))
	}
	head := src.Commit("c")
	r := open(t, src.Dir())
	tree := r.At(oid(head))
	files, err := tree.List(t.Context(), []string{""})
	require.NoError(t, err)
	return r, tree, files, contents
}

// What is read lies where something else lay before, and is right all the same, also
// when more is read in the middle of it.
func TestReadWhileReading(t *testing.T) {
	r, tree, files, contents := filled(t)
	kept := map[string][]byte{}
	ids := make([]gitmirror.OID, len(files))
	for i, f := range files {
		ids[i] = gitmirror.OID(f.OID)
	}
	read := 0
	require.NoError(t, tree.Read(t.Context(), files, func(f search.File, data []byte) error {
		require.Equal(t, contents[f.Path], data)
		read++
		if read%50 == 0 {
			inner := files[:read]
			require.NoError(t, tree.Read(t.Context(), inner, func(g search.File, data []byte) error {
				require.Equal(t, contents[g.Path], data)
				return nil
			}))
			missing, err := r.Missing(t.Context(), ids)
			require.NoError(t, err)
			require.Empty(t, missing)
			at := 0
			require.NoError(t, r.Blobs(t.Context(), ids[:read], 4<<20, func(_ gitmirror.OID, data []byte, err error) error {
				kept[files[at].Path] = data // which Blobs allows
				at++
				return err
			}))
		}
		require.Equal(t, contents[f.Path], data, "still the same")
		return nil
	}))
	assert.Equal(t, len(files), read)
	for path, data := range kept {
		require.Equal(t, contents[path], data)
	}
}

// Reading a tree leaves little garbage behind: far less than what is read.
func TestReadLeavesLittleBehind(t *testing.T) {
	_, tree, files, contents := filled(t)
	var size int
	for _, content := range contents {
		size += len(content)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read := 0
	require.NoError(t, tree.Read(t.Context(), files, func(_ search.File, data []byte) error {
		read += len(data)
		return nil
	}))
	runtime.ReadMemStats(&after)
	assert.Equal(t, size, read)
	assert.Less(t, int(after.TotalAlloc-before.TotalAlloc), size/3)
}
