package bench

import (
	"fmt"

	"github.com/rescore-app/rescore/internal/cardrepo"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// The cited lines of every cited file.
const (
	citedFirst = 11
	citedLast  = 18
)

// NarrowCard cites 40 files and holds ten searches over the directory they are in.
// The searches find nothing.
func NarrowCard(commit string) *scorecard.Card { return card(commit, "agent") }

// WideCard is NarrowCard with its ten searches over the whole tree.
func WideCard(commit string) *scorecard.Card { return card(commit, ".") }

func card(commit, scope string) *scorecard.Card {
	return cardrepo.Plain("bench", commit, func(criterion, parameter int) []scorecard.Evidence {
		file := citedFile(4*criterion + parameter)
		out := []scorecard.Evidence{{File: file, Lines: scorecard.LineRange{First: citedFirst, Last: citedLast}, Contains: line(file, citedFirst)}}
		if parameter == 0 {
			out = append(out, scorecard.Evidence{Search: fmt.Sprintf(`rg -n -i '%s' -g '*.py'`, pattern(criterion)), Scope: scope})
		}
		return out
	})
}

// pattern is what the i-th search looks for and does not find.
func pattern(i int) string { return fmt.Sprintf(`approve_%d|confirm_%d\(|deny_%d`, i, i, i) }

// searchCommands are the card's searches as a script would run them.
func searchCommands(card *scorecard.Card, scope string) [][]string {
	var out [][]string
	for i := range card.Criteria {
		out = append(out, []string{"rg", "-n", "-i", pattern(i), "-g", "*.py", scope})
	}
	return out
}

// citationCommands fetch every cited file at a commit, as a script would to look
// at its lines.
func citationCommands(card *scorecard.Card, commit string) [][]string {
	var out [][]string
	for i := range card.Criteria {
		for _, p := range card.Criteria[i].Mechanisms[0].Parameters {
			out = append(out, []string{"git", "show", commit + ":" + p.Evidence[0].File})
		}
	}
	return out
}
