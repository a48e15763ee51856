package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// proseReader reads Markdown: which blocks there are and what stands in which, as
// CommonMark has it, and the words of each.
type proseReader struct {
	*reader
	lines [][]byte // without CR, white space at their start as blanks
	open  []proseBox
	par   []proseLine // of the paragraph that is open
	held  []string    // by line: what holds it; nil when nothing holds any
}

// proseBox is what blocks stand in: a quotation, or an item of a list.
type proseBox struct {
	quote  bool
	column int  // at which what stands in the item begins
	bare   bool // nothing stands in the item yet
	mark   byte // of the item: - * + . or )
}

// proseLine is a line of a paragraph.
type proseLine struct {
	n    int
	text []byte
}

// readProse is the reading of Markdown.
func readProse(t *linemap.Text) (*linemap.Text, bool) {
	p, ok := proseOf(t)
	if !ok {
		return nil, false
	}
	return p.text(), true
}

// proseOf reads Markdown.
func proseOf(t *linemap.Text) (*proseReader, bool) {
	r, ok := newReader(t)
	if !ok {
		return nil, false
	}
	p := &proseReader{reader: r}
	for n := 1; n <= t.Len(); n++ {
		p.lines = append(p.lines, leadingBlanks(WithoutCR(t.Line(n))))
	}
	for n := p.matter(); n < len(p.lines); {
		n = p.block(n)
	}
	p.endParagraph(0)
	return p, true
}

// leadingBlanks is the line with blanks for the tabs that it begins with.
func leadingBlanks(line []byte) []byte {
	indent := Indentation(line)
	if bytes.IndexByte(indent, '\t') < 0 {
		return line
	}
	w := 0
	for _, c := range indent {
		if w++; c == '\t' {
			w = (w + tabStop - 1) / tabStop * tabStop
		}
	}
	return append(bytes.Repeat([]byte{' '}, w), line[len(indent):]...)
}

// nowhere is the column of an item that an empty line ended before anything stood in it.
const nowhere = 1 << 30

// tabStop is the distance of tab stops in Markdown.
const tabStop = 4

// matter reads what stands between two lines of dashes at the start of the file, and
// returns the line behind it.
func (p *proseReader) matter() int {
	if !bytes.Equal(bytes.TrimRight(p.lines[0], Blanks), []byte("---")) {
		return 0
	}
	for n := 1; n < len(p.lines); n++ {
		if bytes.Equal(bytes.TrimRight(p.lines[n], Blanks), []byte("---")) {
			p.line = 0
			p.puts("--- ")
			p.code("yml", p.lines[1:n], 1)
			p.line = n
			p.hold(heldMatter, 0, n+1)
			p.put(markAhead)
			return n + 1
		}
	}
	return 0
}

