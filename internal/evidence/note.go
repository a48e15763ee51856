package evidence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

// resettled makes the item of a block that stands at the given lines. Where it
// holds, it notes what a reader should know and no text can settle.
func (p *pair) resettled(c *cited, s standing, lines scorecard.LineRange) outcome.Item {
	it := p.holds(c, s, lines)
	if !it.State.Holds() {
		return it
	}
	var notes []string
	for _, note := range []string{p.rehoused(c, lines), p.guarded(c, lines), p.switched(c, lines), p.redecorated(c, lines), p.wrappedWhole(c, lines)} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	if len(notes) > 0 && !p.onlyRelaid() {
		it.Reason = strings.Join(notes, "; and ")
	}
	return it
}

// rehoused notes when lines of a program went to another function or class: whether
// anything calls it cannot be told. A function that only got another name is none.
func (p *pair) rehoused(c *cited, is scorecard.LineRange) string {
	if p.old.Lang.Prose() {
		return ""
	}
	if c.continues(p.new) {
		if why := p.regrouped(c.Lines, is); why != "" {
			return why
		}
	}
	above, below := p.old.above(c.Lines.First, c.Lines.Last), p.new.above(is.First, is.Last)
	from, to := p.old.owner(above), p.new.owner(below)
	a, b := p.old.texts(from), p.new.texts(to)
	if p.old.Lang.Data() || slices.Equal(a, b) {
		return ""
	}
	if !c.continues(p.new) {
		return fmt.Sprintf("the lines are the same, but they stood under %s and now stand under %s in %s", header(a), header(b), p.new.Path)
	}
	left := len(a) == 0 || p.new.lineBag()[a[0]] > 0
	found := len(b) == 0 || p.old.lineBag()[b[0]] > 0
	if !left && !found {
		return ""
	}
	return fmt.Sprintf("the lines are the same, but they stood under %s and now stand under %s", header(a), header(b))
}

// wrappedWhole notes when something was added around the function of lines that stayed
// in it.
func (p *pair) wrappedWhole(c *cited, is scorecard.LineRange) string {
	below := p.new.above(is.First, is.Last)
	own := p.new.owner(below)
	more := p.new.wrappers(below) - p.old.wrappers(p.old.above(c.Lines.First, c.Lines.Last))
	if !c.continues(p.new) || p.new.Lang.Data() || len(own) == 0 || p.added(own[0]) || more <= 0 {
		return ""
	}
	for _, n := range below {
		if n < own[0] && wrapper().Match(p.new.Code(n)) && p.added(n) && p.gained(n) {
			return fmt.Sprintf("%s was added around their function, %s:%d", shorten(string(p.new.Code(n))), p.new.Path, n)
		}
	}
	return ""
}

// wrappers counts those among the headers.
func (d *document) wrappers(headers []int) (n int) {
	for _, h := range headers {
		if wrapper().Match(d.Code(h)) {
			n++
		}
	}
	return n
}

// wrapper matches a header that may keep what it is put around from being found.
var wrapper = lazy.Regexp(`\b(def|class|func|fn|function|mod|module|namespace|object|trait)\b|=> ?\{$`)

// owner is the innermost of the headers that is a function's or a class's, alone, or
// nothing.
func (d *document) owner(headers []int) []int {
	for _, n := range headers {
		n = d.Statement(n) // where a header of several lines begins
		if code := d.Code(n); !attribute().Match(code) && !passes().Match(code) && !d.opensLiteral(n) {
			return []int{n}
		}
	}
	return nil
}

var (
	// mayLeave matches a statement that leaves its function or loop, behind a condition
	// or on a line of its own.
	mayLeave = lazy.Regexp(`^(return|continue|break|goto)\b|^next( (if|unless)\b|$)|^(\} ?)?(if|elif|else|case|when|try|for|while|with|async (for|with))\b.*[:){] ?(return|continue|break|goto)\b|\belse ?\{ ?(return|continue|break)\b`)
	// mayLeaveShell matches such a statement of a shell.
	mayLeaveShell = lazy.Regexp(`(^|&& ?|\|\| ?|; ?|then )(return|exit|continue|break)( ["$?{}\w]+)?(;|$)`)
	// loop matches the header of a loop.
	loop = lazy.Regexp(`^(\} ?)?(async )?(for|while|until|do|loop)\b`)
	// ofLoop matches what leaves a loop and not the function.
	ofLoop = lazy.Regexp(`\b(continue|break)\b|^next\b`)
)

// guarded notes when a statement that can leave before the lines was added above them
// in their function. Early returns are ordinary, so they hold; what they guard may no
// longer be guarded for all, so a reader has to know.
func (p *pair) guarded(c *cited, is scorecard.LineRange) string {
	d := p.new
	shell := syntax.Family(d.Path) == "shell"
	if !c.continues(d) || d.Lang.Data() || !d.Lang.FreeSpacing() && !shell && syntax.Family(d.Path) != ".rb" {
		return ""
	}
	leaves := mayLeave
	if shell {
		leaves = mayLeaveShell
	}
	above := d.above(is.First, is.Last)
	own := d.owner(above)
	if len(own) == 0 && !shell {
		return ""
	}
	for n := is.First - 1; n > max(0, is.First-maxBody) && (len(own) == 0 || n > own[0]); n-- {
		code := d.Code(n)
		if !leaves().Match(code) || !p.added(n) || !p.gained(n) || d.Inside(n).Name != "" || p.replaces(n, c.Lines.First) {
			continue
		}
		around := d.above(n, n)
		if !slices.Equal(d.owner(around), own) || ofLoop().Match(code) && !d.sharesLoop(around, above) {
			continue
		}
		return fmt.Sprintf("%s:%d, added above in the same function, can leave before them", d.Path, n)
	}
	return ""
}

// sharesLoop reports whether the innermost loop among the headers is around others as
// well.
func (d *document) sharesLoop(headers, others []int) bool {
	i := slices.IndexFunc(headers, func(n int) bool { return loop().Match(d.Code(n)) })
	return i >= 0 && slices.Contains(others, headers[i])
}
