package search_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/search"
)

// edited returns a copy of the tree with random edits: lines added and taken,
// files changed, added, removed and renamed.
func (g gen) edited(files tree) tree {
	out := maps.Clone(files)
	paths := slices.Sorted(maps.Keys(files))
	for range 1 + g.IntN(3) {
		p := pickOne(g, paths)
		content := out[p]
		lines := strings.SplitAfter(content, "\n")
		switch g.IntN(8) {
		case 0:
			delete(out, p)
		case 1:
			out[pickOne(g, somePaths)] = g.content()
		case 2:
			out[pickOne(g, somePaths)] = content
			delete(out, p)
		case 3:
			out[p] = "foo\n" + content
		case 4:
			out[p] = content + "\nfoobar\n"
		case 5:
			i := g.IntN(len(lines))
			out[p] = strings.Join(slices.Delete(lines, i, i+1), "")
		default:
			slices.Reverse(lines)
			out[p] = strings.Join(lines, "")
		}
	}
	return out
}

// renamed pairs removed and added files of equal content into one change.
func renamed(changes []search.Change) []search.Change {
	var out []search.Change
	added := map[string]*search.File{}
	for _, c := range changes {
		if c.Old == nil {
			added[c.New.OID] = c.New
		}
	}
	used := map[*search.File]bool{}
	for _, c := range changes {
		if c.New == nil && added[c.Old.OID] != nil && !used[added[c.Old.OID]] {
			c.New = added[c.Old.OID]
			used[c.New] = true
		}
		out = append(out, c)
	}
	return slices.DeleteFunc(out, func(c search.Change) bool { return c.Old == nil && used[c.New] })
}

// minus returns the texts of a that b does not have, as often as it lacks them.
func minus(a, b []search.Match) []string {
	left := map[string]int{}
	for _, m := range b {
		left[m.Text]++
	}
	var out []string
	for _, m := range a {
		if left[m.Text]--; left[m.Text] < 0 {
			out = append(out, m.Text)
		}
	}
	slices.Sort(out)
	return out
}

func texts(ms []search.Match) []string {
	var out []string
	for _, m := range ms {
		out = append(out, m.Text)
	}
	slices.Sort(out)
	return out
}

// What Delta says of the changed files is the difference of two full runs, also
// where it walks both trees, and nothing differs where Touches names no path.
func TestDeltaIsDifferenceOfRuns(t *testing.T) {
	computed, full := 0, 0
	cache := newMapCache()
	defer search.AtOnce(1, 1, 1)() // set back in the end
	rapid.Check(t, func(r *rapid.T) {
		g := newGen(rapid.Uint64().Draw(r, "seed"))
		before := g.tree()
		after := g.edited(before)
		if g.IntN(3) == 0 {
			name := pickOne(g, []string{".gitignore", ".ignore", "sub/.gitignore", "sub/deep/.rgignore"})
			after[name] = g.rules()
			after = possible(after)
		}
		all := changes(before, after)
		if g.IntN(2) == 0 {
			all = renamed(all)
		}
		for range 5 {
			command, scope := g.command(), pickOne(g, someScopes)
			label := fmt.Sprintf("%s | %s\nbefore: %s\nafter: %s", command, scope, show(before), show(after))
			q, err := search.Parse(command, scope)
			if err != nil {
				continue
			}
			sources := [2]search.Source{before, after}
			if g.IntN(2) == 0 {
				sources = [2]search.Source{statTree{before}, statTree{after}}
			}
			was, err1 := q.Run(context.Background(), sources[0])
			is, err2 := q.Run(context.Background(), sources[1])
			if err1 != nil || err2 != nil {
				continue
			}
			touched := q.Touches(all)
			if len(touched) == 0 && was.ScopeExists {
				require.Equal(r, was, is, "untouched, but different: %s", label)
			}
			d, err := q.Delta(context.Background(), sources[0], sources[1], all, search.WithCache(cache))
			search.AtOnce(1+g.IntN(3), 1+g.IntN(4), 1+g.IntN(6))
			walked, walkErr := q.Delta(context.Background(), walker(before), walker(after), all)
			require.Equal(r, err == nil, walkErr == nil, label)
			require.Equal(r, d, walked, "directory by directory: %s", label)
			if err != nil {
				require.ErrorIs(r, err, search.ErrNeedsFull, label)
				full++
				continue
			}
			computed++
			plain, err := q.Delta(context.Background(), sources[0], sources[1], all)
			require.NoError(r, err, label)
			require.Equal(r, plain, d, "without a cache: %s", label)
			require.LessOrEqual(r, d.HitsBefore, was.Hits, label)
			require.Equal(r, is.Hits-was.Hits, d.HitsDelta, label)
			require.Subset(r, touched, d.Read, label)
			if was.Truncated || is.Truncated {
				continue
			}
			lost, added := minus(was.Matches, is.Matches), minus(is.Matches, was.Matches)
			require.Equal(r, lost, texts(d.Lost), label)
			require.Equal(r, added, texts(d.New), label)
			moved := len(lost)+len(added) == 0 && !slices.Equal(was.Matches, is.Matches)
			require.Equal(r, moved, d.Moved, "moved: %s", label)
			require.Subset(r, was.Matches, d.Lost, label)
			require.Subset(r, is.Matches, d.New, label)
		}
	})
	t.Logf("%d deltas computed, %d in need of full runs", computed, full)
	assert.Greater(t, computed, full)
}

