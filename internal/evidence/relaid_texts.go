package evidence

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/syntax"
)

// relaidTexts compares the strings of several lines among lines of equal words: they
// have to be the same, line by line. What stands before and behind them on their
// first and last line may have been put elsewhere.
func (p *pair) relaidTexts(was, is []int) string {
	a, b := p.old.textLines(was), p.new.textLines(is)
	for i := range min(len(a), len(b)) {
		x, y := syntax.WithoutCR(p.old.Spelled().Line(a[i])), syntax.WithoutCR(p.new.Spelled().Line(b[i]))
		first := p.old.Touches(a[i]) == syntax.TouchStart && p.new.Touches(b[i]) == syntax.TouchStart
		last := p.old.Touching(a[i]).Last == a[i] && p.new.Touching(b[i]).Last == b[i]
		x, y = shorterFirst(x, y)
		if first && bytes.HasSuffix(y, bytes.TrimLeft(x, syntax.Blanks)) || last && bytes.HasPrefix(y, bytes.TrimRight(x, syntax.Blanks)) || bytes.Equal(x, y) || p.sameInText(a[i], b[i]) {
			continue
		}
		return fmt.Sprintf("the cited lines keep their words, but white space changed inside a string of several lines, line %d", b[i])
	}
	if len(a) != len(b) {
		return "the cited lines keep their words, but lines of a string were joined or parted"
	}
	return ""
}

func shorterFirst(x, y []byte) (shorter, longer []byte) {
	if len(x) > len(y) {
		return y, x
	}
	return x, y
}

// textLines are those of the lines that a string of several lines touches.
func (d *document) textLines(lines []int) []int {
	return slices.DeleteFunc(slices.Clone(lines), func(n int) bool { return d.Touches(n) == syntax.TouchNone })
}

// sameInText reports whether two lines of equal words inside texts differ only in
// white space that the text's language takes away: the indentation of a text of
// YAML, as far as all of it is indented alike, and in a docstring the ends of
// every line, which whoever shows it takes away.
func (p *pair) sameInText(was, is int) bool {
	a, b := p.old.Touching(was), p.new.Touching(is)
	old, new := bytes.Trim(syntax.WithoutCR(p.old.Text.Line(was)), syntax.Blanks), bytes.Trim(syntax.WithoutCR(p.new.Text.Line(is)), syntax.Blanks)
	switch {
	case !bytes.Equal(old, new) || a.Name == "" || b.Name == "":
		return false
	case p.old.Lang.HasScalars() && p.new.Lang.HasScalars():
		parted := []byte{'\\'}
		if bytes.HasSuffix(syntax.WithoutCR(p.old.Text.Line(was)), parted) != bytes.HasSuffix(syntax.WithoutCR(p.new.Text.Line(is)), parted) {
			return false
		}
		return len(old) == 0 || p.old.Width(was)-p.old.TextMargin(a) == p.new.Width(is)-p.new.TextMargin(b)
	}
	return p.old.Docstring(a) && p.new.Docstring(b)
}
