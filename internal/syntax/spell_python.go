package syntax

import (
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

var (
	// pythonPrefix matches what may stand before a string's quotes.
	pythonPrefix = lazy.Regexp(`^(?i:[rbuf]|br|rb|fr|rf)$`)
	// pythonWord matches the words that are no values.
	pythonWord = lazy.Regexp(`^(and|as|assert|async|await|case|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|match|nonlocal|not|or|raise|return|try|while|with|yield)$`)
	// pythonRemark matches a comment with a blank that only its look asks for.
	pythonRemark = lazy.Regexp(`^#[ \t]+[A-Za-z0-9]`)
	// assigns matches the operators of assignments.
	assigns = lazy.Regexp(`^(=|[-+*/%&|^@]=|//=|\*\*=|>>=|<<=)$`)
)

// spellPython is the spelling of Python: quotes, prefixes and numbers, commas behind
// a last item, parentheses around a whole expression of a statement, and backslashes
// that join lines.
func spellPython(ls *lexemes) []respelling {
	out := ls.trailing(func(open int) bool {
		return ls.named(open, pythonWord) || ls.text(ls.next(open, -1)) == "import"
	})
	whole, done := ls.joined()
	out = append(out, whole...)
	head := 0
	for i, x := range ls.all {
		if x.begins {
			head = i
		}
		switch {
		case x.kind == lexBreak:
			out = append(out, ls.drop(i))
		case x.kind == lexComment:
			if text := ls.text(i); pythonRemark().MatchString(text) {
				out = append(out, respelling{x.from, x.to, "#" + strings.TrimLeft(text[1:], Blanks)})
			}
		case x.kind == lexString && done[i]:
		case x.kind == lexString:
			out = append(out, ls.pythonString(i)...)
		case x.kind == lexWord:
			if r, ok := ls.number(i); ok {
				out = append(out, r)
			}
		case ls.s[x.from] == ';' && ls.ended(ls.next(i, 1)):
			out = append(out, ls.drop(i))
		case ls.s[x.from] == '(' && x.outer < 0 && x.match > 0 && ls.wraps(i, head):
			out = append(out, ls.drop(i), ls.drop(x.match))
		case ls.s[x.from] == '(' && x.outer >= 0 && x.match > 0 && ls.element(i):
			out = append(out, ls.drop(i), ls.drop(x.match))
		}
	}
	return out
}

// ended reports whether a statement of Python ends before the lexeme.
func (ls *lexemes) ended(i int) bool { return i >= len(ls.all) || ls.all[i].begins }

// pythonString spells a string and its prefix.
func (ls *lexemes) pythonString(i int) []respelling {
	x := ls.all[i]
	prefix, from := "", x.from
	if i > 0 && ls.all[i-1].to == x.from && pythonPrefix().MatchString(ls.text(i-1)) {
		from = ls.all[i-1].from
		prefix = strings.TrimPrefix(strings.ToLower(ls.text(i-1)), "u")
		if prefix == "r" && ls.text(i-1) == "R" {
			prefix = "R" // which tools tell from r
		}
	}
	with, ok := quotes(ls.text(i), !strings.ContainsAny(prefix, "rRf"))
	if !ok {
		with = ls.text(i)
	}
	if n := strings.IndexByte(with, '\n'); n >= 0 { // only what stands on one line is put anew
		return ls.pythonText(from, x, prefix, with)
	}
	return []respelling{{from, x.to, prefix + with}}
}

// pythonText spells the marks of a string of several lines.
func (ls *lexemes) pythonText(from int, x lexeme, prefix, with string) []respelling {
	return []respelling{{from, x.from + 3, prefix + with[:3]}, {x.to - 3, x.to, with[len(with)-3:]}}
}

// wraps reports whether the parentheses hold all that the word or the sign before
// them takes, so that they say nothing.
func (ls *lexemes) wraps(open, head int) bool {
	end := ls.all[open].match
	next, inside := ls.next(end, 1), ls.next(open, 1)
	before := ls.next(open, -1)
	if inside == end {
		return ls.text(ls.next(before, -1)) == "class" && before > head
	}
	if before < head {
		return false
	}
	tuple := ls.commas(open, end) > 0
	ends := ls.ended(next)
	header := ls.text(next) == ":"
	switch word := ls.text(before); word {
	case "return", "yield", "import", "del":
		return ends
	case "in":
		return header && (ls.text(head) == "for" || ls.text(head) == "async")
	case "for":
		return before == head && ls.text(next) == "in"
	case "if", "elif", "while":
		return before == head && header && !tuple
	case "with", "match", "case":
		return (before == head || ls.text(head) == "async") && header
	case "assert", ",":
		return ls.text(head) == "assert" && !tuple && (ends || word == "assert" && ls.text(next) == ",")
	case "->":
		return header && !tuple
	default:
		return assigns().MatchString(word) && ends
	}
}
