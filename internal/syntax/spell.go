package syntax

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// A formatter chooses between spellings of the same program: either quote around a
// string, a comma behind the last item or none, parentheses around what is wrapped.
// The spelled text of a file has one spelling for all of these, on the same lines.
// Two texts are spelled alike only if they mean the same in their language; what
// these rules do not know stays as written.

// respelling puts other bytes in the place of some, on one line.
type respelling struct {
	from, to int
	with     string
}

// maxSpelled bounds the size of a text, in bytes, that is spelled anew.
const maxSpelled = 4 << 20

// Spelled is the text with one spelling for all that mean the same, line by line.
func (d *Document) Spelled() *linemap.Text {
	if d.spelling != nil {
		return d.spelling
	}
	d.spelling = d.unmarked()
	if d.Lang.spells == nil || d.Text.Len() == 0 || d.Text.Size() > maxSpelled {
		return d.spelling
	}
	ls, ok := d.Lang.lex(d.spelling)
	if !ok {
		return d.spelling
	}
	d.glues = bytes.IndexByte(ls.s, markGlue) < 0
	d.remarks = ls.remarks(d.Text.Len())
	d.spelling = linemap.Split(ls.respelled(d.Lang.spells(&ls)))
	return d.spelling
}

// respelled makes the changes, which do not overlap. Where something is left out, what
// stood beside it on either side does not grow together.
func (ls *lexemes) respelled(changes []respelling) []byte {
	slices.SortFunc(changes, func(a, b respelling) int { return a.from - b.from })
	out := make([]byte, 0, len(ls.s))
	at := 0
	for _, c := range changes {
		out = append(append(out, ls.s[at:c.from]...), c.with...)
		at = c.to
		if n := len(out); c.with == "" && n > 0 && at < len(ls.s) && ofWord(out[n-1]) && (ofWord(ls.s[at]) || IsQuote(ls.s[at])) {
			out = append(out, ' ')
		}
	}
	return append(append(out, ls.s[at:]...), '\n')
}

// ofWord reports whether the byte may be a part of a word or a number.
func ofWord(c byte) bool { return IsWordByte(c) || c == '.' }

// remarks tells for each line whether a comment to its end stands on it.
func (ls *lexemes) remarks(lines int) []bool {
	out := make([]bool, lines+1)
	line, at := 1, 0
	for _, x := range ls.all {
		line += bytes.Count(ls.s[at:x.from], []byte{'\n'})
		at = x.from
		if x.kind == lexComment && !bytes.HasPrefix(ls.s[x.from:], []byte("/*")) {
			out[line] = true
		}
	}
	return out
}

// drop leaves the lexeme out.
func (ls *lexemes) drop(i int) respelling {
	return respelling{ls.all[i].from, ls.all[i].to, ""}
}

// stringParts are the prefix, the mark and the content of a string of Python or a
// script.
var stringParts = lazy.Regexp(`(?s)^([A-Za-z]*)("""|'''|"|')(.*)$`)

// quotes spells a string in double quotes where nothing in it depends on which
// quotes it has: with escapes, a quote in it is spelled alike as well. The second
// result is false where it has to stay as it is.
func quotes(s string, escapes bool) (string, bool) {
	m := stringParts().FindStringSubmatch(s)
	if m == nil || len(m[3]) < len(m[2]) || !strings.HasSuffix(m[3], m[2]) {
		return "", false
	}
	content := strings.TrimSuffix(m[3], m[2])
	mark := strings.Repeat(`"`, len(m[2]))
	switch {
	case !strings.ContainsAny(content, `'"`):
		return mark + content + mark, true
	case !escapes || len(mark) > 1 || strings.Contains(content, "\n"):
		return "", false
	}
	var out strings.Builder
	for i := 0; i < len(content); i++ {
		switch c := content[i]; {
		case c == '\\' && i+1 < len(content) && IsQuote(content[i+1]) && content[i+1] != '`':
			i++
			out.WriteString(quoteIn(content[i]))
		case c == '\\' && i+1 < len(content):
			i++
			out.WriteString(content[i-1 : i+1])
		case c == '"' || c == '\'':
			out.WriteString(quoteIn(c))
		default:
			out.WriteByte(c)
		}
	}
	return mark + out.String() + mark, true
}

// quoteIn spells a quote inside double quotes.
func quoteIn(c byte) string {
	if c == '"' {
		return `\"`
	}
	return string(c)
}

// trailing lists the commas behind the last item of a list, which make no
// difference: in parentheses that are no call's or a definition's, and in the
// brackets of an index, a comma behind a single item makes a tuple.
func (ls *lexemes) trailing(called func(open int) bool) []respelling {
	var out []respelling
	for i, x := range ls.all {
		if x.kind != lexOther || ls.text(i) != "," {
			continue
		}
		end := ls.next(i, 1)
		if end >= len(ls.all) || ls.all[end].match < 0 || ls.all[end].match != x.outer {
			continue
		}
		before := ls.text(ls.next(i, -1))
		if before == "," || before == ls.text(x.outer) {
			continue // nothing, or a hole, stands before it
		}
		display := ls.text(x.outer) == "{" || (ls.text(x.outer) == "[") != called(x.outer)
		if display || ls.commas(x.outer, i) > 0 {
			out = append(out, ls.drop(i))
		}
	}
	return out
}

// commas counts those right inside the bracket that stand before the lexeme.
func (ls *lexemes) commas(open, before int) int {
	n := 0
	for i := open + 1; i < before; i++ {
		if ls.all[i].match > i {
			i = ls.all[i].match
			continue
		}
		if ls.all[i].kind == lexOther && ls.text(i) == "," {
			n++
		}
	}
	return n
}

// named reports whether what stands before the bracket is a value: the bracket then
// is a call's, a definition's or an index's.
func (ls *lexemes) named(open int, keywords func() *regexp.Regexp) bool {
	b := ls.next(open, -1)
	if b < 0 {
		return false
	}
	x := ls.all[b]
	return x.kind == lexWord && !keywords().MatchString(ls.text(b)) || x.kind == lexString ||
		x.to == x.from+1 && bytes.IndexByte([]byte(")]}"), ls.s[x.from]) >= 0
}

// number matches a number, in which the case of letters means nothing.
var number = lazy.Regexp(`^[0-9][0-9A-Za-z_.]*$`)

// number spells a number in lower case.
func (ls *lexemes) number(i int) (respelling, bool) {
	x := ls.all[i]
	if !isDigit(ls.s[x.from]) || !number().MatchString(ls.text(i)) {
		return respelling{}, false
	}
	return respelling{x.from, x.to, strings.ToLower(ls.text(i))}, true
}

// Lexed reports whether the text is spelled by its lexemes; it is false before Spelled.
func (d *Document) Lexed() bool { return d.remarks != nil }

// spellBraces is the spelling of languages in braces: their comments alone are known by it.
func spellBraces(*lexemes) []respelling { return nil }
