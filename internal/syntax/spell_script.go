package syntax

import (
	"bytes"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

var (
	// scriptWord matches the words of a script that are no values.
	scriptWord = lazy.Regexp(`^(await|case|const|default|delete|do|else|export|extends|finally|for|if|import|in|instanceof|let|new|of|return|switch|throw|try|typeof|var|void|while|with|yield)$`)
	// identifier matches what may be a key without quotes.
	identifier = lazy.Regexp(`^["']([A-Za-z_$][A-Za-z0-9_$]*)["']$`)
	// openEnded matches words after which the end of a statement counts.
	openEnded = lazy.Regexp(`^(abstract|accessor|as|async|await|break|case|continue|declare|default|delete|do|else|enum|export|extends|finally|get|import|in|instanceof|interface|is|keyof|let|module|namespace|new|of|out|override|private|protected|public|readonly|return|satisfies|set|static|throw|try|type|typeof|using|var|void|yield)$`)
	// takesOn matches the words that go on with the expression before them.
	takesOn = lazy.Regexp(`^(in|instanceof|of|as|is|satisfies|extends|implements|from|with)$`)
	// beforeValue matches what a whole value follows.
	beforeValue = lazy.Regexp(`^(return|=|=>|\?|:)$`)
	// beforeFirst matches what the first of several types follows.
	beforeFirst = lazy.Regexp(`^(=|:|\(|<|,|=>)$`)
	// leavesBare matches words that end a statement with their line.
	leavesBare = lazy.Regexp(`^(return|break|continue)$`)
	// emptyBody matches words behind which a semicolon is a statement.
	emptyBody = lazy.Regexp(`^(else|do)$`)
	// bodyHead matches words whose parentheses a statement follows.
	bodyHead = lazy.Regexp(`^(if|while|for|with|await)$`)
)

// spellScript is the spelling of JavaScript and TypeScript: quotes and numbers, keys
// in quotes, commas behind a last item, semicolons that a line break stands for, and
// parentheses around the one parameter of an arrow function.
func spellScript(ls *lexemes) []respelling {
	out := ls.trailing(func(open int) bool { return ls.text(open) == "(" })
	for i, x := range ls.all {
		switch {
		case x.kind == lexString && ls.s[x.from] != '`':
			if with, ok := ls.scriptString(i); ok {
				out = append(out, respelling{x.from, x.to, with})
			}
		case x.kind == lexWord:
			if r, ok := ls.number(i); ok {
				out = append(out, r)
			}
		case x.kind != lexOther:
		case ls.s[x.from] == ';' && ls.implied(i):
			out = append(out, ls.drop(i))
		case ls.s[x.from] == ';' && i > 0 && ls.parted(i-1):
			end := ls.all[i-1].to // it belongs to what it ends
			out = append(out, respelling{end, end, ";"}, ls.drop(i))
		case ls.s[x.from] == '(' && x.match == i+2 && ls.text(i+3) == "=>" && ls.all[i+1].kind == lexWord && ls.lone(i):
			out = append(out, ls.drop(i), ls.drop(i+2))
		case ls.s[x.from] == '(' && x.match > i+1 && ls.around(i):
			out = append(out, ls.drop(i), ls.drop(x.match))
		case ls.text(i) == "|" && beforeFirst().MatchString(ls.text(ls.next(i, -1))):
			out = append(out, ls.drop(i)) // before the first of several types
		}
	}
	return out
}

// scriptString spells a string; what could be a key without quotes has none.
func (ls *lexemes) scriptString(i int) (string, bool) {
	text, outer := ls.text(i), ls.all[i].outer
	before, after := ls.text(ls.next(i, -1)), ls.text(ls.next(i, 1))
	attribute := before == "=" && i > 1 && ls.all[i-2].to == ls.all[i-1].from && ls.all[i-1].to == ls.all[i].from // of a tag
	if m := identifier().FindStringSubmatch(text); m != nil && outer >= 0 && ls.text(outer) == "{" && (before == "{" || before == ",") && after == ":" {
		return m[1], true
	}
	return quotes(text, !attribute)
}

func (ls *lexemes) kind(i int) lexKind {
	if i < 0 || i >= len(ls.all) {
		return lexOther
	}
	return ls.all[i].kind
}

// lone reports whether the parentheses that open at the index stand by themselves.
func (ls *lexemes) lone(i int) bool {
	before := ls.next(i, -1)
	return ls.kind(before) != lexWord || scriptWord().MatchString(ls.text(before)) || ls.text(before) == "async"
}

// around reports whether the parentheses hold all of a value, so that they say
// nothing.
func (ls *lexemes) around(open int) bool {
	end := ls.all[open].match
	before, inside, next := ls.text(ls.next(open, -1)), ls.text(ls.next(open, 1)), ls.next(end, 1)
	if !beforeValue().MatchString(before) || inside == "{" || ls.commas(open, end) > 0 {
		return false
	}
	switch after := ls.text(next); after {
	case "", ";", ",", ")", "]", "}":
		return true
	case ":":
		return before == "?"
	default:
		return ls.parted(end) && ls.kind(next) == lexWord && !takesOn().MatchString(after)
	}
}

// implied reports whether a script means the same without the semicolon: what ends
// before it is a statement, and what begins behind it cannot go on with that.
func (ls *lexemes) implied(i int) bool {
	x := ls.all[i]
	if x.outer >= 0 && ls.text(x.outer) != "{" {
		return false
	}
	prev, next := ls.next(i, -1), ls.next(i, 1)
	last := next >= len(ls.all) || ls.text(next) == "}"
	switch {
	case prev < 0:
		return false
	case ls.kind(prev) == lexWord && (last && !emptyBody().MatchString(ls.text(prev)) || ls.text(prev) == "void" && !strings.HasSuffix(ls.text(prev-1), ".")): // a type
		return true
	case leavesBare().MatchString(ls.text(prev)): // where a line break ends it
		return last || ls.parted(i)
	case last || !ls.closes(prev):
		return ls.closes(prev)
	}
	switch y := ls.all[next]; y.kind {
	case lexWord:
		return !takesOn().MatchString(ls.text(next))
	case lexString:
		return ls.s[y.from] != '`'
	default:
		return ls.text(next) == "@"
	}
}

// parted reports whether a line ends behind the lexeme.
func (ls *lexemes) parted(i int) bool {
	return i+1 < len(ls.all) && bytes.IndexByte(ls.s[ls.all[i].to:ls.all[i+1].from], '\n') >= 0
}

// closes reports whether a statement may end with the lexeme.
func (ls *lexemes) closes(i int) bool {
	switch x := ls.all[i]; {
	case x.kind == lexString:
		return true
	case x.kind == lexWord:
		return !openEnded().MatchString(ls.text(i)) || ls.text(i-1) == "."
	case x.match < 0:
		return strings.Contains(" > >> >>> ! ++ -- ", " "+ls.text(i)+" ") || x.to > x.from+2 && ls.s[x.from] == '/'
	case ls.text(i) == ")":
		return !bodyHead().MatchString(ls.text(ls.next(x.match, -1)))
	default:
		return true
	}
}
