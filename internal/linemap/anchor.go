package linemap

import "slices"

// anchor matches the span by the elements that occur exactly once on either
// side, keeping the longest chain of them that is in order on both, then matches
// what lies between them.
func (al *aligner) anchor(s span, depth int) {
	s = al.trim(s)
	if s.a0 == s.a1 || s.b0 == s.b1 {
		return
	}
	al.exact = false
	if depth > maxDepth {
		return
	}
	chain := longestChain(al.once(s))
	if len(chain) == 0 {
		depth = maxDepth // nothing to hold on to: one more try, then no more
	}
	for _, c := range chain {
		al.pair(c.i, c.j)
		al.gap(span{s.a0, c.i, s.b0, c.j}, depth)
		s.a0, s.b0 = c.i+1, c.j+1
	}
	al.gap(s, depth)
}

// gap matches what lies between two anchors.
func (al *aligner) gap(s span, depth int) {
	budget := gapFactor * (s.a1 - s.a0 + s.b1 - s.b0)
	al.solve(s, &budget, depth+1)
}

// anchorPair is an element of a and one of b.
type anchorPair struct{ i, j int }

// once lists the pairs of elements that occur once on either side of the span,
// in the order of a.
func (al *aligner) once(s span) []anchorPair {
	type seen struct{ inA, inB, j int32 }
	count := make(map[int32]seen, s.a1-s.a0)
	for i := s.a0; i < s.a1; i++ {
		c := count[al.a[i].id]
		c.inA++
		count[al.a[i].id] = c
	}
	for j := s.b0; j < s.b1; j++ {
		if c, ok := count[al.b[j].id]; ok {
			c.inB++
			c.j = int32(j)
			count[al.b[j].id] = c
		}
	}
	var out []anchorPair
	for i := s.a0; i < s.a1; i++ {
		if c := count[al.a[i].id]; c.inA == 1 && c.inB == 1 {
			out = append(out, anchorPair{i, int(c.j)})
		}
	}
	return out
}

// longestChain returns the longest subsequence of pairs whose j rises.
func longestChain(pairs []anchorPair) []anchorPair {
	var tails []int // tails[k] ends the best chain of k+1 pairs
	before := make([]int, len(pairs))
	for p := range pairs {
		k, _ := slices.BinarySearchFunc(tails, pairs[p].j, func(t, j int) int { return pairs[t].j - j })
		before[p] = -1
		if k > 0 {
			before[p] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, p)
		} else {
			tails[k] = p
		}
	}
	chain := make([]anchorPair, len(tails))
	if len(tails) == 0 {
		return chain
	}
	for k, p := len(tails)-1, tails[len(tails)-1]; k >= 0; k, p = k-1, before[p] {
		chain[k] = pairs[p]
	}
	return chain
}
