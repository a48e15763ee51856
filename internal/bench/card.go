package bench

import (
	"fmt"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
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
	c := &scorecard.Card{
		SchemaVersion: scorecard.SchemaVersion, ScorecardVersion: rubric.Version, ID: "bench", Name: "Bench",
		RepoURL: "https://github.com/acme/bench", Description: "A generated agent.", Category: "coding",
		PinnedCommit: commit, ScoredDate: "2026-01-02", ScoredConfiguration: "As generated.", Headline: "Holds.",
		RuleOfTwo:   scorecard.RuleOfTwo{UntrustedInput: "none", SensitiveData: "none", StateChangeOrEgress: "none"},
		Limitations: []string{"Generated."},
	}
	for _, id := range scorecard.Capabilities {
		c.Profile = append(c.Profile, scorecard.Capability{ID: id, Value: "yes"})
	}
	for i, h := range rubric.Heads() {
		m := scorecard.Mechanism{Kind: scorecard.Default, Label: "default configuration"}
		for k, id := range scorecard.ParameterIDs {
			file := citedFile(4*i + k)
			m.Parameters[k] = scorecard.Parameter{ID: id, Level: 2, Status: scorecard.Verified, Finding: "Stands.", Gap: "One more.",
				Evidence: []scorecard.Evidence{{File: file, Lines: scorecard.LineRange{First: citedFirst, Last: citedLast}, Contains: line(file, citedFirst)}}}
		}
		m.Parameters[0].Evidence = append(m.Parameters[0].Evidence,
			scorecard.Evidence{Search: fmt.Sprintf(`rg -n -i '%s' -g '*.py'`, pattern(i)), Scope: scope})
		c.Criteria = append(c.Criteria, scorecard.Criterion{ID: h.ID, Name: h.Name, OWASP: h.OWASP, Question: h.Question,
			Summary: "It stands.", Status: scorecard.StatusScored, Mechanisms: []scorecard.Mechanism{m}})
	}
	scorecard.Normalize(c)
	return c
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
