package evidence

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
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
	case !p.old.Lang.HasScalars() || syntax.Family(p.old.Path) != syntax.Family(p.new.Path):
		return ""
	case p.bothRead():
		return p.misreadKnown(c.Lines, is)
	}
	return p.misreadUnknown(c.Lines, is)
}

// misreadKnown compares by the readings.
func (p *pair) misreadKnown(was, is scorecard.LineRange) string {
	a, b := p.old.Saying(was.First, was.Last), p.new.Saying(is.First, is.Last)
	switch {
	case !bytes.Equal(a.Without, b.Without):
		return readOtherwise
	case !a.Says:
		return ""
	case !bytes.Equal(a.Deep, b.Deep) || a.Depth != b.Depth:
		return readDeeper
	case a.Folds != b.Folds:
		return readOtherwise
	case a.GoesOn != b.GoesOn:
		return readOn
	}
	return ""
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
		if opensNode().Match(p.old.Code(n)) != opensNode().Match(p.new.Code(below[i])) {
			return readOtherwise
		}
	}
	if len(above) > 0 {
		key, _ := p.old.KeyColumn(above[0])
		now, _ := p.new.KeyColumn(below[0])
		if cmp.Compare(p.old.Width(first), key) != cmp.Compare(p.new.Width(at), now) {
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

// keysAbove lists the lines that lines stand under, but for marks of a document.
func (d *document) keysAbove(r scorecard.LineRange) []int {
	return slices.DeleteFunc(d.above(r.First, r.Last), func(n int) bool { return d.heads(d.Code(n)) })
}

// deeperBehind reports whether a line deeper than a value follows it.
func (d *document) deeperBehind(r scorecard.LineRange) bool {
	last := r.Last
	for last > r.First && len(d.Code(last)) == 0 {
		last--
	}
	if code := d.Code(last); opensNode().Match(code) && !bytes.HasPrefix(code, []byte("- ")) || d.Touching(last).Name != "" {
		return false
	}
	if !d.HoldsNode(last) {
		return false // words alone are no data
	}
	next := d.firstCode(last+1, d.Text.Len())
	key, _ := d.KeyColumn(last)
	return next > 0 && d.Width(next) > key && !bytes.HasPrefix(d.Code(next), []byte("{{"))
}

// shiftedAlone reports whether lines are equal as they are written, but for one shift
// of them all.
func (p *pair) shiftedAlone(was, is scorecard.LineRange) bool {
	bare := func(d *document, r scorecard.LineRange) (texts, indents [][]byte) {
		for n := r.First; n <= r.Last; n++ {
			line := bytes.TrimRight(d.Text.Line(n), syntax.Blanks+"\r")
			if len(line) > 0 {
				indent := syntax.Indentation(line)
				texts, indents = append(texts, line[len(indent):]), append(indents, indent)
			}
		}
		return texts, indents
	}
	a, from := bare(p.old, was)
	b, to := bare(p.new, is)
	return slices.EqualFunc(a, b, bytes.Equal) && (len(a) == 0 || syntax.ShiftedAlike(from, to))
}
