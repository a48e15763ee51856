package evidence

import (
	"bytes"
	"cmp"
	"slices"
)

// stretch is a run of old lines and a run of new ones, laid out by the rules of
// some joining.
type stretch struct {
	from, to, start, end int
	joins                joining
}

// maxLaid bounds how many stretches a pair keeps laid out.
const maxLaid = 8

// layouts lays a stretch out on both sides, once for all the blocks in it.
func (p *pair) layouts(key stretch, l language) (old, new layout) {
	laid, ok := p.laid[key]
	if !ok {
		if p.laid == nil || len(p.laid) >= maxLaid {
			p.laid = map[stretch][2]layout{}
		}
		laid = [2]layout{p.old.layoutOf(l, key.from, key.to), p.new.layoutOf(l, key.start, key.end)}
		p.laid[key] = laid
	}
	return laid[0], laid[1]
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

// indents is the leading white space of each stretch between two marks in a part of
// the text.
func (l layout) indents(from, to int) [][]byte {
	first := bytes.Count(l.text[:from], []byte{hardBreak})
	return l.indent[first : first+bytes.Count(l.text[from:to], []byte{hardBreak})+1]
}

// commonPart returns where a part of the old text stands in the new one, when that
// part and what is next to it is in what both begin or both end with.
func commonPart(old, new layout, from, to int) (int, bool) {
	n := 0
	for n < min(len(old.text), len(new.text)) && old.text[n] == new.text[n] {
		n++
	}
	if to < n || to == n && n == len(old.text) && (n == len(new.text) || new.text[n] == hardBreak) {
		return from, true
	}
	m, grown := 0, len(new.text)-len(old.text)
	for m < min(len(old.text), len(new.text)) && old.text[len(old.text)-1-m] == new.text[len(new.text)-1-m] {
		m++
	}
	return from + grown, from > len(old.text)-m || from == 0 && m == len(old.text) && (grown == 0 || new.text[grown-1] == hardBreak)
}
