package scorecard

import (
	"fmt"
	"slices"
)

// WorstCaseReason is the reason of a C5-WORSTCASE cap that Normalize adds.
const WorstCaseReason = "B is L0 as shipped: a hijack both leaks data and acts irreversibly with nobody asked (added automatically)."

const altReason = "The mechanism is opt-in: what ships runs without it (added automatically)."

// Normalize brings a card in line with what follows from its levels: C5-WORSTCASE
// is on the default mechanism of C5 exactly when its B is L0, an alt mechanism
// carries G1, a parameter that is SA is at L4, and a criterion that is absent as a
// whole has one mechanism made of the evidence for it. It returns one sentence for
// each change of a cap.
func Normalize(c *Card) []string {
	var done []string
	for i := range c.Criteria {
		k := &c.Criteria[i]
		if k.Absent() {
			k.Mechanisms = []Mechanism{AbsentMechanism(k.AbsenceEvidence)}
			continue
		}
		for j := range k.Mechanisms {
			m := &k.Mechanisms[j]
			for q := range m.Parameters {
				if m.Parameters[q].SA {
					m.Parameters[q].Level = MaxLevel
				}
			}
			done = append(done, normalizeCaps(k, m)...)
		}
	}
	return done
}

func normalizeCaps(c *Criterion, m *Mechanism) (done []string) {
	has := func(id string) bool {
		return slices.ContainsFunc(m.Caps, func(k Cap) bool { return k.ID == id })
	}
	owed := m.Kind == Default && worstCase(c)
	switch {
	case owed && !has(capWorstCase):
		m.Caps = append(m.Caps, Cap{ID: capWorstCase, Reason: WorstCaseReason})
		done = append(done, fmt.Sprintf("%s %s: cap %s added automatically, B is L0", c.ID, m.Kind, capWorstCase))
	case !owed && has(capWorstCase):
		m.Caps = slices.DeleteFunc(m.Caps, func(k Cap) bool { return k.ID == capWorstCase })
		done = append(done, fmt.Sprintf("%s %s: cap %s removed automatically, B is not L0", c.ID, m.Kind, capWorstCase))
	}
	if m.Kind == Alt && !has(capG1) {
		m.Caps = append(m.Caps, Cap{ID: capG1, Reason: altReason})
		done = append(done, fmt.Sprintf("%s %s: cap %s added automatically, the mechanism is opt-in", c.ID, m.Kind, capG1))
	}
	return done
}

// Texts of a criterion that is absent as a whole.
const (
	AbsentLabel   = "structural absence"
	AbsentFinding = "Risk surface absent at this commit."
)

// AbsentMechanism is the one mechanism of a criterion that is absent as a whole.
func AbsentMechanism(evidence []Evidence) Mechanism {
	m := Mechanism{Kind: Default, Label: AbsentLabel}
	for i, id := range ParameterIDs {
		m.Parameters[i] = Parameter{ID: id, Level: MaxLevel, SA: true, Status: Verified, Finding: AbsentFinding, Evidence: slices.Clone(evidence)}
	}
	return m
}

// owedGap is a criterion that owes a critical gap.
type owedGap struct {
	criterion string
	why       string
}

// gapCriteria are the criteria whose B at L0 is a critical gap.
var gapCriteria = []string{"C1", "C4", "C5", "C7"}

// OwedGaps returns the ids of the criteria that must be listed under critical
// gaps, in the card's order: a counted default mechanism with a cap other than G1,
// G2 on the default mechanism, and B of the default mechanism at L0 in C1, C4, C5
// and C7.
func OwedGaps(c *Card) []string {
	var ids []string
	for _, g := range owedGaps(c) {
		ids = append(ids, g.criterion)
	}
	return ids
}

func owedGaps(c *Card) []owedGap {
	var out []owedGap
	for i := range c.Criteria {
		k := &c.Criteria[i]
		m := k.ByKind(Default)
		if k.Absent() || m == nil {
			continue
		}
		if why := gapReason(k, m); why != "" {
			out = append(out, owedGap{k.ID, why})
		}
	}
	return out
}

func gapReason(c *Criterion, m *Mechanism) string {
	counted := c.Counted() == m
	for _, k := range m.Caps {
		if k.ID == capG2 || counted && k.ID != capG1 {
			return "cap " + clip(k.ID) + " on its default mechanism"
		}
	}
	if slices.Contains(gapCriteria, c.ID) && bottomB(m) {
		return "B of its default mechanism is L0"
	}
	return ""
}
