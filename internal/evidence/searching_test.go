package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

func TestSearches(t *testing.T) {
	base := tree{"src/a.py": "run(x)\ny = 1\n", "src/b.py": "z = 2\n", "src/note.md": "run\n", "other/c.py": "run\n"}
	with := func(files map[string]string) tree {
		t := maps.Clone(base)
		for p, content := range files {
			if t[p] = content; content == "" {
				delete(t, p)
			}
		}
		return t
	}
	runs := scorecard.Evidence{Search: "rg -n 'run' -g '*.py'", Scope: "src", Hits: 1, Note: "why"}
	all := scorecard.Evidence{Search: "rg -n 'run.x'", Scope: "src", Hits: 1}
	for _, c := range []struct {
		name  string
		e     scorecard.Evidence
		head  tree
		state outcome.State
		hits  int
		new   []outcome.Line
		lost  []outcome.Line
	}{
		{"nothing it reads changed", runs, with(map[string]string{"other/c.py": "run\nrun\n", "src/note.md": "run\nrun\n"}), outcome.Intact, 1, nil, nil},
		{"a change that does not matter", runs, with(map[string]string{"src/b.py": "z = 3\n"}), outcome.Intact, 1, nil, nil},
		{"shifted", runs, with(map[string]string{"src/a.py": "\nrun(x)\ny = 1\n"}), outcome.Moved, 1, nil, nil},
		{"moved to another file", runs, with(map[string]string{"src/a.py": "y = 1\n", "src/b.py": "run(x)\n"}), outcome.Moved, 1, nil, nil},
		{"renamed", runs, with(map[string]string{"src/a.py": "", "src/d.py": base["src/a.py"]}), outcome.Moved, 1, nil, nil},
		{"one more", runs, with(map[string]string{"src/b.py": "rerun()\n"}), outcome.Edited, 2, []outcome.Line{{File: "src/b.py", Line: 1, Text: "rerun()"}}, nil},
		{"one less", runs, with(map[string]string{"src/a.py": "y = 1\n"}), outcome.Edited, 0, nil, []outcome.Line{{File: "src/a.py", Line: 1, Text: "run(x)"}}},
		{"the same number of other lines", runs, with(map[string]string{"src/a.py": "run(y)\ny = 1\n"}), outcome.Edited, 1,
			[]outcome.Line{{File: "src/a.py", Line: 1, Text: "run(y)"}}, []outcome.Line{{File: "src/a.py", Line: 1, Text: "run(x)"}}},
		{"scope gone", runs, with(map[string]string{"src/a.py": "", "src/b.py": "", "src/note.md": ""}), outcome.Gone, 1, nil, nil},
		{"scope left with nothing it reads", runs, with(map[string]string{"src/a.py": "", "src/b.py": ""}), outcome.Edited, 0, nil, []outcome.Line{{File: "src/a.py", Line: 1, Text: "run(x)"}}},
		{"an ignore file added", all, with(map[string]string{"src/.gitignore": "a.py\n"}), outcome.Edited, 0, nil, []outcome.Line{{File: "src/a.py", Line: 1, Text: "run(x)"}}},
		{"an ignore file that a glob overrules", runs, with(map[string]string{"src/.gitignore": "a.py\n"}), outcome.Intact, 1, nil, nil},
		{"an ignore file that hides nothing it matched", all, with(map[string]string{"src/.gitignore": "b.py\n"}), outcome.Intact, 1, nil, nil},
		{"an ignore file and a shift", all, with(map[string]string{"src/.gitignore": "b.py\n", "src/a.py": "\nrun(x)\n"}), outcome.Moved, 1, nil, nil},
		{"a wrong count on the card, found out by an ignore file", scorecard.Evidence{Search: all.Search, Scope: "src", Hits: 0}, with(map[string]string{"src/.gitignore": "a.py\n"}), outcome.Unverifiable, 0, nil, nil},
		{"a wrong count on the card, found out by another kind of scope", scorecard.Evidence{Search: all.Search, Scope: "src", Hits: 5}, tree{"src": "run(x)\n"}, outcome.Unverifiable, 1, nil, nil},
		{"a wrong count on the card, found out by the changed files alone", scorecard.Evidence{Search: runs.Search, Scope: "src", Hits: 0}, with(map[string]string{"src/a.py": "run(y)\n"}), outcome.Unverifiable, 1, nil, nil},
		{"a wrong count on the card, though nothing moves", scorecard.Evidence{Search: runs.Search, Scope: "src", Hits: 0}, with(map[string]string{"src/a.py": "run(x)\ny = 2\n"}), outcome.Unverifiable, 1, nil, nil},
		{"a search that is not evaluated", scorecard.Evidence{Search: "rg -P 'run(?=x)'", Scope: "src", Hits: 1}, with(map[string]string{"src/a.py": "x\n"}), outcome.Unverifiable, 1, nil, nil},
		{"an absence that ended", scorecard.Evidence{Search: "rg -n -i 'confirm|approv' -g '*.py'", Scope: "src", Hits: 0}, with(map[string]string{"src/b.py": "a\nask_approval()\n"}), outcome.Edited, 1,
			[]outcome.Line{{File: "src/b.py", Line: 2, Text: "ask_approval()"}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			it := follow(t, base, c.head, c.e)
			assert.Equal(t, c.state, it.State, it.Reason)
			assert.Equal(t, c.hits, it.After.Hits)
			assert.Equal(t, c.new, it.New)
			assert.Equal(t, c.lost, it.Lost)
			assert.Equal(t, c.e.Note, it.After.Note)
			assert.Equal(t, c.e.Search, it.After.Search)
		})
	}
}

