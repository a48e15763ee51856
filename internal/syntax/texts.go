package syntax

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// hereTag matches what opens a here-document, shellTag the same in a shell, where the
// word that ends it may hold more.
var (
	hereTag  = lazy.Regexp(`^<<[-~]?[ \t]*(?:"([A-Za-z_]\w*)"|'([A-Za-z_]\w*)'|\\?([A-Za-z_]\w*))`)
	shellTag = lazy.Regexp(`^<<-?[ \t]*(?:"([^"\n]+)"|'([^'\n]+)'|\\?([A-Za-z_!][\w.!+-]*))`)
)

// hereTag matches what opens a here-document of the language.
func (l *Language) hereTag() *regexp.Regexp {
	if l.nests == nestWords {
		return shellTag()
	}
	return hereTag()
}

// hereDocument returns the end of the here-document that opens at i, if one does, and of
// others that open behind it on the line. In a shell one that nothing ends goes up to
// the end of the file.
func (sc *scanner) hereDocument(i int) (name string, to int) {
	php := sc.lang.comment == "//"
	if at(sc.s, i+2) == '<' {
		if !php { // a here-string
			return "", i + 3
		}
		i++
	}
	eol := sc.ends.of(i)
	tag, next := sc.hereWord(i, eol)
	if tag == nil {
		return "", i + 2
	}
	to = eol
	for tag != nil {
		end := sc.hereEnd(tag, min(to+1, len(sc.s)))
		switch {
		case end >= 0:
			name, to = "a here-document", end
		case sc.lang.nests == nestWords && !sc.calculates(i):
			return "a here-document", len(sc.s)
		case name == "":
			return "", -1
		default: // the file was looked through for nothing
			if sc.steps -= len(sc.s) - to; sc.steps < 0 {
				return "", -1
			}
		}
		n := bytes.Index(sc.s[next:eol], []byte("<<"))
		if n < 0 || php || bytes.IndexByte(sc.s[next:next+n], '#') >= 0 { // perhaps in a comment
			break
		}
		tag, next = sc.hereWord(next+n, eol)
	}
	return name, to
}

// hereWord is the word that ends the here-document which opens at i, and the offset
// behind it; nil when none does.
func (sc *scanner) hereWord(i, eol int) (tag []byte, next int) {
	m := sc.lang.hereTag().FindSubmatch(sc.s[i:eol])
	if m == nil {
		return nil, eol
	}
	return slices.Concat(m[1], m[2], m[3]), i + len(m[0])
}

// hereEnd is where the line ends that is the word alone, from the offset on, or -1.
func (sc *scanner) hereEnd(tag []byte, from int) int {
	php := sc.lang.comment == "//"
	for from < len(sc.s) {
		end := endOfLine(sc.s, from)
		line := bytes.TrimSpace(sc.s[from:end])
		if bytes.Equal(line, tag) || php && bytes.HasPrefix(line, tag) && !IsWordByte(at(line, len(tag))) {
			return end
		}
		from = end + 1
	}
	return -1
}

// calculates reports whether what stands at i in a shell is a part of a sum, where "<<"
// shifts.
func (sc *scanner) calculates(i int) bool {
	before := sc.s[bytes.LastIndexByte(sc.s[:i], '\n')+1 : i]
	return bytes.Count(before, []byte("((")) > bytes.Count(before, []byte("))")) || letCommand().Match(before)
}

// letCommand begins a sum without parentheses.
var letCommand = lazy.Regexp(`^\s*(let|expr)\b`)

// percentOpen matches what opens a string or a list of words of Ruby with a bracket.
var percentOpen = lazy.Regexp(`^%[qQwWiIrxs]?[(\[{<]`)

// percentLiteral returns the end of the one that opens at i, if one does: a value begins
// there, and nothing is divided.
func (sc *scanner) percentLiteral(i int) (name string, to int) {
	m := percentOpen().Find(sc.s[i:min(len(sc.s), i+3)])
	if m == nil || i > 0 && bytes.IndexByte([]byte(" \t\n(,=[{|"), sc.s[i-1]) < 0 {
		return "", i + 1
	}
	open := m[len(m)-1]
	d := delimiter{open: string(open), end: map[byte]string{'(': ")", '[': "]", '{': "}", '<': ">"}[open], nests: true, escapes: true}
	return "a string", d.past(sc.s, i+len(m)-1, &sc.steps)
}

