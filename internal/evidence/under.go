package evidence

import (
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// What lines stand under can be a part of what they say, and is where it can be
// told for certain:
//
//   - In data (a mapping, a table, a stage, a list, the arguments of a call) a
//     line belongs to what it stands under.
//   - In a program lines that come to stand under a new condition in their file, or
//     that stay and come to stand alone under anything new, no longer do what they
//     did.
//
// Lines of a program that otherwise move keep what they say wherever they go, but for what
// disabled sees: whether somebody calls them cannot be told. So do lines whose
// header is edited in its place: that is a change of the header.

// Lines under which others stand.
var (
	// literal matches code that opens a value or the arguments of a call. What stands
	// behind "):" is the type that a function returns.
	literal = lazy.Regexp(`[\[(]$|(^|[=:(\[,?]|\breturn) ?\{$|([=(,]|(^|[^)]):) ?&?[\w.\[\]*]+\{$`)
	// blockWord begins code that opens statements, whatever it ends in.
	blockWord = lazy.Regexp(`^(\} ?)?((export|default|public|private|protected|internal|static|async|pub(\(\w+\))?|unsafe|final|override|inline|const|extern) ?)*\b(if|elif|else|for|while|switch|match|try|catch|func|fn|function|def|do|with)\b`)
	// conditional matches a header whose lines run in some cases only.
	conditional = lazy.Regexp(`^(\} ?)?(if|elif|elsif|else|unless|switch|case|when|match|except|catch|rescue)\b|^(async )?with .*\bsuppress\(|^#(if|elif|else)|^(ifdef|ifndef|ifeq|ifneq|define) |^\{\{-? ?(if|else|range|with|define|block)\b|^\{%[-+]? ?(if|elif|else|for|macro|raw)\b|^#!?\[(cfg|cfg_attr\(.*\bcfg)\(|^cfg_if(::cfg_if)?!|^\[(\w+\.)*Conditional\(`)
	// opensBlock matches a header that decides whether its lines run, or when.
	opensBlock = lazy.Regexp(`^(async )?(if|elif|else|try|except|finally|def|class|for|while|match|case|unless|begin|function)\b`)
)

// displaced says so when lines belong to something else than they did.
func (p *pair) displaced(c *cited, is scorecard.LineRange) string {
	was := c.Lines
	if why := p.laterStage(was, is); why != "" {
		return why
	}
	above, below := p.old.above(was.First, was.Last), p.new.above(is.First, is.Last)
	a, b := p.old.texts(above), p.new.texts(below)
	if !p.old.Lang.Data() {
		// By the spelling, in which "return (" opens no value, unlike in opensLiteral.
		if !p.old.Lang.FreeSpacing() || len(a) == 0 || !literal().MatchString(a[0]) || blockWord().MatchString(a[0]) || p.old.OpensBody(above[0]) {
			return ""
		}
		above, a = above[:1], a[:1]
	}
	if slices.Equal(a, b) {
		return ""
	}
	if !c.continues(p.new) {
		if p.old.Lang.Data() || len(b) == 0 || a[0] != b[0] {
			return fmt.Sprintf("the lines are the same, but they stood under %s and now stand under %s", header(a), header(b))
		}
		return ""
	}
	for i, n := range above {
		if p.plainMap().ToNew(n) > 0 && !slices.Contains(b, a[i]) {
			return fmt.Sprintf("the lines are the same, but they stood under %s and now stand under %s", header(a[i:]), header(b))
		}
	}
	if !p.old.Lang.Data() {
		return ""
	}
	for i, n := range below {
		stayed := p.plainMap().ToOld(n) > 0
		if (stayed || len(a) == 0 && p.new.heads([]byte(b[i]))) && !slices.Contains(a, b[i]) {
			return fmt.Sprintf("the lines are the same, but they now stand under %s, line %d", header(b[i:]), n)
		}
	}
	return p.regrouped(was, is)
}

// header quotes the innermost header that says something.
func header(texts []string) string {
	for _, t := range texts {
		if information([]byte(t)) > 0 {
			return shorten(t)
		}
	}
	return "nothing"
}
