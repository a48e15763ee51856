package evidence

import (
	"bytes"
	"regexp"

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

// aboveDirectives lists the directives that the line stands under, from the innermost
// out. One that only guards a header against being read twice is none.
func (d *document) aboveDirectives(line int) []int {
	by, ok := directivesOf[syntax.Family(d.Path)]
	if !ok {
		return nil
	}
	var out []int
	closed, branch := 0, 0
	for n := line - 1; n >= max(1, line-maxAncestors); n-- {
		code := d.Code(n)
		if !bytes.ContainsAny(code, by.marks) {
			continue
		}
		net := len(by.open().FindAllIndex(code, -1)) - len(by.end().FindAllIndex(code, -1))
		switch {
		case net == 0 && by.part().Match(code):
			if closed == 0 && branch == 0 {
				branch = n
			}
		case net < 0:
			closed -= net
		case closed > 0:
			closed = max(0, closed-net)
		case net > 0:
			if branch > 0 {
				out = append(out, branch)
			} else if !d.includeGuard(n) {
				out = append(out, n)
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
