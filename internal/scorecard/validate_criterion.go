package scorecard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/rubric"
)

const (
	capG1        = "G1"
	capG2        = "G2"
	capWorstCase = "C5-WORSTCASE"
	worstCaseAt  = "C5"
)

func (v *validator) criteria() {
	seen, last := map[string]bool{}, 0
	for i := range v.card.Criteria {
		c := &v.card.Criteria[i]
		h, known := rubric.Head(c.ID)
		switch {
		case !known:
			v.fail(clip(c.ID), ruleCriteria, "use C1 to C10", "%q is not a criterion", clip(c.ID))
		case seen[c.ID]:
			v.fail(c.ID, ruleCriteria, "keep one of the two", "is there twice")
		case h.Number < last:
			v.soft(c.ID, ruleCriteria, "order them C1 to C10", "stands after C%d", last)
		}
		seen[c.ID] = true
		last = max(last, h.Number)
		v.criterion(c)
	}
	for _, h := range rubric.Heads() {
		if !seen[h.ID] {
			v.fail(h.ID, ruleCriteria, "add it", "%s is missing", h.Name)
		}
	}
}

func (v *validator) criterion(c *Criterion) {
	v.text(c.ID+" name", c.Name, MaxName)
	v.text(c.ID+" question", c.Question, MaxText)
	v.prose(c.ID+" summary", c.Summary)
	v.optional(c.ID+" notes", c.Notes, MaxText, false)
	switch c.Status {
	case StatusScored:
		v.scored(c)
	case StatusStructuralAbsence:
		v.absent(c)
	default:
		v.fail(c.ID, ruleMechanisms, "", "%q is neither scored nor structural_absence", clip(string(c.Status)))
	}
}

func (v *validator) scored(c *Criterion) {
	const fix = "give a default mechanism and after it at most one alt"
	if n := len(c.Mechanisms); n < 1 || n > 2 {
		v.fail(c.ID, ruleMechanisms, fix, "has %d mechanisms", n)
	}
	for i := range c.Mechanisms {
		m := &c.Mechanisms[i]
		if want := []MechanismKind{Default, Alt}[min(i, 1)]; m.Kind != want {
			v.fail(c.ID, ruleMechanisms, fix, "mechanism %d is %q, want %s", i+1, clip(string(m.Kind)), want)
		}
		v.mechanism(c, m)
	}
	if len(c.AbsenceEvidence) > 0 {
		v.fail(c.ID, ruleMechanisms, "remove one of the two", "is scored and has evidence of its absence")
	}
}

func (v *validator) absent(c *Criterion) {
	if h, ok := rubric.Head(c.ID); ok && h.AbsentWhen == "" {
		v.soft(c.ID, ruleAbsent, "score its four parameters", "its surface is never absent as a whole")
	}
	place := c.ID + " structural absence"
	v.evidence(place, c.AbsenceEvidence)
	v.needsSearch(place, c.AbsenceEvidence)
	ok := len(c.Mechanisms) == 1 && c.Mechanisms[0].Kind == Default && len(c.Mechanisms[0].Caps) == 0
	for i := range c.Mechanisms {
		for _, p := range c.Mechanisms[i].Parameters {
			ok = ok && p.SA && p.Level == MaxLevel
		}
	}
	if !ok {
		v.fail(c.ID, ruleMechanisms, "import the card, which writes it so", "is absent as a whole and must have one default mechanism without a cap whose parameters are all SA")
	}
}

func (v *validator) mechanism(c *Criterion, m *Mechanism) {
	place := c.ID + " " + string(m.Kind)
	v.text(place+" label", m.Label, MaxName)
	v.caps(c, m, place)
	s := m.Parameters[0]
	for i := range m.Parameters {
		p := &m.Parameters[i]
		at := place + " " + string(ParameterIDs[i])
		if p.ID != ParameterIDs[i] {
			v.fail(at, ruleMechanisms, "list S, C, D, B in this order", "stands at the place of parameter %q", clip(string(p.ID)))
		}
		v.parameter(at, p)
		if id := ParameterIDs[i]; (id == C || id == D) && !p.SA && p.Level > s.effective()+1 {
			v.fail(at, ruleAboveS, fmt.Sprintf("lower it to %s", s.effective()+1), "%s is more than one level above S at %s", p.LevelString(), s.LevelString())
		}
		v.quotes(m, p, at)
	}
}

