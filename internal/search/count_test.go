package search_test

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/search"
)

// walkTree is a tree that can be walked; ids of directories follow from what is
// below them, as git's do. What is read is noted.
type walkTree struct {
	statTree
	read *[]string
}

// listed is a Listing in memory.
type listed []search.File

func (l listed) From(at, most int, files []search.File) ([]search.File, int) {
	next := at + most
	if next >= len(l) {
		return append(files, l[at:]...), -1
	}
	return append(files, l[at:next]...), next
}

func walker(files tree) walkTree { return walkTree{statTree{files}, new([]string)} }

func (t walkTree) Stat(ctx context.Context, path string) (search.File, bool, error) {
	f, found, err := t.statTree.Stat(ctx, path)
	if path == "" {
		f, found = search.File{Mode: search.ModeDir}, true
	}
	if f.Mode == search.ModeDir {
		f.OID = t.dirID(path)
	}
	return f, found, err
}

func (t walkTree) below(dir string) []string {
	var out []string
	for p := range t.tree {
		if dir == "" || strings.HasPrefix(p, dir+"/") {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

func (t walkTree) dirID(dir string) string {
	h := sha1.New()
	for _, p := range t.below(dir) {
		f := t.file(p)
		fmt.Fprintf(h, "%q %o %s\n", strings.TrimPrefix(p, dir), f.Mode, f.OID)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (t walkTree) Dirs(ctx context.Context, dirs []search.File, fn func(int, search.Listing) error) error {
	for i, dir := range dirs {
		prefix := strings.TrimPrefix(dir.Path+"/", "/")
		seen := map[string]bool{}
		var entries listed
		for _, p := range t.below(dir.Path) {
			name, _, _ := strings.Cut(strings.TrimPrefix(p, prefix), "/")
			if seen[name] {
				continue
			}
			seen[name] = true
			f, _, err := t.Stat(ctx, prefix+name)
			if err != nil {
				return err
			}
			entries = append(entries, f)
		}
		if err := fn(i, entries); err != nil {
			return err
		}
	}
	return nil
}

func (t walkTree) List(ctx context.Context, paths []string) ([]search.File, error) {
	return t.statTree.List(ctx, paths)
}

func (t walkTree) Read(ctx context.Context, files []search.File, fn func(search.File, []byte) error) error {
	for _, f := range files {
		*t.read = append(*t.read, f.Path)
	}
	return t.statTree.Read(ctx, files, fn)
}

// mapCache is a Cache in memory.
type mapCache struct {
	mu     sync.Mutex
	values map[string][]byte
}

func newMapCache() *mapCache { return &mapCache{values: map[string][]byte{}} }

func (c *mapCache) Get(_ context.Context, keys []string) [][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([][]byte, len(keys))
	for i, k := range keys {
		out[i] = c.values[k]
	}
	return out
}

func (c *mapCache) Put(_ context.Context, key string, val []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values[key] = val
}

// damage loses, cuts, swaps and overwrites some of the values.
func (c *mapCache) damage(g gen) {
	keys := slices.Sorted(maps.Keys(c.values))
	for _, k := range keys {
		v := slices.Clone(c.values[k])
		switch g.IntN(8) {
		case 0:
			delete(c.values, k)
		case 1:
			c.values[k] = v[:g.IntN(len(v)+1)]
		case 2:
			if len(v) > 0 {
				v[g.IntN(len(v))] ^= byte(1 + g.IntN(255))
			}
			c.values[k] = v
		case 3:
			c.values[k] = append(v, 0)
		case 4:
			c.values[k] = []byte{}
		}
	}
}

// withLinks puts links and submodules into a tree, also in place of directories.
func (g gen) withLinks(files tree) tree {
	out := maps.Clone(files)
	for range 1 + g.IntN(3) {
		p := pickOne(g, []string{"sub", "sub", "sub/deep", "sub2", "a.py", "x/y", "sub/link", ".gitignore", "build"})
		maps.DeleteFunc(out, func(q, _ string) bool { return strings.HasPrefix(q, p+"/") || strings.HasPrefix(p, q+"/") })
		out[p] = pickOne(g, []string{linkMark + "sub2", linkMark + "missing", subMark, "foo\n"})
	}
	return out
}

// possible takes away what stands below a file.
func possible(files tree) tree {
	out := maps.Clone(files)
	maps.DeleteFunc(out, func(p, _ string) bool {
		for i, c := range p {
			if _, is := files[p[:i]]; c == '/' && is {
				return true
			}
		}
		return false
	})
	return out
}

// Whatever the cache has seen of other trees, other searches and other places,
// however its values are damaged, and however little is held at a time, a count is
// what is counted without it, and a walk by directories finds what a listing of all
// does.
func TestCountFromTheCacheIsTheCount(t *testing.T) {
	counted, refused := 0, 0
	defer search.AtOnce(1, 1, 1)() // set back in the end
	rapid.Check(t, func(r *rapid.T) {
		g := newGen(rapid.Uint64().Draw(r, "seed"))
		cache := newMapCache()
		var searches [][2]string // command and scope
		for range 4 {
			searches = append(searches, [2]string{g.command(), pickOne(g, someScopes)})
		}
		var files tree
		for range 12 {
			switch {
			case len(files) == 0 || g.IntN(6) == 0:
				files = g.tree()
			case g.IntN(4) == 0:
				files = g.withLinks(files)
			default:
				files = g.edited(files)
			}
			files = possible(files)
			for _, s := range searches {
				q, err := search.Parse(s[0], s[1])
				if err != nil {
					continue
				}
				label := fmt.Sprintf("%s | %s\ntree: %s", s[0], s[1], show(files))
				want, wantErr := q.Run(context.Background(), files)
				search.AtOnce(1+g.IntN(3), 1+g.IntN(4), 1+g.IntN(6))
				got, err := q.Count(context.Background(), walker(files), search.WithCache(cache))
				walked, walkErr := q.Run(context.Background(), walker(files))
				require.Equal(r, wantErr == nil, walkErr == nil, label)
				if wantErr != nil {
					var refusal *search.UnsupportedError
					require.Error(r, err, label)
					require.Equal(r, errors.As(wantErr, &refusal), errors.As(err, &refusal), label)
					refused++
					continue
				}
				require.NoError(r, err, label)
				require.Equal(r, want, walked, label)
				require.Equal(r, [2]any{want.Hits, want.ScopeExists}, [2]any{got.Hits, got.ScopeExists}, label)
				counted++
			}
			if g.IntN(4) == 0 {
				cache.damage(g)
			}
		}
	})
	t.Logf("%d counted, %d refused", counted, refused)
	assert.Greater(t, counted, refused)
}

// count counts with the cache and tells what was read for it.
func count(t *testing.T, files tree, command, scope string, c search.Cache) (int, []string) {
	t.Helper()
	q, err := search.Parse(command, scope)
	require.NoError(t, err)
	w := walker(files)
	got, err := q.Count(context.Background(), w, search.WithCache(c))
	require.NoError(t, err)
	want, err := q.Run(context.Background(), files)
	require.NoError(t, err)
	require.Equal(t, want.Hits, got.Hits)
	slices.Sort(*w.read)
	return got.Hits, *w.read
}

func TestCountReadsWhatItDoesNotKnow(t *testing.T) {
	files := tree{"a.py": "needle\nx\n", "b/b.py": "x\n", "b/c/a.py": "needle\nx\n", "d/e/f.py": "needle\n", "d/g.py": "\n"}
	cache := newMapCache()
	_, read := count(t, files, "rg -n needle", "", cache)
	assert.Len(t, read, 5)
	_, read = count(t, files, "rg needle -n", "", cache)
	assert.Empty(t, read, "the whole tree is known")
	files["b/b.py"] = "needle y\n"
	hits, read := count(t, files, "rg -n needle", "", cache)
	assert.Equal(t, 4, hits)
	assert.Equal(t, []string{"a.py", "b/b.py"}, read, "what stands right in the directories above the change")
	_, read = count(t, files, "rg -n x", "", cache)
	assert.Len(t, read, 5, "another search shares nothing")
	for key, value := range cache.values {
		cache.values[key] = append(slices.Clone(value[:len(value)-1]), value[len(value)-1]+1)
	}
	_, read = count(t, files, "rg -n needle", "", cache)
	assert.Len(t, read, 5, "damaged values are not believed")
}

// A directory of the same tree elsewhere, or under other rules, is another one.
func TestCountOfADirectoryIsNotThatOfItsTwin(t *testing.T) {
	twin := map[string]string{"f.py": "needle\n", "deep/g.txt": "needle\nneedle\n", ".h/i.py": "needle\n"}
	with := func(dir string, more tree) tree {
		out := maps.Clone(more)
		for p, content := range twin {
			out[dir+"/"+p] = content
		}
		return out
	}
	for name, tc := range map[string]struct {
		first, second  tree
		command, scope string
		hits           [2]int
	}{
		"anchored glob":      {with("a", tree{}), with("b", tree{}), "rg needle -g '/a/**'", "", [2]int{4, 0}},
		"negated glob":       {with("a", tree{}), with("b", tree{}), "rg needle -g '!/b/deep/'", "", [2]int{3, 1}},
		"depth":              {with("a", tree{}), with("a/a", tree{}), "rg needle --max-depth 2", "", [2]int{1, 0}},
		"depth by the scope": {with("a/a", tree{}), with("a/a", tree{}), "rg needle --max-depth 2", "a/a", [2]int{3, 3}},
		"ignore file above":  {with("a", tree{}), with("a", tree{".gitignore": "deep/\n"}), "rg needle", "", [2]int{3, 1}},
		"its rule changed":   {with("a", tree{".ignore": "*.txt\n"}), with("a", tree{".ignore": "*.py\n"}), "rg needle", "", [2]int{1, 2}},
		"by another name":    {with("a", tree{".ignore": "*.txt\n"}), with("a", tree{".gitignore": "*.txt\n"}), "rg needle --no-ignore-vcs", "", [2]int{1, 3}},
		"above the scope":    {with("a/b", tree{}), with("a/b", tree{"a/.gitignore": "f.py\n"}), "rg needle", "a/b", [2]int{3, 2}},
		"parents left out":   {with("a/b", tree{}), with("a/b", tree{"a/.gitignore": "f.py\n"}), "rg needle --no-ignore-parent", "a/b", [2]int{3, 3}},
		"hidden above":       {with("a", tree{}), with(".a", tree{}), "rg needle", "", [2]int{3, 0}},
		"printed names":      {with("a", tree{}), with("a\nb", tree{}), "rg needle", "", [2]int{3, 6}},
	} {
		t.Run(name, func(t *testing.T) {
			cache := newMapCache()
			for i, files := range []tree{tc.first, tc.second, tc.first} {
				hits, _ := count(t, files, tc.command, tc.scope, cache)
				assert.Equal(t, tc.hits[i%2], hits)
			}
		})
	}
}

// endless is a tree of a hundred directories in each, all the way down.
type endless struct {
	tree
	looked *int
}

func (endless) Stat(_ context.Context, path string) (search.File, bool, error) {
	return search.File{Path: path, Mode: search.ModeDir, OID: "1"}, true, nil
}

func (e endless) List(_ context.Context, paths []string) ([]search.File, error) {
	if slices.Contains(paths, "") {
		return nil, fmt.Errorf("list: %w", search.ErrTooLarge)
	}
	return nil, nil
}

func (e endless) Dirs(_ context.Context, dirs []search.File, fn func(int, search.Listing) error) error {
	for i, d := range dirs {
		*e.looked++
		var entries listed
		for n := range 100 {
			entries = append(entries, search.File{Path: strings.TrimPrefix(fmt.Sprintf("%s/%d", d.Path, n), "/"), Mode: search.ModeDir, OID: "1"})
		}
		if err := fn(i, entries); err != nil {
			return err
		}
	}
	return nil
}

// A tree that repeats itself ends as it does without a cache, and soon.
func TestCountOfAnEndlessTree(t *testing.T) {
	q, err := search.Parse("rg -n needle", "")
	require.NoError(t, err)
	looked := 0
	_, err = q.Count(context.Background(), endless{looked: &looked}, search.WithCache(newMapCache()))
	require.ErrorIs(t, err, search.ErrTooLarge)
	assert.Less(t, looked, 10_000)
}

// Many at once share a cache.
func TestCountConcurrently(t *testing.T) {
	g := newGen(7)
	cache := newMapCache()
	trees := []tree{g.tree()}
	for range 7 {
		trees = append(trees, g.edited(trees[len(trees)-1]))
	}
	q, err := search.Parse("rg -n foo", "")
	require.NoError(t, err)
	var all sync.WaitGroup
	for _, files := range trees {
		all.Go(func() {
			want, wantErr := q.Run(context.Background(), files)
			for range 20 {
				got, err := q.Count(context.Background(), walker(files), search.WithCache(cache))
				assert.Equal(t, wantErr == nil, err == nil)
				assert.Equal(t, want.Hits, got.Hits)
			}
		})
	}
	all.Wait()
}

// Results of large files are kept by blob, those of small ones are not worth it.
func TestDeltaKeepsLargeFiles(t *testing.T) {
	large := strings.Repeat("filler\n", 10_000) + "needle\n"
	before := tree{"large.py": large, "small.py": "needle\n"}
	after := tree{"large.py": large + "needle\n", "small.py": "\n"}
	cache := newMapCache()
	q, err := search.Parse("rg -n needle", "")
	require.NoError(t, err)
	var first search.Delta
	for i, want := range [][]string{{"large.py", "large.py", "small.py", "small.py"}, {"small.py", "small.py"}} {
		was, is := walker(before), walker(after)
		d, err := q.Delta(context.Background(), was, is, changes(before, after), search.WithCache(cache))
		require.NoError(t, err)
		read := slices.Concat(*was.read, *is.read)
		slices.Sort(read)
		assert.Equal(t, want, read)
		if i == 0 {
			first = d
		}
		assert.Equal(t, first, d)
	}
	assert.Len(t, cache.values, 2)
}
