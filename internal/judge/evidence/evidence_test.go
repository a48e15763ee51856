package evidence

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/judge"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func citation(state outcome.State) outcome.Item {
	e := scorecard.Evidence{File: "gate.py", Lines: scorecard.LineRange{First: 3, Last: 5}}
	return outcome.Item{Before: e, After: e, State: state}
}

func hits(before, after int, state outcome.State) outcome.Item {
	b := scorecard.Evidence{Search: "rg -n 'x'", Scope: "src", Hits: before}
	a := b
	a.Hits = after
	it := outcome.Item{Before: b, After: a, State: state}
	if after > before {
		it.New = []outcome.Line{{File: "src/a.py", Line: 1, Text: "x"}}
	}
	return it
}

func param(level scorecard.Level, sa bool, items ...outcome.Item) judge.Parameter {
	return judge.Parameter{
		Before: scorecard.Parameter{ID: scorecard.S, Level: level, SA: sa, Status: scorecard.Verified},
		Items:  items,
	}
}

func TestRule(t *testing.T) {
	for name, tc := range map[string]struct {
		in      judge.Parameter
		want    *judge.Ruling
		reasons string
	}{
		"everything holds": {
			in: param(3, false, citation(outcome.Intact), citation(outcome.Moved), citation(outcome.Reformatted)),
		},
		"all gone falls to L0": {
			in:      param(3, false, citation(outcome.Gone), citation(outcome.Gone)),
			want:    &judge.Ruling{Level: 0, Status: scorecard.Verified, Settled: true},
			reasons: "nothing it rested on is left: gate.py:3-5 gone; gate.py:3-5 gone.",
		},
		"one edited holds at L2 and waits": {
			in:      param(3, false, citation(outcome.Intact), citation(outcome.Edited)),
			want:    &judge.Ruling{Level: 2, Status: scorecard.Inferred},
			reasons: "no longer fully proven: gate.py:3-5 edited.",
		},
		"a low level is not raised to L2": {
			in:      param(1, false, citation(outcome.Edited)),
			want:    &judge.Ruling{Level: 1, Status: scorecard.Inferred},
			reasons: "no longer fully proven: gate.py:3-5 edited.",
		},
		"one gone of two is not all gone": {
			in:      param(2, false, citation(outcome.Gone), citation(outcome.Intact)),
			want:    &judge.Ruling{Level: 2, Status: scorecard.Inferred},
			reasons: "no longer fully proven: gate.py:3-5 gone.",
		},
		"L0 stays and may be an improvement": {
			in:      param(0, false, hits(0, 3, outcome.Edited)),
			want:    &judge.Ruling{Level: 0, Status: scorecard.Verified, Settled: true, PossibleImprovement: true},
			reasons: "stays L0, whose evidence changed: `rg -n 'x'` in `src`: 0 → 3 hits.",
		},
		"an unreadable L0 is no improvement": {
			in:      param(0, false, hits(0, 0, outcome.Unverifiable)),
			want:    &judge.Ruling{Level: 0, Status: scorecard.Verified, Settled: true},
			reasons: "stays L0, whose evidence changed: `rg -n 'x'` in `src`: unverifiable.",
		},
		"absence with a new hit is no longer proven": {
			in:      param(4, true, hits(0, 1, outcome.Edited)),
			want:    &judge.Ruling{Level: 2, Status: scorecard.Inferred},
			reasons: "the absence is no longer proven: `rg -n 'x'` in `src`: 0 → 1 hits.",
		},
		"absence with fewer hits is proven all the more": {
			in: param(4, true, hits(2, 1, outcome.Edited)),
		},
		"fewer hits do not prove a control": {
			in:      param(2, false, hits(2, 1, outcome.Edited)),
			want:    &judge.Ruling{Level: 2, Status: scorecard.Inferred},
			reasons: "no longer fully proven: `rg -n 'x'` in `src`: 2 → 1 hits.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := rule(tc.in)
			if tc.want == nil {
				require.False(t, ok, "nothing to rule on, got %+v", got)
				return
			}
			require.True(t, ok)
			assert.Equal(t, tc.reasons, got.Reason)
			got.Reason, got.Parameter = "", ""
			assert.Equal(t, *tc.want, got)
		})
	}
}

// The judge never raises a level, never calls a broken rating verified above L0,
// and says something whenever a rating of L1 or above has a broken item.
func TestRuleNeverRaises(t *testing.T) {
	states := []outcome.State{outcome.Intact, outcome.Moved, outcome.Reformatted, outcome.Edited, outcome.Gone, outcome.Unverifiable}
	rapid.Check(t, func(t *rapid.T) {
		var c judge.Case
		for i, id := range scorecard.ParameterIDs {
			p := judge.Parameter{Before: scorecard.Parameter{ID: id,
				Level: scorecard.Level(rapid.IntRange(0, 4).Draw(t, "level")), Status: scorecard.Verified}}
			if rapid.Bool().Draw(t, "sa") {
				p.Before.SA, p.Before.Level = true, scorecard.MaxLevel
			}
			for range rapid.IntRange(0, 4).Draw(t, "items") {
				st := rapid.SampledFrom(states).Draw(t, "state")
				if rapid.Bool().Draw(t, "search") {
					p.Items = append(p.Items, hits(rapid.IntRange(0, 3).Draw(t, "before"), rapid.IntRange(0, 3).Draw(t, "after"), st))
				} else {
					p.Items = append(p.Items, citation(st))
				}
			}
			c.Parameters[i] = p
		}
		rulings, err := Judge{}.Rule(context.Background(), c)
		require.NoError(t, err)
		said := map[scorecard.ParameterID]judge.Ruling{}
		for _, r := range rulings {
			said[r.Parameter] = r
		}
		for _, p := range c.Parameters {
			r, ok := said[p.Before.ID]
			if p.Broken() == 0 {
				require.False(t, ok)
				continue
			}
			if !p.Before.SA {
				require.True(t, ok, "a broken item must be ruled on")
			}
			if !ok {
				continue
			}
			require.LessOrEqual(t, r.Level, p.Before.Level)
			require.False(t, r.SA)
			require.NotEmpty(t, r.Reason)
			if r.Level > 0 {
				require.Equal(t, scorecard.Inferred, r.Status)
				require.False(t, r.Settled)
				require.LessOrEqual(t, r.Level, InferredMax)
			}
		}
	})
}
