package evidence

import (
	"bytes"
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
	conditional = lazy.Regexp(`^(\} ?)?(if|elif|elsif|else|unless|switch|case|when|match|except|catch|rescue)\b|^with .*\bsuppress\(|^#(if|elif|else)|^#!?\[cfg\(`)
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
		if !p.old.Lang.FreeSpacing() || len(a) == 0 || !literal().MatchString(a[0]) || blockWord().MatchString(a[0]) {
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

// enclosed says so when lines came to stand under a condition that was added, or
// when they stayed and something was added that takes in them and not the lines
// that stood beside them.
func (p *pair) enclosed(c *cited, is scorecard.LineRange) string {
	was := c.Lines
	if !c.continues(p.new) || p.old.Lang.Prose() {
		return ""
	}
	above, below := p.old.above(was.First, was.Last), p.new.above(is.First, is.Last)
	if n := p.new.constraint(); n > 0 && p.old.constraint() == 0 {
		return fmt.Sprintf("the lines stand as they were, but their file is built only under a condition that was added, line %d", n)
	}
	spare := 0 // conditions that went, which others may have taken the place of
	for _, n := range above {
		if p.plainMap().ToNew(n) == 0 && conditional().Match(p.old.Code(n)) {
			spare++
		}
	}
	for _, n := range below {
		code := p.new.Code(n)
		switch {
		case !p.added(n) || !p.gained(n) || always(code):
			continue
		case conditional().Match(code):
			if spare--; spare < 0 {
				return fmt.Sprintf("the lines stand as they were, but under a condition that was added, line %d", n)
			}
		case p.new.swallows(n, is.Last):
			return fmt.Sprintf("the lines stand as they were, but what they raise is passed over, line %d", n)
		case p.stayed(was, is) && p.aloneUnder(n, was, is, len(above), len(below)):
			return fmt.Sprintf("the lines stand as they were, but what stands around them does not: %s was added, line %d", shorten(string(code)), n)
		}
	}
	return ""
}

// handler matches what deals with what was raised, and ignores what does nothing.
var (
	handler = lazy.Regexp(`^(\} ?)?(except|catch|rescue)\b`)
	ignores = lazy.Regexp(`^(pass|\.\.\.|continue|return|return None|return true|return True|\})[;)]*$`)
	empty   = lazy.Regexp(`^(\} ?)?(catch ?(\(.*\))? ?\{ ?\}|except.*: ?(pass|\.\.\.))$`)
)

// swallows reports whether the header begins a try whose first handler passes over
// whatever the lines up to last raise.
func (d *document) swallows(header, last int) bool {
	if code := d.Code(header); !bytes.HasPrefix(code, []byte("try")) {
		return false
	}
	for n := last + 1; n <= min(d.Text.Len(), last+maxBody); n++ {
		code := d.Code(n)
		if d.Width(n) != d.Width(header) || !handler().Match(code) {
			continue
		}
		next := n + 1
		for next < d.Text.Len() && len(d.Code(next)) == 0 {
			next++
		}
		return empty().Match(code) || d.Text.Has(next, next) && ignores().Match(d.Code(next))
	}
	return false
}

// stayed reports whether lines stand where they did: where the map takes the first
// of them, past no other, or, when it is laid out anew, between the lines that stood around them.
func (p *pair) stayed(was, is scorecard.LineRange) bool {
	if at := p.plainMap().ToNew(was.First); at > 0 {
		return at == is.First && len(p.passed(was, is)) == 0
	}
	_, _, start, end := around(p.plainMap(), was.First, was.Last)
	return start <= is.First && is.Last <= end
}

// aloneUnder reports whether the added header took in the lines and not what
// stood beside them. Where indentation is the program, nested tells that by the
// lines beside them, if any of those stayed.
func (p *pair) aloneUnder(header int, was, is scorecard.LineRange, depth, now int) bool {
	byIndent := p.old.Lang.NestsByIndent()
	if byIndent && (p.old.Lang.Data() || !opensBlock().Match(p.new.Code(header))) || now <= depth {
		return false
	}
	beside := 0
	for _, step := range []int{-1, 1} {
		from := was.First - 1
		if step > 0 {
			from = was.Last + 1
		}
		for n := from; p.old.Text.Has(n, n); n += step {
			to := p.neighbour(n)
			if to == 0 || closes(p.old.Code(n)) || step < 0 && to >= is.First || step > 0 && to <= is.Last {
				continue
			}
			beside++
			deeper := len(p.new.above(to, to)) - len(p.old.above(n, n))
			if !byIndent && now-depth > deeper {
				return true
			}
			break
		}
	}
	return byIndent && beside == 0
}
