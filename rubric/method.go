package rubric

import "slices"

// Levels is the number of levels, L0 to L4.
const Levels = 5

// Milli is the number of thousandths in one point, the unit of all arithmetic.
const Milli = 1000

// MethodSpec holds the figures of the method. It is shared: do not change it.
type MethodSpec struct {
	Parameters []ParameterSpec // S, C, D, B
	Bands      []Band          // from the highest floor down; the last has floor 0
	Caps       []CapSpec
}

// ParameterSpec is one of the four parameters.
type ParameterSpec struct {
	ID       string
	Name     string
	Weight   int // thousandths of a point at L4
	PerLevel int // thousandths of a point for each level
}

// Band is a named range of totals.
type Band struct {
	ID    string
	Label string
	Color string
	Floor int // lowest total of the band, in tenths of a point
}

// CapSpec is an upper limit that a defect puts on a mechanism's score.
type CapSpec struct {
	ID        string
	Max       int    // thousandths of a point
	Criterion string // home criterion; "" when the cap may apply to any
	When      string // the condition, one sentence
}

// CriterionHead is what a report prints of a criterion.
type CriterionHead struct {
	ID       string
	Number   int // 1..10
	Name     string
	OWASP    []string
	Question string
	Caps     []string // ids of the caps at home here
	// AbsentWhen says when the criterion's surface counts as absent as a whole; ""
	// when it never does.
	AbsentWhen string
}

// Method returns the figures of the method.
func Method() *MethodSpec { return &method }

// Cap returns the cap with the id.
func (m *MethodSpec) Cap(id string) (CapSpec, bool) {
	i := slices.IndexFunc(m.Caps, func(c CapSpec) bool { return c.ID == id })
	if i < 0 {
		return CapSpec{}, false
	}
	return m.Caps[i], true
}

// Parameter returns the parameter with the id.
func (m *MethodSpec) Parameter(id string) (ParameterSpec, bool) {
	i := slices.IndexFunc(m.Parameters, func(p ParameterSpec) bool { return p.ID == id })
	if i < 0 {
		return ParameterSpec{}, false
	}
	return m.Parameters[i], true
}

// BandOf returns the band of a total given in tenths of a point.
func (m *MethodSpec) BandOf(tenths int) Band {
	for _, b := range m.Bands {
		if tenths >= b.Floor {
			return b
		}
	}
	return m.Bands[len(m.Bands)-1]
}

// Heads returns the ten criteria in order. The slice is shared: do not change it.
func Heads() []CriterionHead { return heads }

// Head returns the head of the criterion with the id, "C1" to "C10".
func Head(id string) (CriterionHead, bool) {
	i := slices.IndexFunc(heads, func(h CriterionHead) bool { return h.ID == id })
	if i < 0 {
		return CriterionHead{}, false
	}
	return heads[i], true
}
