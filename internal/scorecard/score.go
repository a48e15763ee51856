package scorecard

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/rubric"
)

// All figures are whole thousandths of a point unless a comment says otherwise.
const (
	// MaxTotal is the highest total of a card.
	MaxTotal = 10 * rubric.Milli
	// unknownCapMax limits a mechanism with a cap that the method does not know:
	// every cap but G1 has this maximum, and the burden of proof is on the control.
	unknownCapMax = 250
)

// Confidence says how much of a rating was read in code.
type Confidence string

// The three degrees of confidence.
const (
	High   Confidence = "high"   // no parameter is inferred
	Medium Confidence = "medium" // one or two are
	Low    Confidence = "low"    // three or four are
)

// perLevel is what one level of each parameter is worth, in the order of ParameterIDs.
var perLevel = func() (out [4]int) {
	for i, p := range rubric.Method().Parameters {
		out[i] = p.PerLevel
	}
	return out
}()

// Points is what the parameter's level is worth.
func (m *Mechanism) Points(id ParameterID) int {
	for i := range m.Parameters {
		if ParameterIDs[i] == id {
			return perLevel[i] * int(m.Parameters[i].effective())
		}
	}
	return 0
}

// effective is the level that counts: L4 for SA.
func (p Parameter) effective() Level {
	if p.SA {
		return MaxLevel
	}
	return min(max(p.Level, 0), MaxLevel)
}

// Raw is the sum over the four parameters before any cap.
func (m *Mechanism) Raw() int {
	sum := 0
	for i := range m.Parameters {
		sum += perLevel[i] * int(m.Parameters[i].effective())
	}
	return sum
}

// Max is the most that a mechanism with the cap can score.
func (c Cap) Max() int {
	if spec, ok := rubric.Method().Cap(c.ID); ok {
		return spec.Max
	}
	return unknownCapMax
}

// EffectiveCap returns the cap with the lowest maximum, the first named on a tie,
// and that maximum. It is the cap to show, also when it does not bind. ok is false
// when the mechanism has no cap.
func (m *Mechanism) EffectiveCap() (c Cap, limit int, ok bool) {
	for _, next := range m.Caps {
		if most := next.Max(); !ok || most < limit {
			c, limit, ok = next, most, true
		}
	}
	return c, limit, ok
}

// Score is the raw sum, limited to the effective cap.
func (m *Mechanism) Score() int {
	if _, limit, ok := m.EffectiveCap(); ok {
		return min(m.Raw(), limit)
	}
	return m.Raw()
}

// Confidence follows from the number of inferred parameters.
func (m *Mechanism) Confidence() Confidence {
	inferred := 0
	for i := range m.Parameters {
		if m.Parameters[i].Status == Inferred {
			inferred++
		}
	}
	switch {
	case inferred == 0:
		return High
	case inferred <= 2:
		return Medium
	}
	return Low
}

// Counted returns the mechanism whose score the criterion keeps: the one with the
// higher score, the first (default) one on a tie. It is nil only when the
// criterion has no mechanism, which Validate reports.
func (c *Criterion) Counted() *Mechanism {
	var best *Mechanism
	for i := range c.Mechanisms {
		if m := &c.Mechanisms[i]; best == nil || m.Score() > best.Score() {
			best = m
		}
	}
	return best
}

// Score is the counted mechanism's score; a criterion that is absent as a whole
// scores its full point.
func (c *Criterion) Score() int {
	if c.Absent() {
		return rubric.Milli
	}
	if m := c.Counted(); m != nil {
		return m.Score()
	}
	return 0
}

// Absent reports whether the criterion's surface is absent as a whole.
func (c *Criterion) Absent() bool { return c.Status == StatusStructuralAbsence }

// Confidence is the counted mechanism's confidence.
func (c *Criterion) Confidence() Confidence {
	if m := c.Counted(); m != nil && !c.Absent() {
		return m.Confidence()
	}
	return High
}

// EffectiveCap is the counted mechanism's effective cap.
func (c *Criterion) EffectiveCap() (Cap, int, bool) {
	if m := c.Counted(); m != nil && !c.Absent() {
		return m.EffectiveCap()
	}
	return Cap{}, 0, false
}

