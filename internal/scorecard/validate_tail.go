package scorecard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/rubric"
)

func (v *validator) gaps() {
	listed := map[string]bool{}
	if n := len(v.card.CriticalGaps); n > MaxList {
		v.fail("critical gaps", ruleGapForm, "join them", "%d are more than %d", n, MaxList)
	}
	for i, g := range v.card.CriticalGaps {
		place := fmt.Sprintf("critical gap %d", i+1)
		if _, known := rubric.Head(g.Criterion); !known {
			v.fail(place, ruleGapForm, "use C1 to C10", "%q is not a criterion", clip(g.Criterion))
		}
		listed[g.Criterion] = true
		v.text(place+" summary", g.Summary, MaxText)
		if len(g.OWASP) == 0 || len(g.OWASP) > MaxList {
			v.soft(place, ruleGapForm, "add the labels, for example ASI05", "has %d OWASP labels", len(g.OWASP))
		}
		for _, label := range g.OWASP {
			v.text(place+" OWASP label", label, MaxName)
		}
		if len(g.Evidence) == 0 {
			v.soft(place, ruleGapForm, "cite the lines", "has no evidence")
		}
		v.evidence(place, g.Evidence)
		v.quoted(place, ruleQuote, "a critical gap", g.Evidence)
	}
	for _, owed := range owedGaps(v.card) {
		if !listed[owed.criterion] {
			v.soft("critical gaps", ruleCritical, "add a critical gap for "+owed.criterion, "%s owes one: %s", owed.criterion, owed.why)
		}
	}
}

func (v *validator) tail() {
	t := v.card.RuleOfTwo
	for _, leg := range []struct{ place, text string }{
		{"Rule-of-Two untrusted input", t.UntrustedInput}, {"Rule-of-Two sensitive data", t.SensitiveData},
		{"Rule-of-Two state change or egress", t.StateChangeOrEgress},
	} {
		if strings.TrimSpace(leg.text) == "" {
			v.soft(leg.place, ruleTwo, "write it", "is empty")
		}
		v.optional(leg.place, leg.text, MaxText, false)
	}
	v.fixes()
	v.log()
	if n := len(v.card.Limitations); n == 0 || n > MaxList {
		v.soft("limitations", ruleLimits, "state what was not looked at", "the card states %d", n)
	}
	for i, text := range v.card.Limitations {
		v.text(fmt.Sprintf("limitation %d", i+1), text, MaxText)
	}
}

func (v *validator) fixes() {
	if n := len(v.card.Fixes); n > MaxFixes {
		v.soft("improvements", ruleFixes, "keep those with the highest gain", "%d are more than %d", n, MaxFixes)
	}
	for i, f := range v.card.Fixes {
		place := fmt.Sprintf("improvement %d", i+1)
		v.text(place+" summary", f.Summary, MaxText)
		v.optional(place+" playbook", f.Playbook, MaxName, false)
		if f.From < 0 || f.To > MaxLevel || f.From >= f.To {
			v.soft(place, ruleFixes, "name the level now and a higher one", "%s to %s is no improvement", f.From, f.To)
		}
		if !slices.Contains(ParameterIDs[:], f.Parameter) {
			v.fail(place, ruleFixes, "use S, C, D or B", "%q is not a parameter", clip(string(f.Parameter)))
			continue
		}
		c := v.card.ByID(f.Criterion)
		if c == nil {
			v.fail(place, ruleFixes, "use C1 to C10", "%q is not a criterion of the card", clip(f.Criterion))
			continue
		}
		if !slices.ContainsFunc(c.Mechanisms, func(m Mechanism) bool {
			p := m.ByID(f.Parameter)
			return !p.SA && p.Level == f.From
		}) {
			v.warn(place, ruleFixes, "bring it up to date", "%s %s is not at %s any more", f.Criterion, f.Parameter, f.From)
		}
	}
}

var levelWords = []string{"L0", "L1", "L2", "L3", "L4", "SA"}

func (v *validator) log() {
	for i, e := range v.card.ReauditLog {
		place := fmt.Sprintf("re-audit log %d", i+1)
		if _, known := rubric.Head(e.Criterion); !known || !slices.Contains(ParameterIDs[:], e.Parameter) {
			v.fail(place, ruleLog, "name a criterion and a parameter", "%q %q is not a parameter of the card", clip(e.Criterion), clip(string(e.Parameter)))
		}
		if !slices.Contains(levelWords, e.From) || !slices.Contains(levelWords, e.To) {
			v.fail(place, ruleLog, "use L0 to L4 or SA", "%q to %q is not a change of level", clip(e.From), clip(e.To))
		}
		v.text(place+" reason", e.Reason, MaxText)
	}
}
