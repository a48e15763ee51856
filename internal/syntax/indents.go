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
	var levels Levels
	var out []int
	for _, indent := range indents {
		depth, irregular := levels.Enter(width(indent))
		if irregular {
			return nil
		}
		out = append(out, depth)
	}
	return out
}

// Levels are how far the lines are indented that the next may stand under, from the
// outermost in.
type Levels struct{ widths []int }

// Enter takes in the next line, indented so far, and returns how many levels deep it
// lies. It is irregular when it falls back to a level that none before it had.
func (l *Levels) Enter(width int) (depth int, irregular bool) {
	n := len(l.widths)
	for n > 0 && l.widths[n-1] > width {
		n--
	}
	begins := n == 0 || l.widths[n-1] < width
	irregular = begins && n < len(l.widths)
	if l.widths = l.widths[:n]; begins {
		l.widths = append(l.widths, width)
	}
	return len(l.widths), irregular
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
