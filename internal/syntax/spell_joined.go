package syntax

import (
	"bytes"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

// markGlue stands where a string is cut in two between lines: it ends the first line
// and begins the next.
const markGlue = '\x01'

// pieces are strings of Python that stand side by side and are one.
type pieces struct {
	ls    *lexemes
	at    []int // the strings, indices
	f     bool  // one of them has values in it
	parts []string
}

// joined spells strings that stand side by side as one, and tells for which strings
// that is done.
func (ls *lexemes) joined() (out []respelling, done map[int]bool) {
	done = map[int]bool{}
	if bytes.IndexByte(ls.s, markGlue) >= 0 {
		return nil, done
	}
	for i := 0; i < len(ls.all); i++ {
		if ls.all[i].kind != lexString {
			continue
		}
		p := pieces{ls: ls}
		for next := i; next >= 0 && p.add(next); next = ls.beside(next) {
		}
		if len(p.at) > 1 || len(p.at) == 1 && !p.f && p.prefixOf(i) != "" {
			out = append(out, p.spell()...)
			for _, n := range p.at {
				done[n] = true
			}
			i = p.at[len(p.at)-1]
		}
	}
	return out, done
}

// beside is the string right behind another, or -1.
func (ls *lexemes) beside(i int) int {
	next := i + 1
	for next < len(ls.all) && ls.all[next].kind == lexBreak {
		next++
	}
	if next < len(ls.all) && next+1 < len(ls.all) && ls.all[next].kind == lexWord && ls.all[next].to == ls.all[next+1].from && pythonPrefix().MatchString(ls.text(next)) && !ls.all[next].begins {
		next++
	}
	if next >= len(ls.all) || ls.all[next].kind != lexString || ls.all[next].begins {
		return -1
	}
	return next
}

// prefixOf is what stands before the string's quotes, in lower case.
func (p *pieces) prefixOf(i int) string {
	if ls := p.ls; i > 0 && ls.all[i-1].to == ls.all[i].from && ls.all[i-1].kind == lexWord {
		return strings.ToLower(ls.text(i - 1))
	}
	return ""
}

// countedEscape matches what a digit behind it would go on with.
var countedEscape = lazy.Regexp(`\\[0-7]{1,2}$`)

// add takes the string in if it can be a piece.
func (p *pieces) add(i int) bool {
	prefix := p.prefixOf(i)
	if prefix != "" && prefix != "u" && prefix != "f" {
		return false
	}
	text := p.ls.text(i)
	if with, ok := quotes(text, prefix != "f"); ok {
		text = with
	}
	if !strings.HasPrefix(text, `"`) || strings.HasPrefix(text, `"""`) || len(text) < 2 || strings.Contains(text, "\n") {
		return false
	}
	if n := len(p.parts); n > 0 && countedEscape().MatchString(p.parts[n-1]) {
		return false
	}
	p.f = p.f || prefix == "f" && strings.ContainsAny(text, "{}")
	p.at, p.parts = append(p.at, i), append(p.parts, text[1:len(text)-1])
	return true
}

// spell puts each piece in its place.
func (p *pieces) spell() []respelling {
	var out []respelling
	var doubled = strings.NewReplacer("{", "{{", "}", "}}")
	for n, i := range p.at {
		x := p.ls.all[i]
		from, to := x.from, x.to
		if prefix := p.prefixOf(i); prefix != "" {
			from = p.ls.all[i-1].from
		}
		content := p.parts[n]
		if p.f && p.prefixOf(i) != "f" {
			content = doubled.Replace(content)
		}
		switch {
		case n == 0 && p.f:
			content = `f"` + content
		case n == 0:
			content = `"` + content
		case p.apart(n - 1):
			content = string(markGlue) + content
		}
		switch {
		case n+1 == len(p.at):
			content += `"`
		case p.apart(n):
			content += string(markGlue)
		default:
			to = p.start(n + 1)
		}
		out = append(out, respelling{from, to, content})
	}
	return out
}

// start is where the piece begins, with its prefix.
func (p *pieces) start(n int) int {
	if i := p.at[n]; p.prefixOf(i) != "" {
		return p.ls.all[i-1].from
	}
	return p.ls.all[p.at[n]].from
}

// apart reports whether a line ends between a piece and the next.
func (p *pieces) apart(n int) bool {
	return bytes.IndexByte(p.ls.s[p.ls.all[p.at[n]].to:p.start(n+1)], '\n') >= 0
}

// element reports whether the parentheses hold all of an item, an argument or a value
// inside of other brackets, so that they say nothing.
func (ls *lexemes) element(open int) bool {
	end := ls.all[open].match
	switch ls.text(ls.next(open, -1)) {
	case ",", "(", "[", "{", ":", "=":
	default:
		return false
	}
	switch ls.text(ls.next(end, 1)) {
	case ",", ")", "]", "}":
	default:
		return false
	}
	inside := ls.next(open, 1)
	if inside == end || ls.commas(open, end) > 0 {
		return false
	}
	for i := inside; i < end; i++ {
		if ls.all[i].match > i {
			i = ls.all[i].match
			continue
		}
		if bound().MatchString(ls.text(i)) {
			return false
		}
	}
	return true
}

// bound matches what parentheses around it mean something for.
var bound = lazy.Regexp(`^(for|yield|:=|:|\*|\*\*)$`)
