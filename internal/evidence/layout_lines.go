package evidence

import (
	"bytes"
	"cmp"
	"slices"
)

// span is the part of the text that the lines first to last make.
func (l layout) span(first, last int) (from, to int) {
	byLine := func(p placed, line int) int { return cmp.Compare(p.line, line) }
	i, _ := slices.BinarySearchFunc(l.lines, first, byLine)
	j, _ := slices.BinarySearchFunc(l.lines, last+1, byLine)
	if i >= j {
		return 0, 0
	}
	return l.lines[i].from, l.lines[j-1].to
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

// offsetIn is where a layout of some lines begins in that of all.
func (l layout) offsetIn(all layout) int {
	if len(l.lines) == 0 {
		return 0
	}
	i, _ := slices.BinarySearchFunc(all.lines, l.lines[0].line, func(p placed, line int) int { return cmp.Compare(p.line, line) })
	return all.lines[i].from
}
