package linemap

// Map tells where each line of an old text stands in a new one. Mapped lines are
// equal byte for byte and keep their order.
type Map struct {
	old, new       *Text
	prefix, suffix int     // equal lines at both ends
	toNew, toOld   []int32 // between prefix and suffix; line number on the other side, 0 for none
	shortest       bool
}

// Diff maps old to new along a shortest edit: as few lines deleted and added as
// can be. Of several shortest edits it takes the one whose changes lie furthest
// down, so that of two equal neighbours the first is the older one.
func Diff(old, new *Text) *Map { return diff(old, new, budgetSteps, (*aligner).shortest) }

// Anchored maps old to new by the lines that occur exactly once on either side
// and what lies between them. It is not always a shortest edit, and often nearer
// to what an author did.
func Anchored(old, new *Text) *Map { return diff(old, new, budgetSteps, (*aligner).anchored) }

func diff(old, new *Text, budget int, align func(*aligner)) *Map {
	m := &Map{old: old, new: new, shortest: true}
	n := min(old.Len(), new.Len())
	for m.prefix < n && old.Equal(m.prefix+1, new, m.prefix+1, 1) {
		m.prefix++
	}
	for m.suffix < n-m.prefix && old.Equal(old.Len()-m.suffix, new, new.Len()-m.suffix, 1) {
		m.suffix++
	}
	m.toNew = make([]int32, old.Len()-m.prefix-m.suffix)
	m.toOld = make([]int32, new.Len()-m.prefix-m.suffix)
	if len(m.toNew) > 0 && len(m.toOld) > 0 {
		al := newAligner(m, budget)
		align(al)
		m.shortest = al.exact
	}
	m.slide()
	return m
}

// ToNew returns the new line that old line n became, or 0 when it is gone.
func (m *Map) ToNew(n int) int {
	switch {
	case n < 1 || n > m.old.Len():
		return 0
	case n <= m.prefix:
		return n
	case n > m.old.Len()-m.suffix:
		return n + m.new.Len() - m.old.Len()
	default:
		return int(m.toNew[n-m.prefix-1])
	}
}

// ToOld returns the old line that became new line n, or 0 when n was added.
func (m *Map) ToOld(n int) int {
	switch {
	case n < 1 || n > m.new.Len():
		return 0
	case n <= m.prefix:
		return n
	case n > m.new.Len()-m.suffix:
		return n + m.old.Len() - m.new.Len()
	default:
		return int(m.toOld[n-m.prefix-1])
	}
}

// Old is the text mapped from.
func (m *Map) Old() *Text { return m.old }

// New is the text mapped to.
func (m *Map) New() *Text { return m.new }

// Shortest reports whether the edit is known to be a shortest one; it is not
// when the texts were too unlike for the budget.
func (m *Map) Shortest() bool { return m.shortest }

// Changed counts the lines deleted from old and added in new.
func (m *Map) Changed() (deleted, added int) {
	for _, n := range m.toNew {
		if n == 0 {
			deleted++
		}
	}
	for _, n := range m.toOld {
		if n == 0 {
			added++
		}
	}
	return deleted, added
}

// Hunk is a run of old lines replaced by a run of new ones. A count of 0 means
// that nothing stood (or stands) there; First is then the line before which it
// would.
type Hunk struct {
	OldFirst, OldCount int
	NewFirst, NewCount int
}

// Hunks lists what changed, in order. Lines outside hunks map one to one.
func (m *Map) Hunks() []Hunk {
	var out []Hunk
	i, j := m.prefix+1, m.prefix+1
	oldEnd, newEnd := m.old.Len()-m.suffix, m.new.Len()-m.suffix
	for i <= oldEnd || j <= newEnd {
		h := Hunk{OldFirst: i, NewFirst: j}
		for i <= oldEnd && m.ToNew(i) == 0 {
			i++
		}
		for j <= newEnd && m.ToOld(j) == 0 {
			j++
		}
		h.OldCount, h.NewCount = i-h.OldFirst, j-h.NewFirst
		if h.OldCount+h.NewCount > 0 {
			out = append(out, h)
			continue
		}
		i, j = i+1, j+1
	}
	return out
}
