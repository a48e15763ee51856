package regex

import (
	"slices"
	"sync"
	"unicode"
)

// runeRange is an inclusive range of code points.
type runeRange struct{ lo, hi rune }

// runeSet is a set of Unicode scalar values: sorted, disjoint ranges with a gap
// between any two, and no surrogates.
type runeSet []runeRange

const (
	surrogateMin = 0xD800
	surrogateMax = 0xDFFF
)

// newRuneSet brings any list of ranges into the form of a runeSet.
func newRuneSet(rs ...runeRange) runeSet {
	cut := make(runeSet, 0, len(rs))
	for _, r := range rs {
		if r.lo < surrogateMin && r.hi > surrogateMax {
			cut = append(cut, runeRange{r.lo, surrogateMin - 1}, runeRange{surrogateMax + 1, r.hi})
			continue
		}
		if r.lo >= surrogateMin && r.lo <= surrogateMax {
			r.lo = surrogateMax + 1
		}
		if r.hi >= surrogateMin && r.hi <= surrogateMax {
			r.hi = surrogateMin - 1
		}
		if r.lo <= r.hi {
			cut = append(cut, r)
		}
	}
	slices.SortFunc(cut, func(a, b runeRange) int { return int(a.lo - b.lo) })
	out := cut[:0]
	for _, r := range cut {
		if n := len(out); n > 0 && r.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, r.hi)
			continue
		}
		out = append(out, r)
	}
	return out
}

// tableSet converts tables of the standard library.
func tableSet(tables ...*unicode.RangeTable) runeSet {
	var rs []runeRange
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			rs = append(rs, runeRange{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			rs = append(rs, runeRange{r, r})
		}
	}
	for _, t := range tables {
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return newRuneSet(rs...)
}

func (s runeSet) union(t runeSet) runeSet {
	return newRuneSet(append(slices.Clone(s), t...)...)
}

// negate returns every scalar value that is not in s.
func (s runeSet) negate() runeSet {
	var out []runeRange
	next := rune(0)
	for _, r := range s {
		if r.lo > next {
			out = append(out, runeRange{next, r.lo - 1})
		}
		next = r.hi + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, runeRange{next, unicode.MaxRune})
	}
	return newRuneSet(out...)
}

func (s runeSet) intersect(t runeSet) runeSet {
	var out []runeRange
	for i, j := 0, 0; i < len(s) && j < len(t); {
		lo, hi := max(s[i].lo, t[j].lo), min(s[i].hi, t[j].hi)
		if lo <= hi {
			out = append(out, runeRange{lo, hi})
		}
		if s[i].hi < t[j].hi {
			i++
		} else {
			j++
		}
	}
	return newRuneSet(out...)
}

func (s runeSet) subtract(t runeSet) runeSet { return s.intersect(t.negate()) }

func (s runeSet) symmetric(t runeSet) runeSet {
	return s.subtract(t).union(t.subtract(s))
}

func (s runeSet) contains(r rune) bool {
	_, ok := slices.BinarySearchFunc(s, r, func(x runeRange, r rune) int {
		switch {
		case x.hi < r:
			return -1
		case x.lo > r:
			return 1
		}
		return 0
	})
	return ok
}

// foldable lists, once, every code point that folds to another one: those that have
// another case, which are few, and what they fold to.
var foldable = sync.OnceValue(func() []rune {
	var out []rune
	for _, c := range unicode.CaseRanges {
		for r := rune(c.Lo); r <= rune(c.Hi); r++ {
			if other := unicode.SimpleFold(r); other != r {
				out = append(out, r, other)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
})

// fold adds everything that simple case folding makes equal to a member.
func (s runeSet) fold() runeSet {
	out := slices.Clone(s)
	all := foldable()
	for _, x := range s {
		i, _ := slices.BinarySearch(all, x.lo)
		for ; i < len(all) && all[i] <= x.hi; i++ {
			for r := unicode.SimpleFold(all[i]); r != all[i]; r = unicode.SimpleFold(r) {
				out = append(out, runeRange{r, r})
			}
		}
	}
	return newRuneSet(out...)
}

// foldASCII adds the other case of every ASCII letter in a set of bytes.
func (s runeSet) foldASCII() runeSet {
	out := slices.Clone(s)
	for c := 'a'; c <= 'z'; c++ {
		up := c - 'a' + 'A'
		if s.contains(c) {
			out = append(out, runeRange{up, up})
		}
		if s.contains(up) {
			out = append(out, runeRange{c, c})
		}
	}
	return newRuneSet(out...)
}

// negateBytes is negate within 0..255.
func (s runeSet) negateBytes() runeSet {
	return s.negate().intersect(runeSet{{0, 0xFF}})
}
