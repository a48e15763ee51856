package rescore_test

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/judge"
	judgeevidence "github.com/rescore-app/rescore/internal/judge/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/testenv"
)

// historyLength is how many first-parent commits a card is carried over, or all there
// are.
const historyLength = 200

func newEngine(tb testing.TB) *rescore.Engine {
	tb.Helper()
	e, err := rescore.NewEngine(rescore.Options{Version: "test", Judges: []judge.Judge{judgeevidence.Judge{}}})
	require.NoError(tb, err)
	return e
}

// openAgent opens an audited agent's repository and reads its card.
func openAgent(tb testing.TB, a testenv.Agent) (*gitmirror.Repo, *scorecard.Card) {
	tb.Helper()
	doc, err := cardfile.Read(a.Card(tb))
	require.NoError(tb, err)
	repo, err := gitmirror.Open(context.Background(), testenv.Mirror(tb, a.Mirror))
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, repo.Close()) })
	return repo, doc.Card
}

// history lists the card's pinned commit and its first-parent ancestors, at most
// historyLength of them.
func history(tb testing.TB, repo *gitmirror.Repo, card *scorecard.Card) []gitmirror.OID {
	tb.Helper()
	ctx := context.Background()
	for n := historyLength; n > 0; n-- {
		if to, err := repo.Resolve(ctx, card.PinnedCommit+"~"+strconv.Itoa(n)); err == nil {
			chain, err := repo.FirstParents(ctx, gitmirror.OID(card.PinnedCommit), to)
			require.NoError(tb, err)
			return chain
		}
	}
	require.Fail(tb, "the pinned commit has no history")
	return nil
}

// replay carries the card from the first commit of the chain along the others.
func replay(tb testing.TB, repo *gitmirror.Repo, card *scorecard.Card, chain []gitmirror.OID) []*outcome.Outcome {
	tb.Helper()
	require.EqualValues(tb, chain[0], card.PinnedCommit)
	e, local := newEngine(tb), rescore.Local(repo)
	var out []*outcome.Outcome
	for _, head := range chain[1:] {
		o, err := e.Rescore(context.Background(), local, rescore.Request{Card: card, Head: string(head)})
		require.NoError(tb, err)
		out = append(out, o)
		card = o.After
	}
	return out
}

// TestHistory carries the cards of the audited agents over two hundred commits back and
// forward again.
func TestHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of steps of real history are left out with -short")
	}
	testenv.EachMirror(t, func(t *testing.T, a testenv.Agent, _ string) {
		repo, card := openAgent(t, a)
		chain := history(t, repo, card)
		steps := replay(t, repo, card, chain)
		valid(t, card, steps)
		verified(t, repo, steps)
		differ, sum := compare(t, a, steps)
		if a.Report {
			assert.Equal(t, documented(t, card.Name), differ, "docs/decay.md lists the commits that differ, with our figures and theirs")
		} else {
			assert.Equal(t, summed(t, card.Name), sum, "docs/decay.md has the sums, ours and theirs")
		}

		survivors := survive(places(card), steps)
		require.True(t, len(survivors) > 0 || len(steps) < historyLength, "none held")
		rewound := steps[len(steps)-1].After
		slices.Reverse(chain)
		forward := replay(t, repo, rewound, chain)
		valid(t, card, forward)
		end := places(forward[len(forward)-1].After)
		for origin := range survivors {
			assert.Contains(t, end, origin, "a citation that held all the way back ends where it began")
		}
		t.Logf("%d of %d citations held over %d commits", len(survivors), len(places(card)), len(steps))
	})
}

// valid checks that no step's card has a fault that the card did not begin with. The
// published reports quote nothing, so the rule that asks for quotes is left out.
func valid(t *testing.T, card *scorecard.Card, steps []*outcome.Outcome) {
	t.Helper()
	began := faults(card)
	for _, o := range steps {
		for fault := range faults(o.After) {
			assert.True(t, began[fault], "the card is invalid at %.12s: %s", o.Head, fault)
		}
	}
}

// everyVerified is after how many steps a card is verified in full: every line is read
// and every search run again.
const everyVerified = 20

// verified checks that the cards which were carried along say what is there.
func verified(t *testing.T, repo *gitmirror.Repo, steps []*outcome.Outcome) {
	t.Helper()
	for i := everyVerified - 1; i < len(steps); i += everyVerified {
		v, err := newEngine(t).Verify(t.Context(), rescore.Local(repo), steps[i].After, steps[i].Head)
		require.NoError(t, err)
		for _, it := range v.Items {
			assert.Equal(t, outcome.CheckOK, it.State, "%.12s: %s %s: expected %s, got %s", steps[i].Head, it.Criterion, it.Place, it.Expected, it.Got)
		}
	}
}

func faults(card *scorecard.Card) map[string]bool {
	out := map[string]bool{}
	for _, p := range scorecard.Validate(card, scorecard.Strict) {
		if p.Severity == scorecard.Error && p.Rule != "R-QUOTE" {
			out[p.Place+" "+p.Rule] = true
		}
	}
	return out
}

// place is where a criterion's citation stands.
type place struct {
	criterion, file string
	first, last     int
}

func placeOf(criterion string, e scorecard.Evidence) place {
	return place{criterion, e.File, e.Lines.First, e.Lines.Last}
}

// places lists where the card's citations stand.
func places(card *scorecard.Card) map[place]place {
	out := map[place]place{}
	for i := range card.Criteria {
		c := &card.Criteria[i]
		for _, m := range c.Mechanisms {
			for _, p := range m.Parameters {
				for _, e := range p.Evidence {
					if !e.IsSearch() {
						out[placeOf(c.ID, e)] = placeOf(c.ID, e)
					}
				}
			}
		}
	}
	return out
}

// survive follows the places along the steps and keeps those that always held.
func survive(now map[place]place, steps []*outcome.Outcome) map[place]place {
	for _, o := range steps {
		moved, lost := map[place]place{}, map[place]bool{}
		for i := range o.Criteria {
			for _, it := range itemsOf(&o.Criteria[i]) {
				from := placeOf(o.Criteria[i].ID, it.Before)
				moved[from] = placeOf(o.Criteria[i].ID, it.After)
				lost[from] = lost[from] || !it.State.Holds()
			}
		}
		next := map[place]place{}
		for origin, at := range now {
			if lost[at] {
				continue
			}
			if to, ok := moved[at]; ok {
				at = to
			}
			next[origin] = at
		}
		now = next
	}
	return now
}

// itemsOf lists the citations of a criterion and its critical gaps.
func itemsOf(c *outcome.Criterion) []outcome.Item {
	var out []outcome.Item
	add := func(items []outcome.Item) {
		for _, it := range items {
			if !it.Before.IsSearch() {
				out = append(out, it)
			}
		}
	}
	for _, m := range c.Mechanisms {
		for _, p := range m.Parameters {
			add(p.Items)
		}
	}
	for _, g := range c.Gaps {
		add(g.Items)
	}
	return out
}

func BenchmarkReplay200(b *testing.B) {
	for _, a := range testenv.Agents {
		if a.Mirror == "" {
			continue
		}
		b.Run(a.ID, func(b *testing.B) {
			repo, card := openAgent(b, a)
			chain := history(b, repo, card)
			for b.Loop() {
				replay(b, repo, card, chain)
			}
		})
	}
}
