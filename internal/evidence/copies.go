package evidence

import (
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// Bounds of telling apart copies of a block.
const (
	maxCopies   = 64 // copies in a file that are told apart
	maxVouchers = 3  // lines above and below a copy that speak for it
)

// claim says whose place a block at head is, where the file has fewer copies of
// the block than it had.
type claim int

const (
	claimSure    claim = iota // the cited copy's
	claimOther                // another copy's: the cited one went
	claimUnknown              // which copy it is cannot be told
)

// claimed tells whether the new lines from at on, where old lines first to last
// may have gone, are theirs. It is in question only when a copy of the block
// went from between the nearest unmistakable lines around it; then the lines
// that a copy stands under decide, and where they do not, its neighbours.
func (p *pair) claimed(first, last, at int, s standing) claim {
	old, new := p.old.Text, p.new.Text
	if s != standsExact {
		old, new = p.old.Plain(), p.new.Plain()
	}
	if len(old.Find(old, first, last, 1, 2)) < 2 || s == standsLaidOut && p.onlyRelaid() {
		return claimSure
	}
	n := last - first + 1
	if at == first && new.Equal(1, old, 1, last) {
		return claimSure // all up to their end is as it was
	}
	from, to, start, end := p.unmistakable(first, last, at, n)
	rivals := old.Slice(from, to).Find(old, first, last, 1, maxCopies)
	left := new.Slice(start, end).Find(old, first, last, 1, maxCopies)
	if len(left) >= len(rivals) {
		return claimSure
	}
	mine, best := p.voices(first, at, n), voices{-1, -1}
	for _, c := range rivals {
		if c += from - 1; c == first {
			continue
		}
		if v := p.voices(c, at, n); v.compare(best) > 0 {
			best = v
		}
	}
	switch c := mine.compare(best); {
	case c > 0:
		return claimSure
	case c < 0:
		return claimOther
	default:
		return claimUnknown
	}
}

// unmistakable returns the stretch around the block, on both sides, between the
// nearest lines that stand once at base and once at head and map to each other.
func (p *pair) unmistakable(first, last, at, n int) (from, to, start, end int) {
	m := p.plainMap()
	x, y := p.old.lineBag(), p.new.lineBag()
	once := func(i int) int {
		if x[string(m.Old().Line(i))] != 1 || y[string(m.Old().Line(i))] != 1 {
			return 0
		}
		return m.ToNew(i)
	}
	from, to, start, end = 1, m.Old().Len(), 1, m.New().Len()
	for i := first - 1; i >= 1; i-- {
		if j := once(i); j > 0 && j < at {
			from, start = i+1, j+1
			break
		}
	}
	for i := last + 1; i <= m.Old().Len(); i++ {
		if j := once(i); j >= at+n {
			to, end = i-1, j-1
			break
		}
	}
	return from, to, start, end
}

// voices is how much speaks for a copy of a block being the one at a new place.
type voices struct {
	headers    int // lines that both stand under, from the innermost out
	neighbours int // lines right above and below that are the same
}

func (v voices) compare(w voices) int {
	return slices.Compare([]int{v.headers, v.neighbours}, []int{w.headers, w.neighbours})
}

// voices compares the surroundings of n old lines from first on with those of
// the new lines from at on.
func (p *pair) voices(first, at, n int) voices {
	var v voices
	a, b := p.old.texts(p.old.above(first, first+n-1)), p.new.texts(p.new.above(at, at+n-1))
	for v.headers < min(len(a), len(b)) && a[v.headers] == b[v.headers] {
		v.headers++
	}
	for _, step := range []int{-1, 1} {
		i, j := first-1, at-1
		if step > 0 {
			i, j = first+n, at+n
		}
		v.neighbours += p.equalFrom(i, j, step, maxVouchers)
	}
	return v
}

// equalFrom counts the equal lines from old line i and new line j on in one
// direction, at most limit; blank lines are passed over.
func (p *pair) equalFrom(i, j, step, limit int) int {
	x, y := p.old.Plain(), p.new.Plain()
	for n := range limit {
		for x.Has(i, i) && len(x.Line(i)) == 0 {
			i += step
		}
		for y.Has(j, j) && len(y.Line(j)) == 0 {
			j += step
		}
		if !x.Equal(i, y, j, 1) {
			return n
		}
		i, j = i+step, j+step
	}
	return limit
}

// regrouped says so when lines of a file stood under one line and now stand under
// another, and both are in the file at base and at head. It returns "" otherwise.
func (p *pair) regrouped(was, is scorecard.LineRange) string {
	a, b := p.old.texts(p.old.above(was.First, was.Last)), p.new.texts(p.new.above(is.First, is.Last))
	if len(a) == 0 || len(b) == 0 || a[0] == b[0] || p.new.lineBag()[a[0]] == 0 || p.old.lineBag()[b[0]] == 0 {
		return ""
	}
	return fmt.Sprintf("the lines are the same, but they stood under %s and now stand under %s", shorten(a[0]), shorten(b[0]))
}

// minLines is the number of lines from which a block is known again by being the
// only one, if it says something; a shorter one has to be distinctive.
const minLines = 3

// onlyPlace returns where the cited block stands in the file at head when it
// stands exactly once on either side: then that is the block, wherever in the
// file it went.
func (p *pair) onlyPlace(first, last int) placement {
	n := last - first + 1
	if says := p.old.information(first, last); says < telling || says < distinctiveBlock && n < minLines {
		return placement{}
	}
	old, new := p.old.Plain(), p.new.Plain()
	places := new.Find(old, first, last, 1, 2)
	if len(places) != 1 || len(old.Find(old, first, last, 1, 2)) != 1 {
		return placement{}
	}
	found := placement{standing: standsExact, first: places[0], last: places[0] + n - 1}
	if !p.new.Text.Equal(found.first, p.old.Text, first, n) {
		if found.standing = standsLaidOut; !p.sameLayout(p.old.Lang, first, last, found.first, found.last) {
			return placement{}
		}
	}
	return found
}

// unclaimed is a copy of the cited block in the file that continues the cited
// one, which may not be taken for the block.
type unclaimed struct {
	claim claim
	lines scorecard.LineRange
	file  string
}

// reason says in plain words why the place is not taken for the cited lines'.
func (u unclaimed) reason() string {
	if u.claim == claimOther {
		return fmt.Sprintf("the cited lines went; those at %s:%s are another copy of them, which was there before", u.file, u.lines)
	}
	return fmt.Sprintf("the cited lines stood more than once and a copy was removed: whether those left at %s:%s are the cited ones cannot be told",
		u.file, u.lines)
}
