package evidence

import (
	"bytes"
	"regexp"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/syntax"
)

// Conditions and statements that keep lines from being reached.
var (
	// neverTrue matches the canonical form of a condition that never holds.
	neverTrue = lazy.Regexp(`^(\}? ?(if|elif|elsif|else if|while) ?\(?(not True|! ?true|!1|False|false|0|None|null|nil|(typing\.)?TYPE_CHECKING|""|''|\[\]|\(\)|\{\})\)?( ?(and\b|&&).*)?\)?( ?[:{]|;? ?(then|do))?$|^(async )?for [\w, ]+ in ?(\[\]|\(\)|range\(0\)):$|^#if (0|false)$|^#\[cfg\((any\(\)|FALSE|test)\)\]$)`)
	// offKey matches a key of YAML that switches off the mapping it stands in.
	offKey = lazy.Regexp(`^(- )?(if|when): *("|')?(false|never|\$\{\{ *false *\}\})("|')?$`)
	// onKey matches one that makes it depend on a condition, and anyway one that does not.
	onKey  = lazy.Regexp(`^(- )?(if|when): *[^ ]`)
	anyway = lazy.Regexp(`: *["']?(\$\{\{ *)?(always\(\)|!cancelled\(\)|success\(\)|true|always|on_success)( *\}\})?["']?$`)
	// noneOf matches an argument of HCL by which nothing of its block is made.
	noneOf = lazy.Regexp(`^(count ?= ?0|for_each ?= ?(\{ ?\}|\[ ?\]|toset\(\[ ?\]\)))$`)
)

// Bounds of looking for what switches lines off.
const (
	maxAncestors = 2000 // lines above
	maxBlocks    = 64   // blocks of HCL, each inside the next
)

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
	switch syntax.Family(d.Path) {
	case "yaml":
		return d.offByKey(line, offKey())
	case ".tf", ".hcl":
		return d.noneMade(line)
	}
	return 0
}

// noneMade returns the line by which none is made of a block of HCL that the given line
// stands in, or 0.
func (d *document) noneMade(line int) int {
	if !d.BracketsKnown(line) {
		return 0
	}
	blocks := 0
	for i := d.Around(line); i >= 0 && blocks < maxBlocks; i = d.Bracket(i).Outer {
		blocks++
		b := d.Bracket(i)
		for n := b.Line + 1; n <= min(d.Text.Len(), b.Line+maxAncestors) && d.BracketsKnown(n); n++ {
			if d.Around(n) == i && noneOf().Match(d.Code(n)) {
				return n
			}
		}
	}
	return 0
}

// onlyIf returns the line of a key that makes the mapping which the line of YAML stands
// in, or one around it, depend on a condition; 0 when there is none.
func (d *document) onlyIf(line int) int {
	if syntax.Family(d.Path) != "yaml" {
		return 0
	}
	if n := d.offByKey(line, onKey()); n > 0 && !anyway().Match(d.Code(n)) {
		return n
	}
	return 0
}

// buildTag matches a line that has a Go file built in some cases only.
var buildTag = lazy.Regexp(`^//(go:build | \+build )`)

// constraint returns the line that restricts when a file of Go or Rust is built, or 0.
func (d *document) constraint() int {
	switch syntax.Family(d.Path) {
	case ".rs":
		for n := d.codeLine(0, 1); n > 0 && bytes.HasPrefix(d.Code(n), []byte("#![")); n = d.codeLine(n, 1) {
			if conditional().Match(d.Code(n)) {
				return n
			}
		}
		return 0
	case ".go":
	default:
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

// offByKey returns the line of a key of the pattern, which switches off the mapping
// that the line of YAML stands in, or one of those around it; 0 when there is none.
func (d *document) offByKey(line int, off *regexp.Regexp) int {
	for steps := 0; line > 0 && steps < maxAncestors; steps++ {
		key, item := d.KeyColumn(line)
		if n := d.offBelow(line, key, off); n > 0 {
			return n
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
			case off.Match(d.Code(n)):
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
func (d *document) offBelow(line, col int, off *regexp.Regexp) int {
	if off.Match(d.Code(line)) {
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
		if d.Width(n) == col && text[0] != '-' && off.Match(d.Code(n)) {
			return n
		}
	}
	return 0
}
