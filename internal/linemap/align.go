package linemap

// Work limits. A step is one diagonal visited or one pair of lines compared;
// the budget is a fraction of a second of one processor.
const (
	budgetSteps = 12_000_000
	gapFactor   = 16 // steps a line that a gap between anchors may cost
	maxDepth    = 12 // nesting of anchors within gaps
)

// element is a line that occurs on both sides: where it stands, counted from the
// end of the common prefix, and the number that equal lines share.
type element struct{ at, id int32 }

// aligner finds which elements of two sequences correspond.
type aligner struct {
	m      *Map
	a, b   []element
	fw, bw []int // furthest points by diagonal, forward and backward
	budget int   // steps left for a shortest edit
	exact  bool  // the edit is a shortest one
}

// newAligner numbers the lines between the map's prefix and suffix. Lines that
// occur on one side only cannot be mapped and are left out, which keeps a
// shortest edit shortest.
func newAligner(m *Map, budget int) *aligner {
	al := &aligner{m: m, budget: budget, exact: true}
	nOld, nNew := len(m.toNew), len(m.toOld)
	// One copy of the bytes serves as the keys of all lines.
	from := m.old.start(m.prefix + 1)
	content := string(m.old.Lines(m.prefix+1, m.prefix+nOld))
	ids := make(map[string]int32, nOld)
	old := make([]int32, nOld)
	for i := range old {
		n := m.prefix + 1 + i
		line := content[m.old.start(n)-from : m.old.ends[n-1]-from]
		id, known := ids[line]
		if !known {
			id = int32(len(ids))
			ids[line] = id
		}
		old[i] = id
	}
	both := make([]bool, len(ids))
	for j := range nNew {
		if id, known := ids[string(m.new.Line(m.prefix+1+j))]; known {
			both[id] = true
			al.b = append(al.b, element{int32(j), id})
		}
	}
	for i, id := range old {
		if both[id] {
			al.a = append(al.a, element{int32(i), id})
		}
	}
	return al
}

// span is a part of both sequences, a[a0:a1] against b[b0:b1].
type span struct{ a0, a1, b0, b1 int }

func (al *aligner) whole() span { return span{0, len(al.a), 0, len(al.b)} }

// shortest matches along a shortest edit while the budget lasts.
func (al *aligner) shortest() {
	al.solve(al.whole(), &al.budget, 0)
}

// anchored matches by anchors first.
func (al *aligner) anchored() { al.anchor(al.whole(), 0) }

// pair records that two elements correspond.
func (al *aligner) pair(i, j int) {
	a, b := al.a[i].at, al.b[j].at
	al.m.toNew[a] = b + int32(al.m.prefix) + 1
	al.m.toOld[b] = a + int32(al.m.prefix) + 1
}

// trim matches what both ends of the span have in common and returns the rest.
func (al *aligner) trim(s span) span {
	for s.a0 < s.a1 && s.b0 < s.b1 && al.a[s.a0].id == al.b[s.b0].id {
		al.pair(s.a0, s.b0)
		s.a0, s.b0 = s.a0+1, s.b0+1
	}
	for s.a0 < s.a1 && s.b0 < s.b1 && al.a[s.a1-1].id == al.b[s.b1-1].id {
		s.a1, s.b1 = s.a1-1, s.b1-1
		al.pair(s.a1, s.b1)
	}
	return s
}

// solve matches the span along a shortest edit; when the budget runs out, by
// anchors. Depth counts how many anchors enclose the span.
func (al *aligner) solve(s span, budget *int, depth int) {
	s = al.trim(s)
	if s.a0 == s.a1 || s.b0 == s.b1 {
		return
	}
	x, y, ok := al.middle(s, budget)
	if !ok {
		al.anchor(s, depth)
		return
	}
	al.solve(span{s.a0, x, s.b0, y}, budget, depth)
	al.solve(span{x, s.a1, y, s.b1}, budget, depth)
}
