package linemap

import "math"

// middle returns a point in the middle of a shortest edit of the span, after
// Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), section 4b:
// the searches from both ends advance in turn until they meet on a diagonal.
// ok is false when the budget ran out first. Both sides of the span must be
// non-empty and differ at both ends.
func (al *aligner) middle(s span, budget *int) (x, y int, ok bool) {
	n, m := s.a1-s.a0, s.b1-s.b0
	if need := len(al.a) + len(al.b) + 3; len(al.fw) < need {
		al.fw, al.bw = make([]int, need), make([]int, need)
	}
	// Diagonal k holds the points with x-y == k; k runs from -m to n.
	zero := m + 1
	fw, bw := al.fw, al.bw
	delta := n - m
	fw[zero], bw[zero+delta] = 0, n
	f, b := band{lo: 0, hi: 0}, band{lo: delta, hi: delta}
	for *budget > 0 {
		f.grow(-m, n, func(k int) { fw[zero+k] = -1 })
		for k := f.hi; k >= f.lo; k -= 2 {
			x := al.forward(s, fw, zero, k, budget)
			if delta&1 != 0 && b.has(k) && bw[zero+k] <= x {
				return s.a0 + x, s.b0 + x - k, true
			}
		}
		b.grow(-m, n, func(k int) { bw[zero+k] = math.MaxInt })
		for k := b.hi; k >= b.lo; k -= 2 {
			x := al.backward(s, bw, zero, k, budget)
			if delta&1 == 0 && f.has(k) && x <= fw[zero+k] {
				return s.a0 + x, s.b0 + x - k, true
			}
		}
	}
	return 0, 0, false
}

// forward takes diagonal k one edit further from the start and returns how far
// along the old side it reaches.
func (al *aligner) forward(s span, fw []int, zero, k int, budget *int) int {
	x := fw[zero+k+1]
	if before := fw[zero+k-1]; before >= x {
		x = before + 1
	}
	from := x
	for y := x - k; s.a0+x < s.a1 && s.b0+y < s.b1 && al.a[s.a0+x].id == al.b[s.b0+y].id; y++ {
		x++
	}
	fw[zero+k] = x
	*budget -= x - from + 1
	return x
}

// backward takes diagonal k one edit further from the end.
func (al *aligner) backward(s span, bw []int, zero, k int, budget *int) int {
	x := bw[zero+k-1]
	if after := bw[zero+k+1]; after <= x {
		x = after - 1
	}
	from := x
	for y := x - k; x > 0 && y > 0 && al.a[s.a0+x-1].id == al.b[s.b0+y-1].id; y-- {
		x--
	}
	bw[zero+k] = x
	*budget -= from - x + 1
	return x
}

// band is the range of diagonals that a search has reached.
type band struct{ lo, hi int }

// grow widens the band by one on either side, or narrows it where the table
// ends, and marks the diagonals just outside as unreached.
func (b *band) grow(lo, hi int, unreached func(k int)) {
	if b.lo > lo {
		b.lo--
		unreached(b.lo - 1)
	} else {
		b.lo++
	}
	if b.hi < hi {
		b.hi++
		unreached(b.hi + 1)
	} else {
		b.hi--
	}
}

func (b band) has(k int) bool { return b.lo <= k && k <= b.hi }