func (v *validator) caps(c *Criterion, m *Mechanism, place string) {
	seen := map[string]bool{}
	for _, k := range m.Caps {
		at := place + " cap " + clip(k.ID)
		spec, known := rubric.Method().Cap(k.ID)
		switch {
		case !known:
			v.fail(at, ruleCap, "use one of the method's caps", "the method has no such cap")
		case spec.Criterion != "" && spec.Criterion != c.ID:
			v.fail(at, ruleCap, "remove it, or move it to "+spec.Criterion, "belongs to %s", spec.Criterion)
		case seen[k.ID]:
			v.fail(at, ruleCap, "keep one of the two", "is there twice")
		case k.ID == capWorstCase && m.Kind == Alt:
			v.fail(at, ruleOnAlt, "remove it", "stands on an alt mechanism")
		case k.ID == capWorstCase && !worstCase(c):
			v.fail(at, ruleWorstCase, "remove it", "B of the default mechanism is not L0")
		}
		seen[k.ID] = true
		v.text(at+" reason", k.Reason, MaxText)
	}
	if m.Kind == Alt && !seen[capG1] {
		v.fail(place, ruleAltG1, "add cap G1", "an alt mechanism is opt-in and always carries G1")
	}
	if m.Kind == Default && worstCase(c) && !seen[capWorstCase] {
		v.fail(place, ruleWorstCase, "add the cap, or import the card, which adds it", "B is L0, which always carries %s", capWorstCase)
	}
}

// worstCase reports whether the criterion owes C5-WORSTCASE on its default
// mechanism.
func worstCase(c *Criterion) bool {
	if c.ID != worstCaseAt || c.Absent() {
		return false
	}
	m := c.ByKind(Default)
	return m != nil && bottomB(m)
}

func bottomB(m *Mechanism) bool {
	b := m.Parameters[3]
	return !b.SA && b.Level == 0
}

func (v *validator) parameter(place string, p *Parameter) {
	if p.Level < 0 || p.Level > MaxLevel || p.SA && p.Level != MaxLevel {
		v.fail(place, ruleLevel, "use 0 to 4, and 4 for SA", "%d is not its level", int(p.Level))
	}
	if p.Status != Verified && p.Status != Inferred {
		v.fail(place, ruleStatus, "use verified or inferred", "%q is not a status", clip(string(p.Status)))
	}
	const ceiling = 2
	if p.Status == Inferred && p.effective() > ceiling {
		v.fail(place, ruleInferred, "read it in code, or lower it to L2", "%s is inferred, which stops at L2", p.LevelString())
	}
	if strings.TrimSpace(p.Finding) == "" {
		v.soft(place+" finding", ruleFinding, "write it", "is empty")
	}
	v.optional(place+" finding", p.Finding, MaxText, false)
	v.optional(place+" gap", p.Gap, MaxText, false)
	if !p.SA && p.Level < MaxLevel && strings.TrimSpace(p.Gap) == "" {
		v.soft(place+" gap", ruleGap, "say what the next level asks for", "is empty below L4")
	}
	if len(p.Evidence) == 0 {
		v.soft(place, ruleEvidence, "cite lines, or search for what is missing", "has no evidence")
	}
	v.evidence(place, p.Evidence)
	if p.SA {
		v.needsSearch(place, p.Evidence)
	}
}

// needsSearch checks the evidence for an absence.
func (v *validator) needsSearch(place string, items []Evidence) {
	if !slices.ContainsFunc(items, Evidence.IsSearch) {
		v.fail(place, ruleSASearch, "add a search with its scope and hits", "an absence needs a search that proves it")
	}
	for i, e := range items {
		if e.IsSearch() && e.Hits > 0 && strings.TrimSpace(e.Note) == "" {
			v.soft(fmt.Sprintf("%s evidence %d", place, i+1), ruleHits, "add a note", "has %d hits and no note that says why they do not matter", e.Hits)
		}
	}
}

// quotes checks that citations carry quotes where the method demands them.
func (v *validator) quotes(m *Mechanism, p *Parameter, place string) {
	if p.SA {
		return
	}
	beyond := slices.ContainsFunc(m.Caps, func(k Cap) bool { return k.ID != capG1 })
	switch {
	case p.Level >= 3:
		v.quoted(place, ruleQuote, p.LevelString(), p.Evidence)
	case beyond:
		v.quoted(place, ruleQuote, "a mechanism capped beyond G1", p.Evidence)
	case len(m.Caps) > 0 && p.ID == D:
		v.quoted(place, ruleQuoteG1, "D under G1", p.Evidence)
	}
}

func (v *validator) quoted(place, rule, why string, items []Evidence) {
	for i, e := range items {
		if !e.IsSearch() && e.Contains == "" {
			v.soft(fmt.Sprintf("%s evidence %d", place, i+1), rule, "add contains, a text that stands in the lines", "%s needs a quote", why)
		}
	}
}
