package evidence

import (
	"bytes"
	"fmt"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

// joinedAnew says so when the statement at an edge of the lines goes on past it and
// did not, or did and no longer does: equal lines then are a part of another
// statement, of which "or True" may stand in the next line. What it goes on with is
// not looked at where it did before: that was not cited.
func (p *pair) joinedAnew(c *cited, is scorecard.LineRange) string {
	if syntax.Family(p.old.Path) == "python" && !(p.old.Balanced() && p.new.Balanced()) {
		return "" // no program: what goes on cannot be told
	}
	last := p.old.lastCode(c.Lines)
	before, now := p.old.goesOn(last), p.new.goesOn(p.new.lastCode(is))
	switch {
	case before > 0 && now == 0 && p.old.besideStrings(last, before):
		// the text went on with a string that is not cited
	case now > 0 && before == 0 && p.wrappedAlike(c.Lines.First, is.First):
		return fmt.Sprintf("the lines stand as they were, but their statement now goes on in line %d", now)
	case before > 0 && now == 0 && p.joinedBehind(p.old.lastCode(c.Lines), p.new.lastCode(is)):
	case before > 0 && now == 0 && p.plainMap().ToNew(before) == 0 && p.plainMap().ToOld(is.Last+1) > 0:
		return fmt.Sprintf("the lines stand as they were, but their statement went on in line %d, and no longer does", before)
	}
	above, below := p.old.codeLine(c.Lines.First, -1), p.new.codeLine(is.First, -1)
	before, now = p.old.goesOn(above), p.new.goesOn(below)
	switch {
	case before > 0 == (now > 0), p.old.afterElse(above) && p.new.afterElse(below):
		return ""
	case before > 0 && p.joinedBefore(before, p.new.codeLine(is.First-1, 1)):
		return ""
	case now == 0 && p.old.besideStrings(above, before):
		return "" // the text began with a string that is not cited
	case !p.wrappedAlike(c.Lines.First, is.First) && p.new.OpensAt(is.First) != below && !p.new.Continued(is.First):
		return "" // a bracket further up came or went, and who took in what cannot be told
	case now > 0:
		return fmt.Sprintf("the lines stand as they were, but line %d before them goes on and takes them in", below)
	}
	return fmt.Sprintf("the lines stand as they were, but line %d before them went on and took them in, and no line does now", above)
}

// besideStrings reports whether nothing joins two lines of code but that one ends and
// the other begins in a string.
func (d *document) besideStrings(line, next int) bool {
	a := d.Code(line)
	return len(a) > 0 && syntax.IsQuote(a[len(a)-1]) && beginsString().Match(d.Code(next))
}

// maxJoined bounds how many lines of a statement are looked at.
const maxJoined = 32

// joinedBehind reports whether the new line ends with the old one and all that its
// statement went on with: then it goes on as it did, on one line.
func (p *pair) joinedBehind(was, is int) bool {
	words := squeezedLine(p.old.Spelled(), was)
	for n := 0; n < maxJoined; n++ {
		if was = p.old.goesOn(was); was == 0 {
			return is > 0 && bytes.HasSuffix(squeezedLine(p.new.Spelled(), is), words)
		}
		words = append(words, squeezedLine(p.old.Spelled(), was)...)
	}
	return false
}

// joinedBefore reports whether the new line begins with the old one and with all lines
// before it that went on with it.
func (p *pair) joinedBefore(was, is int) bool {
	words := squeezedLine(p.old.Spelled(), was)
	for n := 0; n < maxJoined; n++ {
		above := p.old.codeLine(was, -1)
		if p.old.goesOn(above) == 0 {
			return is > 0 && bytes.HasPrefix(squeezedLine(p.new.Spelled(), is), words)
		}
		was = above
		words = append(squeezedLine(p.old.Spelled(), was), words...)
	}
	return false
}

// wrappedAlike reports whether both lines go on with what a bracket above them
// opened, or neither does, where that tells whether a line goes on at all.
func (p *pair) wrappedAlike(was, is int) bool {
	return !p.old.Lang.ShapedIndent() || p.old.Wrapped(was) == p.new.Wrapped(is)
}

// codeLine is the nearest line past the given one, in steps of 1 or -1, that is
// neither blank nor a comment; 0 when there is none.
func (d *document) codeLine(n, step int) int {
	for n += step; d.Text.Has(n, n); n += step {
		if d.Inside(n).Name != syntax.CommentName && len(d.Code(n)) > 0 {
			return n
		}
	}
	return 0
}

// lastCode is the last of the lines that is neither blank nor a comment, or 0.
func (d *document) lastCode(r scorecard.LineRange) int {
	if n := d.codeLine(r.Last+1, -1); n >= r.First {
		return n
	}
	return 0
}

// goesOn is the line in which the statement or the item that ends the given line goes
// on, or 0. Languages in which that is not known have none.
func (d *document) goesOn(line int) int {
	if line == 0 {
		return 0
	}
	next := d.codeLine(line, 1)
	if next == 0 || d.Inside(next).Name != "" || !d.BracketsKnown(next) {
		return 0
	}
	if d.joins(line, next) {
		return next
	}
	return 0
}

// joins reports whether a line of code goes on in the next one.
func (d *document) joins(line, next int) bool {
	a, b := d.Code(line), d.Code(next)
	last := a[len(a)-1]
	switch f := syntax.Family(d.Path); {
	case f == "shell":
		return opensInShell().Match(a)
	case f == ".rb":
		return opensInRuby().Match(a) || beginsInRuby().Match(b)
	case f == "python":
		return last == '\\' || d.Wrapped(next) && last != ',' && !syntax.Opens(last) && (opensInPython().Match(a) || beginsInPython().Match(b))
	case f == ".css" || f == ".scss":
		raw := bytes.TrimRight(syntax.WithoutCR(d.Text.Line(line)), syntax.Blanks)
		return !styleEnd().Match(a) && !styleEnd().Match(raw) && b[0] != '}'
	case d.Lang.Braces():
		return d.joinsInBraces(a, b)
	}
	return false
}

// joinsInBraces does so for the languages of the brace family.
func (d *document) joinsInBraces(a, b []byte) bool {
	last, f := a[len(a)-1], syntax.Family(d.Path)
	switch {
	case last == '\\':
		return true
	case last == ';', last == ',', syntax.Opens(last), a[0] == '#', b[0] == '#':
		return false
	case opensInBraces().Match(a), f == ".php" && opensInPHP().Match(a):
		return true
	case last == '}', f == ".go":
		return f != ".go" && chains().Match(b)
	case d.Lang.BracketsJoin() && signed().Match(b):
		return false
	case last == ':':
		return false
	}
	return beginsInBraces().Match(b) || f == "script" && beginsInScript().Match(b)
}

// afterElse reports whether the line ends in an else, with a brace or without.
func (d *document) afterElse(line int) bool { return line > 0 && elseOpen().Match(d.Code(line)) }

var (
	// opensInShell ends a line that the next belongs to.
	opensInShell = lazy.Regexp(`(&&|\|&?|\\|^!|[ ;(]!)$`)
	// opensInRuby and beginsInRuby do so in a line and in the next, and opensInPHP beside
	// what the brace family has.
	opensInRuby  = lazy.Regexp(`(&&|\|\||\\|[^<>=!]=|\b(and|or|not))$`)
	beginsInRuby = lazy.Regexp(`^(&?\.[a-zA-Z_]|&&|\|\|)`)
	opensInPHP   = lazy.Regexp(`(\b(and|or|xor)|@)$`)
	// opensInPython and beginsInPython do so in brackets.
	opensInPython  = lazy.Regexp(`(\b(and|or|not|in|is|if|else|lambda|await)|[-+*/%@&|^<>=~.:])$`)
	beginsInPython = lazy.Regexp(`^((and|or|if|else|for|async for|in|is|not in)\b|[-+*/%@&|^<>=.:(\["']|!=|[A-Za-z]{1,2}["'])`)
	// beginsString begins a string of Python, with a prefix or without.
	beginsString = lazy.Regexp(`^[A-Za-z]{0,2}["']`)
	// opensInBraces does so in the brace family. What may as well end a type, a pattern
	// or a value is left out: "*", "&", ">", "/", "?", "!" behind a word.
	opensInBraces = lazy.Regexp(`(&&|\||=>|->|=|\?\?|\?:|[^+]\+|[^-]-|[%^<]|(^|[^\w)\]!])!|[\w)\]]\.|\?.*:|\b(else|instanceof|typeof|await|new|sizeof))$`)
	// beginsInBraces begins a line that goes on with the one before it.
	beginsInBraces = lazy.Regexp(`^(\.[^.\d]|\?|:[^:]|=|!=|&|\||[*%^]|/[^/*]|\+[^+]|-[^-]|<=|>=|<<|>>|>[-\w(]|<[-\d(]|instanceof\b)`)
	// beginsInScript does so where only a semicolon would part it.
	beginsInScript = lazy.Regexp("^([(\\[`]|(in|as|satisfies)\\b)")
	// chains goes on with a block or a function that ended.
	chains = lazy.Regexp(`^(\.[^.\d]|\?\.|&&|\|\||\?\?)`)
	// signed may begin a statement of its own where a line break ends one.
	signed = lazy.Regexp(`^[-+*&]([^&]|$)`)
	// styleEnd ends a line of a style sheet that the next does not belong to.
	styleEnd = lazy.Regexp(`[;{}] *(/\*.*\*/)?$`)
	elseOpen = lazy.Regexp(`\belse ?\{?$`)
)
