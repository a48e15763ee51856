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

// hereDocument returns the end of the here-document that opens at i, if one does.
func (sc *scanner) hereDocument(i int) (name string, to int) {
	php := sc.lang.comment == "//"
	if at(sc.s, i+2) == '<' {
		if !php { // a here-string
			return "", i + 3
		}
		i++
	}
	eol := sc.ends.of(i)
	m := sc.lang.hereTag().FindSubmatch(sc.s[i:eol])
	if m == nil {
		return "", i + 2
	}
	tag := slices.Concat(m[1], m[2], m[3])
	for from := eol + 1; from < len(sc.s); {
		end := endOfLine(sc.s, from)
		line := bytes.TrimSpace(sc.s[from:end])
		if bytes.Equal(line, tag) || php && bytes.HasPrefix(line, tag) && !IsWordByte(at(line, len(tag))) {
			return "a here-document", end
		}
		from = end + 1
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
