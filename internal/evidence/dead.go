package evidence

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/syntax"
)

// Conditions and statements that keep lines from being reached.
var (
	// neverTrue matches the canonical form of a condition that never holds.
	neverTrue = lazy.Regexp(`^(\}? ?(if|elif|elsif|else if|while) ?\(?(not True|! ?true|!1|False|false|0|None|null|nil|(typing\.)?TYPE_CHECKING|""|''|\[\]|\(\)|\{\})\)?( ?(and\b|&&).*)?\)?( ?[:{]|;? ?(then|do))?$|^(async )?for [\w, ]+ in ?(\[\]|\(\)|range\(0\)):$|^#if (0|false)$|^#\[cfg\((any\(\)|FALSE|test)\)\]$)`)
	// offKey matches a key of YAML that switches off the mapping it stands in.
	offKey = lazy.Regexp(`^(- )?if: *("|')?(false|\$\{\{ *false *\}\})("|')?$`)
)

// maxAncestors bounds how many lines above are looked at.
const maxAncestors = 2000

// never returns the line of a condition that is never met and that the given line
// stands under, or 0. The lines of a Rust test module are met in tests only.
func (d *document) never(line int) int {
	if _, n := lineAbove(d.Text, line); n > 0 && neverTrue().Match(d.Code(n)) {
		return n
	}
	if d.Lang.Prose() {
		return 0
	}
	for _, n := range d.above(line, line) {
		if neverTrue().Match(d.Code(n)) {
			return n
		}
		if up := d.headWithoutBraces(n); up > 0 && neverTrue().Match(d.Code(up)) {
			return up
		}
	}
	if syntax.Family(d.Path) == "yaml" {
		return d.offByKey(line)
	}
	return 0
}

// aboveCompiled lists the directives that decide whether the line is compiled,
// from the innermost out. One that only guards a header against being read twice
// is none.
func (d *document) aboveCompiled(line int) []int {
	if syntax.Family(d.Path) != "c" && syntax.Family(d.Path) != ".cs" {
		return nil
	}
	var out []int
	closed, branch := 0, 0
	for n := line - 1; n >= max(1, line-maxAncestors); n-- {
		text := bytes.TrimLeft(d.Text.Line(n), syntax.Blanks)
		if len(text) == 0 || text[0] != '#' {
			continue
		}
		code := d.Code(n)
		switch {
		case bytes.HasPrefix(code, []byte("#endif")):
			closed++
		case bytes.HasPrefix(code, []byte("#if")) && closed > 0:
			closed--
		case bytes.HasPrefix(code, []byte("#el")) && closed == 0 && branch == 0:
			branch = n
		case bytes.HasPrefix(code, []byte("#if")):
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

// buildTag matches a line that has a Go file built in some cases only.
var buildTag = lazy.Regexp(`^//(go:build | \+build )`)

// constraint returns the line that restricts when a Go file is built, or 0.
func (d *document) constraint() int {
	if syntax.Family(d.Path) != ".go" {
		return 0
	}
	for n := 1; n <= d.Text.Len(); n++ {
		switch line := d.Text.Line(n); {
		case buildTag().Match(line):
			return n
		case bytes.HasPrefix(line, []byte("package ")):
			return 0
		}
	}
	return 0
}

// offByKey returns the line of a key that switches the mapping off which the line
// of YAML stands in, or one of those around it; 0 when there is none.
func (d *document) offByKey(line int) int {
	for steps := 0; line > 0 && steps < maxAncestors; steps++ {
		key, item := d.KeyColumn(line)
		if off := d.offBelow(line, key); off > 0 {
			return off
		}
		n := line - 1
		for ; n >= 1 && !item; n-- { // the keys before it
			k, starts := d.KeyColumn(n)
			switch {
			case k != key || d.Width(n) == key && starts:
				if d.saysKey(n) && d.Width(n) < key {
					n++
					item = true // its parent
				}
				continue
			case offKey().Match(d.Code(n)):
				return n
			case starts:
				line, item = n, true
			}
		}
		line = d.parent(line, n)
	}
	return 0
}

// parent returns the nearest line from n upwards that the mapping or the item
// which begins on the given line stands under, or 0.
func (d *document) parent(line, n int) int {
	w := d.Width(line)
	for ; n >= 1; n-- {
		_, item := d.KeyColumn(n)
		if d.saysKey(n) && (d.Width(n) < w || d.Width(n) == w && !item) {
			return n
		}
	}
	return 0
}

// saysKey reports whether the line is neither blank nor a comment.
func (d *document) saysKey(line int) bool {
	text := bytes.Trim(syntax.WithoutCR(d.Text.Line(line)), syntax.Blanks)
	return len(text) > 0 && text[0] != '#'
}

// offBelow looks for such a key below the line, in the mapping whose keys stand
// at the column.
func (d *document) offBelow(line, col int) int {
	if offKey().Match(d.Code(line)) {
		return line
	}
	for n := line + 1; n <= min(d.Text.Len(), line+maxAncestors); n++ {
		text := bytes.TrimLeft(d.Text.Line(n), syntax.Blanks)
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		if d.Width(n) < col {
			return 0
		}
		if d.Width(n) == col && text[0] != '-' && offKey().Match(d.Code(n)) {
			return n
		}
	}
	return 0
}