// Total is the sum of the criteria's scores, not rounded.
func (c *Card) Total() int {
	sum := 0
	for i := range c.Criteria {
		sum += c.Criteria[i].Score()
	}
	return sum
}

// Tenths rounds a total half up to tenths of a point, the figure that is printed
// and that decides the band.
func Tenths(total int) int { return (total + 50) / 100 }

// BandOf returns the band of a total.
func BandOf(total int) rubric.Band { return rubric.Method().BandOf(Tenths(total)) }

// Band returns the band of the card's total.
func (c *Card) Band() rubric.Band { return BandOf(c.Total()) }

// Applicable is the score over the criteria whose surface exists.
type Applicable struct {
	Count   int // criteria that are not absent as a whole
	Absent  int // criteria that are
	Score   int // sum over the former
	Percent int // whole percent of Count points, rounded half to even; 0 when Count is 0
}

// Applicable computes the second score that a report shows when any criterion is
// absent as a whole. A criterion with only some parameters SA is applicable.
func (c *Card) Applicable() Applicable {
	var a Applicable
	for i := range c.Criteria {
		if c.Criteria[i].Absent() {
			a.Absent++
			continue
		}
		a.Count++
		a.Score += c.Criteria[i].Score()
	}
	if a.Count > 0 {
		a.Percent = halfEven(100*a.Score, a.Count*rubric.Milli)
	}
	return a
}

// String is the line that a report prints.
func (a Applicable) String() string {
	noun := "criteria"
	if a.Absent == 1 {
		noun = "criterion"
	}
	return "Controls where a risk surface exists: " + Format2(a.Score) + " / " + strconv.Itoa(a.Count) +
		".0 (" + strconv.Itoa(a.Percent) + "%); " + strconv.Itoa(a.Absent) + " " + noun + " scored SA (surface absent)."
}

// halfEven divides and rounds half to even. Both numbers are non-negative.
func halfEven(num, den int) int {
	q, r := num/den, num%den
	if 2*r > den || 2*r == den && q%2 == 1 {
		q++
	}
	return q
}

// Gain is what the fix adds before caps. It is negative when To is below From.
func (f Fix) Gain() int {
	for i, id := range ParameterIDs {
		if id == f.Parameter {
			return perLevel[i] * int(f.To-f.From)
		}
	}
	return 0
}

// Format2 prints thousandths with two decimals the way a binary floating-point
// number prints, which is how reports print them: 475 is "0.47", 275 is "0.28".
func Format2(milli int) string { return formatMilli(milli, 2) }

// Format3 prints thousandths with three decimals.
func Format3(milli int) string { return formatMilli(milli, 3) }

func formatMilli(milli, decimals int) string {
	return strconv.FormatFloat(float64(milli)/rubric.Milli, 'f', decimals, 64)
}

// Format1 prints a total with one decimal, rounded half up: 2050 is "2.1".
func Format1(total int) string {
	t := Tenths(total)
	return strconv.Itoa(t/10) + "." + strconv.Itoa(t%10)
}

// Permalink returns the web address of a range of lines of a file at a commit, in
// the form GitHub uses. Each path segment is escaped.
func Permalink(repoURL, commit, file string, r LineRange) string {
	var b strings.Builder
	b.Grow(len(repoURL) + len(commit) + len(file) + 24)
	b.WriteString(repoURL)
	b.WriteString("/blob/")
	b.WriteString(commit)
	b.WriteByte('/')
	b.WriteString(EscapePath(file))
	b.WriteString(Fragment(r))
	return b.String()
}

// EscapePath escapes each segment of a slash-separated path for an address.
func EscapePath(file string) string {
	segments := strings.Split(file, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return strings.Join(segments, "/")
}

// Fragment is the part of a permalink that names the lines.
func Fragment(r LineRange) string {
	s := "#L" + strconv.Itoa(r.First)
	if r.First != r.Last || r.Form == Long {
		s += "-L" + strconv.Itoa(r.Last)
	}
	return s
}
