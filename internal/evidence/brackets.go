package evidence

import (
	"cmp"
	"slices"
)

// bracket is one that was opened, with the line on which it ends, or 0.
type bracket struct {
	kind      byte
	line, end int
	outer     int // the bracket around it, an index, or -1
}

// turn is a place at which another bracket became the innermost.
type turn struct{ line, inner int }

// brackets are those of a file, in order, outside strings and comments.
type brackets struct {
	all   []bracket
	turns []turn
	inner int          // the innermost that is open, or -1
	open  map[byte]int // how many of each kind are
	stray bool         // one ended nothing, or another than the innermost
}

func isBracket(c byte) bool {
	return c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}'
}

var closerOf = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// meet takes in the next bracket. One that ends nothing is passed over, and one
// that ends an outer bracket ends those inside of it.
func (b *brackets) meet(c byte, line int) {
	if closerOf[c] != 0 {
		b.all = append(b.all, bracket{kind: c, line: line, outer: b.inner})
		b.inner = len(b.all) - 1
		b.open[closerOf[c]]++
		b.turns = append(b.turns, turn{line, b.inner})
		return
	}
	b.stray = b.stray || b.inner < 0 || closerOf[b.all[b.inner].kind] != c
	if b.open[c] == 0 {
		return
	}
	for closerOf[b.all[b.inner].kind] != c {
		b.open[closerOf[b.all[b.inner].kind]]--
		b.inner = b.all[b.inner].outer
	}
	b.open[c]--
	b.all[b.inner].end = line
	b.inner = b.all[b.inner].outer
	b.turns = append(b.turns, turn{line, b.inner})
}

// around is the innermost bracket that is open where the line begins, or -1.
func (b *brackets) around(line int) int {
	i, _ := slices.BinarySearchFunc(b.turns, line, func(t turn, n int) int { return cmp.Compare(t.line, n) })
	if i == 0 {
		return -1
	}
	return b.turns[i-1].inner
}

// head is the line on which what stands before the bracket begins: that of the
// bracket itself, or of the parentheses that end beside it.
func (b *brackets) head(i int) int {
	line := b.all[i].line
	for j := i - 1; j >= max(0, i-maxHeadBrackets); j-- {
		if c := b.all[j]; c.kind == '(' && c.outer == b.all[i].outer && c.end == line {
			line = c.line
		}
	}
	return line
}

// maxHeadBrackets is how many brackets before one are looked at.
const maxHeadBrackets = 64
