package evidence

import "math"

// Thresholds of likeness.
const (
	alikeLine     = 0.5        // two lines below this are not one line edited
	alikeBlock    = 0.4        // a region below this is not the cited block edited
	maxAlignment  = 250_000    // pairs of lines compared between two anchors
	maxTokenPairs = 40_000_000 // pairs of tokens compared between two anchors
)

// region is what became of a cited block that did not hold: the lines at head
// that correspond to it, and how much of it they are.
type region struct {
	first, last int     // 0 when nothing corresponds
	share       float64 // of the block's information, from 0 to 1
}

func (r region) found() bool { return r.first > 0 }

// correspond finds the region of the cited lines first to last. Lines that map
// are anchors; between two anchors, lines are aligned by likeness.
func (p *pair) correspond(first, last int) region {
	m := p.plainMap()
	from, to, start, end := around(m, first, last)
	a := alignment{pair: p, head: make(map[int]int), like: make(map[int]float64)}
	nextOld, nextNew := from, start
	for n := from; n <= to; n++ {
		at := m.ToNew(n)
		if at == 0 {
			continue
		}
		a.head[n], a.like[n] = at, 1
		a.between(nextOld, n-1, nextNew, at-1)
		nextOld, nextNew = n+1, at+1
	}
	a.between(nextOld, to, nextNew, end)
	return a.region(first, last)
}

// alignment collects which old line is like which new one.
type alignment struct {
	pair *pair
	head map[int]int
	like map[int]float64
}

// between aligns old lines a0..a1 with new lines b0..b1.
func (a *alignment) between(a0, a1, b0, b1 int) {
	if a0 > a1 || b0 > b1 {
		return
	}
	for _, l := range a.pair.alignedBetween([4]int{a0, a1, b0, b1}) {
		a.head[l.old], a.like[l.old] = l.new, l.like
	}
}

// likeLine is an old line and the new one that it is like.
type likeLine struct {
	old, new int
	like     float64
}

// alignedBetween aligns old lines s[0]..s[1] with new lines s[2]..s[3], once for
// all the citations between them.
func (p *pair) alignedBetween(s [4]int) []likeLine {
	found, ok := p.aligned[s]
	if !ok {
		found = p.align(s[0], s[2], s[1]-s[0]+1, s[3]-s[2]+1)
		if p.aligned == nil {
			p.aligned = map[[4]int][]likeLine{}
		}
		p.aligned[s] = found
	}
	return found
}

// align aligns n old lines from a0 on with m new ones from b0 on, in order, so
// that the likeness of aligned lines adds up to the most.
func (p *pair) align(a0, b0, n, m int) []likeLine {
	if n*m > maxAlignment {
		return nil
	}
	old, tokensOld := tokenLines(p.old, a0, n)
	new, tokensNew := tokenLines(p.new, b0, m)
	if tokensOld*tokensNew > min(maxTokenPairs, p.likenessLeft()) {
		return nil
	}
	p.compared += tokensOld * tokensNew
	like := make([]float64, n*m)
	best := make([]float64, (n+1)*(m+1)) // best[i*(m+1)+j] for the tails from i and j on
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			s := alike(old[i], new[j])
			if s < alikeLine {
				s = 0
			}
			like[i*m+j] = s
			best[i*(m+1)+j] = math.Max(math.Max(best[(i+1)*(m+1)+j], best[i*(m+1)+j+1]), best[(i+1)*(m+1)+j+1]+s)
		}
	}
	var out []likeLine
	for i, j := 0, 0; i < n && j < m; {
		here := best[i*(m+1)+j]
		s := like[i*m+j]
		switch {
		case s > 0 && here == best[(i+1)*(m+1)+j+1]+s:
			out = append(out, likeLine{a0 + i, b0 + j, s})
			i, j = i+1, j+1
		case here == best[(i+1)*(m+1)+j]:
			i++
		default:
			j++
		}
	}
	return out
}

// tokenLines cuts n lines from the given one on, and counts all their tokens.
func tokenLines(d *document, from, n int) (lines [][]token, count int) {
	lines = make([][]token, n)
	for i := range lines {
		lines[i] = tokens(d.Plain().Line(from + i))
		count += len(lines[i])
	}
	return lines, count
}

// region sums up for the cited lines. The share of the block that is left is
// taken by information and by number of lines, whichever is larger: of a check
// whose long message changed most is still there, and of one whose two middle
// lines went, half.
func (a *alignment) region(first, last int) region {
	var r region
	var has, all, hasLines, allLines float64
	for n := first; n <= last; n++ {
		line := a.pair.old.Plain().Line(n)
		if len(line) == 0 {
			continue
		}
		info := information(line)
		all += float64(1 + info)
		has += float64(1+info) * a.like[n]
		if info >= telling {
			allLines++
			hasLines += a.like[n]
		}
	}
	if all == 0 {
		return r
	}
	r.share = has / all
	if allLines > 0 {
		r.share = max(r.share, hasLines/allLines)
	}
	lo, hi := a.core(first, last)
	if lo > 0 {
		r.first, r.last = a.head[lo], a.head[hi]
	}
	return r
}

// maxStray is how many lines further than expected an anchor that says little
// may lie from the rest of the region; a brace further off is another brace.
const maxStray = 3

// core returns the first and the last cited line that correspond, without
// anchors at the edges that say little and lie far from the others.
func (a *alignment) core(first, last int) (lo, hi int) {
	var aligned []int
	for n := first; n <= last; n++ {
		if a.head[n] > 0 && len(a.pair.old.Plain().Line(n)) > 0 {
			aligned = append(aligned, n)
		}
	}
	stray := func(edge, next int) bool {
		apart, was := abs(a.head[next]-a.head[edge]), abs(next-edge)
		return information(a.pair.old.Plain().Line(edge)) < telling && apart > was+maxStray
	}
	for len(aligned) > 1 && stray(aligned[0], aligned[1]) {
		aligned = aligned[1:]
	}
	for k := len(aligned); k > 1 && stray(aligned[k-1], aligned[k-2]); k = len(aligned) {
		aligned = aligned[:k-1]
	}
	if len(aligned) == 0 {
		return 0, 0
	}
	return aligned[0], aligned[len(aligned)-1]
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
