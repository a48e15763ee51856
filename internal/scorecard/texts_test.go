package scorecard_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	. "github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

// textFields names every text of a card; needed says whether it must be there.
var textFields = []struct {
	place  string
	needed bool
	field  func(*Card) *string
}{
	{"name", true, func(c *Card) *string { return &c.Name }},
	{"version", false, func(c *Card) *string { return &c.Version }},
	{"description", true, func(c *Card) *string { return &c.Description }},
	{"scored configuration", true, func(c *Card) *string { return &c.ScoredConfiguration }},
	{"headline", true, func(c *Card) *string { return &c.Headline }},
	{"C1 name", true, func(c *Card) *string { return &c.Criteria[0].Name }},
	{"C1 question", true, func(c *Card) *string { return &c.Criteria[0].Question }},
	{"C1 summary", true, func(c *Card) *string { return &c.Criteria[0].Summary }},
	{"C1 notes", false, func(c *Card) *string { return &c.Criteria[0].Notes }},
	{"C1 default label", true, func(c *Card) *string { return &c.Criteria[0].Mechanisms[0].Label }},
	{"C4 alt cap G1 reason", true, func(c *Card) *string { return &mech(c, "C4", Alt).Caps[0].Reason }},
	{"C1 default S finding", true, func(c *Card) *string { return &par(c, "C1", S).Finding }},
	{"C1 default S gap", true, func(c *Card) *string { return &par(c, "C1", S).Gap }},
	{"C1 default S evidence 1 quote", false, func(c *Card) *string { return &par(c, "C1", S).Evidence[0].Contains }},
	{"C1 default S evidence 1 note", false, func(c *Card) *string { return &par(c, "C1", S).Evidence[0].Note }},
	{"C1 default S evidence 2 command", false, func(c *Card) *string { return &par(c, "C1", S).Evidence[1].Search }},
	{"C1 default S evidence 2 scope", false, func(c *Card) *string { return &par(c, "C1", S).Evidence[1].Scope }},
	{"C7 structural absence evidence 1 command", false, func(c *Card) *string { return &c.ByID("C7").AbsenceEvidence[0].Search }},
	{"critical gap 1 summary", true, func(c *Card) *string { return &c.CriticalGaps[0].Summary }},
	{"critical gap 1 OWASP label", true, func(c *Card) *string { return &c.CriticalGaps[0].OWASP[0] }},
	{"Rule-of-Two untrusted input", true, func(c *Card) *string { return &c.RuleOfTwo.UntrustedInput }},
	{"Rule-of-Two sensitive data", true, func(c *Card) *string { return &c.RuleOfTwo.SensitiveData }},
	{"Rule-of-Two state change or egress", true, func(c *Card) *string { return &c.RuleOfTwo.StateChangeOrEgress }},
	{"improvement 1 summary", true, func(c *Card) *string { return &c.Fixes[0].Summary }},
	{"improvement 1 playbook", false, func(c *Card) *string { return &c.Fixes[0].Playbook }},
	{"re-audit log 1 reason", true, func(c *Card) *string { return &c.ReauditLog[0].Reason }},
	{"limitation 1", true, func(c *Card) *string { return &c.Limitations[0] }},
}

func places(problems []Problem, s Severity) []string {
	var out []string
	for _, p := range problems {
		if p.Severity == s {
			out = append(out, p.Place)
		}
	}
	return out
}

func TestEveryTextIsChecked(t *testing.T) {
	for _, f := range textFields {
		t.Run(f.place, func(t *testing.T) {
			c := cardtest.Heron()
			*f.field(c) += " \x07"
			assert.Contains(t, places(Validate(c, Lenient), Error), f.place, "a control character")

			c = cardtest.Heron()
			*f.field(c) = " "
			empty := slices.Contains(places(Validate(c, Strict), Error), f.place)
			assert.Equal(t, f.needed, empty, "an empty text")
			if f.needed {
				assert.Contains(t, places(Validate(c, Lenient), Warning), f.place)
			}
		})
	}
}

func TestListsAreBounded(t *testing.T) {
	c := cardtest.Heron()
	e := par(c, "C1", S)
	for len(e.Evidence) <= MaxList {
		e.Evidence = append(e.Evidence, e.Evidence[0])
	}
	for len(c.CriticalGaps) <= MaxList {
		c.CriticalGaps = append(c.CriticalGaps, c.CriticalGaps[0])
	}
	for len(c.Limitations) <= MaxList {
		c.Limitations = append(c.Limitations, "More.")
	}
	c.CriticalGaps[0].OWASP = slices.Repeat([]string{"T1"}, MaxList+1)
	assert.Equal(t, []string{"C1 default S", "critical gaps", "critical gap 1", "limitations"}, places(Validate(c, Strict), Error))
}

// A wrong number of criteria is one that is missing, unknown, or there twice: each is
// named, once.
func TestWrongCriteriaAreNamed(t *testing.T) {
	for want, change := range map[string]func([]Criterion) []Criterion{
		"C10": func(c []Criterion) []Criterion { return c[:9] },
		"C11": func(c []Criterion) []Criterion { extra := c[9].Clone(); extra.ID = "C11"; return append(c, extra) },
		"C3":  func(c []Criterion) []Criterion { return slices.Insert(c, 3, c[2].Clone()) },
	} {
		c := cardtest.Heron()
		c.Criteria = change(c.Criteria)
		assert.Equal(t, []string{want}, places(Validate(c, Strict), Error))
	}
}
