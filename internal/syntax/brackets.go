package syntax

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Bracket is one that was opened.
type Bracket struct {
	Kind  byte // the byte that opens it
	Line  int  // on which it opens
	Outer int  // the index of the bracket around it, or -1
	first int  // the index of the outermost around it that opens on the same line, or its own
	end   int  // the line on which it ends, or 0
}

// turn is a place at which another bracket became the innermost.
type turn struct{ line, inner int }

// brackets are those of a file, in order, outside strings and comments.
type brackets struct {
	all   []Bracket
	turns []turn
	inner int          // the innermost that is open, or -1
	open  map[byte]int // how many of each kind are
	stray bool         // one ended nothing, or another than the innermost
}

// IsBracket reports whether the byte is a bracket that opens or ends something.
func IsBracket(c byte) bool {
	return c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}'
}

var closerOf = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// Opens reports whether the byte is a bracket that opens.
func Opens(c byte) bool { return closerOf[c] != 0 }

// Balance is how many brackets the canonical line opens less those it closes.
func Balance(line []byte) int {
	n := 0
	for i := 0; i < len(line); i++ {
		switch {
		case IsQuote(line[i]):
			i = StringEnd(line, i) - 1
		case strings.IndexByte("([{", line[i]) >= 0:
			n++
		case strings.IndexByte(")]}", line[i]) >= 0:
			n--
		}
	}
	return n
}

// meet takes in the next bracket. One that ends nothing is passed over, and one
// that ends an outer bracket ends those inside of it.
func (b *brackets) meet(c byte, line int) {
	if closerOf[c] != 0 {
		next := Bracket{Kind: c, Line: line, Outer: b.inner, first: len(b.all)}
		if b.inner >= 0 && b.all[b.inner].Line == line {
			next.first = b.all[b.inner].first
		}
		b.all = append(b.all, next)
		b.inner = len(b.all) - 1
		b.open[closerOf[c]]++
		b.turns = append(b.turns, turn{line, b.inner})
		return
	}
	b.stray = b.stray || b.inner < 0 || closerOf[b.all[b.inner].Kind] != c
	if b.open[c] == 0 {
		return
	}
	for closerOf[b.all[b.inner].Kind] != c {
		b.open[closerOf[b.all[b.inner].Kind]]--
		b.inner = b.all[b.inner].Outer
	}
	b.open[c]--
	b.all[b.inner].end = line
	b.inner = b.all[b.inner].Outer
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
	line := b.all[i].Line
	for j := i - 1; j >= max(0, i-maxHeadBrackets); j-- {
		if c := b.all[j]; c.Kind == '(' && c.Outer == b.all[i].Outer && c.end == line {
			line = c.Line
		}
	}
	return line
}

// OpensBody reports whether parentheses that open on the line end beside a brace that
// opens: what stands in the brace is a body, whatever the line itself looks like.
func (d *Document) OpensBody(line int) bool {
	d.scan()
	first, _ := slices.BinarySearchFunc(d.nest.all, line, func(b Bracket, n int) int { return cmp.Compare(b.Line, n) })
	for j := first; j < len(d.nest.all) && d.nest.all[j].Line == line; j++ {
		if d.nest.all[j].Kind == '(' && d.nest.bodyBehind(j) {
			return true
		}
	}
	return false
}

// bodyBehind reports whether a brace opens beside the end of the parentheses.
func (b *brackets) bodyBehind(j int) bool {
	after, _ := slices.BinarySearchFunc(b.all, b.all[j].end, func(x Bracket, n int) int { return cmp.Compare(x.Line, n) })
	for k := max(after, j+1); k < len(b.all) && b.all[k].Line == b.all[j].end; k++ {
		if b.all[k].Kind == '{' && b.all[k].Outer == b.all[j].Outer {
			return true
		}
	}
	return false
}

// maxHeadBrackets is how many brackets before one are looked at.
const maxHeadBrackets = 64

// BracketsKnown reports whether it can be told which brackets the line is in.
func (d *Document) BracketsKnown(line int) bool {
	d.scan()
	return d.open == 0 || line <= d.open
}

// Balanced reports whether every bracket of the document ends, and ends one.
func (d *Document) Balanced() bool {
	d.scan()
	return d.open == 0 && !d.nest.stray && d.nest.inner < 0
}

// Around is the index of the innermost bracket that is open where the line begins, or
// -1. It is right where BracketsKnown says so.
func (d *Document) Around(line int) int {
	d.scan()
	return d.nest.around(line)
}

// OpensAt is the line of the bracket that is open where the given line begins, or 0.
func (d *Document) OpensAt(line int) int {
	if i := d.Around(line); i >= 0 {
		return d.nest.all[i].Line
	}
	return 0
}

// Bracket is the bracket of the index.
func (d *Document) Bracket(i int) Bracket { return d.nest.all[i] }

// Head is the line on which what stands before the bracket of the index begins.
func (d *Document) Head(i int) int { return d.nest.head(i) }

// Heads are the heads of the brackets that are open where the line begins, from the
// innermost out, each line once. It is right where BracketsKnown says so.
func (d *Document) Heads(line int) iter.Seq[int] {
	return func(yield func(int) bool) {
		last := 0
		for i := d.Around(line); i >= 0; i = d.nest.all[i].Outer {
			// Of those that open on one line the outermost alone may have its head elsewhere.
			for _, j := range []int{i, d.nest.all[i].first} {
				if n := d.nest.head(j); n != last {
					if last = n; !yield(n) {
						return
					}
				}
			}
			i = d.nest.all[i].first
		}
	}
}

// BracketsEnd is the line on which the last ends of the brackets that are opened on the
// line and on those up to there; the line itself where none are.
func (d *Document) BracketsEnd(line int) int {
	d.scan()
	i, _ := slices.BinarySearchFunc(d.nest.all, line, func(b Bracket, n int) int { return cmp.Compare(b.Line, n) })
	for ; i < len(d.nest.all) && d.nest.all[i].Line <= line; i++ {
		line = max(line, d.nest.all[i].end)
	}
	return line
}
