package evidence

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

// What a line names, where a later line of the same name takes its place.
var (
	definesName  = lazy.Regexp(`^(?:async )?(?:def|class|function) (\w+)\b`)
	assignsName  = lazy.Regexp(`^([A-Za-z_][\w.]*)(?: ?: ?[^=]+)? ?=(?:[^=]|$)`)
	shellDefines = lazy.Regexp(`^(?:function )?([\w-]+) ?\(\) ?\{?$`)
	shellAssigns = lazy.Regexp(`^(?:export |readonly |declare (?:-\w+ )*)?([A-Za-z_]\w*)=`)
	dataKey      = lazy.Regexp(`^"?([\w.@/-]+)"? ?[:=]`)
	dockerKey    = lazy.Regexp(`^(?i:(user|entrypoint|cmd|healthcheck|env [A-Za-z_]\w*))\b`)
	// sharesName matches a decorator after which a definition adds to the one before.
	sharesName = lazy.Regexp(`setter|getter|deleter|overload|register|property`)
)

// nameOf is the name that the line gives something, or "".
func (d *document) nameOf(n int) string {
	code := d.Code(n)
	if len(code) == 0 || d.Inside(n).Name != "" {
		return ""
	}
	patterns := []func() *regexp.Regexp{}
	switch f := syntax.Family(d.Path); {
	case f == "dockerfile" || f == "containerfile":
		patterns = append(patterns, dockerKey)
	case d.Lang.Data():
		patterns = append(patterns, dataKey)
	case f == "shell":
		patterns = append(patterns, shellDefines, shellAssigns)
	case f == "python":
		patterns = append(patterns, definesName, assignsName)
	case f == "script":
		patterns = append(patterns, definesName)
	}
	for _, p := range patterns {
		if m := p().FindSubmatch(code); m != nil {
			return string(m[1])
		}
	}
	return ""
}

// defines reports whether the line begins a definition, which says more than it.
func (d *document) defines(n int) bool {
	return syntax.Family(d.Path) == "shell" && shellDefines().Match(d.Code(n)) || definesName().Match(d.Code(n))
}

// overridden says so when a line was added below that gives another meaning to a
// name which the cited lines give one: the last one counts.
func (p *pair) overridden(c *cited, is scorecard.LineRange) string {
	if p.renamed == nil {
		p.renamed = map[string][]int{}
		for n := 1; n <= p.new.Text.Len(); n++ {
			if p.added(n) && p.gained(n) {
				if name := p.new.nameOf(n); name != "" {
					p.renamed[name] = append(p.renamed[name], n)
				}
			}
		}
	}
	if !c.continues(p.new) || len(p.renamed) == 0 {
		return ""
	}
	for n := is.First; n <= is.Last; n++ {
		later := p.renamed[p.new.nameOf(n)]
		if len(later) == 0 || later[len(later)-1] <= is.Last {
			continue
		}
		at, was := later[len(later)-1], c.Lines.First+n-is.First
		if p.new.overrides(at, n, is.Last) && !p.old.overriddenAlready(min(was, c.Lines.Last), c.Lines.Last) {
			return fmt.Sprintf("the lines stand as they were, but what they name is given another meaning below, line %d", at)
		}
	}
	return ""
}

// overriddenAlready reports whether a line below the block takes the place of the
// given one of it.
func (d *document) overriddenAlready(n, last int) bool {
	name := d.nameOf(n)
	for later := last + 1; later <= d.Text.Len() && name != ""; later++ {
		if d.nameOf(later) == name && d.overrides(later, n, last) {
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
	if t := d.Plain(); t.Equal(later, t, earlier, last-earlier+1) || slices.Equal(d.Code(later), d.Code(earlier)) && !d.defines(later) {
		return false
	}
	a, b := d.above(earlier, earlier), d.above(later, later)
	if d.Lang.Data() {
		return slices.Equal(a, b)
	}
	if len(a) > 0 && (syntax.Family(d.Path) != "python" || !definesName().Match(d.Code(a[0])) || d.Code(a[0])[0] != 'c') {
		return false
	}
	for len(b) > len(a) && passes().Match(d.Code(b[0])) {
		b = b[1:]
	}
	decorator, up := lineAbove(d.Text, later)
	return slices.Equal(a, b) && !(up > 0 && sharesName().Match(decorator))
}