// dependsOnOthers reports a refusal because ripgrep itself is not settled.
func dependsOnOthers(err error) bool {
	return err != nil && strings.Contains(err.Error(), "depends on which files a thread read before")
}

// Links, submodules and files in place of a path of the search, of what is above
// it or in it: whoever goes by Touches and Delta misses none of it.
func TestTouchesAndDeltaNoticeWhatIsNoDirectory(t *testing.T) {
	held, refused := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		g := newGen(rapid.Uint64().Draw(r, "seed"))
		before := possible(g.withLinks(g.tree()))
		after := g.edited(before)
		if g.IntN(2) == 0 {
			after = g.withLinks(before)
		}
		after = possible(after)
		all := changes(before, after)
		for range 5 {
			command, scope := g.command(), pickOne(g, someScopes)
			q, err := search.Parse(command, scope)
			if err != nil {
				continue
			}
			label := fmt.Sprintf("%s | %s\nbefore: %s\nafter: %s", command, scope, show(before), show(after))
			was, err1 := q.Run(context.Background(), before)
			is, err2 := q.Run(context.Background(), after)
			if err1 == nil && !was.ScopeExists {
				continue // no card verifies with it
			}
			if dependsOnOthers(err1) || dependsOnOthers(err2) {
				continue // by files that did not change
			}
			if len(q.Touches(all)) == 0 {
				require.Equal(r, err1 == nil, err2 == nil, "untouched, but refused on one side: %s", label)
				require.Equal(r, was, is, "untouched, but different: %s", label)
				held++
				continue
			}
			_, err = q.Delta(context.Background(), statTree{before}, statTree{after}, all)
			if err1 != nil || err2 != nil {
				require.Error(r, err, "%v, %v: %s", err1, err2, label)
				refused++
			}
		}
	})
	t.Logf("%d untouched, %d refused", held, refused)
	assert.Positive(t, held)
	assert.Positive(t, refused)
}

func run(t *testing.T, files search.Source, command, scope string) search.Result {
	t.Helper()
	q, err := search.Parse(command, scope)
	require.NoError(t, err)
	res, err := q.Run(context.Background(), files)
	require.NoError(t, err)
	return res
}

func delta(t *testing.T, before, after tree, command, scope string) (search.Delta, error) {
	t.Helper()
	q, err := search.Parse(command, scope)
	require.NoError(t, err)
	return q.Delta(context.Background(), statTree{before}, statTree{after}, changes(before, after))
}

