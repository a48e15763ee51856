package evidence

import (
	"bytes"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/syntax"
)

// Statements that keep what follows them in their block from being reached.
var (
	// leaving begins a statement that leaves its block whatever happens.
	leaving = lazy.Regexp(`^\{? ?(return|raise|throw|continue|break|goto)\b|^assert ?\(?(False|0)\b|` +
		`^(exit|die);?$|^(sys\.exit|os\.(_exit|abort)|_?exit|_Exit|quick_exit|quit|process\.(exit|abort)|os\.Exit|runtime\.Goexit|log\.(Fatal|Panic)\w*|panic!?|abort|(std::)?process::(exit|abort)|` +
		`std::(exit|abort|terminate)|System\.exit|Environment\.Exit|exitProcess|fatalError|preconditionFailure|die|(todo|unimplement[e]d|unreachable)!|__builtin_(unreachable|trap))\(.*\);?$|` +
		`^if ?\(?(True|true|1|not False|!0|!false)\)? ?[:{]? ?(return|raise|throw|continue|break)\b`)
	// alwaysTrue matches a condition that makes no difference.
	alwaysTrue = lazy.Regexp(`^if ?\(?(True|true|1|not False|!0|!false)\)? ?([:{]|; ?then)?$`)
	// leavingSometimes matches a statement that only looks like one.
	leavingSometimes = lazy.Regexp(`^[\w.]+\(.*\) ?(if|or|and)\b`)
	// leavingShell matches such a statement of a shell.
	leavingShell = lazy.Regexp(`^(exit|return)( ["$?{}\w]+)?;?$|^exec [^<>0-9]|^(true|:) ?&& ?(exit|return)\b|^if (true|:) ?; ?then (exit|return)\b[^;]*; ?fi$`)
	// leavingBehind matches a line of commands of which the last leaves.
	leavingBehind = lazy.Regexp("^([^;&|(){}\"'`#\\\\]|\"[^\"]*\"|'[^']*')+; ?(exit|return)( [\"$?{}\\w]+)?;?$")
	// compound begins one that is a part of a branch or a loop.
	compound = lazy.Regexp(`^(if|for|while|until|case|select|then|else|elif|do|function)\b`)
	// goesOn begins a line that continues the one before it.
	goesOn = lazy.Regexp(`^([.?:+*/%&|=<>,)\]]|-[^-])`)
	// label matches lines that can be reached past a statement that leaves.
	label = lazy.Regexp(`^(case\b|default ?:|\w+:$)`)
	// passes matches a header whose block is reached only if the header is.
	passes = lazy.Regexp(`^(\} ?)?(if|elif|else|for|while|with|try|except|catch|finally|do|switch|match|async (for|with))\b|^\{$`)
)

// left returns the line of a whole statement that leaves the block which the given
// line belongs to, or one around that, so that it is not reached; 0 when there is
// none. Only languages with such statements are judged.
func (d *document) left(line int) int {
	switch {
	case syntax.Family(d.Path) == "shell":
		return d.leftInShell(line)
	case d.Lang.Braces() && d.BracketsKnown(line):
		return d.leftInBraces(line)
	case d.Lang.NestsByIndent() && d.Lang.FreeSpacing():
		return d.leftByIndent(line)
	case syntax.Family(d.Path) == ".rb", syntax.Family(d.Path) == ".lua", syntax.Family(d.Path) == ".pl", syntax.Family(d.Path) == ".pm":
		return d.leftAlike(line)
	}
	return 0
}

// leftByIndent looks at the statements above that are indented alike, and goes on
// outwards: a function that is never defined is not reached either.
func (d *document) leftByIndent(line int) int {
	for line > 1 && (len(d.Code(line)) == 0 || !d.Begins(line)) {
		line--
	}
	w, below := d.Width(line), 0
	for n := line - 1; n >= max(1, line-maxAncestors) && d.BracketsKnown(line); n-- {
		code := d.Code(n)
		if len(code) == 0 || !d.Begins(n) {
			continue
		}
		switch v := d.Width(n); {
		case v > w:
			below = n
			continue
		case v < w:
			if w = v; !passes().Match(code) && !definesName().Match(code) {
				return 0
			}
		case leaves(code), always(code) && below > 0 && leaves(d.Code(below)):
			return n
		}
		below = 0
	}
	return 0
}

// leftInBraces looks at the statements before the line in its block, and goes on
// outwards up to the function.
func (d *document) leftInBraces(line int) int {
	if goesOn().Match(d.Code(line)) || label().Match(d.Code(line)) {
		return 0
	}
	least := line - maxAncestors
	for block := d.Around(line); ; {
		n, reached := d.leftInBlock(line, block, least)
		if n > 0 || reached || block < 0 {
			return n
		}
		b := d.Bracket(block)
		if line = d.Head(block); b.Kind != '{' || !passes().Match(d.Code(line)) {
			return 0
		}
		block = b.Outer
	}
}

// leftInBlock looks at the statements of one block before the line. It reports
// whether something makes the line reached whatever stands further up. Lines above
// the least are not looked at.
func (d *document) leftInBlock(line, block, least int) (left int, reached bool) {
	from := max(0, least)
	if block >= 0 {
		from = max(from, d.Bracket(block).Line)
	}
	below := 0 // the line below that is in a block of its own
	for n := line - 1; n > from; n-- {
		code := d.Code(n)
		if len(code) == 0 || d.Inside(n).Name != "" {
			continue
		}
		switch {
		case d.Around(n) != block:
			below = n
			continue
		case label().Match(code):
			return 0, true
		case d.headWithoutBraces(n) > 0, code[0] == '{' && !d.standsAlone(n):
		case leaves(code) && d.ends(n), (always(code) || len(code) == 1 && code[0] == '{') && below > 0 && leaves(d.Code(below)):
			return n, false
		}
		below = 0
	}
	return 0, false
}

