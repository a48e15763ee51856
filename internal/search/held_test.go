package search_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/search"
)

// vast is a tree that is nowhere: what stands in a directory is made up when it is
// looked at. It notes the most that was held in memory while files were read.
type vast struct {
	shape func(depth int) (dirs, files int) // in each directory of that depth
	rules string                            // of the ignore file at the root, if there is one
	reads int
	most  uint64
}

func (v *vast) Stat(_ context.Context, path string) (search.File, bool, error) {
	return search.File{Path: path, Mode: search.ModeDir, OID: "1"}, path == "", nil
}

func (v *vast) List(_ context.Context, paths []string) ([]search.File, error) {
	if paths[0] == "" {
		return nil, fmt.Errorf("the whole tree is listed: %w", search.ErrTooLarge)
	}
	if v.rules != "" && slices.Contains(paths, ".gitignore") {
		return []search.File{v.ruleFile()}, nil
	}
	return nil, nil
}

func (v *vast) ruleFile() search.File {
	return search.File{Path: ".gitignore", Mode: search.ModeFile, OID: v.rules}
}

func (v *vast) Dirs(_ context.Context, dirs []search.File, fn func(int, search.Listing) error) error {
	for i, d := range dirs {
		depth := 0
		if d.Path != "" {
			depth = 1 + strings.Count(d.Path, "/")
		}
		below, files := v.shape(depth)
		m := made{strings.TrimPrefix(d.Path+"/", "/"), below, files, ""}
		if depth == 0 {
			m.rules = v.rules
		}
		if err := fn(i, m); err != nil {
			return err
		}
	}
	return nil
}

func (v *vast) Read(_ context.Context, files []search.File, fn func(search.File, []byte) error) error {
	for _, f := range files {
		if v.reads++; v.reads%5000 == 0 {
			v.most = max(v.most, held())
		}
		content := "a needle\n"
		if f.Path == ".gitignore" {
			content = v.rules
		}
		if err := fn(f, []byte(content)); err != nil {
			return err
		}
	}
	return nil
}

// held is what is in use on the heap.
func held() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// made is the listing of so many directories and files below a prefix, and of an
// ignore file.
type made struct {
	prefix      string
	dirs, files int
	rules       string // of the ignore file that comes first, if there is one
}

func (m made) From(at, most int, files []search.File) ([]search.File, int) {
	all := m.dirs + m.files
	if m.rules != "" {
		all++ // it comes last
	}
	end := min(at+most, all)
	for n := at; n < end; n++ {
		if n == m.dirs+m.files {
			files = append(files, (&vast{rules: m.rules}).ruleFile())
			continue
		}
		f := search.File{Path: fmt.Sprintf("%sdirectory%06d", m.prefix, n), Mode: search.ModeDir, OID: fmt.Sprintf("%040d", n)}
		if n >= m.dirs {
			f.Path, f.Mode = fmt.Sprintf("%sfile%06d.py", m.prefix, n), search.ModeFile
		}
		files = append(files, f)
	}
	if end == all {
		end = -1
	}
	return files, end
}

// What a search holds does not grow with the tree: neither with its files, nor with
// its directories, nor with the entries of one of them. With everything held any of
// these would take tens of megabytes.
func TestWhatIsHeldDoesNotGrowWithTheTree(t *testing.T) {
	const bound = 5 << 20
	by := func(counts ...[2]int) func(int) (int, int) {
		return func(depth int) (int, int) { return counts[depth][0], counts[depth][1] }
	}
	for name, tc := range map[string]struct {
		shape func(int) (int, int)
		files int
	}{
		"ordinary":           {by([2]int{100, 0}, [2]int{20, 0}, [2]int{0, 50}), 100_000},
		"a hundred thousand": {by([2]int{0, 100_000}), 100_000},
		"directories in one": {by([2]int{50_000, 0}, [2]int{0, 1}), 50_000},
		"a square of them":   {by([2]int{200, 0}, [2]int{200, 0}, [2]int{0, 2}), 80_000},
		"deep":               {func(depth int) (int, int) { return min(1, 60-depth), 400 }, 24_400},
	} {
		t.Run(name, func(t *testing.T) {
			for mode, opts := range map[string][]search.Option{"counted": nil, "counted and kept": {search.WithCache(forgetful{})}} {
				q, err := search.Parse("rg -n needle", "")
				require.NoError(t, err)
				v := &vast{shape: tc.shape}
				before := held()
				res, err := q.Count(context.Background(), v, opts...)
				require.NoError(t, err)
				assert.Equal(t, tc.files, res.Hits)
				require.NotZero(t, v.most)
				assert.Less(t, int64(v.most)-int64(before), int64(bound), mode)
			}
			q, err := search.Parse("rg -n needle", "")
			require.NoError(t, err)
			v := &vast{shape: tc.shape}
			before := held()
			res, err := q.Run(context.Background(), v)
			require.NoError(t, err)
			assert.Equal(t, tc.files, res.Hits)
			assert.Len(t, res.Matches, search.MaxMatches)
			assert.Less(t, int64(v.most)-int64(before), int64(bound)+1<<20, "with the matches")
		})
	}
}

// A changed ignore file, which may let in everything, is no reason to hold two trees.
func TestWhatIsHeldForAnIgnoreFileDoesNotGrowWithTheTree(t *testing.T) {
	for name, shape := range map[string]func(int) (int, int){
		"ordinary": func(depth int) (int, int) { return []int{100, 20, 0}[depth], []int{0, 0, 50}[depth] },
		"flat":     func(depth int) (int, int) { return []int{10, 0}[depth], []int{100_000, 5}[depth] },
		"wide":     func(depth int) (int, int) { return []int{50_000, 0}[depth], []int{0, 1}[depth] },
	} {
		t.Run(name, func(t *testing.T) {
			q, err := search.Parse("rg -n thread", "")
			require.NoError(t, err)
			was, is := &vast{shape: shape, rules: "*.py\n"}, &vast{shape: shape, rules: "*.txt\n"}
			old, now := was.ruleFile(), is.ruleFile()
			before := held()
			d, err := q.Delta(context.Background(), was, is, []search.Change{{Old: &old, New: &now}})
			require.NoError(t, err)
			assert.Zero(t, d.HitsDelta)
			assert.Greater(t, is.reads, 49_000)
			assert.Less(t, was.reads, 10)
			assert.Less(t, int64(is.most)-int64(before), int64(5<<20))
		})
	}
}

// forgetful is a cache that keeps nothing.
type forgetful struct{}

func (forgetful) Get(_ context.Context, keys []string) [][]byte { return make([][]byte, len(keys)) }
func (forgetful) Put(context.Context, string, []byte)           {}
