package rescore

import (
	"context"
	"fmt"

	"github.com/rescore-app/rescore/internal/judge"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// rulings holds what was ruled on the four parameters of one mechanism.
type rulings [4]*judge.Ruling

// work takes one active criterion through the judges and writes the result to
// the card at head and to the outcome.
func (s *step) work(ctx context.Context, before, after *scorecard.Criterion, out *outcome.Criterion) error {
	out.Verdict = outcome.Reverified
	for i := range before.Mechanisms {
		m := &before.Mechanisms[i]
		c := s.caseOf(before.ID, m)
		ruled, err := s.judge(ctx, c)
		if err != nil {
			return err
		}
		applied := s.apply(ctx, before, &after.Mechanisms[i], c, ruled)
		out.Mechanisms = append(out.Mechanisms, outcome.Mechanism{Kind: m.Kind, Parameters: applied})
		for _, r := range ruled {
			out.Verdict = worse(out.Verdict, r)
			if r != nil && r.PossibleImprovement {
				addFlag(out, outcome.PossibleImprovement)
			}
		}
		if c.Broken() && len(m.Caps) > 0 {
			addFlag(out, outcome.CapInQuestion)
		}
	}
	s.wholeAbsence(before, after)
	s.gaps(ctx, before.ID, out)
	return nil
}

func (s *step) caseOf(id string, m *scorecard.Mechanism) judge.Case {
	c := judge.Case{Criterion: id, Mechanism: m.Kind, Caps: m.Caps}
	for j := range m.Parameters {
		c.Parameters[j] = judge.Parameter{Before: m.Parameters[j], Items: s.items(m.Parameters[j].Evidence)}
	}
	return c
}

func (s *step) items(evidence []scorecard.Evidence) []outcome.Item {
	out := make([]outcome.Item, len(evidence))
	for i, e := range evidence {
		out[i] = s.followed[e]
	}
	return out
}

// judge asks the judges in order until everything is settled.
func (s *step) judge(ctx context.Context, c judge.Case) (rulings, error) {
	var out rulings
	if !c.Broken() {
		return out, nil
	}
	for _, j := range s.engine.opts.Judges {
		rs, err := j.Rule(ctx, c)
		if err != nil {
			return out, fmt.Errorf("judge %s on %s: %w", j.Name(), c.Criterion, err)
		}
		for _, r := range rs {
			k := indexOf(r.Parameter)
			if cur := out[k]; cur != nil && cur.Settled {
				continue // what is settled stays settled
			}
			r.By = j.Name()
			out[k] = &r
			c.Parameters[k].Current = &r
		}
	}
	clamp(&out, c)
	return out, nil
}

// clamp keeps C and D at most one level above S after S fell (rule of the
// method; SA is free of it).
func clamp(rs *rulings, c judge.Case) {
	s := rs[0]
	if s == nil || s.SA || s.Level >= c.Parameters[0].Before.Level {
		return
	}
	for k := 1; k <= 2; k++ {
		p := c.Parameters[k].Before
		level, sa := p.Level, p.SA
		if rs[k] != nil {
			level, sa = rs[k].Level, rs[k].SA
		}
		if sa || level <= s.Level+1 {
			continue
		}
		r := judge.Ruling{Parameter: p.ID, Status: p.Status, Settled: s.Settled}
		if rs[k] != nil {
			r = *rs[k]
		} else {
			r.By = ruleName
			r.Reason = fmt.Sprintf("%s stands at most one level above S, which is now %s.", p.ID, s.Level)
		}
		r.Level = s.Level + 1
		rs[k] = &r
	}
}

// ruleName is who decided where a level follows from the method itself.
const ruleName = "rule"

func indexOf(id scorecard.ParameterID) int {
	for i, p := range scorecard.ParameterIDs {
		if p == id {
			return i
		}
	}
	panic(fmt.Sprintf("rescore: a judge ruled on unknown parameter %q", id))
}

// worse returns the verdict that the ruling leads to, if it is worse than v.
func worse(v outcome.Verdict, r *judge.Ruling) outcome.Verdict {
	switch {
	case r == nil || v == outcome.NeedsReview:
		return v
	case r.Settled:
		return outcome.Rejudged
	default:
		return outcome.NeedsReview
	}
}

func addFlag(c *outcome.Criterion, f outcome.Flag) {
	for _, have := range c.Flags {
		if have == f {
			return
		}
	}
	c.Flags = append(c.Flags, f)
}
