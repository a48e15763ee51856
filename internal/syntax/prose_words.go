package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
)

// endParagraph reads the lines of the paragraph that is open, as a heading of a level
// unless that is 0.
func (p *proseReader) endParagraph(level int) {
	lines := p.par
	if p.par = nil; len(lines) == 0 {
		return
	}
	if level > 0 {
		p.heading(level, lines)
		return
	}
	p.line = lines[0].n
	p.leaf()
	p.words(lines)
}

// words reads the words of lines, between which a break is a blank.
func (p *proseReader) words(lines []proseLine) {
	for i, line := range spelledWords(lines) {
		p.line = lines[i].n
		if before := bytes.TrimRight(lines[max(0, i-1)].text, "\\"); i > 0 && (len(lines[i-1].text)-len(before))%2 == 1 {
			p.put(markLine) // a backslash at the end of a line breaks it
		} else if i > 0 {
			p.put(' ')
		}
		p.put(bytes.Join(bytes.Fields(line), []byte{' '})...)
	}
}

// spelledWords spells emphasis and code in one way.
func spelledWords(lines []proseLine) [][]byte {
	var all []byte
	for i, l := range lines {
		if i > 0 {
			all = append(all, '\n')
		}
		all = append(all, bytes.TrimLeft(l.text, Blanks)...)
	}
	out := make([]byte, 0, len(all))
	for i := 0; i < len(all); {
		if i == 0 || all[i-1] == '\n' {
			if end := endOfLine(all, i); proseReference().Match(all[i:end]) {
				out = append(out, all[i:end]...) // what it stands for is no prose
				i = end
				continue
			}
		}
		switch c := all[i]; {
		case c == '\\' && i+2 < len(all) && all[i+1] == '_' && i > 0 && IsWordByte(all[i-1]) && IsWordByte(all[i+2]):
			out = append(out, '_') // inside of a word
			i += 2
		case c == '\\' && i+1 < len(all) && all[i+1] != '\n':
			out = append(out, c, all[i+1])
			i += 2
		case asWritten(all[i:]) > 0:
			n := asWritten(all[i:])
			out = append(out, all[i:i+n]...)
			i += n
		case c == '`':
			out, i = appendCode(out, all, i)
		case c == '_' && !ofEmphasis(at(all, i-1)):
			out, i = appendEmphasis(out, all, i)
		default:
			out = append(out, c)
			i++
		}
	}
	return bytes.Split(out, []byte{'\n'})
}

// appendCode spells the code that begins at i, or else its backticks, and returns where
// that ends.
func appendCode(out, all []byte, i int) (spelled []byte, to int) {
	n := len(all[i:]) - len(bytes.TrimLeft(all[i:], "`"))
	end := codeEnd(all, i+n, n)
	if end < 0 {
		return append(out, all[i:i+n]...), i + n
	}
	content := all[i+n : end-n]
	if bytes.IndexByte(content, '`') >= 0 {
		return append(out, all[i:end]...), end
	}
	return append(append(append(out, '`'), content...), '`'), end
}

// appendEmphasis spells the words that are emphasised from i on, or else the underscore
// there, and returns where that ends.
func appendEmphasis(out, all []byte, i int) (spelled []byte, to int) {
	n := emphasised(all[i:])
	if n == 0 {
		return append(out, '_'), i + 1
	}
	words := append(out, all[i:i+n]...)
	out = words[len(out):]
	out[0], out[n-1] = '*', '*'
	if n > 3 && all[i+1] == '_' && all[i+n-2] == '_' {
		out[1], out[n-2] = '*', '*'
	}
	return words, i + n
}

// verbatimWords matches what is no prose inside of it: where a link leads to, a tag and an
// address.
var verbatimWords = lazy.Regexp(`^(\]\((<[^<>\n]*>|[^\s()<>\\]|\([^\s()<>\\]*\)|\s+|\\.)*\)|\]\[[^\[\]]*\]|<[A-Za-z/!?][^<>]*>|://[^\s<>]*)`)

// asWritten is how long such a thing at the start of the text is, or 0.
func asWritten(s []byte) int {
	if c := at(s, 0); c != ']' && c != '<' && c != ':' {
		return 0
	}
	return len(verbatimWords().Find(s[:min(len(s), maxWritten)]))
}

// maxWritten bounds the length, in bytes, of such a thing.
const maxWritten = 2048

// emphasis matches plain words that are emphasised, with what stands behind them.
var emphasis = lazy.Regexp("^(__[^\\s_`*\\\\](?:[^_`*\\\\]*[^\\s_`*\\\\])?__|_[^\\s_`*\\\\](?:[^_`*\\\\]*[^\\s_`*\\\\])?_)([^\\w\\x80-\\xff]|$)")

// emphasised is the length of emphasised words at the start of the text, or 0.
func emphasised(s []byte) int {
	if m := emphasis().FindSubmatchIndex(s[:min(len(s), maxEmphasis)]); m != nil {
		return m[3]
	}
	return 0
}

// maxEmphasis bounds the length, in bytes, of words emphasised together.
const maxEmphasis = 512

// ofEmphasis reports whether an underscore behind the byte emphasises nothing.
func ofEmphasis(c byte) bool { return IsWordByte(c) || c == '_' || c == '*' }

// codeEnd is the offset behind code that ends with n backticks, or -1.
func codeEnd(s []byte, i, n int) int {
	for limit := min(len(s), i+maxHole); i < limit; {
		if s[i] != '`' {
			i++
			continue
		}
		m := len(s[i:]) - len(bytes.TrimLeft(s[i:], "`"))
		if i += m; m == n {
			return i
		}
	}
	return -1
}

// table reads a table whose header is the line before.
func (p *proseReader) table(n int, delimiter []byte) int {
	head := p.par[0]
	p.par = nil
	p.line = head.n
	p.leaf()
	p.row(head.text)
	p.line = n
	p.put(markLine)
	for _, cell := range cells(delimiter) {
		p.put('|')
		if cell[0] == ':' {
			p.put(':')
		}
		p.put('-')
		if cell[len(cell)-1] == ':' {
			p.put(':')
		}
	}
	for n++; n < len(p.lines); n++ {
		line, kept := p.inside(p.lines[n])
		if kept < len(p.open) || len(bytes.TrimSpace(line)) == 0 || p.begins(line) {
			break
		}
		p.line = n
		p.row(line)
	}
	return n
}

func (p *proseReader) row(line []byte) {
	p.put(markLine)
	for _, cell := range cells(line) {
		p.puts("| ")
		p.words([]proseLine{{p.line, cell}})
		p.put(' ')
	}
}

// cells cuts a row of a table.
func cells(line []byte) [][]byte {
	line = bytes.TrimPrefix(bytes.Trim(line, Blanks), []byte{'|'})
	var out [][]byte
	from := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			out = append(out, bytes.Trim(line[from:i], Blanks))
			from = i + 1
		}
	}
	if last := bytes.Trim(line[from:], Blanks); len(last) > 0 {
		out = append(out, last)
	}
	return out
}

// inDocuments are languages that formatters look into inside of a document.
var inDocuments = map[string]*Language{
	"js": &scriptLike, "javascript": &scriptLike, "jsx": &scriptLike, "mjs": &scriptLike, "ts": &scriptLike, "typescript": &scriptLike, "tsx": &scriptLike,
	"json": &jsonLike, "jsonc": &jsonLike, "json5": &jsonLike, "yaml": &yamlLike, "yml": &yamlLike, "css": &styleLike, "scss": &sassLike,
}
