package rescore

import (
	"context"
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/judge"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// apply writes the four parameters of one mechanism to the card at head and
// returns them for the outcome.
func (s *step) apply(ctx context.Context, c *scorecard.Criterion, after *scorecard.Mechanism, jc judge.Case, ruled rulings) []outcome.Parameter {
	out := make([]outcome.Parameter, 0, len(ruled))
	for k, r := range ruled {
		p := &after.Parameters[k]
		before := jc.Parameters[k].Before
		p.Evidence = s.standing(ctx, jc.Parameters[k].Items)
		op := outcome.Parameter{ID: p.ID, Before: before, Items: jc.Parameters[k].Items}
		if r != nil {
			rewrite(c, p, before, *r)
			op.DecidedBy, op.NeedsReview = r.By, !r.Settled
			s.log(c.ID, after.Kind, before, *p, *r)
		}
		op.After = *p
		out = append(out, op)
	}
	return out
}

// rewrite sets level and status as ruled, and the words that go with them.
func rewrite(c *scorecard.Criterion, p *scorecard.Parameter, before scorecard.Parameter, r judge.Ruling) {
	p.Level, p.SA, p.Status = r.Level, r.SA, r.Status
	if p.SA == before.SA && p.Level == before.Level {
		return
	}
	p.Gap = nextLevel(c.ID, p.ID, p.Level)
	switch {
	case before.SA:
		p.Finding = fmt.Sprintf("Scored absent before; %s", r.Reason)
	case p.Level == 0:
		p.Finding = fmt.Sprintf("No evidence is left for what was rated %s: %s", before.Level, before.Finding)
	}
}

// nextLevel is what the method asks for one level above.
func nextLevel(criterion string, p scorecard.ParameterID, level scorecard.Level) string {
	if level >= scorecard.MaxLevel {
		return ""
	}
	c, err := rubric.Criterion(criterion)
	if err != nil {
		return "Show evidence for the next level."
	}
	return c.Anchors[string(p)][level+1]
}

// standing is the evidence as it stands at head: held and edited items at their
// new place, lost ones dropped. A parameter that would be left with nothing gets
// a search that proves what is missing.
func (s *step) standing(ctx context.Context, items []outcome.Item) []scorecard.Evidence {
	var out []scorecard.Evidence
	for _, it := range items {
		if it.State != outcome.Gone && !slices.Contains(out, it.After) {
			out = append(out, it.After)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, it := range items {
		if e, ok := s.absence(ctx, it); ok {
			return []scorecard.Evidence{e}
		}
	}
	return out
}

// log records a change of level in the outcome and in the card's own log.
func (s *step) log(criterion string, kind scorecard.MechanismKind, before, after scorecard.Parameter, r judge.Ruling) {
	from, to := before.LevelString(), after.LevelString()
	if from == to {
		return
	}
	s.out.Log = append(s.out.Log, outcome.LogEntry{
		Criterion: criterion, Parameter: before.ID, Mechanism: kind, From: from, To: to, By: r.By, Reason: r.Reason,
	})
	s.after.ReauditLog = append(s.after.ReauditLog, scorecard.LogEntry{
		Criterion: criterion, Parameter: before.ID, From: from, To: to, Reason: r.Reason,
	})
	for i := range s.after.Fixes {
		f := &s.after.Fixes[i]
		if kind == scorecard.Default && f.Criterion == criterion && f.Parameter == before.ID && after.Level < f.To {
			f.From = after.Level
		}
	}
}

// wholeAbsence keeps the criterion's absence evidence in step with its
// parameters, and ends the absence when it is no longer proven.
func (s *step) wholeAbsence(before, after *scorecard.Criterion) {
	if before.Status != scorecard.StatusStructuralAbsence {
		return
	}
	after.AbsenceEvidence = slices.Clone(after.Mechanisms[0].Parameters[0].Evidence)
	for _, p := range after.Mechanisms[0].Parameters {
		if !p.SA {
			after.Status, after.AbsenceEvidence = scorecard.StatusScored, nil
			after.Mechanisms[0].Label = "default configuration"
			return
		}
	}
}

// gaps brings the criterion's critical gaps to head. A gap says that something
// is missing, so its evidence changing may be an improvement; it stays listed.
func (s *step) gaps(ctx context.Context, id string, out *outcome.Criterion) {
	for i := range s.in.card.CriticalGaps {
		g := &s.in.card.CriticalGaps[i]
		if g.Criterion != id || len(g.Evidence) == 0 {
			continue
		}
		items := s.items(g.Evidence)
		s.after.CriticalGaps[i].Evidence = s.standing(ctx, items)
		out.Gaps = append(out.Gaps, outcome.Gap{Summary: g.Summary, Items: items})
		for _, it := range items {
			if it.State.Holds() {
				continue
			}
			addFlag(out, outcome.PossibleImprovement)
			if out.Verdict == outcome.Reverified {
				out.Verdict = outcome.Rejudged
			}
		}
	}
}