// What stands in place of the scope or above it, at base and at head, in all
// combinations: wherever the search cannot be evaluated it is unverifiable, and
// wherever it holds its count is that of head.
func TestScopesThatAreNoDirectories(t *testing.T) {
	const link, module = "mode 120000 ", "mode 160000 "
	stands := map[string]tree{
		"directory":                     {"src/app/a.py": "run\n", "src/app/b.md": "x\n"},
		"other directory":               {"src/app/a.py": "x\n", "src/app/c.py": "run\nrun\n"},
		"directory it reads nothing of": {"src/app/b.md": "run\n"},
		"file":                          {"src/app": "run\n"},
		"link":                          {"src/app": link + "../real"},
		"link elsewhere":                {"src/app": link + "../real/a.py"},
		"submodule":                     {"src/app": module + "1"},
		"submodule moved on":            {"src/app": module + "2"},
		"nothing":                       {"src/other.py": "x\n"},
		"nothing, nor above":            {},
		"file above":                    {"src": "run\n"},
		"link above":                    {"src": link + "real"},
		"link above elsewhere":          {"src": link + "elsewhere"},
		"submodule above":               {"src": module + "1"},
	}
	e := scorecard.Evidence{Search: "rg -n run -g '*.py' -g app", Scope: "src/app"}
	q, err := search.Parse(e.Search, e.Scope)
	require.NoError(t, err)
	for was, base := range stands {
		for is, head := range stands {
			t.Run(was+" to "+is, func(t *testing.T) {
				base, head := maps.Clone(base), maps.Clone(head)
				for _, side := range []tree{base, head} {
					side["real/a.py"], side["real/app/a.py"] = "run\n", "run\n"
				}
				before, baseErr := q.Run(context.Background(), base)
				after, headErr := q.Run(context.Background(), head)
				if baseErr == nil && !before.ScopeExists {
					return // no card verifies there
				}
				e := e
				e.Hits = before.Hits
				s := newSource(base, head)
				if len(q.Touches(s.changes())) == 0 {
					assert.Equal(t, [2]bool{baseErr == nil, before.ScopeExists}, [2]bool{headErr == nil, after.ScopeExists}, "untouched")
					assert.Equal(t, before.Hits, after.Hits, "untouched")
					return
				}
				it := follow(t, base, head, e)
				switch {
				case headErr != nil:
					assert.Equal(t, outcome.Unverifiable, it.State, it.Reason)
				case !after.ScopeExists && baseErr == nil:
					assert.Equal(t, outcome.Gone, it.State, it.Reason)
				case !after.ScopeExists:
					assert.Contains(t, []outcome.State{outcome.Gone, outcome.Unverifiable}, it.State, it.Reason)
				case baseErr != nil:
					assert.Equal(t, outcome.Unverifiable, it.State, it.Reason)
				case strings.HasPrefix(is, "submodule") && is != "submodule above" && !strings.HasPrefix(was, "submodule"):
					assert.Equal(t, outcome.Unverifiable, it.State, it.Reason)
					assert.Equal(t, after.Hits, it.After.Hits)
				default:
					assert.Equal(t, after.Hits, it.After.Hits)
					assert.Equal(t, slices.Equal(texts(before.Matches), texts(after.Matches)), it.State.Holds(), it.Reason)
				}
			})
		}
	}
}

