package rescore

import (
	"context"
	"fmt"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Verify checks every evidence item of the card at the commit: cited files and
// lines exist and show the quote, searches give exactly their hits.
func (e *Engine) Verify(ctx context.Context, repo Repo, card *scorecard.Card, commit string) (*outcome.Verification, error) {
	m := e.meter(repo)
	v := &outcome.Verification{Commit: commit}
	v.Items, v.Warnings = places(card)
	items := make([]scorecard.Evidence, len(v.Items))
	for i := range v.Items {
		items[i] = v.Items[i].Evidence
	}
	checks, err := evidence.VerifyAll(ctx, repo.At(commit), items, m.search()...)
	if err != nil {
		return nil, fmt.Errorf("verify evidence at %.12s: %w", commit, err)
	}
	for i, c := range checks {
		v.Items[i].Expected, v.Items[i].Got, v.Items[i].State = c.Expected, c.Got, c.State
	}
	v.Cost = m.cost()
	return v, nil
}

// places lists every evidence item of the card in card order, and a warning for
// each parameter that has none.
func places(card *scorecard.Card) (out []outcome.VerifyItem, warnings []string) {
	for i := range card.Criteria {
		c := &card.Criteria[i]
		if c.Status == scorecard.StatusStructuralAbsence {
			for n, e := range c.AbsenceEvidence {
				out = append(out, outcome.VerifyItem{Criterion: c.ID, Place: fmt.Sprintf("absence evidence %d", n+1), Evidence: e})
			}
			continue
		}
		for j := range c.Mechanisms {
			m := &c.Mechanisms[j]
			for k := range m.Parameters {
				p := &m.Parameters[k]
				if len(p.Evidence) == 0 {
					warnings = append(warnings, fmt.Sprintf("%s %s %s has no evidence", c.ID, m.Kind, p.ID))
				}
				for n, e := range p.Evidence {
					out = append(out, outcome.VerifyItem{Criterion: c.ID, Mechanism: m.Kind, Parameter: p.ID,
						Place: fmt.Sprintf("%s evidence %d", p.ID, n+1), Evidence: e})
				}
			}
		}
	}
	for i := range card.CriticalGaps {
		g := &card.CriticalGaps[i]
		for n, e := range g.Evidence {
			out = append(out, outcome.VerifyItem{Criterion: g.Criterion,
				Place: fmt.Sprintf("critical gap %d evidence %d", i+1, n+1), Evidence: e})
		}
	}
	return out, warnings
}
