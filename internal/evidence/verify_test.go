package evidence_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

func TestVerify(t *testing.T) {
	at := tree{
		"a.py":      "def f():\n    ask(\n        user)\n    run()\n",
		"b.py":      "run()\nrun()\n",
		"link.py":   "mode 120000",
		"data.bin":  "\x00\x01\n\x00\n",
		"large.dat": "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n",
	}
	quote := func(place, contains string) scorecard.Evidence {
		e := cite(t, place)
		e.Contains = contains
		return e
	}
	for _, c := range []struct {
		name  string
		e     scorecard.Evidence
		state outcome.CheckState
		got   string
	}{
		{"lines", cite(t, "a.py:1-4"), outcome.CheckOK, "lines 1-4"},
		{"quote", quote("a.py:1-4", "ask("), outcome.CheckOK, `lines 1-4 with "ask("`},
		{"quote over a line break", quote("a.py:2-3", "ask( user)"), outcome.CheckOK, `lines 2-3 with "ask( user)"`},
		{"quote beside the lines", quote("a.py:2-3", "run()"), outcome.CheckMismatch, "the quote stands in line 4"},
		{"quote that stands elsewhere too", quote("a.py:1", "("), outcome.CheckOK, `lines 1 with "("`},
		{"quote elsewhere, twice", quote("a.py:2", ")"), outcome.CheckMismatch, "the quote stands in line 1 and others"},
		{"quote nowhere", quote("a.py:2-3", "deny"), outcome.CheckMismatch, "the quote is nowhere in the file"},
		{"too few lines", cite(t, "a.py:4-5"), outcome.CheckMissing, "the file has 4 lines"},
		{"no file", cite(t, "c.py:1"), outcome.CheckMissing, "no such file"},
		{"a directory", cite(t, ".:1"), outcome.CheckMissing, "no such file"},
		{"a link", cite(t, "link.py:1"), outcome.CheckMissing, "the file is a symbolic link"},
		{"a binary file", cite(t, "data.bin:1"), outcome.CheckMissing, "the file is binary"},
		{"an LFS pointer", cite(t, "large.dat:1"), outcome.CheckMissing, "the file is a Git LFS pointer, its text is not in the repository"},
		{"search", scorecard.Evidence{Search: "rg -n 'run'", Scope: "a.py b.py", Hits: 3}, outcome.CheckOK, "3 hits"},
		{"search with another count", scorecard.Evidence{Search: "rg -n 'ask'", Scope: ".", Hits: 0}, outcome.CheckMismatch, "1 hit"},
		{"search over nothing", scorecard.Evidence{Search: "rg -n 'ask'", Scope: "none", Hits: 0}, outcome.CheckMissing, `nothing at the scope "none"`},
		{"search over something and nothing", scorecard.Evidence{Search: "rg -n 'ask'", Scope: "b.py none", Hits: 0}, outcome.CheckMismatch, `0 hits, but nothing at "none", a path of the scope`},
		{"search that is not evaluated", scorecard.Evidence{Search: "rg -P 'a(?=b)'", Scope: ".", Hits: 0}, outcome.CheckUnrunnable, ""},
		{"not a search", scorecard.Evidence{Search: "grep x | wc", Scope: ".", Hits: 0}, outcome.CheckUnrunnable, ""},
	} {
		got, err := evidence.Verify(context.Background(), at, c.e)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.state, got.State, "%s: %+v", c.name, got)
		if c.got != "" {
			assert.Equal(t, c.got, got.Got, c.name)
		}
		assert.NotEmpty(t, got.Expected, c.name)
	}
}

// counted counts what is read and listed of a tree.
type counted struct {
	tree
	lists int
	reads map[string]int
	fail  error
}

func (c *counted) List(ctx context.Context, paths []string) ([]search.File, error) {
	c.lists++
	return c.tree.List(ctx, paths)
}

func (c *counted) Read(ctx context.Context, files []search.File, fn func(search.File, []byte) error) error {
	if c.fail != nil {
		return c.fail
	}
	for _, f := range files {
		c.reads[f.Path]++
	}
	return c.tree.Read(ctx, files, fn)
}

func TestVerifyAllReadsOnce(t *testing.T) {
	src := &counted{tree: tree{"a.py": block(program(20)...), "b.py": "x\n"}, reads: map[string]int{}}
	items := []scorecard.Evidence{cite(t, "a.py:1"), cite(t, "a.py:2-9"), cite(t, "b.py:1"), cite(t, "gone.py:1"), cite(t, "gone.py:2")}
	checks, err := evidence.VerifyAll(context.Background(), src, items)
	require.NoError(t, err)
	assert.Equal(t, 1, src.lists)
	assert.Equal(t, map[string]int{"a.py": 1, "b.py": 1}, src.reads)
	assert.Equal(t, outcome.CheckMissing, checks[4].State)

	checks, err = evidence.VerifyAll(context.Background(), src, nil)
	require.NoError(t, err)
	assert.Empty(t, checks)
	assert.Equal(t, 1, src.lists)

	twice := scorecard.Evidence{Search: "rg x", Scope: "b.py", Hits: 1}
	src.reads = map[string]int{}
	checks, err = evidence.VerifyAll(context.Background(), src, []scorecard.Evidence{twice, twice})
	require.NoError(t, err)
	assert.Equal(t, outcome.CheckOK, checks[1].State)
	assert.Equal(t, 1, src.reads["b.py"])
}

func TestVerifyTellsFailuresFromFindings(t *testing.T) {
	src := &counted{tree: tree{"a.py": "x\n"}, reads: map[string]int{}}
	broken := errors.New("connection reset")
	for err, want := range map[error]outcome.CheckState{
		evidence.ErrMissing: outcome.CheckMissing, evidence.ErrTooLarge: outcome.CheckMissing, broken: "",
	} {
		src.fail = err
		c, got := evidence.Verify(context.Background(), src, cite(t, "a.py:1"))
		if want == "" {
			assert.ErrorIs(t, got, broken)
			continue
		}
		require.NoError(t, got)
		assert.Equal(t, want, c.State)
	}
}

// TestAuditedAgentsVerify confirms every citation and every search of the audited
// agents at their pinned commits.
func TestAuditedAgentsVerify(t *testing.T) {
	known := map[string]struct{ references, searches int }{"taskweaver": {69, 5}, "qwen-agent": {72, 6}}
	testenv.EachMirror(t, func(t *testing.T, agent testenv.Agent, dir string) {
		a := corpus(t, agent)
		if k, ok := known[agent.ID]; ok {
			assert.Equal(t, k.references, a.references)
			assert.Len(t, a.searches, k.searches)
		}
		items := slices.Concat(a.citations, a.searches)
		require.NotEmpty(t, items)
		checks, err := evidence.VerifyAll(context.Background(), commit{openClone(t, dir), a.commit}, items)
		require.NoError(t, err)
		for i, check := range checks {
			assert.Equal(t, outcome.CheckOK, check.State, "%+v: %+v", items[i], check)
		}
	})
}
