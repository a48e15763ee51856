package evidence

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Lines of YAML that are equal to the byte say what they did only where they are read
// as they were: as keys and not as a part of a value, as deep, and up to their ends.

// Reasons why lines of YAML say something else.
const (
	readOtherwise = "the lines are the same, but what was added around them makes something else of them"
	readDeeper    = "the lines are the same, but not the number of keys and items that they stand under"
	readOn        = "the lines are the same, but the value they end in goes on behind them as it did not, or no longer does"
)

// misread says so when lines of YAML are not read as they were.
func (p *pair) misread(c *cited, is scorecard.LineRange) string {
	switch {
	case !p.old.lang.scalars || family(p.old.path) != family(p.new.path):
		return ""
	case p.bothRead():
		return p.misreadKnown(c.Lines, is)
	}
	return p.misreadUnknown(c.Lines, is)
}

// misreadKnown compares by the readings.
func (p *pair) misreadKnown(was, is scorecard.LineRange) string {
	a, b := p.old.sayingRead(was), p.new.sayingRead(is)
	switch {
	case !bytes.Equal(a.without, b.without):
		return readOtherwise
	case !a.says:
		return ""
	case !bytes.Equal(a.deep, b.deep) || a.depth != b.depth:
		return readDeeper
	case a.folds != b.folds:
		return readOtherwise
	case a.goesOn != b.goesOn:
		return readOn
	}
	return ""
}

// saidRead is what lines say by a reading, and how.
type saidRead struct {
	without []byte // the text without marks of depth below what begins a node
	deep    []byte // the text
	says    bool   // it is more than comments
	depth   int    // of the node that the first of them is a part of
	folds   bool   // they begin in a text whose lines are joined
	goesOn  bool   // the value they end in goes on behind them
}

// foldedText matches the header of a text whose lines are joined.
var foldedText = lazy.Regexp(`>[-+0-9]*\x07`)

func (d *document) sayingRead(r scorecard.LineRange) saidRead {
	out := saidRead{deep: bytes.TrimLeft(d.layoutRead(r.First, r.Last).text, " ")}
	if trimmed := bytes.TrimLeft(out.deep, string(rune(markLine))); len(trimmed) < len(out.deep) {
		out.deep = append([]byte{markLine}, trimmed...) // empty lines before a line are no part of it
	}
	out.without = depthMarks().ReplaceAll(out.deep, []byte{markDepth})
	first, last := r.First, r.Last
	for first <= last && d.silentRead(first) {
		first++
	}
	for last >= first && d.silentRead(last) {
		last--
	}
	if out.says = first <= last; !out.says {
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
		out.depth = at[1] - at[0]
	}
	out.folds = n < first && foldedText().Match(line)
	out.goesOn = out.depth > 0 && d.goesOnRead(last)
	return out
}

// silentRead reports whether the line says nothing, but for a comment.
func (d *document) silentRead(n int) bool {
	line := d.reading.Line(n)
	return len(line) == 0 || line[0] == '#' && line[len(line)-1] == markRemark
}

// goesOnRead reports whether the value in which the line ends goes on behind it. A text
// of several lines is as long as it may be.
func (d *document) goesOnRead(last int) bool {
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
func (d *document) inNode(n int) bool {
	for n > 1 && bytes.IndexByte(d.reading.Line(n), markDepth) < 0 {
		n--
	}
	return holdsNode().Match(d.code(n))
}

// misreadUnknown compares by indentation, where one of the files cannot be read.
func (p *pair) misreadUnknown(was, is scorecard.LineRange) string {
	first, at := p.old.firstCode(was.First, was.Last), p.new.firstCode(is.First, is.Last)
	if first == 0 || at == 0 {
		return ""
	}
	above, below := p.old.keysAbove(was), p.new.keysAbove(is)
	if len(above) != len(below) {
		return readDeeper
	}
	for i, n := range above {
		if opensNode().Match(p.old.code(n)) != opensNode().Match(p.new.code(below[i])) {
			return readOtherwise
		}
	}
	if len(above) > 0 {
		key, _ := p.old.keyColumn(above[0])
		now, _ := p.new.keyColumn(below[0])
		if cmp.Compare(p.old.width(first), key) != cmp.Compare(p.new.width(at), now) {
			return readDeeper
		}
	}
	if p.old.deeperBehind(was) != p.new.deeperBehind(is) {
		return readOn
	}
	return ""
}

// opensNode matches a key or an item whose value stands in the lines below it, and a
// line of a template.
var opensNode = lazy.Regexp(`:( [&!]\S*)*$|^- |^\{\{`)

// holdsNode matches a line with a key or an item in it.
var holdsNode = lazy.Regexp(`^- |:( |$)`)

// keysAbove lists the lines that lines stand under, but for marks of a document.
func (d *document) keysAbove(r scorecard.LineRange) []int {
	return slices.DeleteFunc(d.above(r.First, r.Last), func(n int) bool { return d.heads(d.code(n)) })
}

// deeperBehind reports whether a line deeper than a value follows it.
func (d *document) deeperBehind(r scorecard.LineRange) bool {
	last := r.Last
	for last > r.First && len(d.code(last)) == 0 {
		last--
	}
	if code := d.code(last); opensNode().Match(code) && !bytes.HasPrefix(code, []byte("- ")) || d.touching(last).name != "" {
		return false
	}
	if !holdsNode().Match(d.code(last)) {
		return false // words alone are no data
	}
	next := d.firstCode(last+1, d.text.Len())
	key, _ := d.keyColumn(last)
	return next > 0 && d.width(next) > key && !bytes.HasPrefix(d.code(next), []byte("{{"))
}

// shiftedAlone reports whether lines are equal as they are written, but for one shift
// of them all.
func (p *pair) shiftedAlone(was, is scorecard.LineRange) bool {
	bare := func(d *document, r scorecard.LineRange) (texts, indents [][]byte) {
		for n := r.First; n <= r.Last; n++ {
			line := bytes.TrimRight(d.text.Line(n), blanks+"\r")
			if len(line) > 0 {
				indent := indentation(line)
				texts, indents = append(texts, line[len(indent):]), append(indents, indent)
			}
		}
		return texts, indents
	}
	a, from := bare(p.old, was)
	b, to := bare(p.new, is)
	return slices.EqualFunc(a, b, bytes.Equal) && (len(a) == 0 || shifted(from, to) || shifted(to, from))
}
