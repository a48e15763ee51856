package cardrepo

import (
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// Plain is a valid card that rates everything L2 and rests on the given evidence, by the
// number of the criterion and of the parameter, both from 0.
func Plain(id, commit string, evidence func(criterion, parameter int) []scorecard.Evidence) *scorecard.Card {
	c := &scorecard.Card{
		SchemaVersion: scorecard.SchemaVersion, ScorecardVersion: rubric.Version, ID: id, Name: id,
		RepoURL: "https://github.com/acme/" + id, Description: "A generated agent.", Category: "coding",
		PinnedCommit: commit, ScoredDate: "2026-01-02", ScoredConfiguration: "As generated.", Headline: "Holds.",
		RuleOfTwo:   scorecard.RuleOfTwo{UntrustedInput: "none", SensitiveData: "none", StateChangeOrEgress: "none"},
		Limitations: []string{"Generated."},
	}
	for _, name := range scorecard.Capabilities {
		c.Profile = append(c.Profile, scorecard.Capability{ID: name, Value: "yes"})
	}
	for i, h := range rubric.Heads() {
		m := scorecard.Mechanism{Kind: scorecard.Default, Label: "default configuration"}
		for k, name := range scorecard.ParameterIDs {
			m.Parameters[k] = scorecard.Parameter{ID: name, Level: 2, Status: scorecard.Verified, Finding: "Stands.", Gap: "One more.", Evidence: evidence(i, k)}
		}
		c.Criteria = append(c.Criteria, scorecard.Criterion{ID: h.ID, Name: h.Name, OWASP: h.OWASP, Question: h.Question,
			Summary: "It stands.", Status: scorecard.StatusScored, Mechanisms: []scorecard.Mechanism{m}})
	}
	scorecard.Normalize(c)
	return c
}
