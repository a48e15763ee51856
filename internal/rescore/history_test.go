package rescore_test

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
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

// seed is a published report and the repository it rates.
type seed struct{ name, report, mirror, decay string }

var seeds = []seed{
	{"TaskWeaver", "seeds/taskweaver.md", "microsoft+TaskWeaver", "corpus/decay/taskweaver.decay.tsv"},
	{"Qwen-Agent", "seeds/qwen-agent.md", "QwenLM+Qwen-Agent", "corpus/decay/qwen-agent.decay.tsv"},
}

// historyLength is how many first-parent commits a card is carried over.
const historyLength = 200

func newEngine(tb testing.TB) *rescore.Engine {
	tb.Helper()
	e, err := rescore.NewEngine(rescore.Options{Version: "test", Judges: []judge.Judge{judgeevidence.Judge{}}})
	require.NoError(tb, err)
	return e
}

func (s seed) open(tb testing.TB) (*gitmirror.Repo, *scorecard.Card) {
	tb.Helper()
	data, err := os.ReadFile(testenv.Shared(tb, s.report))
	require.NoError(tb, err)
	doc, err := cardfile.Read(s.report, data)
	require.NoError(tb, err)
	repo, err := gitmirror.Open(context.Background(), testenv.Mirror(tb, s.mirror))
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, repo.Close()) })
	return repo, doc.Card
}

// history lists the card's pinned commit and its n first-parent ancestors.
func history(tb testing.TB, repo *gitmirror.Repo, card *scorecard.Card, n int) []gitmirror.OID {
	tb.Helper()
	ctx := context.Background()
	to, err := repo.Resolve(ctx, card.PinnedCommit+"~"+strconv.Itoa(n))
	require.NoError(tb, err)
	chain, err := repo.FirstParents(ctx, gitmirror.OID(card.PinnedCommit), to)
	require.NoError(tb, err)
	return chain
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

// TestHistory carries both cards over two hundred commits back and forward again.
func TestHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("800 steps of real history are left out with -short")
	}
	for _, s := range seeds {
		t.Run(s.name, func(t *testing.T) {
			repo, card := s.open(t)
			chain := history(t, repo, card, historyLength)
			steps := replay(t, repo, card, chain)
			valid(t, steps)
			assert.Equal(t, documented(t, s), differing(t, s, steps), "docs/decay.md lists the commits that differ, with our figures and theirs")

			survivors := survive(places(card), steps)
			require.NotEmpty(t, survivors)
			rewound := steps[len(steps)-1].After
			slices.Reverse(chain)
			forward := replay(t, repo, rewound, chain)
			valid(t, forward)
			end := places(forward[len(forward)-1].After)
			for origin := range survivors {
				assert.Contains(t, end, origin, "a citation that held all the way back ends where it began")
			}
			t.Logf("%d of %d citations held over %d commits", len(survivors), len(places(card)), historyLength)
		})
	}
}

// valid checks that no step's card has a fault. The published reports quote
// nothing, so the rule that asks for quotes is left out.
func valid(t *testing.T, steps []*outcome.Outcome) {
	t.Helper()
	for _, o := range steps {
		for _, p := range scorecard.Validate(o.After, scorecard.Strict) {
			if p.Severity == scorecard.Error && !strings.Contains(p.String(), "(R-QUOTE)") {
				assert.Fail(t, "the card is invalid", "at %.12s: %s", o.Head, p)
			}
		}
	}
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
	for _, s := range seeds {
		b.Run(s.name, func(b *testing.B) {
			repo, card := s.open(b)
			chain := history(b, repo, card, historyLength)
			for b.Loop() {
				replay(b, repo, card, chain)
			}
		})
	}
}
