package outcome

import "github.com/rescore-app/rescore/internal/scorecard"

// VerifySchema names the JSON form of a Verification.
const VerifySchema = "rescore.verify/1"

// CheckState is the result of checking one item at one commit.
type CheckState string

// The results of a check.
const (
	CheckOK         CheckState = "ok"
	CheckMismatch   CheckState = "mismatch"   // the place is there, what it shows differs
	CheckMissing    CheckState = "missing"    // the file, the lines or the whole scope are not there
	CheckUnrunnable CheckState = "unrunnable" // a search we do not evaluate, with the reason in Got
)

// Verification is every evidence item of a card checked at one commit.
type Verification struct {
	Commit   string
	Items    []VerifyItem // in card order
	Warnings []string     // for example a parameter without evidence; never a reason to fail
	Cost     Cost
}

// VerifyItem is one checked item.
type VerifyItem struct {
	Criterion string
	Mechanism scorecard.MechanismKind // "" for evidence of a critical gap or of a whole absence
	Parameter scorecard.ParameterID   // "" likewise
	Place     string                  // "S evidence 2", "critical gap 1 evidence 1", ...
	Evidence  scorecard.Evidence
	Expected  string
	Got       string
	State     CheckState
}

// OK reports whether every item is confirmed.
func (v *Verification) OK() bool {
	for _, it := range v.Items {
		if it.State != CheckOK {
			return false
		}
	}
	return true
}
