// Package cardrepo writes, for any scorecard, the files of a small repository in
// which the card verifies: lines of their own at every cited place, every quote in
// its place, exactly the recorded hits for every search. With it a card can be
// mutated, rescored and replayed although its real repository is not at hand.
//
// It is pure. It may import scorecard, plan, search and rubric.
package cardrepo
