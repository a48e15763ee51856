package plan

import (
	"fmt"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// field is one piece of prose of a card.
type field struct {
	where, criterion string
	text             *string
}

// walk visits the prose of the card in card order.
func walk(card *scorecard.Card, visit func(field)) {
	visit(field{"headline", "", &card.Headline})
	for i := range card.CriticalGaps {
		g := &card.CriticalGaps[i]
		visit(field{fmt.Sprintf("critical_gaps.%d.summary", i+1), g.Criterion, &g.Summary})
	}
	for i := range card.Criteria {
		walkCriterion(&card.Criteria[i], visit)
	}
	visit(field{"rule_of_two.untrusted_input", "", &card.RuleOfTwo.UntrustedInput})
	visit(field{"rule_of_two.sensitive_data", "", &card.RuleOfTwo.SensitiveData})
	visit(field{"rule_of_two.state_change_or_egress", "", &card.RuleOfTwo.StateChangeOrEgress})
	for i := range card.Fixes {
		visit(field{fmt.Sprintf("fixes.%d.summary", i+1), "", &card.Fixes[i].Summary})
	}
	for i := range card.Limitations {
		visit(field{fmt.Sprintf("limitations.%d", i+1), "", &card.Limitations[i]})
	}
}

func walkCriterion(c *scorecard.Criterion, visit func(field)) {
	visit(field{c.ID + ".summary", c.ID, &c.Summary})
	for i := range c.Mechanisms {
		m := &c.Mechanisms[i]
		prefix := c.ID + "."
		if m.Kind == scorecard.Alt {
			prefix += "alt."
		}
		for j := range m.Parameters {
			p := &m.Parameters[j]
			visit(field{prefix + string(p.ID) + ".finding", c.ID, &p.Finding})
			visit(field{prefix + string(p.ID) + ".gap", c.ID, &p.Gap})
		}
		for j := range m.Caps {
			visit(field{prefix + "cap", c.ID, &m.Caps[j].Reason})
		}
	}
	visit(field{c.ID + ".notes", c.ID, &c.Notes})
}