// Reasons are what a reader of a report sees.
func TestSearchReasons(t *testing.T) {
	base := tree{"a.py": "run\n", "lib/b.py": "x\n"}
	for want, c := range map[string]struct {
		head tree
		e    scorecard.Evidence
	}{
		"2 lines match, 1 before":                     {tree{"a.py": "run\nrun again\n"}, scorecard.Evidence{Search: "rg run", Scope: ".", Hits: 1}},
		"1 line matches as before, but not the same":  {tree{"a.py": "rerun\n"}, scorecard.Evidence{Search: "rg run", Scope: ".", Hits: 1}},
		`nothing is left at head of the scope "a.py"`: {tree{"b.py": "x\n"}, scorecard.Evidence{Search: "rg run", Scope: "a.py", Hits: 1}},
		`nothing is left at head of "lib", a path of the scope`: {tree{"a.py": "run\n", "moved/b.py": "run\n"},
			scorecard.Evidence{Search: "rg run", Scope: "a.py ./lib/", Hits: 1}},
	} {
		assert.Contains(t, follow(t, base, c.head, c.e).Reason, want)
	}
}

// Indentation and line ends around the lines of a search are layout, as they are
// around cited lines; what else differs on a line is not.
func TestSearchLinesLaidOutAnew(t *testing.T) {
	text := "def a():\n    run(1)\n    run(2)\n"
	e := scorecard.Evidence{Search: "rg -n run", Scope: ".", Hits: 2}
	for head, want := range map[string]outcome.State{
		strings.ReplaceAll(text, "\n", "\r\n"):                    outcome.Moved,
		strings.ReplaceAll(text, "    ", "\t"):                    outcome.Moved,
		"def a():\n    if x:\n        run(1)\n    run(2)\n":       outcome.Moved,
		strings.ReplaceAll(text, "run(1)", "run( 1)"):             outcome.Edited,
		"def a():\n\trun(1)\n\trun(3)\n":                          outcome.Edited,
		"def a():\n\trun(1)\n\trun(2)\n\trun(2)\n":                outcome.Edited,
		"def a():\n\trun(2)\n":                                    outcome.Edited,
		strings.ReplaceAll(text, "\n", "\r\n") + "run = None\r\n": outcome.Edited,
	} {
		it := follow(t, tree{"a.py": text}, tree{"a.py": head}, e)
		assert.Equal(t, want, it.State, "%q: %s", head, it.Reason)
	}
	for name, want := range map[string]outcome.State{ // where indentation is content
		"a.py": outcome.Moved, "a.js": outcome.Moved, "a.json": outcome.Moved,
		"a.yaml": outcome.Edited, "Makefile": outcome.Edited, "a.md": outcome.Edited, "a.unknown": outcome.Edited,
	} {
		e := scorecard.Evidence{Search: "rg -n run", Scope: ".", Hits: 1}
		assert.Equal(t, want, follow(t, tree{name: "a:\n\trun: 1\n"}, tree{name: "a:\n    run: 1\n"}, e).State, name)
		assert.Equal(t, outcome.Moved, follow(t, tree{name: "a:\n\trun: 1\n"}, tree{name: "a:\r\n\trun: 1\r\n"}, e).State, name)
		assert.Equal(t, outcome.Edited, follow(t, tree{name: "a:\n\trun: 1\n"}, tree{name: "a:\n\trun: 1\u00a0\n"}, e).State, name)
	}
	it := follow(t, tree{"a.py": text}, tree{"a.py": "def a():\n\trun(1)\n\trun(3)\n"}, e)
	assert.Equal(t, []outcome.Line{{File: "a.py", Line: 3, Text: "\trun(3)"}}, it.New)
	assert.Equal(t, []outcome.Line{{File: "a.py", Line: 3, Text: "    run(2)"}}, it.Lost)
}

