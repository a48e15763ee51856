package evidence

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
)

// Conditions and statements that keep lines from being reached.
var (
	// neverTrue matches the canonical form of a condition that never holds.
	neverTrue = lazy.Regexp(`^(\}? ?(if|elif|elsif|else if|while) ?\(?(not True|! ?true|!1|False|false|0|None|null|nil)\)?( ?(and\b|&&).*)?\)?( ?[:{]|;? ?(then|do))?$|^#if (0|false)$|^#\[cfg\((any\(\)|FALSE)\)\]$)`)
	// leaving matches a statement that leaves its block whatever happens.
	leaving = lazy.Regexp(`^(return|raise|throw|continue|break)\b[^{]*$`)
	// leavingShell matches such a statement of a shell.
	leavingShell = lazy.Regexp(`^(exit|return)( \d+)?;?$`)
	// label matches lines that can be reached past a statement that leaves.
	label = lazy.Regexp(`^(case\b|default:|else\b|elif\b|except\b|finally\b|catch\b|[})\]]|\w+:$|@|def |class |func |function |async )`)
	// labelShell matches such lines of a shell.
	labelShell = lazy.Regexp(`^(else|elif|fi|done|esac|function |[});]|[\w-]+ ?\(\))`)
	// offKey matches a key of YAML that switches off the mapping it stands in.
	offKey = lazy.Regexp(`^(- )?if: *("|')?(false|\$\{\{ *false *\}\})("|')?$`)
)

// code is the line in its canonical form without the comment behind it.
func (d *document) code(line int) []byte {
	out := d.lang.canon(d.text.Line(line))
	from := 0
	if bytes.HasPrefix(out, []byte("#if")) || bytes.HasPrefix(out, []byte("#[")) {
		from = 1
	}
	for i := from; i < len(out); {
		switch {
		case isQuote(out[i]):
			i = stringEnd(out, i)
			continue
		case d.lang.commentAt(out, i), bytes.HasPrefix(out[i:], []byte("/*")), bytes.HasPrefix(out[i:], []byte("//")) && d.lang.comment != "#":
			return bytes.TrimRight(out[:i], blanks)
		}
		i++
	}
	return out
}

// maxAncestors bounds how many lines above are looked at.
const maxAncestors = 2000

// never returns the line of a condition that is never met and that the given line
// stands under, or 0.
func (d *document) never(line int) int {
	if _, n := lineAbove(d.text, line); n > 0 && neverTrue().Match(d.code(n)) {
		return n
	}
	if n := d.neverCompiled(line); n > 0 {
		return n
	}
	switch {
	case family(d.path) == "yaml":
		return d.offByKey(line)
	case d.lang.indent != indentShape || d.lang.joins == joinProse:
		return 0
	}
	w := d.width(line)
	for n := line - 1; n >= max(1, line-maxAncestors) && w > 0; n-- {
		code := d.code(n)
		if len(code) == 0 || d.width(n) >= w {
			continue
		}
		if w = d.width(n); neverTrue().Match(code) {
			return n
		}
	}
	return 0
}

// neverCompiled returns the line of the "#if 0" that the line is under, or 0.
func (d *document) neverCompiled(line int) int {
	if family(d.path) != "c" && family(d.path) != ".cs" {
		return 0
	}
	closed := 0
	for n := line - 1; n >= max(1, line-maxAncestors); n-- {
		text := bytes.TrimLeft(d.text.Line(n), blanks)
		if len(text) == 0 || text[0] != '#' {
			continue
		}
		code := d.code(n)
		switch {
		case bytes.HasPrefix(code, []byte("#endif")):
			closed++
		case bytes.HasPrefix(code, []byte("#if")) && closed > 0:
			closed--
		case bytes.HasPrefix(code, []byte("#el")) && closed == 0:
			return 0
		case bytes.HasPrefix(code, []byte("#if")):
			if neverTrue().Match(code) {
				return n
			}
		}
	}
	return 0
}

// offByKey returns the line of a key that switches the mapping off which the line
// of YAML stands in, or one of those around it; 0 when there is none.
func (d *document) offByKey(line int) int {
	for steps := 0; line > 0 && steps < maxAncestors; steps++ {
		key, item := d.keyColumn(line)
		if off := d.offBelow(line, key); off > 0 {
			return off
		}
		n := line - 1
		for ; n >= 1 && !item; n-- { // the keys before it
			k, starts := d.keyColumn(n)
			switch {
			case k != key || d.width(n) == key && starts:
				if d.saysKey(n) && d.width(n) < key {
					n++
					item = true // its parent
				}
				continue
			case offKey().Match(d.code(n)):
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
	w := d.width(line)
	for ; n >= 1; n-- {
		_, item := d.keyColumn(n)
		if d.saysKey(n) && (d.width(n) < w || d.width(n) == w && !item) {
			return n
		}
	}
	return 0
}

// saysKey reports whether the line is neither blank nor a comment.
func (d *document) saysKey(line int) bool {
	text := bytes.Trim(withoutCR(d.text.Line(line)), blanks)
	return len(text) > 0 && text[0] != '#'
}

// offBelow looks for such a key below the line, in the mapping whose keys stand
// at the column.
func (d *document) offBelow(line, col int) int {
	if offKey().Match(d.code(line)) {
		return line
	}
	for n := line + 1; n <= min(d.text.Len(), line+maxAncestors); n++ {
		text := bytes.TrimLeft(d.text.Line(n), blanks)
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		if d.width(n) < col {
			return 0
		}
		if d.width(n) == col && text[0] != '-' && offKey().Match(d.code(n)) {
			return n
		}
	}
	return 0
}

// keyColumn is the column of the line's key, and whether the line begins an item.
func (d *document) keyColumn(line int) (col int, dash bool) {
	text := bytes.TrimLeft(d.text.Line(line), blanks)
	col = d.width(line)
	if !bytes.HasPrefix(text, []byte("- ")) {
		return col, false
	}
	return col + len(text) - len(bytes.TrimLeft(text[1:], blanks)), true
}

// left returns the line of a whole statement that leaves the block which the given
// line belongs to, so that it is not reached; 0 when there is none. Only languages
// with such statements are judged.
func (d *document) left(line int) int {
	next := d.lang.canon(d.text.Line(line))
	shell := family(d.path) == "shell"
	if !shell && (!d.lang.spacing || label().Match(next)) || shell && labelShell().Match(next) {
		return 0
	}
	indent := indentation(d.text.Line(line))
	for n := line - 1; n >= max(1, line-maxAncestors); n-- {
		code := d.code(n)
		if len(code) == 0 {
			continue
		}
		same := bytes.Equal(indentation(d.text.Line(n)), indent)
		if same && d.leaves(n, code, shell) {
			return n
		}
		if d.lang.indent != indentShape || d.width(n) < width(indent) || same && label().Match(code) {
			return 0
		}
	}
	return 0
}

// leaves reports whether the code is a whole statement that leaves its block.
func (d *document) leaves(line int, code []byte, shell bool) bool {
	if shell {
		return leavingShell().Match(code)
	}
	if !leaving().Match(code) || balance(code) != 0 || d.inside(line).name != "" {
		return false
	}
	last := code[len(code)-1]
	return d.lang.comment != "//" || last == ';' || isAtomByte(last) || last == ')'
}
