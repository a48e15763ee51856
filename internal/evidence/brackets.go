package evidence

import (
	"cmp"
	"slices"
	"strings"
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

// bracketsKnown reports whether it can be told which brackets the line is in.
func (d *Document) bracketsKnown(line int) bool {
	d.scan()
	return d.open == 0 || line <= d.open
}

// balanced reports whether every bracket of the document ends, and ends one.
func (d *Document) balanced() bool {
	d.scan()
	return d.open == 0 && !d.nest.stray && d.nest.inner < 0
}

// opensAt is the line of the bracket that is open where the given line begins, or 0.
func (d *Document) opensAt(line int) int {
	if i := d.nest.around(line); i >= 0 {
		return d.nest.all[i].line
	}
	return 0
}

// opener reports whether the byte is a bracket that opens.
func opener(c byte) bool { return closerOf[c] != 0 }

// balance is how many brackets the canonical line opens less those it closes.
func balance(line []byte) int {
	n := 0
	for i := 0; i < len(line); i++ {
		switch {
		case isQuote(line[i]):
			i = stringEnd(line, i) - 1
		case strings.IndexByte("([{", line[i]) >= 0:
			n++
		case strings.IndexByte(")]}", line[i]) >= 0:
			n--
		}
	}
	return n
}

// around is the innermost bracket that is open where the line begins, an index, or -1.
func (d *Document) around(line int) int { return d.nest.around(line) }

// bracket is the one of the index.
func (d *Document) bracket(i int) bracket { return d.nest.all[i] }

// head is the line on which what stands before the bracket of the index begins.
func (d *Document) head(i int) int { return d.nest.head(i) }

// bracketsEnd is the last line of what the line opens brackets for, and of what the lines
// up to there do; the line itself where none are opened.
func (d *Document) bracketsEnd(line int) int {
	i, _ := slices.BinarySearchFunc(d.nest.all, line, func(b bracket, n int) int { return cmp.Compare(b.line, n) })
	for ; i < len(d.nest.all) && d.nest.all[i].line <= line; i++ {
		line = max(line, d.nest.all[i].end)
	}
	return line
}