// What follows from the changed files is what two full searches give, but for lines that
// a changed ignore file keeps from them.
func TestSearchAgreesWithFullEvaluation(t *testing.T) {
	names := []string{"src/a.py", "src/b.py", "src/deep/c.py", "src/d.md", "lib/e.py", "src/.gitignore"}
	genTree := func(t *rapid.T, label string) tree {
		out := tree{"keep": "x\n"}
		for _, n := range names {
			if rapid.Bool().Draw(t, label+n) {
				out[n] = strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"run", "ask", "c.py", "running late", "", "*.md"}), 0, 4).Draw(t, label+n+" lines"), "\n") + "\n"
			}
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		old, new := genTree(t, "old "), genTree(t, "new ")
		e := scorecard.Evidence{
			Search: rapid.SampledFrom([]string{"rg -n run", "rg -n run -g '*.py'", "rg -w run", "rg -v x", "rg -n -i 'ASK|run' --no-ignore"}).Draw(t, "command"),
			Scope:  rapid.SampledFrom([]string{".", "src", "src lib", "src/a.py lib"}).Draw(t, "scope"),
		}
		q, err := search.Parse(e.Search, e.Scope)
		require.NoError(t, err)
		before, err := q.Run(context.Background(), old)
		require.NoError(t, err)
		after, err := q.Run(context.Background(), new)
		require.NoError(t, err)
		lacked, err := q.Absent(context.Background(), old)
		require.NoError(t, err)
		lacks, err := q.Absent(context.Background(), new)
		require.NoError(t, err)
		if len(lacked) > 0 {
			return // no card verifies there
		}
		e.Hits = before.Hits
		it := follow(t, old, new, e)
		hidden := old["src/.gitignore"] != new["src/.gitignore"] && !strings.Contains(e.Search, "--no-ignore") && gainsUnseen(t, e, old, new)
		switch {
		case !after.ScopeExists:
			assert.Equal(t, outcome.Gone, it.State)
			return
		case len(lacks) > 0:
			assert.Equal(t, outcome.Unverifiable, it.State)
			assert.Contains(t, it.Reason, lacks[0])
			check, err := evidence.Verify(context.Background(), new, it.After)
			require.NoError(t, err)
			assert.Equal(t, outcome.CheckOK, check.State, "what the new card records: %+v: %s", it.After, check.Got)
		case hidden && slices.Equal(texts(before.Matches), texts(after.Matches)):
			assert.Equal(t, outcome.Edited, it.State)
			assert.Contains(t, it.Reason, "keeps the search from the file")
		case slices.Equal(before.Matches, after.Matches):
			assert.Equal(t, outcome.Intact, it.State)
		case slices.Equal(texts(before.Matches), texts(after.Matches)):
			assert.Equal(t, outcome.Moved, it.State)
		default:
			assert.Equal(t, outcome.Edited, it.State)
			assert.Equal(t, after.Hits-before.Hits, len(it.New)-len(it.Lost))
		}
		assert.Equal(t, after.Hits, it.After.Hits)
	})
}

// gainsUnseen reports whether the search would gain a line if no ignore file counted.
func gainsUnseen(t require.TestingT, e scorecard.Evidence, old, new tree) bool {
	q, err := search.Parse(e.Search+" --no-ignore", e.Scope)
	require.NoError(t, err)
	before, err := q.Run(context.Background(), old)
	require.NoError(t, err)
	after, err := q.Run(context.Background(), new)
	require.NoError(t, err)
	left := map[string]int{}
	for _, text := range texts(before.Matches) {
		left[text]++
	}
	return slices.ContainsFunc(texts(after.Matches), func(text string) bool {
		left[text]--
		return left[text] < 0
	})
}

