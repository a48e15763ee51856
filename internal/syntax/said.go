package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
)

// Said is what lines say by a reading, and how.
type Said struct {
	Without []byte // the text without marks of depth below what begins a node
	Deep    []byte // the text
	Says    bool   // it is more than comments
	Depth   int    // of the node that the first of them is a part of
	Folds   bool   // they begin in a text whose lines are joined
	GoesOn  bool   // the value they end in goes on behind them
}

// foldedText matches the header of a text whose lines are joined.
var foldedText = lazy.Regexp(`>[-+0-9]*\x07`)

// Saying is what the lines say by the reading, which there has to be.
func (d *Document) Saying(first, last int) Said {
	out := Said{Deep: bytes.TrimLeft(d.ReadingLayout(first, last).Text, " ")}
	if trimmed := bytes.TrimLeft(out.Deep, string(rune(markLine))); len(trimmed) < len(out.Deep) {
		out.Deep = append([]byte{markLine}, trimmed...) // empty lines before a line are no part of it
	}
	out.Without = depthMarks().ReplaceAll(out.Deep, []byte{markDepth})
	for first <= last && d.silentRead(first) {
		first++
	}
	for last >= first && d.silentRead(last) {
		last--
	}
	if out.Says = first <= last; !out.Says {
		return out
	}
	n := first
	for n > 1 && bytes.IndexByte(d.reading.Line(n), markDepth) < 0 {
		n--
	}
	line := d.reading.Line(n)
	runs := depthMarks().FindAllIndex(line, -1)
	if len(runs) > 0 {
		at := runs[len(runs)-1]
		if n == first {
			at = runs[0]
		}
		out.Depth = at[1] - at[0]
	}
	out.Folds = n < first && foldedText().Match(line)
	out.GoesOn = out.Depth > 0 && d.goesOnRead(last)
	return out
}

// silentRead reports whether the line says nothing, but for a comment.
func (d *Document) silentRead(n int) bool {
	line := d.reading.Line(n)
	return len(line) == 0 || line[0] == '#' && line[len(line)-1] == markRemark
}

// goesOnRead reports whether the value in which the line ends goes on behind it. A text
// of several lines is as long as it may be.
func (d *Document) goesOnRead(last int) bool {
	if line := d.reading.Line(last); line[0] == markLine || line[len(line)-1] == markOpening {
		return false
	}
	n := last + 1
	for d.reading.Has(n, n) && d.silentRead(n) {
		n++
	}
	if !d.reading.Has(n, n) {
		return false
	}
	next := d.reading.Line(n)
	return next[0] != markDepth && bytes.IndexByte(next, markAhead) < 0 && d.inNode(last)
}

// inNode reports whether the line is a part of what begins with a key or an item; words
// alone are no data.
func (d *Document) inNode(n int) bool {
	for n > 1 && bytes.IndexByte(d.reading.Line(n), markDepth) < 0 {
		n--
	}
	return d.HoldsNode(n)
}

// HoldsNode reports whether the line of YAML has a key or an item in it.
func (d *Document) HoldsNode(line int) bool { return nodeInLine().Match(d.Code(line)) }

var nodeInLine = lazy.Regexp(`^- |:( |$)`)
