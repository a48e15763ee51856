package syntax

import (
	"bytes"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// Document is a text in its language, with what was found of it so far. Lines are counted
// from 1. It may be used by one goroutine at a time.
type Document struct {
	Path string        // tells the language
	Lang *Language     // of Path
	Text *linemap.Text // as it is written; never changed

	bare     *linemap.Text // see unmarked
	plain    *linemap.Text // canonical lines, numbered as in text; see Plain
	spelling *linemap.Text // see Spelled
	glues    bool          // what looks like a mark of the spelling is one
	remarks  []bool        // by line: whether a comment ends it, once spelled, where that is known
	reading  *linemap.Text // see Reading; nil where there is none
	readOnce bool

	heldLines []string // of Markdown, by line from 0: what holds it; see Held
	heldOnce  bool

	statements []int32        // by line: see Statement
	codes      map[int][]byte // of long lines: see Code

	margins map[int]int // by first line: see TextMargin

	enclosures []Enclosure // see Inside
	nest       brackets
	open       int // the line from which on they cannot be told, or 0
	scanned    bool
}

// New returns the text as one in the language that the path tells.
func New(path string, text *linemap.Text) *Document {
	return &Document{Path: path, Lang: Of(path), Text: text}
}

// Plain is the text with one spelling and every line in its canonical form.
func (d *Document) Plain() *linemap.Text {
	if d.plain == nil {
		var b bytes.Buffer
		for n := 1; n <= d.Text.Len(); n++ {
			b.Write(d.Lang.canon(d.Spelled().Line(n)))
			b.WriteByte('\n')
		}
		d.plain = linemap.Split(b.Bytes())
	}
	return d.plain
}

// Code is the line in its canonical form, spelled as it is, without the comment
// behind it.
func (d *Document) Code(line int) []byte {
	raw := d.unmarked().Line(line)
	if len(raw) < longLine {
		return d.Lang.Code(d.Lang.canon(raw))
	}
	code, known := d.codes[line]
	if !known {
		if d.codes == nil {
			d.codes = map[int][]byte{}
		}
		code = slices.Clip(d.Lang.Code(d.Lang.canon(raw)))
		d.codes[line] = code
	}
	return code
}

// longLine is the length, in bytes, from which on the code of a line is kept: all other
// lines of the file may stand under it, and each asks for it.
const longLine = 512

// byteOrderMark is what some editors put before the first line of a file.
const byteOrderMark = "\ufeff"

// unmarked is the text without the byte order mark that a program may begin with. Before
// "#!" it counts: nothing starts such a script.
func (d *Document) unmarked() *linemap.Text {
	if d.bare == nil {
		d.bare = d.Text
		if d.Lang.spells != nil && d.Text.Len() > 0 && bytes.HasPrefix(d.Text.Line(1), []byte(byteOrderMark)) {
			if rest := d.Text.Lines(1, d.Text.Len())[len(byteOrderMark):]; !bytes.HasPrefix(rest, []byte("#!")) {
				d.bare = linemap.Split(append(bytes.Clone(rest), '\n')) // which keeps a blank last line
			}
		}
	}
	return d.bare
}

// Width is how far the line is indented, in columns.
func (d *Document) Width(line int) int { return width(Indentation(d.Text.Line(line))) }

// Indentation is the white space that the line begins with.
func Indentation(line []byte) []byte {
	return line[:len(line)-len(bytes.TrimLeft(line, Blanks))]
}

// Continued reports whether the line before the given one ends in a backslash.
func (d *Document) Continued(line int) bool {
	return line > 1 && bytes.HasSuffix(WithoutCR(d.Text.Line(line-1)), []byte{'\\'})
}

// Begins reports whether the line begins a statement: it is in no bracket, no text
// of several lines and goes on with no other line.
func (d *Document) Begins(line int) bool {
	return d.Lang.joins != joinBrackets ||
		d.BracketsKnown(line) && d.nest.around(line) < 0 && d.Inside(line).Name == "" && !d.Continued(line)
}

// Statement is the line that begins the statement which the given line is part of,
// where indentation is the program; elsewhere the line itself.
func (d *Document) Statement(line int) int {
	if d.Lang.indent != indentShape || !d.Text.Has(line, line) {
		return line
	}
	if d.statements == nil { // all at once: a text may be a statement of as many lines as the file
		d.statements = make([]int32, d.Text.Len()+1)
		for n := 1; n <= d.Text.Len(); n++ {
			d.statements[n] = int32(n)
			if n > 1 && (!d.Begins(n) || len(d.Plain().Line(n)) == 0) {
				d.statements[n] = d.statements[n-1]
			}
		}
	}
	return int(d.statements[line])
}

// KeyColumn is the column of the line's key, and whether the line begins an item.
func (d *Document) KeyColumn(line int) (col int, dash bool) {
	text := bytes.TrimLeft(d.Text.Line(line), Blanks)
	col = d.Width(line)
	if !bytes.HasPrefix(text, []byte("- ")) {
		return col, false
	}
	return col + len(text) - len(bytes.TrimLeft(text[1:], Blanks)), true
}

// Doubtful reports whether any of the lines holds what may make a line break
// count.
func (d *Document) Doubtful(lines []int) bool {
	if d.Lang.joins == joinProse {
		return false
	}
	for _, n := range lines {
		if d.Touches(n) != TouchNone || d.Lang.doubtfulLine(bytes.Trim(WithoutCR(d.Text.Line(n)), Blanks)) {
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
func (l *Language) doubtfulLine(line []byte) bool {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '\'' && l.chars:
			n := len(charLiteral().Find(line[i:min(len(line), i+maxChar)]))
			if n == 0 {
				return true
			}
			i += n
		case IsQuote(c):
			end := StringEnd(line, i)
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

// Code is the canonical line without the comment behind it.
func (l *Language) Code(out []byte) []byte {
	if l.comment == "//" && bytes.HasPrefix(out, []byte("# ")) { // a directive with a blank in it
		out = append([]byte("#"), bytes.TrimLeft(out[1:], Blanks)...)
	}
	from := 0
	if bytes.HasPrefix(out, []byte("#if")) || bytes.HasPrefix(out, []byte("#[")) {
		from = 1
	}
	for i := from; i < len(out); {
		switch {
		case IsQuote(out[i]):
			i = StringEnd(out, i)
			continue
		case l.commentAt(out, i), bytes.HasPrefix(out[i:], []byte("/*")), bytes.HasPrefix(out[i:], []byte("//")) && l.comment != "#":
			return bytes.TrimRight(out[:i], Blanks)
		}
		i++
	}
	return out
}
