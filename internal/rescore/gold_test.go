package rescore_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/testenv"
)

// graded is a commit that was graded by people: the levels of one criterion before and
// after it, and the lines that prove each.
type graded struct {
	Agent, Base, Head, Criterion string
	Levels                       map[string]struct{ Before, After string }
	Before                       []gradedEvidence `json:"evidence_before"`
	After                        []gradedEvidence `json:"evidence_after"`
}

// gradedEvidence is a citation or a search.
type gradedEvidence struct {
	File, Lines, Search, Scope string
	Hits                       int
}

// undone is the commit backwards.
func (g graded) undone() graded {
	g.Base, g.Head, g.Before, g.After = g.Head, g.Base, g.After, g.Before
	levels := map[string]struct{ Before, After string }{}
	for id, l := range g.Levels {
		levels[id] = struct{ Before, After string }{l.After, l.Before}
	}
	g.Levels = levels
	return g
}

// falls reports whether a level does.
func (g graded) falls() bool {
	for _, l := range g.Levels {
		if rank(l.After) < rank(l.Before) {
			return true
		}
	}
	return false
}

// rank orders levels; an absence counts as the highest.
func rank(level string) int { return slices.Index([]string{"L0", "L1", "L2", "L3", "L4", "SA"}, level) }

// card cites what proved the criterion before, in every parameter, and nothing else.
func (g graded) card(t *testing.T) *scorecard.Card {
	t.Helper()
	var items []scorecard.Evidence
	for _, e := range g.Before {
		if e.File == "" {
			items = append(items, scorecard.Evidence{Search: e.Search, Scope: e.Scope, Hits: e.Hits})
			continue
		}
		lines, err := scorecard.ParseLines(e.Lines)
		require.NoError(t, err)
		items = append(items, scorecard.Evidence{File: e.File, Lines: lines})
	}
	card := plainCard(g.Base)
	for i := range card.Criteria {
		c := &card.Criteria[i]
		for k := range c.Mechanisms[0].Parameters {
			if c.Mechanisms[0].Parameters[k].Evidence = nil; c.ID == g.Criterion {
				c.Mechanisms[0].Parameters[k].Evidence = items
			}
		}
	}
	return card
}

// noticed reports whether the engine tells that the evidence changed.
func (g graded) noticed(t *testing.T, repo rescore.Repo) bool {
	t.Helper()
	o, err := newEngine(t).Rescore(t.Context(), repo, rescore.Request{Card: g.card(t), Head: g.Head})
	require.NoError(t, err)
	return criterion(t, o, g.Criterion).Verdict != outcome.Carried && criterion(t, o, g.Criterion).Verdict != outcome.Reverified
}

// Commits of audited agents that people graded: wherever a level fell, or falls when the
// commit is undone, the evidence does not hold.
func TestEveryGradedFallIsNoticed(t *testing.T) {
	all := map[string][]graded{}
	for _, name := range []string{"rescores-1.json", "rescores-2.json"} {
		data, err := os.ReadFile(testenv.Shared(t, "corpus/gold/"+name))
		require.NoError(t, err)
		var list []graded
		require.NoError(t, json.Unmarshal(data, &list))
		for _, g := range list {
			all[g.Agent] = append(all[g.Agent], g)
		}
	}
	testenv.EachMirror(t, func(t *testing.T, a testenv.Agent, dir string) {
		require.NotEmpty(t, all[a.ID])
		git, err := gitmirror.Open(t.Context(), dir)
		require.NoError(t, err)
		defer func() { require.NoError(t, git.Close()) }()
		repo := rescore.Local(git)
		falls, rises, noticed := 0, 0, 0
		for _, g := range all[a.ID] {
			for _, way := range []graded{g, g.undone()} {
				switch {
				case way.falls():
					falls++
					assert.True(t, way.noticed(t, repo), "%s: %s to %s", way.Criterion, way.Base, way.Head)
				case way.undone().falls():
					if rises++; way.noticed(t, repo) {
						noticed++
					}
				}
			}
		}
		t.Logf("%d commits: %d falls, all noticed; %d of %d rises changed what is cited", len(all[a.ID]), falls, noticed, rises)
	})
}
