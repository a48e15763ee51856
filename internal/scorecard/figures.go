package scorecard

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// figures compares what a file printed with what the levels give. A disagreement
// in scores, caps, the total or the band is an error: nobody can say which of the
// two is meant. The applicable line and the confidence are warnings.
func (v *validator) figures() {
	p := v.card.Printed
	if p == nil {
		return
	}
	const fix = "correct the levels or the figure, so that both say the same; a report rendered from the imported card has every figure right"
	total := v.card.Total()
	if !sameTotal(p.Total, total) {
		v.fail("score", RuleFigures, fix, "the card prints %s, its levels give %s", orNothing(p.Total), Format1(total))
	}
	if want := BandOf(total).Label; p.Band != "" && p.Band != want {
		v.fail("band", RuleFigures, fix, "the card prints %s, its score is %s", clip(p.Band), want)
	}
	for _, k := range p.Criteria {
		if c := v.card.ByID(k.ID); c != nil && len(c.Mechanisms) > 0 {
			v.printedCriterion(c, k, fix)
		}
	}
	for _, problem := range p.Problems {
		place, message, ok := strings.Cut(problem, ": ")
		if !ok {
			place, message = "card", problem
		}
		v.fail(place, RuleFigures, fix, "%s", message)
	}
	v.printedApplicable(p.Applicable)
}

func (v *validator) printedCriterion(c *Criterion, k PrintedCriterion, fix string) {
	if !sameFigure(k.Score, c.Score()) {
		v.fail(c.ID+" score", RuleFigures, fix, "the card prints %s, its levels give %s", orNothing(k.Score), Format2(c.Score()))
	}
	if m := c.Counted(); k.Raw != "" && !sameFigure(k.Raw, m.Raw()) {
		v.fail(c.ID+" raw score", RuleFigures, fix, "the card prints %s, its levels give %s", clip(k.Raw), Format2(m.Raw()))
	}
	limit, _, _ := c.EffectiveCap()
	if k.Cap != limit.ID {
		v.fail(c.ID+" cap", RuleFigures, fix, "the card prints %s, its mechanisms give %s", orNothing(k.Cap), orNothing(limit.ID))
	}
	if kind := c.Counted().Kind; k.Counted != "" && k.Counted != string(kind) {
		v.fail(c.ID+" counted mechanism", RuleFigures, fix, "the card counts %s, the scores count %s", clip(k.Counted), kind)
	}
	if want := string(c.Confidence()); k.Confidence != "" && k.Confidence != want {
		v.warn(c.ID+" confidence", RuleFigures, "", "the card prints %s, its ratings give %s", clip(k.Confidence), want)
	}
}

// printedApplicable compares the second score. A report prints a line, an entry an
// object; a report without an absent criterion prints none.
func (v *validator) printedApplicable(printed string) {
	a := v.card.Applicable()
	want := a.String()
	var ok bool
	switch {
	case printed == "":
		ok, want = a.Absent == 0, a.String()
	case strings.HasPrefix(printed, "{"):
		ok, want = a.sameObject(printed), a.object()
	default:
		ok = printed == want
	}
	if !ok {
		v.warn("applicable score", RuleFigures, "", "the card prints %s, its criteria give %s", orNothing(strings.Join(strings.Fields(printed), " ")), want)
	}
}

func (a Applicable) object() string {
	percent := "null"
	if a.Count > 0 {
		percent = strconv.Itoa(a.Percent)
	}
	return fmt.Sprintf(`{"count": %d, "score": %s, "max": %d.0, "percent": %s}`, a.Count, Format2(a.Score), a.Count, percent)
}

func (a Applicable) sameObject(printed string) bool {
	var got struct {
		Count   int
		Score   float64
		Max     float64
		Percent *int
	}
	if json.Unmarshal([]byte(printed), &got) != nil {
		return false
	}
	if (a.Count > 0) != (got.Percent != nil) || got.Percent != nil && *got.Percent != a.Percent {
		return false
	}
	return got.Count == a.Count && got.Max == float64(a.Count) && strconv.FormatFloat(got.Score, 'f', 2, 64) == Format2(a.Score)
}

// sameFigure accepts a figure with two decimals as reports print it, or the exact
// number as entries do.
func sameFigure(printed string, milli int) bool {
	if printed == Format2(milli) {
		return true
	}
	x, err := strconv.ParseFloat(printed, 64)
	return err == nil && math.Abs(x*1000-float64(milli)) < 1e-6
}

func sameTotal(printed string, total int) bool {
	x, err := strconv.ParseFloat(printed, 64)
	return err == nil && math.Abs(x*10-float64(Tenths(total))) < 1e-6
}

func orNothing(s string) string {
	if s == "" {
		return "none"
	}
	return clip(s)
}
