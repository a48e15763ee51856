package evidence

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/syntax"
)

// directives are lines that decide whether those between them are there at all: for a
// compiler, a template, or a tool. They begin, part and end a branch.
type directives struct {
	marks           string // of which any such line holds one
	open, part, end func() *regexp.Regexp
}

var (
	compiled = directives{"#", lazy.Regexp(`^#if`), lazy.Regexp(`^#el`), lazy.Regexp(`^#endif`)}
	made     = directives{"e", lazy.Regexp(`^(ifdef|ifndef|ifeq|ifneq|define)\b`), lazy.Regexp(`^else\b`), lazy.Regexp(`^(endif|endef)\b`)}
	filled   = directives{"{", lazy.Regexp(`(\{\{-? ?(if|range|with|define|block)\b|\{%[-+]? ?(if|for|macro|raw|filter)\b)`),
		lazy.Regexp(`^(\{\{-? ?else\b|\{%[-+]? ?(else|elif)\b)`), lazy.Regexp(`(\{\{-? ?end\b|\{%[-+]? ?end)`)}
	worded = directives{":;", lazy.Regexp(`^(if|while|for|foreach|switch)\b.*\) ?:$`), lazy.Regexp(`^else(if\b.*\))? ?:$`), lazy.Regexp(`^end(if|while|for|foreach|switch)\b`)}
	braced = directives{"{}", lazy.Regexp(`\{$`), lazy.Regexp(`^\}.*\{$`), lazy.Regexp(`^\}`)}
)

var directivesOf = map[string]directives{
	"c": compiled, ".cs": compiled, ".swift": compiled, "makefile": made, ".mk": made, ".php": worded, ".conf": braced,
	"yaml": filled, ".j2": filled, ".jinja": filled, ".jinja2": filled, ".html": filled, ".tpl": filled,
}

// directive is a line that begins more branches than it ends, as many more as net tells,
// or parts them.
type directive struct {
	line, net   int
	part, guard bool // guard: it only keeps a header from being read twice
}

// branches lists the directives of the file, in order.
func (d *document) branches() []directive {
	by, ok := directivesOf[syntax.Family(d.Path)]
	if !ok || d.directives != nil {
		return d.directives
	}
	d.directives = []directive{}
	for n := 1; n <= d.Text.Len(); n++ {
		if !bytes.ContainsAny(d.Text.Line(n), by.marks) {
			continue
		}
		code := d.Code(n)
		x := directive{line: n, net: len(by.open().FindAllIndex(code, -1)) - len(by.end().FindAllIndex(code, -1))}
		x.part = x.net == 0 && by.part().Match(code)
		if x.guard = x.net > 0 && d.includeGuard(n); x.net != 0 || x.part {
			d.directives = append(d.directives, x)
		}
	}
	return d.directives
}

// aboveDirectives lists the directives that the line stands under, from the innermost
// out.
func (d *document) aboveDirectives(line int) []int {
	all := d.branches()
	end, _ := slices.BinarySearchFunc(all, line, func(x directive, n int) int { return cmp.Compare(x.line, n) })
	var out []int
	closed, branch := 0, 0
	for i := end - 1; i >= 0 && all[i].line >= line-maxAncestors; i-- {
		switch x := all[i]; {
		case x.part:
			if closed == 0 && branch == 0 {
				branch = x.line
			}
		case x.net < 0:
			closed -= x.net
		case closed > 0:
			closed = max(0, closed-x.net)
		default:
			if branch > 0 {
				out = append(out, branch)
			} else if !x.guard {
				out = append(out, x.line)
			}
			branch = 0
		}
	}
	return out
}

// includeGuard reports whether the next line defines what this one asks for.
func (d *document) includeGuard(n int) bool {
	name, ok := bytes.CutPrefix(d.Code(n), []byte("#ifndef "))
	return ok && n < d.Text.Len() && bytes.HasPrefix(d.Code(n+1), append([]byte("#define "), name...))
}
