package cardfile

import (
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// MarkdownView returns the part of a card that report Markdown can hold, as it
// reads back from a report. A report does not hold:
//
//   - the entry's id, and the OWASP labels and question of a criterion, which
//     follow from the name and the method;
//   - the quotes of citations (contains);
//   - the label of a criterion's only mechanism, the reason of a cap on a mechanism
//     that is not counted, and any cap beside the one that limits the mechanism;
//   - ratings of a criterion that is absent as a whole, beside the evidence for it;
//   - line breaks and outer white space, but for the headline and the summaries.
func MarkdownView(card *scorecard.Card) *scorecard.Card {
	c := card.Clone()
	c.Printed = nil
	c.SchemaVersion, c.ScorecardVersion = scorecard.SchemaVersion, rubric.Version
	for _, s := range []*string{&c.Name, &c.Description, &c.ScoredConfiguration, &c.Version, &c.RepoURL, &c.Subpath,
		&c.PinnedCommit, &c.ScoredDate, &c.RuleOfTwo.UntrustedInput, &c.RuleOfTwo.SensitiveData, &c.RuleOfTwo.StateChangeOrEgress} {
		*s = oneLine(*s)
	}
	c.ID = agentID(c.Name, c.RepoURL)
	c.Headline = strings.Join(textLines(c.Headline), "\n")
	c.Profile = someOf(c.Profile)
	for i := range c.Criteria {
		viewCriterion(&c.Criteria[i])
	}
	for i := range c.CriticalGaps {
		g := &c.CriticalGaps[i]
		g.Summary, g.OWASP = oneLine(g.Summary), someOf(g.OWASP)
		g.Evidence = viewEvidence(g.Evidence)
	}
	for i := range c.Fixes {
		c.Fixes[i].Summary, c.Fixes[i].Playbook = oneLine(c.Fixes[i].Summary), oneLine(c.Fixes[i].Playbook)
	}
	for i := range c.ReauditLog {
		c.ReauditLog[i].Reason = oneLine(c.ReauditLog[i].Reason)
	}
	for i := range c.Limitations {
		c.Limitations[i] = oneLine(c.Limitations[i])
	}
	c.Criteria, c.CriticalGaps, c.Fixes = someOf(c.Criteria), someOf(c.CriticalGaps), someOf(c.Fixes)
	c.ReauditLog, c.Limitations = someOf(c.ReauditLog), someOf(c.Limitations)
	return c
}

// someOf makes an empty list nil, so that equal cards are deeply equal.
func someOf[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return s
}

func viewCriterion(c *scorecard.Criterion) {
	c.Name, c.Notes = oneLine(c.Name), oneLine(c.Notes)
	c.Summary = strings.Join(textLines(c.Summary), "\n")
	c.AbsenceEvidence = viewEvidence(c.AbsenceEvidence)
	if h, ok := rubric.Head(c.ID); ok {
		c.OWASP, c.Question = slices.Clone(h.OWASP), h.Question
	}
	if c.Absent() {
		c.Mechanisms = []scorecard.Mechanism{scorecard.AbsentMechanism(c.AbsenceEvidence)}
		return
	}
	c.AbsenceEvidence = nil
	counted := c.Counted()
	for i := range c.Mechanisms {
		m := &c.Mechanisms[i]
		m.Label = oneLine(m.Label)
		if len(c.Mechanisms) == 1 {
			m.Label = defaultLabel
		}
		m.Caps = viewCaps(m, m == counted)
		for j := range m.Parameters {
			p := &m.Parameters[j]
			p.Finding, p.Gap = oneLine(p.Finding), oneLine(p.Gap)
			p.Evidence = viewEvidence(p.Evidence)
		}
	}
}

func viewCaps(m *scorecard.Mechanism, counted bool) []scorecard.Cap {
	limit, _, ok := m.EffectiveCap()
	if !ok {
		return nil
	}
	limit.Reason = oneLine(limit.Reason)
	if !counted {
		limit.Reason = standardReason(limit.ID)
	}
	return []scorecard.Cap{limit}
}

func viewEvidence(items []scorecard.Evidence) []scorecard.Evidence {
	for i := range items {
		items[i].Contains = ""
		items[i].Note = oneLine(items[i].Note)
	}
	return someOf(items)
}