func texts(matches []search.Match) []string {
	var out []string
	for _, m := range matches {
		out = append(out, m.Text)
	}
	slices.Sort(out)
	return out
}

func TestSearchFailuresAreErrors(t *testing.T) {
	s := newSource(tree{"a.py": "run\n"}, tree{"a.py": "x\n"})
	broken := errors.New("connection reset")
	f := evidence.New(failing{s, broken}, s.changes(), evidence.Options{})
	_, err := f.Follow(context.Background(), scorecard.Evidence{Search: "rg run", Scope: ".", Hits: 1})
	require.ErrorIs(t, err, broken)
	assert.Contains(t, err.Error(), `"rg run"`)
}

// failing is a source whose trees cannot be read.
type failing struct {
	*source
	err error
}

func (f failing) Old() search.Source {
	return &counted{tree: f.old, reads: map[string]int{}, fail: f.err}
}
func (f failing) New() search.Source {
	return &counted{tree: f.new, reads: map[string]int{}, fail: f.err}
}

// TestMutationsOfSearches adds, removes and moves matching lines for every search
// of the audited agents.
func TestMutationsOfSearches(t *testing.T) {
	testenv.EachMirror(t, func(t *testing.T, agent testenv.Agent, dir string) {
		a, c := corpus(t, agent), openClone(t, dir)
		for _, e := range a.searches {
			mutateSearch(t, c, a.commit, e)
		}
	})
}

func mutateSearch(t *testing.T, c *clone, id string, e scorecard.Evidence) {
	q, err := search.Parse(e.Search, e.Scope)
	require.NoError(t, err)
	at := commit{c, id}
	files, err := at.List(context.Background(), strings.Fields(e.Scope))
	require.NoError(t, err)
	read := slices.DeleteFunc(files, func(f search.File) bool { return len(q.Touches([]search.Change{{Old: &f, New: &f}})) == 0 })
	require.NotEmpty(t, read)
	base := tree{}
	for _, f := range read {
		data, ok := c.object(f.OID)
		if !ok {
			continue // a large file that the mirror was made without
		}
		base[f.Path] = string(data)
	}
	paths := slices.Sorted(maps.Keys(base))
	target := paths[len(paths)/2]
	res, err := q.Run(context.Background(), base)
	require.NoError(t, err)
	require.Equal(t, e.Hits, res.Hits)
	set := func(files map[string]string) tree {
		out := maps.Clone(base)
		maps.Copy(out, files)
		return out
	}
	plain := "\n\n" + base[target]
	it := follow(t, base, set(map[string]string{target: plain}), e)
	assert.True(t, it.State.Holds(), "blank lines above: %s %s", it.State, it.Reason)
	assert.Equal(t, e.Hits, it.After.Hits)
	for i, m := range res.Matches[:min(len(res.Matches), 20)] {
		lines := strings.Split(base[m.File], "\n")
		head := set(map[string]string{m.File: strings.Join(slices.Delete(slices.Clone(lines), m.Line-1, m.Line), "\n")})
		it := follow(t, base, head, e)
		assert.Equal(t, outcome.Edited, it.State, "match %d removed", i)
		assert.Equal(t, e.Hits-1, it.After.Hits)
		head = set(map[string]string{m.File: strings.Join(slices.Insert(slices.Clone(lines), m.Line, m.Text), "\n")})
		it = follow(t, base, head, e)
		assert.Equal(t, outcome.Edited, it.State, "match %d doubled", i)
		assert.Equal(t, e.Hits+1, it.After.Hits)
	}
	for _, word := range []string{"approve", "confirm", "cap_drop", "--network", "audit", "logger", "hmac", "sha256"} {
		grown := set(map[string]string{target: base[target] + fmt.Sprintf("\n%s\n", word)})
		now, err := q.Run(context.Background(), grown)
		require.NoError(t, err)
		it := follow(t, base, grown, e)
		assert.Equal(t, now.Hits == e.Hits, it.State.Holds(), "%q added: %s", word, it.State)
		assert.Equal(t, now.Hits, it.After.Hits, word)
	}
}
