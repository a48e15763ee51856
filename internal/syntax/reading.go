package syntax

import "github.com/rescore-app/rescore/internal/lazy"

// ReadingLayout is the layout of lines of the reading, which there has to be. No break
// counts in it.
func (d *Document) ReadingLayout(first, last int) Layout {
	out := Layout{Text: make([]byte, 0, len(d.reading.Lines(first, last))), indent: [][]byte{nil}}
	for n := first; n <= last; n++ {
		if line := d.reading.Line(n); len(line) > 0 {
			from := len(out.Text)
			out.Text = append(out.Text, line...)
			out.Lines = append(out.Lines, Placed{n, from, len(out.Text)})
		}
	}
	return out
}

// ReadingShallow is what the lines say by the reading, which there has to be, as deep as
// they lie below the outermost of them.
func (d *Document) ReadingShallow(first, last int) []byte {
	text := d.ReadingLayout(first, last).Text
	runs := depthMarks().FindAllIndex(text, -1)
	least := maxReadDepth
	for _, run := range runs {
		least = min(least, run[1]-run[0])
	}
	var out []byte
	at := 0
	for _, run := range runs {
		out = append(out, text[at:run[1]-least]...)
		at = run[1]
	}
	return append(out, text[at:]...)
}

// depthMarks matches what tells how deep something lies.
var depthMarks = lazy.Regexp(`\x01+`)

// SameEdges reports whether what stands before and behind a part of one reading goes
// on in that part as little, or as much, as in the same part of another.
func SameEdges(a []byte, from, to int, b []byte, at, end int) bool {
	begins := a[from] == markDepth || at > 0 && from > 0 && a[from-1] == b[at-1] || at == 0 && from == 0
	apart := func(s []byte, i int) bool {
		return i == len(s) || s[i] == markDepth || readEnd().Match(s[max(0, i-2):i])
	}
	return begins && (apart(a, to) && apart(b, end) || to < len(a) && end < len(b) && a[to] == b[end])
}

// readEnd matches what ends a statement, a block, a line that counts or a comment.
var readEnd = lazy.Regexp(`[;}] $|[\x04\x05]$`)
