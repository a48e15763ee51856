package evidence

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// disabled says what, if anything, was put around lines that stand as they did
// and keeps them from being reached: a comment or a string that opens above them,
// a condition that is never met, a statement that leaves. It returns "" when
// nothing was.
//
// Lines that are equal do the same only in the same surroundings, and not all of
// those can be judged here. These few are the cheap ways to switch a control off
// without touching a cited line, and they can be told for certain. Only what was
// added counts: where lines went, the lines around them changed, not these.
func (p *pair) disabled(was, is scorecard.LineRange) string {
	now := p.new.inside(is.First)
	if now.name != "" && (p.added(now.first) || p.added(now.last)) && p.old.inside(was.First).name == "" && p.new.marks() >= p.old.marks() {
		return fmt.Sprintf("the lines stand as they were, but now inside %s, lines %d-%d", now.name, now.first, now.last)
	}
	above, line := lineAbove(p.new.text, is.First)
	if line == 0 || !p.added(line) {
		return ""
	}
	code := p.new.lang.canon(above)
	switch {
	case p.replaces(line, was.First):
		return ""
	case neverTrue.Match(code):
		return fmt.Sprintf("the lines stand as they were, but under a condition that is never met, line %d", line)
	case p.leaves(code, above, p.new.text.Line(is.First)):
		return fmt.Sprintf("the lines stand as they were, but a statement added before them leaves, line %d", line)
	}
	return ""
}

// added reports whether the new line was added, and not only laid out anew.
func (p *pair) added(line int) bool {
	return p.lineMap().ToOld(line) == 0 && p.plainMap().ToOld(line) == 0
}

// replaces reports whether the added new line may be an old one in other words:
// one that went from between the last line before it that stayed and the old
// line next, and left its block as well.
func (p *pair) replaces(line, next int) bool {
	from := 0
	for n := line - 1; n >= 1 && from == 0; n-- {
		from = p.plainMap().ToOld(n)
	}
	for n := from + 1; n < next; n++ {
		if old := p.old.plainText().Line(n); neverTrue.Match(old) || leaving.Match(old) {
			return true
		}
	}
	return false
}

// marks counts what opens or ends comments and strings of several lines. Where
// there are fewer than before, marks were lost, not put around something.
func (d *document) marks() int {
	n := 0
	s := d.text.Lines(1, d.text.Len())
	for _, mark := range []string{d.lang.block[0], d.lang.block[1], `"""`, "'''", "`"} {
		if mark != "" {
			n += bytes.Count(s, []byte(mark))
		}
	}
	return n
}

// neverTrue matches the canonical form of a condition that never holds.
var neverTrue = regexp.MustCompile(`^(\}?(if|elif|else if|while) ?\(?(False|false|0|None|null|nil)\)?[:{]?|#if 0)$`)

// leaving matches a statement that leaves its block whatever happens.
var leaving = regexp.MustCompile(`^(return|raise|throw|continue|break)\b[^{]*$`)

// label matches lines that can be reached past a statement that leaves.
var label = regexp.MustCompile(`^(case\b|default:|else\b|elif\b|except\b|finally\b|catch\b|[})\]]|\w+:$|@|def |class |func |function |async )`)

// leaves reports whether the line above is a whole statement that leaves the
// block which next belongs to, so that next is not reached. Only languages with
// such statements are judged.
func (p *pair) leaves(code, above, next []byte) bool {
	l := p.new.lang
	if !l.spacing || !leaving.Match(code) || l.hasComment(code) || balance(code) != 0 || label.Match(l.canon(next)) {
		return false
	}
	if last := code[len(code)-1]; l.comment == "//" && last != ';' && !isAtomByte(last) && last != ')' {
		return false // goes on in the next line
	}
	return bytes.Equal(indentation(above), indentation(next))
}

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

func indentation(line []byte) []byte {
	return line[:len(line)-len(bytes.TrimLeft(line, " \t\r\f\v"))]
}

// lineAbove returns the nearest line before n that is not blank, and its number.
func lineAbove(t *linemap.Text, n int) ([]byte, int) {
	for n--; n >= 1; n-- {
		if len(bytes.TrimSpace(t.Line(n))) > 0 {
			return t.Line(n), n
		}
	}
	return nil, 0
}

// enclosure is a comment or a string of several lines.
type enclosure struct {
	name        string
	first, last int // the lines on which it opens and ends
}

// enclosures lists the comments and strings of several lines, in order. One that
// never ends is left out, with all that follows it: a text with that is not
// well-formed.
func (l language) enclosures(t *linemap.Text) []enclosure {
	if t.Len() == 0 || l.block[0] == "" && !l.triple && !l.backtick {
		return nil
	}
	var out []enclosure
	s := t.Lines(1, t.Len())
	line, counted := 1, 0 // the line of offset counted
	for i := 0; i < len(s); {
		name, to := l.opens(s, i)
		if to < 0 {
			break
		}
		if name != "" && bytes.IndexByte(s[i:to], '\n') >= 0 {
			line += bytes.Count(s[counted:i], []byte{'\n'})
			first := line
			line += bytes.Count(s[i:to], []byte{'\n'})
			counted = to
			out = append(out, enclosure{name, first, line})
		}
		i = to
	}
	return out
}

// inside returns what the line begins inside of; its name is "" in plain code.
func (d *document) inside(line int) enclosure {
	if !d.scanned {
		d.scanned, d.enclosures = true, d.lang.enclosures(d.text)
	}
	i, _ := slices.BinarySearchFunc(d.enclosures, line, func(e enclosure, n int) int { return cmp.Compare(e.last, n) })
	if i < len(d.enclosures) && d.enclosures[i].first < line {
		return d.enclosures[i]
	}
	return enclosure{}
}

// opens looks at one place in the text: it returns the offset just past what
// begins there, or -1 when that never ends, and its name when it may be several
// lines long.
func (l language) opens(s []byte, i int) (name string, to int) {
	switch s[i] {
	case '"', '\'', '`', '/', '#', '<':
	default:
		return "", i + 1
	}
	rest := s[i:]
	switch {
	case l.comment != "" && bytes.HasPrefix(rest, []byte(l.comment)):
		return "", endOfLine(s, i)
	case l.block[0] != "" && bytes.HasPrefix(rest, []byte(l.block[0])):
		return "a comment", past(s, i+len(l.block[0]), l.block[1])
	case l.triple && (bytes.HasPrefix(rest, []byte(`"""`)) || bytes.HasPrefix(rest, []byte(`'''`))):
		return "a string", past(s, i+3, string(rest[:3]))
	case l.backtick && s[i] == '`':
		return "a string", past(s, i+1, "`")
	case l.spacing && (s[i] == '"' || s[i] == '\''):
		return "", i + stringEnd(s[i:endOfLine(s, i)], 0)
	}
	return "", i + 1
}

func endOfLine(s []byte, i int) int {
	if n := bytes.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// past returns the offset just past the end mark, or -1.
func past(s []byte, i int, end string) int {
	n := bytes.Index(s[i:], []byte(end))
	if n < 0 {
		return -1
	}
	return i + n + len(end)
}
