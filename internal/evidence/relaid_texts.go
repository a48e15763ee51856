package evidence

import (
	"bytes"
	"fmt"
	"slices"
)

// relaidTexts compares the strings of several lines among lines of equal words: they
// have to be the same, line by line. What stands before and behind them on their
// first and last line may have been put elsewhere.
func (p *pair) relaidTexts(was, is []int) string {
	a, b := p.old.textLines(was), p.new.textLines(is)
	for i := range min(len(a), len(b)) {
		x, y := withoutCR(p.old.spelled().Line(a[i])), withoutCR(p.new.spelled().Line(b[i]))
		first := p.old.touches(a[i]) == atStart && p.new.touches(b[i]) == atStart
		last := p.old.touching(a[i]).last == a[i] && p.new.touching(b[i]).last == b[i]
		x, y = shorterFirst(x, y)
		if first && bytes.HasSuffix(y, bytes.TrimLeft(x, blanks)) || last && bytes.HasPrefix(y, bytes.TrimRight(x, blanks)) || bytes.Equal(x, y) || p.sameInText(a[i], b[i]) {
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
	return slices.DeleteFunc(slices.Clone(lines), func(n int) bool { return d.touches(n) == apartFrom })
}

// sameInText reports whether two lines of equal words inside texts differ only in
// white space that the text's language takes away: the indentation of a text of
// YAML, as far as all of it is indented alike, and in a docstring the ends of
// every line, which whoever shows it takes away.
func (p *pair) sameInText(was, is int) bool {
	a, b := p.old.touching(was), p.new.touching(is)
	old, new := bytes.Trim(withoutCR(p.old.text.Line(was)), blanks), bytes.Trim(withoutCR(p.new.text.Line(is)), blanks)
	switch {
	case !bytes.Equal(old, new) || a.name == "" || b.name == "":
		return false
	case p.old.lang.HasScalars() && p.new.lang.HasScalars():
		parted := []byte{'\\'}
		if bytes.HasSuffix(withoutCR(p.old.text.Line(was)), parted) != bytes.HasSuffix(withoutCR(p.new.text.Line(is)), parted) {
			return false
		}
		return len(old) == 0 || p.old.width(was)-p.old.textMargin(a) == p.new.width(is)-p.new.textMargin(b)
	}
	return p.old.docstring(a) && p.new.docstring(b)
}
