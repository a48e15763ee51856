package evidence

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// Document is a text in its language, with what was found of it so far. It may be used
// by one goroutine at a time.
type Document struct {
	path string
	lang *language
	text *linemap.Text

	plain    *linemap.Text // canonical lines, numbered as in text; see plainText
	spelling *linemap.Text // see spelled
	glues    bool          // what looks like a mark of the spelling is one
	remarks  []bool        // by line: whether a comment ends it, once spelled, where that is known
	reading  *linemap.Text // see read; nil where there is none
	readOnce bool

	heldLines []string // of Markdown, by line from 0: what holds it; see held
	heldOnce  bool

	enclosures []enclosure // see inside
	nest       brackets
	open       int // the line from which on they cannot be told, or 0
	scanned    bool
}

// NewDocument returns the text as one in the language that the path tells.
func NewDocument(path string, text *linemap.Text) *Document {
	return &Document{path: path, lang: languageOf(path), text: text}
}

// plainText is the text with one spelling and every line in its canonical form.
func (d *Document) plainText() *linemap.Text {
	if d.plain == nil {
		var b bytes.Buffer
		for n := 1; n <= d.text.Len(); n++ {
			b.Write(d.lang.canon(d.spelled().Line(n)))
			b.WriteByte('\n')
		}
		d.plain = linemap.Split(b.Bytes())
	}
	return d.plain
}

// code is the line in its canonical form, spelled as it is, without the comment
// behind it.
func (d *Document) code(line int) []byte { return d.lang.code(d.lang.canon(d.text.Line(line))) }

func (d *Document) width(line int) int { return width(indentation(d.text.Line(line))) }

func indentation(line []byte) []byte {
	return line[:len(line)-len(bytes.TrimLeft(line, blanks))]
}

// continued reports whether the line before the given one ends in a backslash.
func (d *Document) continued(line int) bool {
	return line > 1 && bytes.HasSuffix(withoutCR(d.text.Line(line-1)), []byte{'\\'})
}

// begins reports whether the line begins a statement: it is in no bracket, no text
// of several lines and goes on with no other line.
func (d *Document) begins(line int) bool {
	return d.lang.joins != joinBrackets ||
		d.bracketsKnown(line) && d.nest.around(line) < 0 && d.inside(line).name == "" && !d.continued(line)
}

// statement is the line that begins the statement which the given line is part of,
// where indentation is the program; elsewhere the line itself.
func (d *Document) statement(line int) int {
	for d.lang.indent == indentShape && line > 1 && (!d.begins(line) || len(d.plainText().Line(line)) == 0) {
		line--
	}
	return line
}

// keyColumn is the column of the line's key, and whether the line begins an item.
func (d *Document) keyColumn(line int) (col int, dash bool) {
	text := bytes.TrimLeft(d.text.Line(line), blanks)
	col = d.width(line)
	if !bytes.HasPrefix(text, []byte("- ")) {
		return col, false
	}
	return col + len(text) - len(bytes.TrimLeft(text[1:], blanks)), true
}

// doubtful reports whether any of the lines holds what may make a line break
// count.
func (d *Document) doubtful(lines []int) bool {
	if d.lang.joins == joinProse {
		return false
	}
	for _, n := range lines {
		if d.touches(n) != apartFrom || d.lang.doubtfulLine(bytes.Trim(withoutCR(d.text.Line(n)), blanks)) {
			return true
		}
	}
	return false
}

// marker matches what opens a comment in some language, at the start of its text.
var marker = lazy.Regexp(`^(#|//|/\*|\*/|--|<!)`)

// doubtfulLine reports whether the line holds, outside plain strings that end on
// it, a mark of a comment in any language, a quote that is not closed, or a slash
// that may open a pattern with a quote in it.
func (l *language) doubtfulLine(line []byte) bool {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '\'' && l.chars:
			n := len(charLiteral().Find(line[i:min(len(line), i+maxChar)]))
			if n == 0 {
				return true
			}
			i += n
		case isQuote(c):
			end := stringEnd(line, i)
			if end-i < 2 || line[end-1] != c {
				return true
			}
			i = end
		case marker().Match(line[i:min(len(line), i+2)]), c == '\\':
			return true
		case c == '/' && l.slashes && at(line, i-1) != '<' && at(line, i+1) != '>':
			return true
		default:
			i++
		}
	}
	return false
}

// code is the canonical line without the comment behind it.
func (l *language) code(out []byte) []byte {
	if l.comment == "//" && bytes.HasPrefix(out, []byte("# ")) { // a directive with a blank in it
		out = append([]byte("#"), bytes.TrimLeft(out[1:], blanks)...)
	}
	from := 0
	if bytes.HasPrefix(out, []byte("#if")) || bytes.HasPrefix(out, []byte("#[")) {
		from = 1
	}
	for i := from; i < len(out); {
		switch {
		case isQuote(out[i]):
			i = stringEnd(out, i)
			continue
		case l.commentAt(out, i), bytes.HasPrefix(out[i:], []byte("/*")), bytes.HasPrefix(out[i:], []byte("//")) && l.comment != "#":
			return bytes.TrimRight(out[:i], blanks)
		}
		i++
	}
	return out
}
