package evidence

import (
	"bytes"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/syntax"
)

// Bounds of looking for what lines stand under.
const (
	maxHeaders  = 8    // lines that a block stands under
	maxOutwards = 2000 // lines looked at, from the block up
)

// above lists the lines that lines first to last stand under, from the innermost
// out, as far as the language tells: a condition, a function, a class, a mapping,
// a table, a stage, and the line that opens a text which they are in. Comments and lines that only end something are none.
func (d *document) above(first, last int) []int {
	if first = d.firstCode(first, last); first == 0 {
		return nil
	}
	if text := d.Inside(first); text.Name != "" && text.Name != syntax.CommentName {
		return append([]int{text.First}, d.above(text.First, text.First)...)
	}
	var out []int
	switch {
	case d.Lang.NestsByBrackets() && d.BracketsKnown(first):
		out = d.aboveByBrackets(first)
	case d.Lang.NestsByWords():
		out = d.aboveByWords(first)
	default:
		out = d.aboveByIndent(first, last)
	}
	if more := d.aboveDirectives(first); len(more) > 0 {
		out = append(out, more...)
		slices.SortFunc(out, func(a, b int) int { return b - a })
		out = slices.Compact(out)
	}
	if n := d.sectionOf(first); n > 0 && (len(out) == 0 || out[len(out)-1] > n) {
		out = append(out, n)
	}
	return out
}

// texts are the lines in their canonical form and one spelling, without comments.
func (d *document) texts(lines []int) []string {
	out := make([]string, len(lines))
	for i, n := range lines {
		out[i] = string(d.Lang.Code(d.Plain().Line(n)))
	}
	return out
}

// firstCode is the first of the lines that holds more than a comment, or 0.
func (d *document) firstCode(first, last int) int {
	for n := max(1, first); n <= min(last, d.Text.Len()); n++ {
		if len(d.Code(n)) > 0 {
			return n
		}
	}
	return 0
}

func (d *document) aboveByBrackets(line int) []int {
	var out []int
	if n := d.headWithoutBraces(line); n > 0 {
		out = append(out, n)
	}
	out = d.attributed(out, line)
	for n := range d.Heads(line) {
		if len(out) >= maxHeaders {
			break
		}
		if code := d.Code(n); len(code) == 1 && syntax.IsBracket(code[0]) {
			if _, up := lineAbove(d.Text, n); up > 0 && d.opensBelow(d.Code(up)) {
				n = up
			}
		}
		if len(out) == 0 || out[len(out)-1] != n {
			out = d.attributed(append(out, n), n)
		}
	}
	return out
}

// attributed adds the attributes right above the line that decide whether it is
// compiled; others may stand between.
func (d *document) attributed(out []int, line int) []int {
	if f := syntax.Family(d.Path); f != ".rs" && f != ".cs" {
		return out
	}
	for n := line - 1; n >= max(1, line-maxOutwards); n-- {
		switch code := d.Code(n); {
		case len(code) == 0 || d.Inside(n).Name == syntax.CommentName:
		case !attribute().Match(code):
			return out
		case conditional().Match(code) && !slices.Contains(out, n):
			out = append(out, n)
		}
	}
	return out
}

// attribute matches a line of attributes.
var attribute = lazy.Regexp(`^#?\[.*\]$`)

// bareHead matches code that takes the next statement in without a brace, or the
// next item only in some builds.
var bareHead = lazy.Regexp(`^(\} ?)?(if|else if|while|for)\b.*\)$|^(\} ?)?else$|^#\[cfg\(.*\)\]$`)

// headWithoutBraces returns the line right above that takes the given one in, or 0.
func (d *document) headWithoutBraces(line int) int {
	for n := line - 1; n >= 1; n-- {
		if code := d.Code(n); len(code) > 0 {
			if (bareHead().Match(code) || conditionBehind().Match(code)) && syntax.Balance(code) == 0 {
				return n
			}
			return 0
		}
	}
	return 0
}

// opensBelow reports whether a bracket on the next line may belong to the code.
func (d *document) opensBelow(code []byte) bool {
	if len(code) == 0 || closes(code) {
		return false
	}
	last := code[len(code)-1]
	return last == ':' || last == '=' || !d.Lang.Data() && bytes.IndexByte([]byte(";,{[("), last) < 0
}

