package report

import (
	"fmt"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
)

// nextSteps says what a developer can do, in the order of what matters. Its
// sentences are our own and hold nothing of the repository but criterion ids.
func nextSteps(v *view) []string {
	var out []string
	if names := v.places(func(p *outcome.Parameter) bool { return p.NeedsReview }); len(names) > 0 {
		out = append(out, fmt.Sprintf("Read the changed lines against the finding of %s. "+
			"If the control still does what the card says, point the card at the new lines; "+
			"if it does not, restore it or lower the level.", list(names, maxNamed)))
	} else if ids := v.under(outcome.NeedsReview); len(ids) > 0 {
		out = append(out, fmt.Sprintf("Read the changed evidence of %s and decide whether the card still tells the truth.", list(ids, maxNamed)))
	}
	settled := func(p *outcome.Parameter) bool { return fell(p) && !p.NeedsReview }
	if names := v.places(settled); len(names) > 0 {
		out = append(out, fmt.Sprintf("Where %s fell: restore the control, or cite in the card what replaces it.", list(names, maxNamed)))
	}
	if len(v.o.NewGaps) > 0 {
		out = append(out, fmt.Sprintf("%s now %s a critical gap: describe it in the card, or close it.",
			list(v.o.NewGaps, maxNamed), owes(len(v.o.NewGaps))))
	}
	if len(v.caps) > 0 {
		out = append(out, fmt.Sprintf("The cap on %s stays until somebody shows that its cause is gone.", list(v.caps, maxNamed)))
	}
	if len(v.improved) > 0 {
		out = append(out, fmt.Sprintf("The card records a lack in %s and the code there changed: "+
			"if the lack is gone, re-audit it. No level rises by itself.", list(v.improved, maxNamed)))
	}
	return out
}

func owes(n int) string {
	if n == 1 {
		return "owes"
	}
	return "owe"
}

// places names the parameters of touched criteria that match.
func (v *view) places(match func(*outcome.Parameter) bool) []string {
	var out []string
	for i := range v.o.Criteria {
		c := &v.o.Criteria[i]
		for j := range c.Mechanisms {
			m := &c.Mechanisms[j]
			for k := range m.Parameters {
				if match(&m.Parameters[k]) {
					out = append(out, place(c.ID, m.Kind, m.Parameters[k].ID))
				}
			}
		}
	}
	return out
}

// askWords says how to ask the app again about the criteria.
func askWords(ids []string) string {
	return "`/rescore " + strings.Join(ids, " ") + "` asks the configured judges again; `/rescore all` re-verifies every criterion."
}

// askAgain lists the criteria for which asking for a re-audit makes sense.
func (v *view) askAgain() []string {
	var ids []string
	for i := range v.o.Criteria {
		c := &v.o.Criteria[i]
		if c.Verdict == outcome.NeedsReview || len(c.Flags) > 0 {
			ids = append(ids, c.ID)
		}
	}
	return ids
}
