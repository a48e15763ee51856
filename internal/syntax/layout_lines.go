package syntax

import (
	"bytes"
	"cmp"
	"slices"
)

// Span is the part of the text that the lines first to last make.
func (l Layout) Span(first, last int) (from, to int) {
	byLine := func(p Placed, line int) int { return cmp.Compare(p.Line, line) }
	i, _ := slices.BinarySearchFunc(l.Lines, first, byLine)
	j, _ := slices.BinarySearchFunc(l.Lines, last+1, byLine)
	if i >= j {
		return 0, 0
	}
	return l.Lines[i].From, l.Lines[j-1].To
}

// LinesAt are the lines that hold a part of the text.
func (l Layout) LinesAt(from, to int) (first, last int) {
	i, _ := slices.BinarySearchFunc(l.Lines, from+1, func(p Placed, at int) int { return cmp.Compare(p.To, at) })
	j, _ := slices.BinarySearchFunc(l.Lines, to, func(p Placed, at int) int { return cmp.Compare(p.From, at) })
	if i >= j {
		return 0, 0
	}
	return l.Lines[i].Line, l.Lines[j-1].Line
}

// EndsAt reports whether a line ends at the offset.
func (l Layout) EndsAt(offset int) bool {
	_, ok := slices.BinarySearchFunc(l.Lines, offset, func(p Placed, at int) int { return cmp.Compare(p.To, at) })
	return ok
}

// Indents is the leading white space of each stretch between two marks in a part of
// the text.
func (l Layout) Indents(from, to int) [][]byte {
	first := bytes.Count(l.Text[:from], []byte{HardBreak})
	return l.indent[first : first+bytes.Count(l.Text[from:to], []byte{HardBreak})+1]
}

// OffsetIn is where a layout of some lines begins in that of all.
func (l Layout) OffsetIn(all Layout) int {
	if len(l.Lines) == 0 {
		return 0
	}
	i, _ := slices.BinarySearchFunc(all.Lines, l.Lines[0].Line, func(p Placed, line int) int { return cmp.Compare(p.Line, line) })
	return all.Lines[i].From
}