// aboveByIndent takes the nearest line above that is indented less than all below
// it. In YAML an item of a list stands under a key of its own column.
func (d *document) aboveByIndent(first, last int) []int {
	depth := -1
	for n := first; n <= min(last, d.Text.Len()); n++ {
		if line := d.Text.Line(n); len(bytes.TrimSpace(line)) > 0 {
			if w := 2*d.Width(n) + d.itemStep(n); depth < 0 || w < depth {
				depth = w
			}
		}
	}
	var out []int
	for n := first - 1; n >= max(1, first-maxOutwards) && depth > 0 && len(out) < maxHeaders; n-- {
		if len(bytes.TrimSpace(d.Text.Line(n))) == 0 || 2*d.Width(n)+d.itemStep(n) >= depth {
			continue
		}
		if code := d.Code(n); len(code) > 0 && !closes(code) && !d.heads(code) {
			depth = 2*d.Width(n) + d.itemStep(n)
			out = append(out, n)
		}
	}
	return out
}

// itemStep is 1 for a line that begins an item of a list in YAML: half a column.
func (d *document) itemStep(n int) int {
	if text := bytes.TrimLeft(d.Text.Line(n), syntax.Blanks); d.Lang.HasSections() && d.Lang.Data() && bytes.HasPrefix(text, []byte("- ")) {
		return 1
	}
	return 0
}

// heads reports whether the code is a line that heads all up to the next.
func (d *document) heads(code []byte) bool {
	return d.Lang.HeadsSection(code)
}

// sectionOf returns the line that heads the section of the given line, or 0. A
// mark above all content heads nothing.
func (d *document) sectionOf(line int) int {
	if !d.Lang.HasSections() {
		return 0
	}
	if d.sections == nil {
		d.sections = d.findSections()
	}
	i, _ := slices.BinarySearch(d.sections, line)
	if i == 0 || d.sections[i-1] < line-maxOutwards {
		return 0
	}
	return d.sections[i-1]
}

// findSections lists the lines that head a section.
func (d *document) findSections() []int {
	out := []int{}
	for n := 1; n <= d.Text.Len(); n++ {
		if d.Lang.HeadsSection(d.Text.Line(n)) && d.Inside(n).Name == "" && !d.Continued(n) &&
			!(len(out) == 0 && string(d.Code(n)) == "---" && d.firstCode(1, n-1) == 0) {
			out = append(out, n)
		}
	}
	return out
}

// Lines of a shell that open what ends further down, and those that end it.
var (
	opensShell  = lazy.Regexp(`^(if|for|while|until|case|select)\b|(^|[ )])\{$`)
	closesShell = lazy.Regexp(`^(fi|done|esac|\})( |;|$|[|>&)])`)
	endsShell   = lazy.Regexp(`[; ](fi|done|esac|\})$`)
)

func (d *document) aboveByWords(line int) []int {
	var out []int
	closed, ended := 0, 0 // of those, and of parentheses
	for n := line - 1; n >= max(1, line-maxOutwards) && len(out) < maxHeaders; n-- {
		if d.Inside(n).Name != "" {
			continue
		}
		switch code := d.Code(n); {
		case closesShell().Match(code):
			closed++
		case len(code) > 0 && code[0] == ')':
			ended++
		case opensParen(code):
			if ended--; ended < 0 {
				ended, out = 0, append(out, n)
			}
		case !opensShell().Match(code) || endsShell().Match(code):
		case closed > 0:
			closed--
		default:
			out = append(out, n)
		}
	}
	return out
}

// opensParen reports whether commands or words go on behind the line of a shell in a
// parenthesis that it opens.
func opensParen(code []byte) bool {
	return bytes.IndexByte(code, '(') >= 0 && !opensShell().Match(code) && syntax.Balance(code) > 0
}

// closes reports whether the canonical line only ends what another opened.
func closes(line []byte) bool {
	return len(line) > 0 && information(line) == 0 && (line[0] == '}' || line[0] == ')' || line[0] == ']')
}
