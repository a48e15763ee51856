package evidence

import (
	"bytes"
	"fmt"
	"slices"
	"unicode"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

// unexpanded begins a macro, whose lines are compiled only where somebody uses it.
var unexpanded = lazy.Regexp(`^(#\[macro_export\] ?)?macro_rules! ?\w+`)

// enclosed says so when lines came to stand under a condition that was added, or
// when they stayed and something was added that takes in them and not the lines
// that stood beside them.
func (p *pair) enclosed(c *cited, is scorecard.LineRange) string {
	was := c.Lines
	if p.old.Lang.Prose() {
		return ""
	}
	above, below := p.old.above(was.First, was.Last), p.new.above(is.First, is.Last)
	if !c.continues(p.new) {
		return p.conditionedElsewhere(above, below, is)
	}
	if n := p.new.constraint(); n > 0 && p.old.constraint() == 0 {
		return fmt.Sprintf("the lines stand as they were, but their file is built only under a condition that was added, line %d", n)
	}
	if n := p.new.onlyIf(is.First); n > 0 && p.added(n) && p.gained(n) && p.old.offByKey(was.First, onKey()) == 0 {
		return fmt.Sprintf("the lines stand as they were, but under a condition that was added, line %d", n)
	}
	spare := 0 // conditions that went, which others may have taken the place of
	for _, n := range above {
		if p.plainMap().ToNew(n) == 0 && p.old.conditional(n) {
			spare++
		}
	}
	for _, n := range below {
		code := p.new.Code(n)
		switch {
		case !p.added(n) || !p.gained(n) || always(code):
			continue
		case p.new.swallows(n, is):
			return fmt.Sprintf("the lines stand as they were, but what they raise is passed over, line %d", n)
		case len(code) == 1 && code[0] == '{': // a block, and nothing more
			continue
		case p.new.conditional(n):
			if spare--; spare < 0 {
				return fmt.Sprintf("the lines stand as they were, but under a condition that was added, line %d", n)
			}
		case unexpanded().Match(code):
			return fmt.Sprintf("the lines stand as they were, but inside a macro that was added, line %d", n)
		case p.stayed(was, is) && p.aloneUnder(n, was, is, len(above), len(below)):
			return fmt.Sprintf("the lines stand as they were, but what stands around them does not: %s was added, line %d", shorten(string(code)), n)
		}
	}
	return p.slipped(above, below, is)
}

// conditional reports whether what stands under the line runs in some cases only: it is
// a condition, or one stands at its end.
func (d *document) conditional(n int) bool {
	code := d.Code(n)
	return conditional().Match(code) || conditionBehind().Match(code)
}

// conditionBehind matches a condition behind another statement of its line.
var conditionBehind = lazy.Regexp(`; ?(if|for) ?\(.*\)$`)

// slipped says so when lines came under a condition of their function, or a try that
// passes over what they raise, that was there before and did not take them in. Where a
// header of theirs went, that was a change of the header.
func (p *pair) slipped(above, below []int, is scorecard.LineRange) string {
	if p.old.Lang.Data() || !slices.Equal(p.old.texts(p.old.owner(above)), p.new.texts(p.new.owner(below))) {
		return ""
	}
	spare, texts := 0, p.old.texts(above) // what they no longer stand under
	for _, n := range above {
		if to := p.plainMap().ToNew(n); to == 0 || p.old.conditional(n) && !slices.Contains(below, to) {
			spare++
		}
	}
	for _, n := range below {
		was, code := p.plainMap().ToOld(n), p.new.Code(n)
		if was == 0 || slices.Contains(above, was) || slices.Contains(texts, string(code)) || always(code) {
			continue
		}
		switch {
		case p.new.swallows(n, is):
			return fmt.Sprintf("the lines stand as they were, but what they raise is now passed over, line %d", n)
		case p.new.conditional(n):
			if spare--; spare < 0 {
				return fmt.Sprintf("the lines stand as they were, but now under the condition in line %d", n)
			}
		}
	}
	return ""
}

// conditionedElsewhere says so when lines went to another file and stand there under
// more conditions of their function than they did, or what they raise is passed over.
func (p *pair) conditionedElsewhere(above, below []int, is scorecard.LineRange) string {
	if p.old.Lang.Data() {
		return ""
	}
	spare := 0
	for _, n := range p.old.upToOwner(above) {
		if p.old.conditional(n) {
			spare++
		}
	}
	for _, n := range p.new.upToOwner(below) {
		code := p.new.Code(n)
		switch {
		case always(code):
		case p.new.swallows(n, is):
			return fmt.Sprintf("the lines are the same, but what they raise is passed over in %s, line %d", p.new.Path, n)
		case p.new.conditional(n):
			if spare--; spare < 0 {
				return fmt.Sprintf("the lines are the same, but in %s they stand under a condition that they did not stand under, line %d", p.new.Path, n)
			}
		}
	}
	return ""
}

// upToOwner are the headers inside of the innermost function or class.
func (d *document) upToOwner(headers []int) []int {
	own := d.owner(headers)
	for i, n := range headers {
		if len(own) > 0 && d.Statement(n) == own[0] {
			return headers[:i]
		}
	}
	return headers
}

// What deals with what was raised.
var (
	opensTry = lazy.Regexp(`^(try|begin|do)\b`)
	handler  = lazy.Regexp(`^(\} ?)?(except|catch|rescue)\b`)
	// ignores matches a line that does nothing about it, and empty a handler without any.
	ignores = lazy.Regexp(`^(pass|\.\.\.|continue|return|return None|return true|return True|\}|Unit|nil|null)[;)}]*$`)
	empty   = lazy.Regexp(`^(\} ?)?(catch ?(\(.*\))? ?\{ ?(Unit|null|;)? ?\}|except.*: ?(pass|\.\.\.))$`)
	// catchesAll matches a handler of whatever is raised, and caught what it is about.
	catchesAll = lazy.Regexp(`^(\} ?)?(except( (Exception|BaseException))?( as \w+)? ?:|catch ?(\{|\((\w+|(\w+ ?: ?)?(Exception|Throwable|Error)( ?\|.*)?( \w+)?)\)|\(\.\.\.\))|rescue( ?=> ?\w+|( StandardError| Exception).*)?$)`)
	// raises finds what a line raises.
	raises = lazy.Regexp(`\b(?:raise|throw)\b(?: new)? ?(\w*)`)
	// leavesHandler begins a line with which a handler does something about it.
	leavesHandler = lazy.Regexp(`\b(raise|throw|return|exit|_exit|Exit|abort|panic|break|continue|die|fatal|Fatal|fatalError|reject|fail|next)\b`)
	// orElse matches the end of a group of commands whose failure is passed over.
	orElse = lazy.Regexp(`^[)}] ?\|\|`)
)

// swallows reports whether the header begins a try whose first handler passes over
// whatever the lines raise, or of the same type as they do, or a group of commands
// whose failure is.
func (d *document) swallows(header int, lines scorecard.LineRange) bool {
	code := d.Code(header)
	shell := syntax.Family(d.Path) == "shell"
	if !shell && !opensTry().Match(code) {
		return false
	}
	for n := lines.Last + 1; n <= min(d.Text.Len(), lines.Last+maxBody); n++ {
		code := d.Code(n)
		if d.Width(n) != d.Width(header) {
			continue
		}
		if shell && closesGroup().Match(code) {
			return orElse().Match(code)
		}
		if !handler().Match(code) {
			continue
		}
		next := n + 1
		for next < d.Text.Len() && len(d.Code(next)) == 0 {
			next++
		}
		return empty().Match(code) || d.Text.Has(next, next) && ignores().Match(d.Code(next)) || d.goesOnAfter(n, lines)
	}
	return false
}

// closesGroup begins a line that ends a group of commands.
var closesGroup = lazy.Regexp(`^[)}]`)

// goesOnAfter reports whether the handler catches what the lines raise and the program
// goes on behind it, as if nothing had been.
func (d *document) goesOnAfter(handler int, lines scorecard.LineRange) bool {
	code := d.Code(handler)
	raised := d.raised(lines)
	words := bytes.FieldsFunc(code, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(raised) == 0 || !catchesAll().Match(code) && !slices.ContainsFunc(words, func(w []byte) bool { return slices.Contains(raised, string(w)) }) {
		return false
	}
	w := d.Width(handler)
	for n := handler; n <= min(d.Text.Len(), handler+maxBody); n++ {
		code := d.Code(n)
		switch {
		case len(code) == 0:
		case n > handler && d.Width(n) <= w && !ofTry().Match(code):
			return d.Width(n) == w
		case leavesHandler().Match(code):
			return false
		}
	}
	return false
}

// ofTry begins a line that still belongs to the try.
var ofTry = lazy.Regexp(`^[})]*;?$|^(\} ?)?(except|catch|rescue|finally|ensure|else|end)\b`)

// raised lists what the lines raise, by name where they say one.
func (d *document) raised(lines scorecard.LineRange) []string {
	var out []string
	for n := lines.First; n <= lines.Last; n++ {
		if m := raises().FindSubmatch(d.Code(n)); m != nil {
			out = append(out, string(m[1]))
		}
	}
	return out
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
