package plan_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/plan"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

func file(path string) *search.File {
	return &search.File{Path: path, Mode: search.ModeFile, OID: fmt.Sprintf("%040x", len(path))}
}

func added(path string) search.Change    { return search.Change{New: file(path)} }
func removed(path string) search.Change  { return search.Change{Old: file(path)} }
func modified(path string) search.Change { return search.Change{Old: file(path), New: file(path)} }

func link(path string) *search.File {
	f := file(path)
	f.Mode = search.ModeSymlink
	return f
}

func citation(path string) scorecard.Evidence {
	return scorecard.Evidence{File: path, Lines: scorecard.LineRange{First: 1, Last: 2}}
}

func searching(command, scope string) scorecard.Evidence {
	return scorecard.Evidence{Search: command, Scope: scope}
}

// card has ten criteria; evidence goes to the S parameter of the default
// mechanism of the criterion named.
func card(evidence map[string][]scorecard.Evidence) *scorecard.Card {
	c := &scorecard.Card{}
	for n := 1; n <= 10; n++ {
		id := fmt.Sprintf("C%d", n)
		m := scorecard.Mechanism{Kind: scorecard.Default}
		for i, p := range scorecard.ParameterIDs {
			m.Parameters[i].ID = p
		}
		m.Parameters[0].Evidence = evidence[id]
		c.Criteria = append(c.Criteria, scorecard.Criterion{ID: id, Mechanisms: []scorecard.Mechanism{m}})
	}
	return c
}

func TestMake(t *testing.T) {
	for _, tc := range []struct {
		name     string
		evidence []scorecard.Evidence // of C2
		changes  []search.Change
		want     []string
	}{
		{"nothing changed", []scorecard.Evidence{citation("a.py")}, nil, nil},
		{"another file", []scorecard.Evidence{citation("a.py")}, []search.Change{modified("b.py"), modified("a.pyc"), modified("x/a.py")}, nil},
		{"modified", []scorecard.Evidence{citation("a.py")}, []search.Change{modified("a.py")}, []string{"a.py"}},
		{"removed", []scorecard.Evidence{citation("a.py")}, []search.Change{removed("a.py")}, []string{"a.py"}},
		{"renamed", []scorecard.Evidence{citation("a.py")}, []search.Change{{Old: file("a.py"), New: file("b.py")}}, []string{"a.py"}},
		{"renamed over", []scorecard.Evidence{citation("b.py")}, []search.Change{{Old: file("a.py"), New: file("b.py")}}, []string{"b.py"}},
		{"added where it is cited", []scorecard.Evidence{citation("a.py")}, []search.Change{added("a.py")}, []string{"a.py"}},
		{"two citations and repeats", []scorecard.Evidence{citation("b.py"), citation("a.py"), citation("b.py")}, []search.Change{modified("a.py"), modified("b.py")}, []string{"a.py", "b.py"}},
		{"in a search's scope", []scorecard.Evidence{searching("rg -n x -g '*.py'", "src")}, []search.Change{added("src/new.py"), modified("src/a.md"), modified("lib/a.py")}, []string{"src/new.py"}},
		{"a file as scope", []scorecard.Evidence{searching("rg -n x", "src/a.py")}, []search.Change{modified("src/a.py"), modified("src/b.py")}, []string{"src/a.py"}},
		{"a search that cannot be read reads its whole scope", []scorecard.Evidence{searching("rg -P 'x(?=y)'", "src/ ./lib")}, []search.Change{modified("src/a.md"), modified("lib/b"), modified("source"), modified("x/src/a")}, []string{"lib/b", "src/a.md"}},
		{"a link in place of the scope", []scorecard.Evidence{searching("rg -n x -g '*.py'", "src")}, []search.Change{removed("src/a.py"), {New: link("src")}}, []string{"src", "src/a.py"}},
		{"a directory in place of a link", []scorecard.Evidence{searching("rg -n x -g '*.py'", "src")}, []search.Change{{Old: link("src")}, added("src/a.md")}, []string{"src"}},
		{"a link that leads elsewhere", []scorecard.Evidence{searching("rg -n x -g '*.py'", "src")}, []search.Change{{Old: link("src"), New: link("src")}}, []string{"src"}},
		{"a link removed", []scorecard.Evidence{searching("rg -n x -g '*.py'", "src")}, []search.Change{{Old: link("src")}}, []string{"src"}},
		{"a link above the scope", []scorecard.Evidence{searching("rg -n x -g '*.py'", "src/deep/er")}, []search.Change{{Old: link("src")}, {New: link("src/deep")}}, []string{"src", "src/deep"}},
		{"a link above a search that cannot be read", []scorecard.Evidence{searching("rg -P x", "src/deep")}, []search.Change{{Old: link("src")}}, []string{"src"}},
		{"a submodule in place of the scope", []scorecard.Evidence{searching("rg -n x -g '*.py'", "src")}, []search.Change{{New: &search.File{Path: "src", Mode: search.ModeSubmodule}}}, []string{"src"}},
		{"the last of the scope, though not read", []scorecard.Evidence{searching("rg -n x -g '*.py'", "src")}, []search.Change{removed("src/a.md"), removed("src/b.md")}, []string{"src/a.md", "src/b.md"}},
		{"not the last", []scorecard.Evidence{searching("rg -n x -g '*.py'", "src")}, []search.Change{removed("src/a.md"), modified("src/b.md")}, nil},
		{"over the whole tree", []scorecard.Evidence{searching("rg -P 'x(?=y)'", ".")}, []search.Change{modified("a")}, []string{"a"}},
	} {
		p, err := plan.Make(card(map[string][]scorecard.Evidence{"C2": tc.evidence}), tc.changes)
		require.NoError(t, err, tc.name)
		assert.Equal(t, tc.want, p.Touched["C2"], tc.name)
		if tc.want == nil {
			assert.Empty(t, p.Touched, tc.name)
		} else {
			assert.Len(t, p.Touched, 1, tc.name)
		}
	}
}

