package search_test

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

// tree is a Source in memory: contents by path. A content that begins with
// linkMark is the target of a symbolic link; subMark stands for a submodule.
type tree map[string]string

const (
	linkMark = "\x00link:"
	subMark  = "\x00submodule"
)

func (t tree) file(path string) search.File {
	content := t[path]
	sum := sha1.Sum([]byte(content))
	f := search.File{Path: path, Mode: search.ModeFile, OID: hex.EncodeToString(sum[:])}
	if strings.HasPrefix(content, linkMark) {
		f.Mode = search.ModeSymlink
	}
	if content == subMark {
		f.Mode = search.ModeSubmodule
	}
	return f
}

func (t tree) List(_ context.Context, paths []string) ([]search.File, error) {
	var out []search.File
	for path := range t {
		for _, p := range paths {
			if p == "" || p == "." || path == p || strings.HasPrefix(path, p+"/") {
				out = append(out, t.file(path))
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b search.File) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

func (t tree) Read(_ context.Context, files []search.File, fn func(search.File, []byte) error) error {
	for _, f := range files {
		content, ok := t[f.Path]
		if !ok {
			return os.ErrNotExist
		}
		if err := fn(f, []byte(content)); err != nil {
			return err
		}
	}
	return nil
}

// statTree adds the ability to look at one path.
type statTree struct{ tree }

func (t statTree) Stat(_ context.Context, path string) (search.File, bool, error) {
	if _, ok := t.tree[path]; ok {
		return t.file(path), true, nil
	}
	for p := range t.tree {
		if strings.HasPrefix(p, path+"/") {
			return search.File{Path: path, Mode: search.ModeDir}, true, nil
		}
	}
	return search.File{}, false, nil
}

// changes lists what differs between two trees, without renames.
func changes(before, after tree) []search.Change {
	paths := map[string]bool{}
	for p := range before {
		paths[p] = true
	}
	for p := range after {
		paths[p] = true
	}
	var out []search.Change
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		a, inA := before[p]
		b, inB := after[p]
		if inA && inB && a == b {
			continue
		}
		var c search.Change
		if inA {
			f := before.file(p)
			c.Old = &f
		}
		if inB {
			f := after.file(p)
			c.New = &f
		}
		out = append(out, c)
	}
	return out
}

// checkout writes the tree to a new git repository, where ripgrep respects
// .gitignore, and returns its directory.
func checkout(t testing.TB, files tree) string {
	t.Helper()
	repo := testenv.NewRepo(t)
	writeTree(t, repo.Dir(), files)
	return repo.Dir()
}

func writeTree(t testing.TB, dir string, files tree) {
	t.Helper()
	for path, content := range files {
		full := filepath.Join(dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		if content == subMark {
			require.NoError(t, os.Mkdir(full, 0o755))
			continue
		}
		if target, ok := strings.CutPrefix(content, linkMark); ok {
			require.NoError(t, os.Symlink(target, full))
			continue
		}
		require.NoError(t, os.WriteFile(full, []byte(content), 0o644))
	}
}
