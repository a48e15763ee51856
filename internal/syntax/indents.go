package syntax

import (
	"bytes"
	"slices"
)

// SameLayout reports whether two runs of lines differ in layout alone.
func (l *Language) SameLayout(a, b Layout) bool {
	return bytes.Equal(a.Text, b.Text) && l.SameIndent(a.indent, b.indent)
}

// SameIndent compares leading white space, stretch by stretch, as far as it
// means anything. A block may move as a whole, by any constant, and may be
// indented by another unit (tabs for blanks, two for four); its shape may not
// change, for in such languages the shape is the program: a check that slips out
// of its condition has equal words and another meaning.
func (l *Language) SameIndent(a, b [][]byte) bool {
	switch {
	case len(a) != len(b):
		return false
	case l.indent == indentFree, l.joins == joinProse:
		return true
	case l.indent == indentExact:
		return slices.EqualFunc(a, b, bytes.Equal)
	default:
		return ShiftedAlike(a, b) || sameShape(a, b)
	}
}

// shifted reports whether every line of b is that of a behind one and the same
// prefix.
func shifted(a, b [][]byte) bool {
	for i := range a {
		grown := len(b[i]) - len(a[i])
		if grown < 0 || grown != len(b[0])-len(a[0]) || !bytes.Equal(b[i][:grown], b[0][:grown]) || !bytes.Equal(b[i][grown:], a[i]) {
			return false
		}
	}
	return true
}

// ShiftedAlike reports whether all lines of one side are those of the other behind one
// and the same prefix. Both sides have as many lines, at least one.
func ShiftedAlike(a, b [][]byte) bool { return shifted(a, b) || shifted(b, a) }

// tabWidth is the distance of tab stops, as Python's grammar has it.
const tabWidth = 8

// shape gives each line its depth below the first, counted in steps rather than
// blanks; nil when steps cannot be counted, because a line lies outside the
// first or falls back to a level that none before it had.
func shape(indents [][]byte) []int {
	var levels, out []int
	for i, indent := range indents {
		w := width(indent)
		fell := false
		for len(levels) > 0 && levels[len(levels)-1] > w {
			levels, fell = levels[:len(levels)-1], true
		}
		if i > 0 && len(levels) == 0 || fell && levels[len(levels)-1] != w {
			return nil
		}
		if len(levels) == 0 || levels[len(levels)-1] < w {
			levels = append(levels, w)
		}
		out = append(out, len(levels))
	}
	return out
}

// sameShape reports whether both have a shape and it is the same.
func sameShape(a, b [][]byte) bool {
	x := shape(a)
	return x != nil && slices.Equal(x, shape(b))
}

func width(indent []byte) int {
	w := 0
	for _, c := range indent {
		if c == '\t' {
			w += tabWidth - w%tabWidth
		} else {
			w++
		}
	}
	return w
}
