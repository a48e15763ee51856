package syntax

import (
	"bytes"
	"strings"
)

// leafBlock reads the block that stands in no other one and begins on the line, or a line
// of the paragraph that is open, and returns the line behind it; same tells that the line
// stands in the boxes of the line before it.
func (p *proseReader) leafBlock(n int, line []byte, same bool) int {
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		return n + 1
	case len(p.par) == 0 && bytes.HasPrefix(line, []byte("    ")):
		p.leaf()
		p.puts("    ")
		p.put(markLine)
		p.put(bytes.TrimRight(line[4:], Blanks)...)
		return n + 1
	case proseFence().Match(line):
		p.endParagraph(0)
		p.line = n
		return p.fence(n, line)
	case len(p.par) > 0 && proseUnder().Match(line) && same:
		p.endParagraph(underlined(line))
		return n + 1
	case proseRule().Match(line):
		p.endParagraph(0)
		p.line = n
		p.leaf()
		p.puts("*** ")
		return n + 1
	case proseHeading().Match(line):
		p.endParagraph(0)
		p.line = n
		m := proseHeading().FindSubmatch(line)
		p.heading(len(m[1]), []proseLine{{n, m[2]}})
		return n + 1
	case proseHTML().Match(line):
		p.endParagraph(0)
		return p.markup(n)
	case len(p.par) == 1 && proseRow().Match(line) && bytes.IndexByte(line, '|') >= 0 && bytes.IndexByte(p.par[0].text, '|') >= 0:
		return p.table(n, line)
	}
	if len(p.par) > 0 && proseReference().Match(line) && proseReference().Match(p.par[0].text) {
		p.endParagraph(0)
	}
	p.par = append(p.par, proseLine{n, line})
	return n + 1
}

// fence reads code between two fences.
func (p *proseReader) fence(n int, line []byte) int {
	m := proseFence().FindSubmatch(line)
	info := bytes.Fields(m[3])
	p.leaf()
	p.puts("``` " + string(bytes.Join(info, []byte{' '})))
	p.put(markOpening)
	var code [][]byte
	end := n + 1
	for ; end < len(p.lines); end++ {
		text, kept := p.inside(p.lines[end])
		if kept < len(p.open) {
			end--
			break
		}
		if closes := bytes.TrimSpace(text); len(closes) >= len(m[2]) && len(bytes.Trim(closes, string(m[2][:1]))) == 0 && len(Indentation(text)) < tabStop {
			break
		}
		code = append(code, text[min(len(m[1]), len(Indentation(text))):])
	}
	name := ""
	if len(info) > 0 {
		name = string(info[0])
	}
	p.hold(heldCode, n, end+1)
	p.code(name, code, n+1)
	p.line = min(end, len(p.lines)-1)
	p.put(markOpening)
	return end + 1
}

// code reads what stands between two fences, by the rules of its language where there
// are some, else to the byte.
func (p *proseReader) code(name string, code [][]byte, first int) {
	if texts, ok := embedded(inDocuments[name], code, false); ok {
		code = texts
	} else {
		for i, text := range code {
			code[i] = append([]byte{markLine}, bytes.TrimRight(text, Blanks)...)
		}
	}
	for i, text := range code {
		p.line = first + i
		p.put(text...)
	}
}

// markup reads lines of HTML up to an empty one, and a comment up to its end.
func (p *proseReader) markup(n int) int {
	p.line = n
	p.leaf()
	remark, verbatim, first := false, false, n
	for ; n < len(p.lines); n++ {
		line, kept := p.inside(p.lines[n])
		if n == first {
			line = p.lines[n][max(0, bytes.IndexByte(p.lines[n], '<')):]
			remark, verbatim = bytes.HasPrefix(line, []byte("<!--")), opensVerbatim().Match(line)
		}
		if !remark && !verbatim && len(bytes.TrimSpace(line)) == 0 || n > first && kept < len(p.open) {
			break
		}
		p.line = n
		p.put(markLine)
		p.put(bytes.TrimRight(line, Blanks)...)
		if verbatim {
			p.hold(heldMarkup, n, n+1)
		}
		if remark && bytes.Contains(line, []byte("-->")) || verbatim && endsVerbatim().Match(line) {
			return n + 1
		}
	}
	return n
}

// underlined is the level of a heading with that line below it.
func underlined(line []byte) int {
	if bytes.IndexByte(line, '-') >= 0 {
		return 2
	}
	return 1
}

// heading reads the lines of one.
func (p *proseReader) heading(level int, lines []proseLine) {
	p.line = lines[0].n
	p.leaf()
	p.puts(strings.Repeat("#", level))
	p.put(markOpening)
	p.words(lines)
}