// Everything that a criterion rests on counts, wherever it stands in the card.
func TestMakeLooksEverywhere(t *testing.T) {
	c := card(nil)
	c.Criteria[0].Mechanisms[0].Parameters[3].Evidence = []scorecard.Evidence{citation("default.py")}
	c.Criteria[1].Mechanisms = append(c.Criteria[1].Mechanisms, scorecard.Mechanism{Kind: scorecard.Alt})
	c.Criteria[1].Mechanisms[1].Parameters[1].Evidence = []scorecard.Evidence{citation("alt.py")}
	c.Criteria[2].AbsenceEvidence = []scorecard.Evidence{searching("rg -n memory", "src")}
	c.CriticalGaps = []scorecard.CriticalGap{{Criterion: "C5", Evidence: []scorecard.Evidence{citation("gap.py")}}}
	p, err := plan.Make(c, []search.Change{modified("default.py"), modified("alt.py"), added("src/x"), removed("gap.py")})
	require.NoError(t, err)
	assert.Equal(t, map[string][]string{"C1": {"default.py"}, "C2": {"alt.py"}, "C3": {"src/x"}, "C5": {"gap.py"}}, p.Touched)
}

// A pattern that is not evaluated still reads only what the rest of its command
// admits; a command that cannot be read at all reads its whole scope.
func TestMakeTakesWhatItCannotReadForEverything(t *testing.T) {
	lookahead, piped := searching("rg 'x(?=y)' -g '*.py'", "src"), searching("rg x | wc -l", "src")
	p, err := plan.Make(card(map[string][]scorecard.Evidence{"C1": {lookahead}, "C4": {piped}}), []search.Change{modified("src/a.md"), modified("b")})
	require.NoError(t, err)
	assert.Equal(t, map[string][]string{"C4": {"src/a.md"}}, p.Touched)
	p, err = plan.Make(card(map[string][]scorecard.Evidence{"C1": {lookahead}}), []search.Change{modified("src/a.py")})
	require.NoError(t, err)
	assert.Equal(t, map[string][]string{"C1": {"src/a.py"}}, p.Touched)
}

func TestMakeRefusesEmptyChanges(t *testing.T) {
	_, err := plan.Make(card(nil), []search.Change{modified("a"), {}})
	require.ErrorIs(t, err, plan.ErrEmptyChange)
	assert.Contains(t, err.Error(), "change 2 of 2")
}

// A criterion is touched exactly when one of its items is, and the order of
// changes makes no difference.
func TestMakeProperties(t *testing.T) {
	paths := []string{"a.py", "b.md", "src/a.py", "src/b.md", "src/deep/c.py", "lib/d"}
	genItem := rapid.Custom(func(t *rapid.T) scorecard.Evidence {
		if rapid.Bool().Draw(t, "cites") {
			return citation(rapid.SampledFrom(paths).Draw(t, "path"))
		}
		return searching(rapid.SampledFrom([]string{"rg x", "rg x -g '*.py'", "rg -P x"}).Draw(t, "command"), rapid.SampledFrom([]string{".", "src", "src/deep lib", "a.py"}).Draw(t, "scope"))
	})
	rapid.Check(t, func(t *rapid.T) {
		evidence := map[string][]scorecard.Evidence{}
		for n := 1; n <= 10; n++ {
			evidence[fmt.Sprintf("C%d", n)] = rapid.SliceOfN(genItem, 0, 4).Draw(t, "items")
		}
		var changes []search.Change
		for _, p := range paths {
			switch rapid.IntRange(0, 3).Draw(t, p) {
			case 1:
				changes = append(changes, added(p))
			case 2:
				changes = append(changes, removed(p))
			case 3:
				changes = append(changes, modified(p))
			}
		}
		all, err := plan.Make(card(evidence), changes)
		require.NoError(t, err)
		slices.Reverse(changes)
		again, err := plan.Make(card(evidence), changes)
		require.NoError(t, err)
		assert.Equal(t, all, again)
		for id, items := range evidence {
			want := map[string]bool{}
			for _, e := range items {
				one, err := plan.Make(card(map[string][]scorecard.Evidence{"C1": {e}}), changes)
				require.NoError(t, err)
				for _, p := range one.Touched["C1"] {
					want[p] = true
				}
			}
			assert.Len(t, all.Touched[id], len(want))
			assert.True(t, slices.IsSorted(all.Touched[id]))
		}
	})
}

func BenchmarkMake(b *testing.B) {
	evidence := map[string][]scorecard.Evidence{}
	for n := 1; n <= 10; n++ {
		for i := range 8 {
			evidence[fmt.Sprintf("C%d", n)] = append(evidence[fmt.Sprintf("C%d", n)], citation(fmt.Sprintf("src/file%d.py", n*i)))
		}
		evidence[fmt.Sprintf("C%d", n)] = append(evidence[fmt.Sprintf("C%d", n)], searching("rg -n -i 'confirm|approv' -g '*.py'", "lib"))
	}
	c := card(evidence)
	for _, size := range []int{5, 5000} {
		var changes []search.Change
		for i := range size {
			changes = append(changes, modified(fmt.Sprintf("docs/page%d.md", i)))
		}
		b.Run(fmt.Sprintf("%d changes", size), func(b *testing.B) {
			for b.Loop() {
				p, err := plan.Make(c, changes)
				if err != nil || len(p.Touched) != 0 {
					b.Fatal(p, err)
				}
			}
		})
	}
}
