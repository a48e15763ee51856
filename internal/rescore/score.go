package rescore

import (
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// score fills in every figure of the outcome: before, after, and the interval
// between "every unproven rating is void" and "all of them hold".
func (s *step) score() {
	low, high := s.after.Clone(), s.in.card.Clone()
	for i := range s.out.Criteria {
		s.bounds(&s.out.Criteria[i], &low.Criteria[i], &high.Criteria[i])
	}
	scorecard.Normalize(low)
	scorecard.Normalize(high)
	for i := range s.out.Criteria {
		o, before, after := &s.out.Criteria[i], &s.in.card.Criteria[i], &s.after.Criteria[i]
		o.Counted = after.Counted().Kind
		o.CapBefore, o.CapAfter = capID(before.Counted()), capID(after.Counted())
		o.Score = span(before.Score(), after.Score(), low.Criteria[i].Score(), high.Criteria[i].Score())
	}
	s.out.Score = span(s.in.card.Total(), s.after.Total(), low.Total(), high.Total())
	s.out.BandBefore = scorecard.BandOf(s.in.card.Total()).Label
	s.out.BandAfter = scorecard.BandOf(s.after.Total()).Label
}

// span widens the interval so that it always holds the score itself: raising a
// level may add a cap's bind elsewhere, and no reader should see a score outside
// its own interval.
func span(before, after, low, high int) outcome.Span {
	return outcome.Span{Before: before, After: after, Low: min(low, after), High: max(high, after)}
}

// bounds turns the two copies of one criterion into its worst and best reading.
// low starts as the card at head, high as the card at base.
func (s *step) bounds(o *outcome.Criterion, low, high *scorecard.Criterion) {
	for i := range o.Mechanisms {
		m := &o.Mechanisms[i]
		for k := range m.Parameters {
			p := &m.Parameters[k]
			switch {
			case p.NeedsReview:
				v := &low.Mechanisms[i].Parameters[k]
				v.Level, v.SA = 0, false
			case p.DecidedBy != "":
				v := &high.Mechanisms[i].Parameters[k]
				v.Level, v.SA = p.After.Level, p.After.SA
			}
		}
		limitByStrength(&low.Mechanisms[i])
	}
	if slices.ContainsFunc(o.Mechanisms, func(m outcome.Mechanism) bool {
		return slices.ContainsFunc(m.Parameters, func(p outcome.Parameter) bool { return p.NeedsReview })
	}) {
		low.Status = scorecard.StatusScored
	}
}

// limitByStrength keeps C and D at most one level above S.
func limitByStrength(m *scorecard.Mechanism) {
	if m.Parameters[0].SA {
		return
	}
	for k := 1; k <= 2; k++ {
		if p := &m.Parameters[k]; !p.SA {
			p.Level = min(p.Level, m.Parameters[0].Level+1)
		}
	}
}

func capID(m *scorecard.Mechanism) string {
	c, _, ok := m.EffectiveCap()
	if !ok {
		return ""
	}
	return c.ID
}

// gapsOwed adds what the method demands of the card at head: caps that follow
// from a level, and a critical gap wherever a rating fell that far.
func (s *step) gapsOwed() {
	scorecard.Normalize(s.after)
	owedBefore := scorecard.OwedGaps(s.in.card)
	for _, id := range scorecard.OwedGaps(s.after) {
		if slices.Contains(owedBefore, id) {
			continue
		}
		s.out.NewGaps = append(s.out.NewGaps, id)
		listed := slices.ContainsFunc(s.after.CriticalGaps, func(g scorecard.CriticalGap) bool { return g.Criterion == id })
		if !listed {
			s.after.CriticalGaps = append(s.after.CriticalGaps, newGap(s.after.ByID(id)))
		}
	}
}

// newGap writes the critical gap that a fallen rating owes.
func newGap(c *scorecard.Criterion) scorecard.CriticalGap {
	m := c.ByKind(scorecard.Default)
	b := m.ByID(scorecard.B)
	g := scorecard.CriticalGap{Criterion: c.ID, OWASP: slices.Clone(c.OWASP), Evidence: slices.Clone(b.Evidence)}
	if cp, _, ok := m.EffectiveCap(); ok && b.Level > 0 {
		g.Summary = fmt.Sprintf("%s is limited by %s: %s", c.Name, cp.ID, cp.Reason)
	} else {
		g.Summary = fmt.Sprintf("Blast radius of %s fell to L0: %s", c.Name, b.Finding)
	}
	return g
}