var (
	proseItem      = lazy.Regexp(`^( {0,3})([-+*]|[0-9]{1,9}[.)])( +|$)`)
	proseQuote     = lazy.Regexp(`^ {0,3}> ?`)
	proseFence     = lazy.Regexp("^( {0,3})(```+|~~~+)[ \t]*([^`]*)$")
	proseHeading   = lazy.Regexp(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$`)
	proseRule      = lazy.Regexp(`^ {0,3}((\*[ \t]*){3,}|(-[ \t]*){3,}|(_[ \t]*){3,})$`)
	proseReference = lazy.Regexp(`^ {0,3}\[[^\]^][^\]]*\]:([ \t]|$)`)
	proseUnder     = lazy.Regexp(`^ {0,3}(=+|-+)[ \t]*$`)
	proseHTML      = lazy.Regexp(`^ {0,3}<(?i:!--|/?(address|article|aside|base|blockquote|body|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figure|figcaption|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|ol|optgroup|option|p|param|section|source|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul|pre|script|style|textarea)([\s/>]|$))`)
	proseRow       = lazy.Regexp(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
)

// block reads the line, and all of a block of several lines that begins on it, and
// returns the line behind that.
func (p *proseReader) block(n int) int {
	p.line = n
	line, kept := p.inside(p.lines[n])
	if len(bytes.TrimSpace(line)) == 0 {
		p.endParagraph(0)
		if kept < len(p.open) && p.open[kept].quote {
			p.open = p.open[:kept]
		}
		if last := len(p.open) - 1; last >= 0 && p.open[last].bare {
			p.open[last].column = nowhere
		}
		return n + 1
	}
	if kept > 0 {
		p.open[kept-1].bare = false
	}
	if kept < len(p.open) && len(p.par) > 0 && !p.begins(line) {
		p.par = append(p.par, proseLine{n, line}) // it goes on with what it is not indented for
		return n + 1
	}
	if kept < len(p.open) {
		p.endParagraph(0)
		p.line = n
		line = p.beside(kept, line)
	}
	return p.leafBlock(n, p.boxes(line), len(p.open) == kept)
}

// inside takes off the line what it needs to stand in the boxes that are open, and
// returns how many of them it stands in. An empty line stands in every item.
func (p *proseReader) inside(line []byte) (rest []byte, kept int) {
	for _, box := range p.open {
		switch m := proseQuote().Find(line); {
		case box.quote && m == nil:
			return line, kept
		case box.quote:
			line = leadingBlanks(line[len(m):])
		case len(bytes.TrimSpace(line)) == 0:
			line = nil
		case len(Indentation(line)) >= box.column:
			line = line[box.column:]
		default:
			return line, kept
		}
		kept++
	}
	return line, kept
}

// begins reports whether the line begins a block even in the midst of a paragraph.
func (p *proseReader) begins(line []byte) bool {
	if m := proseItem().FindSubmatch(line); m != nil && len(m[0]) < len(line) {
		return true
	}
	return proseQuote().Match(line) || proseFence().Match(line) || proseHeading().Match(line) || proseRule().Match(line) || proseHTML().Match(line)
}

// beside leaves the boxes that the line does not stand in; an item right behind another
// of the same list goes on with that.
func (p *proseReader) beside(kept int, line []byte) []byte {
	box := p.open[kept]
	p.open = p.open[:kept]
	if m := proseItem().FindSubmatch(line); m != nil && !box.quote && box.mark == m[2][len(m[2])-1] && !proseRule().Match(line) {
		return p.item(line, m, false)
	}
	return line
}

// boxes opens the quotations and items that begin on the line.
func (p *proseReader) boxes(line []byte) []byte {
	for len(p.open) < maxReadDepth {
		quote, m := proseQuote().Find(line), proseItem().FindSubmatch(line)
		switch {
		case quote != nil:
			n := p.line
			p.endParagraph(0)
			p.line = n
			p.leaf()
			p.puts("> ")
			p.open = append(p.open, proseBox{quote: true})
			line = leadingBlanks(line[len(quote):])
		case m != nil && !proseRule().Match(line) && (len(p.par) == 0 || len(m[0]) < len(line) && (len(m[2]) == 1 || string(m[2][:len(m[2])-1]) == "1")):
			line = p.item(line, m, true)
		default:
			return line
		}
	}
	return line
}

// item opens an item of a list, the first of it or a further one.
func (p *proseReader) item(line []byte, m [][]byte, first bool) []byte {
	n := p.line
	p.endParagraph(0)
	p.line = n
	p.leaf()
	switch mark := m[2]; {
	case !first && len(mark) > 1:
		p.puts("#. ")
	case len(mark) > 1:
		p.puts(string(mark[:len(mark)-1]) + ". ")
	case first:
		p.puts("* ")
	default:
		p.puts("- ")
	}
	width := len(m[0])
	if len(m[3]) > tabStop {
		width = len(m[0]) - len(m[3]) + 1
	}
	column, bare := width, len(m[0]) == len(line)
	if bare {
		column = len(m[1]) + len(m[2]) + 1
	}
	p.open = append(p.open, proseBox{column: column, bare: bare, mark: m[2][len(m[2])-1]})
	return line[width:]
}

// leaf marks how deep the block lies that begins here.
func (p *proseReader) leaf() {
	p.put(bytes.Repeat([]byte{markDepth}, len(p.open)+1)...)
}