func TestDelta(t *testing.T) {
	base := tree{"src/a.py": "x\nneedle 1\n", "src/b.py": "needle 2\n", "doc.md": "needle\n"}
	with := func(path, content string) tree {
		out := maps.Clone(base)
		if out[path] = content; content == "" {
			delete(out, path)
		}
		return out
	}
	for name, tc := range map[string]struct {
		after tree
		want  search.Delta
	}{
		"outside the scope": {with("doc.md", "nothing\n"), search.Delta{}},
		"beside the lines":  {with("src/a.py", "x\nneedle 1\ny\n"), search.Delta{HitsBefore: 1, Read: []string{"src/a.py"}}},
		"moved":             {with("src/a.py", "x\n\nneedle 1\n"), search.Delta{HitsBefore: 1, Moved: true, Read: []string{"src/a.py"}}},
		"lost":              {with("src/a.py", "x\n"), search.Delta{HitsBefore: 1, HitsDelta: -1, Lost: []search.Match{{File: "src/a.py", Line: 2, Text: "needle 1"}}, Read: []string{"src/a.py"}}},
		"new":               {with("src/c.py", "needle 3\n"), search.Delta{HitsDelta: 1, New: []search.Match{{File: "src/c.py", Line: 1, Text: "needle 3"}}, Read: []string{"src/c.py"}}},
		"not admitted":      {with("src/c.txt", "needle 3\n"), search.Delta{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := delta(t, base, tc.after, "rg -n needle -g '*.py'", "src")
			require.NoError(t, err)
			assert.Equal(t, tc.want, got)
		})
	}
	for name, after := range map[string]tree{
		"scope vanished":                {"doc.md": "needle\n"},
		"scope is another kind of path": {"src": "needle\n"},
	} {
		_, err := delta(t, base, after, "rg -n needle", "src")
		assert.ErrorIs(t, err, search.ErrNeedsFull, name)
	}
	lost := search.Delta{HitsBefore: 1, HitsDelta: -1, Lost: []search.Match{{File: "src/b.py", Line: 1, Text: "needle 2"}}}
	for name, after := range map[string]tree{
		"ignore file in the scope":    with("src/.gitignore", "b.py\n"),
		"ignore file above the scope": with(".ignore", "b.py\n"),
	} {
		got, err := delta(t, base, after, "rg -n needle", "src")
		require.NoError(t, err, name)
		assert.Equal(t, lost, got, name)
	}
	_, err := delta(t, base, with("src/.gitignore", "b.py\n"), "rg -n needle --no-ignore", "src")
	assert.NoError(t, err, "ignore files that do not count")
}

// A delta reads the changed files and the ignore files above them, no others.
func TestDeltaReadsTheChangeAlone(t *testing.T) {
	before, after := tree{".gitignore": "*.log\n", "a/.ignore": "\n"}, tree{}
	for i := range 300 {
		before[fmt.Sprintf("a/b%d/f%d.py", i%10, i)] = "needle\n"
	}
	maps.Copy(after, before)
	after["a/b3/f3.py"] = "needle\nneedle\n"
	after["a/b4/new.py"] = "needle\n"
	q, err := search.Parse("rg -n needle", "a")
	require.NoError(t, err)
	var read []string
	d, err := q.Delta(context.Background(), spy{statTree{before}, &read}, spy{statTree{after}, &read}, changes(before, after))
	require.NoError(t, err)
	assert.Equal(t, 2, d.HitsDelta)
	slices.Sort(read)
	assert.Equal(t, []string{".gitignore", "a/.ignore", "a/b3/f3.py", "a/b3/f3.py", "a/b4/new.py"}, read)
}

// Where an ignore file changes, the files are read that only one side admits.
func TestDeltaReadsWhatAnIgnoreFileLetsIn(t *testing.T) {
	before, after := tree{".gitignore": "*.log\nb1/\n", "a/.ignore": "f7.py\n"}, tree{}
	for i := range 300 {
		before[fmt.Sprintf("a/b%d/f%d.py", i%10, i)] = "needle\n"
	}
	maps.Copy(after, before)
	after[".gitignore"], after["a/.ignore"] = "*.log\nf11.py\n", "f7.py\nf8.py\n"
	after["a/b3/f3.py"] = "needle\nneedle\n"
	q, err := search.Parse("rg -n needle", "a")
	require.NoError(t, err)
	was, is := walker(before), walker(after)
	d, err := q.Delta(context.Background(), was, is, changes(before, after))
	require.NoError(t, err)
	assert.Equal(t, 29-1+1, d.HitsDelta)
	assert.Equal(t, []string{"a/b3/f3.py"}, d.Read)
	slices.Sort(*was.read)
	assert.Equal(t, []string{".gitignore", "a/.ignore", "a/b3/f3.py", "a/b8/f8.py"}, *was.read)
	assert.Len(t, *is.read, 2+1+29)
}

// spy notes what is read.
type spy struct {
	statTree
	read *[]string
}

func (s spy) List(ctx context.Context, paths []string) ([]search.File, error) {
	files, err := s.statTree.List(ctx, paths)
	if len(files) > 100 {
		return nil, fmt.Errorf("listed %d files", len(files))
	}
	return files, err
}

func (s spy) Read(ctx context.Context, files []search.File, fn func(search.File, []byte) error) error {
	for _, f := range files {
		*s.read = append(*s.read, f.Path)
	}
	return s.statTree.Read(ctx, files, fn)
}
