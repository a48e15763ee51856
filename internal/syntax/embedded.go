package syntax

import (
	"bytes"
	"slices"

	"github.com/rescore-app/rescore/internal/linemap"
)

// embedded is the reading, line by line, of lines that stand inside of a text in another
// language; ok is false when they cannot be read, or the language is nil. Where texts says
// so, they may hold comments and strings of several lines, which count as written.
func embedded(l *Language, lines [][]byte, texts bool) (out [][]byte, ok bool) {
	if l == nil || len(lines) == 0 {
		return nil, false
	}
	d := &Document{Lang: l, Text: linemap.Split(append(bytes.Join(lines, []byte{'\n'}), '\n'))}
	if l.reads != nil {
		if d.Reading() == nil {
			return nil, false
		}
		for n := range lines {
			out = append(out, d.reading.Line(n+1))
		}
		return out, true
	}
	doubtful := func(line []byte) bool { return l.doubtfulLine(bytes.Trim(line, Blanks)) }
	if l.spells == nil && slices.ContainsFunc(lines, doubtful) {
		return nil, false
	}
	if d.Spelled(); l.spells != nil && d.remarks == nil {
		return nil, false
	}
	if d.scan(); d.open > 0 || !texts && len(d.enclosures) > 0 {
		return nil, false
	}
	out = make([][]byte, len(lines))
	laid, at := d.Layout(l, 1, len(lines)), 0
	for _, p := range laid.Lines {
		out[p.Line-1] = bytes.ReplaceAll(laid.Text[at:p.To], []byte{HardBreak}, []byte{markLine})
		at = p.To
	}
	return out, d.keepTexts(out)
}

// keepTexts puts the lines of strings of several lines down as written; it is false where
// one opens behind white space, which then may be content.
func (d *Document) keepTexts(out [][]byte) bool {
	for _, e := range d.enclosures {
		if e.Name == CommentName {
			continue
		}
		if first := WithoutCR(d.Spelled().Line(e.First)); len(first) > 0 && IsBlank(first[len(first)-1]) {
			return false
		}
		for n := e.First + 1; n <= e.Last; n++ {
			out[n-1] = append([]byte{markLine}, WithoutCR(d.Spelled().Line(n))...)
		}
	}
	return true
}
