package evidence

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

// sharesName matches a decorator after which a definition adds to the one before.
var sharesName = lazy.Regexp(`setter|getter|deleter|overload|register|property`)

// defines reports whether the line begins a definition or a value of several lines,
// which says more than it.
func (d *document) defines(n int) bool {
	code := d.Code(n)
	f := syntax.Family(d.Path)
	return opens(code) || f == "shell" && shellDefines().Match(code) || f == "makefile" || f == ".mk" || definesName().Match(code)
}

// overridden says so when a line was added below that gives another meaning to a
// name which the cited lines, or what they stand under, give one: the last one counts.
func (p *pair) overridden(c *cited, is scorecard.LineRange) string {
	if p.renamed == nil {
		p.renamed = map[string][]int{}
		for n := 1; n <= p.new.Text.Len(); n++ {
			if p.added(n) && p.gained(n) {
				for _, name := range p.new.names(n) {
					p.renamed[name] = append(p.renamed[name], n)
				}
			}
		}
	}
	if !c.continues(p.new) || len(p.renamed) == 0 {
		return ""
	}
	for n := is.First; n <= is.Last; n++ {
		was := min(c.Lines.First+n-is.First, c.Lines.Last)
		if at := p.renamedBelow(n, was, is.Last, c.Lines.Last); at > 0 {
			return fmt.Sprintf("the lines stand as they were, but what they name is given another meaning below, line %d", at)
		}
	}
	for _, n := range p.new.above(is.First, is.Last) {
		was := p.plainMap().ToOld(n)
		if was == 0 {
			continue
		}
		if at := p.renamedBelow(n, was, is.Last, c.Lines.Last); at > 0 {
			return fmt.Sprintf("the lines stand as they were, but what they stand under, %s, is given another meaning below, line %d", shorten(string(p.new.Code(n))), at)
		}
	}
	return ""
}

// renamedBelow returns the added line below the last one that takes the place of the new
// line n, which was the given old one; 0 when there is none, or was one already.
func (p *pair) renamedBelow(n, was, last, wasLast int) int {
	for _, name := range p.new.names(n) {
		later := p.renamed[name]
		if len(later) == 0 || later[len(later)-1] <= last {
			continue
		}
		at := later[len(later)-1]
		if p.new.overrides(at, n, last) && !p.old.overriddenAlready(name, was, wasLast) {
			return at
		}
	}
	return 0
}

// overriddenAlready reports whether a line below the block takes the place of the
// given one of it.
func (d *document) overriddenAlready(name string, n, last int) bool {
	for later := last + 1; later <= d.Text.Len(); later++ {
		if slices.Contains(d.names(later), name) && d.overrides(later, n, last) {
			return true
		}
	}
	return false
}

// overrides reports whether the later line, of the same name as the earlier one,
// takes its place: both are in the same mapping, table, stage or class, or in the
// module, the later one perhaps under a condition. A copy of the cited lines, from
// the earlier to the last, means the same.
func (d *document) overrides(later, earlier, last int) bool {
	if slices.Equal(d.Code(later), d.Code(earlier)) && (!d.defines(later) || d.repeats(later, earlier, last)) {
		return false
	}
	for d.Lang.Data() && d.Continued(later) {
		later-- // to where its instruction begins
	}
	a, b := d.above(earlier, earlier), d.above(later, later)
	if d.Lang.Data() {
		return d.sameMapping(a, b)
	}
	if len(a) > 0 && !classHead().Match(d.Code(a[0])) {
		return slices.Equal(a, b) && d.keyOfLiteral(earlier, d.Code(earlier)) != ""
	}
	for len(b) > len(a) && passes().Match(d.Code(b[0])) {
		b = b[1:]
	}
	decorator, up := lineAbove(d.Text, later)
	return slices.Equal(a, b) && !(up > 0 && sharesName().Match(decorator))
}

// repeats reports whether the lines from the later one on say the same as those from
// the earlier to the last.
func (d *document) repeats(later, earlier, last int) bool {
	for n := earlier; n <= last; n++ {
		if at := later + n - earlier; !d.Text.Has(at, at) || !bytes.Equal(d.Code(at), d.Code(n)) {
			return false
		}
	}
	return true
}

// sameMapping reports whether both lists of lines head the same mapping. A section may
// be headed twice and is one, but for those of a list.
func (d *document) sameMapping(a, b []int) bool {
	return slices.EqualFunc(a, b, func(x, y int) bool {
		code := d.Code(x)
		return x == y || len(code) > 0 && code[0] == '[' && !bytes.HasPrefix(code, []byte("[[")) && d.heads(code) && bytes.Equal(code, d.Code(y))
	})
}
