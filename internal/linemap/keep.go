package linemap

import (
	"cmp"
	"slices"
)

// Bounds of Keep.
const (
	maxPlaces  = 16        // places of a block that are weighed, the nearest first
	maxWeighed = 2_000_000 // lines compared over all of them, though one place is always weighed
	lineSteps  = 16        // steps that reading a line into an edit counts for
)

// KeepSteps is a budget of work, in steps, for what Keep costs at most for one
// block where lines repeat; it suits a Keeper of a few blocks.
const KeepSteps = 4 * budgetSteps

// Keeper answers Keep for the blocks of one map within a budget of work that
// they share. It is not safe for concurrent use.
type Keeper struct {
	m        *Map
	anchored *Map // made once, and free of the budget
	steps    int
}

// Keeper returns a Keeper that spends about the given number of steps at most.
func (m *Map) Keeper(steps int) *Keeper { return &Keeper{m: m, steps: steps} }

// Whole returns the first new line of the block, old lines first to last, when
// the map takes it to consecutive lines.
func (m *Map) Whole(first, last int) (at int, ok bool) {
	if !m.old.Has(first, last) {
		return 0, false
	}
	at = m.ToNew(first)
	if at == 0 {
		return 0, false
	}
	for n := first + 1; n <= last; n++ {
		if m.ToNew(n) != at+n-first {
			return 0, false
		}
	}
	return at, true
}

// Keep returns the first new line of the block, old lines first to last, when
// some edit as short as the map's own, or the anchored one, leaves it whole.
//
// Where lines repeat, several edits are equally short and one of them may cut
// through the block for no reason in the text: after "a b" became "a b x a b",
// either pair may be the old one. An edit that keeps the cited block whole is
// then as good a reading as any, and the only one that does not cry wolf. A copy
// of the block that the old text already had elsewhere is not such a place,
// since taking it would leave its own lines unmapped and the edit longer.
func (m *Map) Keep(first, last int) (at int, ok bool) { return m.Keeper(KeepSteps).Keep(first, last) }

// Keep is Map.Keep. Once the budget is spent it knows of no edits but the map's
// own and the anchored one, so it may miss a block and never claims a wrong one.
func (k *Keeper) Keep(first, last int) (at int, ok bool) {
	m := k.m
	if at, ok := m.Whole(first, last); ok {
		return at, true
	}
	if !m.old.Has(first, last) || m.new.Len() == 0 {
		return 0, false
	}
	var places []int
	if k.steps > 0 {
		places = m.nearest(first, last)
		k.steps -= m.old.Len() + m.new.Len()
		if len(places) == 0 {
			return 0, false
		}
	}
	deleted, added := m.Changed()
	for _, at := range places {
		budget := min(budgetSteps/len(places), k.steps)
		if budget <= 0 {
			break
		}
		before := k.changed(m.old.Slice(1, first-1), m.new.Slice(1, at-1), budget)
		after := k.changed(m.old.Slice(last+1, m.old.Len()), m.new.Slice(at+last-first+1, m.new.Len()), budget)
		if before+after <= deleted+added {
			return at, true
		}
	}
	if k.anchored == nil {
		k.anchored = Anchored(m.old, m.new)
	}
	return k.anchored.Whole(first, last)
}

// changed is the length of the edit from old to new, found in at most budget
// steps, which it takes off the keeper's.
func (k *Keeper) changed(old, new *Text, budget int) int {
	left := budget
	deleted, added := diff(old, new, budget, func(al *aligner) {
		al.shortest()
		left = max(al.budget, 0)
	}).Changed()
	k.steps -= budget - left + lineSteps*(old.Len()+new.Len())
	return deleted + added
}

// nearest lists places of the block in the new text, those nearest to where the
// lines around it went first.
func (m *Map) nearest(first, last int) []int {
	places := m.new.Find(m.old, first, last, 1, maxPlaces*maxPlaces)
	want := first + m.offsetNear(first, last)
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(abs(a-want), abs(b-want)) })
	most := max(1, min(maxPlaces, maxWeighed/(m.old.Len()+m.new.Len())))
	return places[:min(len(places), most)]
}

// offsetNear is how far the mapped lines nearest to the block have shifted.
func (m *Map) offsetNear(first, last int) int {
	for d := 0; first-d >= 1 || last+d <= m.old.Len(); d++ {
		for _, n := range [2]int{first - d, last + d} {
			if to := m.ToNew(n); to > 0 {
				return to - n
			}
		}
	}
	return 0
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
