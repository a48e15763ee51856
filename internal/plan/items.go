package plan

import (
	"iter"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// Evidence lists everything the criterion rests on: the evidence of its
// mechanisms, that of a whole absence, and that of the critical gaps that name
// it, in card order. Items may repeat.
func Evidence(card *scorecard.Card, c *scorecard.Criterion) iter.Seq[scorecard.Evidence] {
	return func(yield func(scorecard.Evidence) bool) {
		for _, list := range lists(card, c) {
			for _, e := range list {
				if !yield(e) {
					return
				}
			}
		}
	}
}

func lists(card *scorecard.Card, c *scorecard.Criterion) [][]scorecard.Evidence {
	var out [][]scorecard.Evidence
	for i := range c.Mechanisms {
		for j := range c.Mechanisms[i].Parameters {
			out = append(out, c.Mechanisms[i].Parameters[j].Evidence)
		}
	}
	out = append(out, c.AbsenceEvidence)
	for i := range card.CriticalGaps {
		if card.CriticalGaps[i].Criterion == c.ID {
			out = append(out, card.CriticalGaps[i].Evidence)
		}
	}
	return out
}
