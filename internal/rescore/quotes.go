package rescore

import (
	"context"
	"fmt"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Quote gives every citation of the card that has no quote one from its lines at
// the card's pinned commit. It returns how many got one, and how many did not
// because their lines are not there: those Verify names.
func Quote(ctx context.Context, repo Repo, card *scorecard.Card) (given, missing int, err error) {
	var places []*scorecard.Evidence
	var items []scorecard.Evidence
	for _, e := range citations(card) {
		if e.Contains == "" {
			places, items = append(places, e), append(items, *e)
		}
	}
	quotes, err := evidence.Quotes(ctx, repo.At(card.PinnedCommit), items)
	if err != nil {
		return 0, 0, fmt.Errorf("quote the cited lines at %.12s: %w", card.PinnedCommit, err)
	}
	for i, e := range places {
		if e.Contains = quotes[i]; e.Contains == "" {
			missing++
		} else {
			given++
		}
	}
	return given, missing, nil
}

// citations returns every citation of the card, in place.
func citations(card *scorecard.Card) []*scorecard.Evidence {
	var out []*scorecard.Evidence
	add := func(list []scorecard.Evidence) {
		for i := range list {
			if !list[i].IsSearch() {
				out = append(out, &list[i])
			}
		}
	}
	for i := range card.Criteria {
		c := &card.Criteria[i]
		add(c.AbsenceEvidence)
		for j := range c.Mechanisms {
			for k := range c.Mechanisms[j].Parameters {
				add(c.Mechanisms[j].Parameters[k].Evidence)
			}
		}
	}
	for i := range card.CriticalGaps {
		add(card.CriticalGaps[i].Evidence)
	}
	return out
}
