package evidence

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/rescore-app/rescore/internal/linemap"
)

// standing is how a cited block stands in a file at head.
type standing int

const (
	standsNot     standing = iota
	standsExact            // the same lines, byte for byte
	standsLaidOut          // the same but for layout
	standsBent             // the same words, but the shape of the indentation changed
)

// placement is where a cited block stands.
type placement struct {
	standing    standing
	first, last int
}

// place looks for the cited lines first to last where they would have gone by
// what surrounds them, or else for the one place where they stand.
func (p *pair) place(first, last int) placement {
	n := last - first + 1
	if at, ok := p.lineKeeper().Keep(first, last); ok {
		return placement{standing: standsExact, first: at, last: at + n - 1}
	}
	if at, ok := p.plainKeeper().Keep(first, last); ok {
		found := placement{standing: standsLaidOut, first: at, last: at + n - 1}
		if !p.sameLayout(p.old.lang, first, last, found.first, found.last) {
			found.standing = standsBent
			if only := p.onlyPlace(first, last); only.standing != standsNot {
				return only
			}
		}
		return found
	}
	if found := p.rewrapped(first, last, p.old.lang); found.standing != standsNot {
		return found
	}
	if found := p.onlyPlace(first, last); found.standing != standsNot {
		return found
	}
	loose := language{joins: joinAlways, indent: indentFree, spacing: p.old.lang.spacing, comment: p.old.lang.comment}
	found := p.rewrapped(first, last, loose)
	if found.standing != standsNot {
		found.standing = standsBent
	}
	return found
}

// sameLayout compares old lines first..last with new lines at..end.
func (p *pair) sameLayout(l language, first, last, at, end int) bool {
	if family(p.old.path) != family(p.new.path) {
		return false
	}
	old, new := l.layoutOf(p.old.text, first, last), l.layoutOf(p.new.text, at, end)
	return l.sameLayout(old, new) || p.sameDepths(l, old, new)
}

// maxRewrap bounds the stretch, in bytes, in which moved line breaks are looked
// for.
const maxRewrap = 1 << 20

// rewrapped looks for the block with its line breaks elsewhere, in the stretch
// between the nearest lines around it that map, by the rules of a language.
func (p *pair) rewrapped(first, last int, l language) placement {
	from, to, start, end := around(p.plainMap(), first, last)
	if start > end || family(p.old.path) != family(p.new.path) ||
		len(p.old.text.Lines(from, to))+len(p.new.text.Lines(start, end)) > maxRewrap {
		return placement{}
	}
	old, new := p.layouts(l, from, to, start, end)
	lo, hi := old.span(first, last)
	if lo == hi {
		return placement{}
	}
	var found placement
	if l.sameLayout(old, new) {
		found.standing = standsLaidOut
		found.first, found.last = new.linesAt(lo, hi)
		return found
	}
	block := old.text[lo:hi]
	for _, s := range new.lines {
		if !bytes.HasPrefix(new.text[s.from:], block) || !new.endsAt(s.from+len(block)) {
			continue
		}
		c := placement{standing: standsLaidOut}
		c.first, c.last = new.linesAt(s.from, s.from+len(block))
		if !p.sameLayout(l, first, last, c.first, c.last) {
			continue
		}
		if found.standing != standsNot {
			return placement{} // more than one place
		}
		found = c
	}
	return found
}

// stretch is a run of old lines and a run of new ones, laid out by the rules of
// some joining.
type stretch struct {
	from, to, start, end int
	joins                joining
}

// maxLaid bounds how many stretches a pair keeps laid out.
const maxLaid = 8

// layouts lays a stretch out on both sides, once for all the blocks in it.
func (p *pair) layouts(l language, from, to, start, end int) (old, new layout) {
	key := stretch{from, to, start, end, l.joins}
	laid, ok := p.laid[key]
	if !ok {
		if p.laid == nil || len(p.laid) >= maxLaid {
			p.laid = map[stretch][2]layout{}
		}
		laid = [2]layout{l.layoutOf(p.old.text, from, to), l.layoutOf(p.new.text, start, end)}
		p.laid[key] = laid
	}
	return laid[0], laid[1]
}

// around widens the block to the stretch between the nearest lines around it
// that map, and returns it on both sides; start > end when nothing is left of it
// on the new side.
func around(m *linemap.Map, first, last int) (from, to, start, end int) {
	from, to, start, end = first, last, 1, m.New().Len()
	for ; from > 1; from-- {
		if at := m.ToNew(from - 1); at > 0 {
			start = at + 1
			break
		}
	}
	for ; to < m.Old().Len(); to++ {
		if at := m.ToNew(to + 1); at > 0 {
			end = at - 1
			break
		}
	}
	return from, to, start, end
}

// span is the part of the text that the lines first to last make.
func (l layout) span(first, last int) (from, to int) {
	for _, p := range l.lines {
		if p.line < first || p.line > last {
			continue
		}
		if to == 0 {
			from = p.from
		}
		to = p.to
	}
	return from, to
}

// linesAt are the lines that hold a part of the text.
func (l layout) linesAt(from, to int) (first, last int) {
	i, _ := slices.BinarySearchFunc(l.lines, from+1, func(p placed, at int) int { return cmp.Compare(p.to, at) })
	j, _ := slices.BinarySearchFunc(l.lines, to, func(p placed, at int) int { return cmp.Compare(p.from, at) })
	if i >= j {
		return 0, 0
	}
	return l.lines[i].line, l.lines[j-1].line
}

// endsAt reports whether a line ends at the offset.
func (l layout) endsAt(offset int) bool {
	_, ok := slices.BinarySearchFunc(l.lines, offset, func(p placed, at int) int { return cmp.Compare(p.to, at) })
	return ok
}
