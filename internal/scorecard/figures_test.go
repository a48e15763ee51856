package scorecard_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

// printed returns Heron with the figures that a report would print for it.
func printed() *Card {
	c := cardtest.Heron()
	c.Printed = &Printed{Total: Format1(c.Total()), Band: c.Band().Label, Applicable: c.Applicable().String()}
	for i := range c.Criteria {
		k := &c.Criteria[i]
		limit, _, _ := k.EffectiveCap()
		c.Printed.Criteria = append(c.Printed.Criteria, PrintedCriterion{ID: k.ID, Score: Format2(k.Score()), Raw: Format2(k.Counted().Raw()),
			Cap: limit.ID, Counted: string(k.Counted().Kind), Confidence: string(k.Confidence())})
	}
	return c
}

func TestFiguresThatAgree(t *testing.T) {
	c := printed()
	assert.Empty(t, Validate(c, Strict))
	c.Printed.Criteria[0].Score = "0.250"
	c.Printed.Applicable = `{"count": 9, "score": ` + Format2(c.Applicable().Score) + `, "max": 9.0, "percent": 29}`
	assert.Empty(t, Validate(c, Strict), "an entry prints exact numbers")
}

func TestFiguresThatDisagree(t *testing.T) {
	tests := []struct {
		name     string
		spoil    func(*Printed)
		severity Severity
		place    string
		message  string
	}{
		{"total", func(p *Printed) { p.Total = "9.9" }, Error, "score", "the card prints 9.9, its levels give 3.6"},
		{"total missing", func(p *Printed) { p.Total = "" }, Error, "score", "the card prints none, its levels give 3.6"},
		{"total that is no number", func(p *Printed) { p.Total = "much" }, Error, "score", "the card prints much, its levels give 3.6"},
		{"band", func(p *Printed) { p.Band = "Strong" }, Error, "band", "the card prints Strong, its score is Minimal"},
		{"criterion score", func(p *Printed) { p.Criteria[0].Score = "0.26" }, Error, "C1 score", "the card prints 0.26, its levels give 0.25"},
		{"raw score", func(p *Printed) { p.Criteria[4].Raw = "0.10" }, Error, "C5 raw score", "the card prints 0.10, its levels give 0.00"},
		{"cap", func(p *Printed) { p.Criteria[3].Cap = "" }, Error, "C4 cap", "the card prints none, its mechanisms give G1"},
		{"cap too many", func(p *Printed) { p.Criteria[0].Cap = "G1" }, Error, "C1 cap", "the card prints G1, its mechanisms give none"},
		{"counted", func(p *Printed) { p.Criteria[3].Counted = "default" }, Error, "C4 counted mechanism", "the card counts default, the scores count alt"},
		{"confidence", func(p *Printed) { p.Criteria[8].Confidence = "high" }, Warning, "C9 confidence", "the card prints high, its ratings give medium"},
		{"contradiction", func(p *Printed) { p.Problems = []string{"C3 S: the table prints L2, the details L1"} }, Error, "C3 S", "the table prints L2, the details L1"},
		{"applicable line", func(p *Printed) {
			p.Applicable = "Controls where a risk surface exists: 9.00 / 9.0 (100%); 1 criterion scored SA (surface absent)."
		}, Warning,
			"applicable score", "the card prints Controls where a risk surface exists: 9.00 / 9.0 (100%); 1 criterion scored SA (surface absent)., its criteria give Controls where a risk surface exists: 2.58 / 9.0 (29%); 1 criterion scored SA (surface absent)."},
		{"applicable line missing", func(p *Printed) { p.Applicable = "" }, Warning, "applicable score",
			"the card prints none, its criteria give Controls where a risk surface exists: 2.58 / 9.0 (29%); 1 criterion scored SA (surface absent)."},
		{"applicable object", func(p *Printed) { p.Applicable = `{"count": 9, "score": 2.57, "max": 9.0, "percent": 29}` }, Warning, "applicable score",
			`the card prints {"count": 9, "score": 2.57, "max": 9.0, "percent": 29}, its criteria give {"count": 9, "score": 2.58, "max": 9.0, "percent": 29}`},
		{"applicable object on lines", func(p *Printed) {
			p.Applicable = "{\n  \"count\": 9,\n  \"score\": 2.57,\n  \"max\": 9.0,\n  \"percent\": 29\n}"
		}, Warning,
			"applicable score", `the card prints { "count": 9, "score": 2.57, "max": 9.0, "percent": 29 }, its criteria give {"count": 9, "score": 2.58, "max": 9.0, "percent": 29}`},
		{"applicable object without percent", func(p *Printed) { p.Applicable = `{"count": 9, "score": 2.58, "max": 9.0, "percent": null}` }, Warning, "applicable score",
			`the card prints {"count": 9, "score": 2.58, "max": 9.0, "percent": null}, its criteria give {"count": 9, "score": 2.58, "max": 9.0, "percent": 29}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := printed()
			tt.spoil(c.Printed)
			for _, s := range []Strictness{Lenient, Strict} {
				got := Validate(c, s)
				require.Len(t, got, 1)
				assert.Equal(t, Problem{tt.severity, tt.place, RuleFigures, tt.message, got[0].Fix}, got[0])
			}
		})
	}
}
