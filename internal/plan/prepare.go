package plan

import (
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// Prepare parses the searches of a card ahead of Make, which finds them remembered
// by package search. It is for the time in which git still works on the changes:
// what is wrong with a search is Make's to say.
func Prepare(card *scorecard.Card) {
	for i := range card.Criteria {
		for e := range Evidence(card, &card.Criteria[i]) {
			if e.IsSearch() {
				_, _ = search.Parse(e.Search, e.Scope) // Make asks again
			}
		}
	}
}
