package cardfile

import (
	"strconv"

	"github.com/rescore-app/rescore/internal/scorecard"
)

func (r *renderer) two() {
	t := r.card.RuleOfTwo
	r.static(key{kind: kTwoSection}, sectionTwo, 1)
	r.lit(twoA)
	r.field(tText, oneLine(t.UntrustedInput))
	r.lit(twoB)
	r.field(tText, oneLine(t.SensitiveData))
	r.lit(twoC)
	r.field(tText, oneLine(t.StateChangeOrEgress))
	r.lit(twoSame)
	if t.SameSession {
		r.field(tValue, "Yes")
	} else {
		r.field(tValue, "No")
	}
	r.end(key{kind: kTwo}, 0)
}

func (r *renderer) fixes() {
	r.static(key{kind: kFixesSection}, sectionFixes, 1)
	if len(r.card.Fixes) == 0 {
		r.static(key{kind: kNoFix}, "- None.", 0)
	}
	for i, f := range r.card.Fixes {
		k := key{kind: kFix, a: i}
		r.field(tOrdinal, strconv.Itoa(i+1))
		r.lit(". ")
		r.field(tText, oneLine(f.Summary))
		r.either(k, " — ", " (")
		r.field(tCriterion, f.Criterion)
		r.lit(" ")
		r.field(tParameter, string(f.Parameter))
		r.lit(" ")
		r.field(tLevel, f.From.String())
		r.lit("→")
		r.field(tLevelTo, f.To.String())
		r.lit(", ")
		r.field(tFigure, gain(f))
		r.lit(" before caps")
		if f.Playbook != "" {
			r.either(k, " (", "; ")
			r.field(tPlaybook, oneLine(f.Playbook))
			r.lit(")")
		} else {
			r.either(k, "", ")")
		}
		r.end(k, 0)
	}
}

func gain(f scorecard.Fix) string {
	if g := f.Gain(); g < 0 {
		return scorecard.Format3(g)
	}
	return "+" + scorecard.Format3(f.Gain())
}

func (r *renderer) log() {
	r.static(key{kind: kLogSection}, sectionLog, 1)
	if len(r.card.ReauditLog) == 0 {
		r.static(key{kind: kNoLog}, "- No changes.", 0)
	}
	for i, e := range r.card.ReauditLog {
		r.lit("- ")
		r.field(tCriterion, e.Criterion)
		r.lit(" ")
		r.field(tParameter, string(e.Parameter))
		r.lit(": ")
		r.field(tLevel, e.From)
		r.lit(arrow)
		r.field(tLevelTo, e.To)
		r.lit(". ")
		r.field(tText, oneLine(e.Reason))
		r.end(key{kind: kLog, a: i}, 0)
	}
}

func (r *renderer) limits() {
	r.static(key{kind: kLimitsSection}, sectionLimits, 1)
	for i, text := range r.card.Limitations {
		r.lit("- ")
		r.field(tText, oneLine(text))
		r.end(key{kind: kLimit, a: i}, 0)
	}
}