// standsAlone reports whether the brace that begins the line opens a block of its own,
// and not that of the line above.
func (d *document) standsAlone(line int) bool {
	up := d.codeLine(line, -1)
	if up == 0 {
		return true
	}
	code := d.Code(up)
	return bytes.IndexByte([]byte(";{}"), code[len(code)-1]) >= 0
}

var (
	// leavingAlike matches a whole statement that leaves in languages whose blocks end
	// in words, or behind it.
	leavingAlike = lazy.Regexp(`^(return|raise|throw|next|break|redo|exit|abort|die|goto|os\.exit\(.*\)|error\(.*\))\b.*$|^do return\b.*\bend;?$`)
	// modified matches one that leaves in some cases only.
	modified = lazy.Regexp(`\b(if|unless|while|until|and|or)\b|&&|\|\||[,\\({\[]$`)
	// endsBlock matches a line that ends what it stands in, or begins another branch of it.
	endsBlock = lazy.Regexp(`^(end|else|elsif|elseif|when|in|rescue|ensure|until|\}|\))`)
)

// leftAlike looks at the statements above that are indented alike. One that something
// ends right behind it may stand under a line that is indented like it.
func (d *document) leftAlike(line int) int {
	w := d.Width(line)
	for n := d.codeLine(line, -1); n > 0 && n > line-maxAncestors; n = d.codeLine(n, -1) {
		code := d.Code(n)
		switch next := d.codeLine(n, 1); {
		case d.Width(n) < w, next == 0:
			return 0
		case d.Width(n) > w, d.Inside(n).Name != "", endsBlock().Match(d.Code(next)):
		case leavingAlike().Match(code) && !modified().Match(code):
			return n
		}
	}
	return 0
}

// ends reports whether the statement that begins on the line ends before the next
// one: a value may go on.
func (d *document) ends(line int) bool {
	line = d.BracketsEnd(line)
	code := d.Code(line)
	if len(code) == 0 {
		return false
	}
	last := code[len(code)-1]
	if last != ';' && !syntax.IsAtomByte(last) && last != ')' && last != '}' && last != ']' {
		return false
	}
	for n := line + 1; n <= d.Text.Len(); n++ {
		if code := d.Code(n); len(code) > 0 {
			return last == ';' || !goesOn().Match(code)
		}
	}
	return true
}

// leavingWords are the words with which a statement that leaves may begin.
var leavingWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`return raise throw continue break goto assert exit _exit _Exit quick_exit die sys os quit process runtime log panic abort std System
		Environment exitProcess fatalError preconditionFailure todo unreachable __builtin_unreachable __builtin_trap if`) {
		out[w] = true
	}
	out["unimplement"+"ed"] = true // spelled apart, as it marks work left open elsewhere
	return out
}()

// leavesFirst reports whether the code begins with a statement that leaves.
func leavesFirst(code []byte) bool {
	n := 0
	if bare := bytes.TrimLeft(code, "{ "); len(bare) < len(code) { // a block on a line
		return closes(code[len(code)-1:]) && leavesFirst(bare)
	}
	for n < len(code) && syntax.IsWordByte(code[n]) {
		n++
	}
	return leavingWords[string(code[:n])] && leaving().Match(code) && !leavingSometimes().Match(code)
}

// always reports whether the code is a condition that makes no difference.
func always(code []byte) bool { return bytes.HasPrefix(code, []byte("if")) && alwaysTrue().Match(code) }

// leaves reports whether the code begins or holds a whole statement that leaves.
func leaves(code []byte) bool {
	if leavesFirst(code) {
		return true
	}
	if bytes.IndexByte(code, ';') < 0 || passes().Match(code) {
		return false
	}
	depth := 0
	for i := 0; i < len(code); i++ {
		switch c := code[i]; {
		case syntax.IsQuote(c):
			i = syntax.StringEnd(code, i) - 1
		case syntax.Opens(c):
			depth++
		case syntax.IsBracket(c):
			depth--
		case c == ';' && depth == 0 && leavesFirst(bytes.TrimLeft(code[i+1:], syntax.Blanks)):
			return true
		}
	}
	return false
}

// leftInShell looks at the commands before the line, and goes on outwards: a function
// that is never defined is not reached either. What stands in another branch does not
// count.
func (d *document) leftInShell(line int) int {
	closed, ended, branch := 0, 0, false
	for n := line - 1; n >= max(1, line-maxAncestors); n-- {
		code := d.Code(n)
		if len(code) == 0 || d.Inside(n).Name != "" {
			continue
		}
		switch {
		case closesShell().Match(code):
			closed++
		case code[0] == ')':
			ended++
		case opensParen(code):
			ended = max(0, ended-1)
		case ended > 0: // what leaves a group leaves nothing else
		case opensShell().Match(code) && !endsShell().Match(code):
			if closed > 0 {
				closed--
			} else {
				branch = false
			}
		case closed > 0 || branch:
		case otherBranch().Match(code):
			branch = true
		case leavingShell().Match(code), leavingBehind().Match(code) && !compound().Match(code):
			return n
		}
	}
	return 0
}

// otherBranch matches a line of a shell before which another branch stands.
var otherBranch = lazy.Regexp(`^(else|elif)\b|;;$|^[^ ()]+\)( |$)`)