// dollarOpen matches what opens a string of SQL between dollar signs.
var dollarOpen = lazy.Regexp(`^\$([A-Za-z_]\w*)?\$`)

// dollarQuoted returns the end of the one that opens at i, if one does.
func (sc *scanner) dollarQuoted(i int) (name string, to int) {
	m := dollarOpen().Find(sc.s[i:sc.ends.of(i)])
	if m == nil || i > 0 && IsWordByte(sc.s[i-1]) {
		return "", i + 1
	}
	if n := bytes.Index(sc.s[i+len(m):], m); n >= 0 {
		return "a string", i + n + 2*len(m)
	}
	return "", -1
}

// past returns the offset just past what opens at i, or -1. What is looked at to
// find where code inside a string ends is taken off the steps.
func (d delimiter) past(s []byte, i int, steps *int) int {
	depth := 1
	for i += len(d.open); i < len(s); {
		switch {
		case d.escapes && s[i] == '\\':
			i += 2
		case d.holes && bytes.HasPrefix(s[i:], []byte("${")):
			i = d.pastHole(s, i+2, steps)
		case d.end != "" && bytes.HasPrefix(s[i:], []byte(d.end)) && (!d.column || s[i-1] == '\n'):
			i += len(d.end)
			if depth--; depth == 0 {
				return i
			}
		case d.nests && bytes.HasPrefix(s[i:], []byte(d.open)):
			depth++
			i += len(d.open)
		default:
			i++
		}
	}
	if d.toEnd {
		return len(s)
	}
	return -1
}

// Bounds of the code inside strings; of more nothing is told.
const (
	maxHole   = 4096 // bytes of one
	holeSteps = 4    // bytes looked at for each byte of the file
)

// pastHole returns the offset just past the "}" that ends the code which begins at
// i, inside a string; i itself when none does.
func (d delimiter) pastHole(s []byte, i int, steps *int) int {
	from, depth := i, 1
	for ; i < min(len(s), from+maxHole) && *steps > 0; *steps-- {
		switch c := s[i]; {
		case c == '\'' || c == '"':
			n := StringEnd(s[i:endOfLine(s[:min(len(s), from+maxHole)], i)], 0)
			i, *steps = i+n, *steps-n
			continue
		case c == d.open[0]:
			end := d.past(s[:min(len(s), from+maxHole)], i, steps)
			if *steps -= max(end-i, 0); end < 0 {
				*steps -= maxHole
				return from
			}
			i = end
			continue
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return from
}

// rawOpen matches what opens a raw string with a word of one's choice.
var rawOpen = lazy.Regexp(`^R"([^()\\\s"]{0,16})\(`)

// rawString returns the end of the raw string that opens at i, if one does.
func (sc *scanner) rawString(i int) (name string, to int) {
	m := rawOpen().FindSubmatch(sc.s[i:sc.ends.of(i)])
	if m == nil {
		return "", i + 1
	}
	end := slices.Concat([]byte(")"), m[1], []byte(`"`))
	if n := bytes.Index(sc.s[i:], end); n >= 0 {
		return "a string", i + n + len(end)
	}
	return "", -1
}

// scalarOpen matches a line of YAML after which a text begins that lasts as long as
// its lines are indented.
var scalarOpen = lazy.Regexp(`(^|[:?-] +)([!&]\S+ +)*[|>][-+0-9]{0,2}\s*(#.*)?$`)

// blockScalars lists the texts of a YAML file.
func (l *Language) blockScalars(t *linemap.Text) []Enclosure {
	var out []Enclosure
	if !l.scalars {
		return nil
	}
	d := Document{Lang: l, Text: t}
	for n := 1; n <= t.Len(); n++ {
		line := WithoutCR(t.Line(n))
		if text := bytes.TrimLeft(line, Blanks); len(text) == 0 || text[0] == '#' || !scalarOpen().Match(line) {
			continue
		}
		col, _ := d.KeyColumn(n)
		if scalarItem().Match(line) {
			col = d.Width(n)
		}
		last := n
		for m := n + 1; m <= t.Len(); m++ {
			if len(bytes.TrimSpace(t.Line(m))) == 0 {
				continue
			}
			if d.Width(m) <= col {
				break
			}
			last = m
		}
		if last > n {
			out = append(out, Enclosure{"a string", n, last})
			n = last
		}
	}
	return out
}

// scalarItem matches an item of a list that is nothing but a text.
var scalarItem = lazy.Regexp(`^\s*- +([!&]\S+ +)*[|>]`)
