package search

import (
	"bytes"
	"crypto/sha256"
	"fmt"
)

// lineBounds is where a line stands in a buffer, its line feed included.
type lineBounds struct{ from, to, number int }

// print prints a line or a block of lines.
func (k *sink) print(buf []byte, start, end int) {
	number := k.countLines(buf, start) + 1
	if f := k.q.form; (f.Only || f.Each) && k.printMatches(buf, start, end, number) {
		return
	}
	for start < end {
		next := lineEnd(buf, start, end)
		k.add(number, buf[start:next])
		start = next
		number++
	}
}

// lineEnd is the end, line feed included, of the line at start in buf[:end].
func lineEnd(buf []byte, start, end int) int {
	if i := bytes.IndexByte(buf[start:end], '\n'); i >= 0 {
		return start + i + 1
	}
	return end
}

// maxBlockMatches bounds the single matches in a block of lines of -U -o.
const maxBlockMatches = 1 << 20

// printMatches prints single matches for -o and --vimgrep, and reports whether
// there are any.
func (k *sink) printMatches(buf []byte, start, end, number int) bool {
	multi, any := k.q.re.MultiLine(), false
	var parts [][2]int
	k.eachMatch(buf, start, end, func(from, to int) {
		any = true
		switch {
		case !k.q.form.Only:
			k.printLineOf(buf, start, end, number, [2]int{from, to})
		case !multi:
			k.add(number, buf[from:to])
		case len(parts) == maxBlockMatches:
			k.err = unsupported("-o", "more than %d matches in one block of lines", maxBlockMatches)
		default:
			parts = append(parts, [2]int{from, to})
		}
	})
	if len(parts) > 0 {
		k.printParts(buf, start, end, number, parts)
	}
	return any
}

// printParts prints, line by line, the parts of matches that the line holds. An
// empty match prints nothing.
func (k *sink) printParts(buf []byte, start, end, number int, found [][2]int) {
	for start < end {
		next := lineEnd(buf, start, end)
		at, stop := start, next
		if buf[stop-1] == '\n' {
			stop--
		}
		if k.q.form.Trim {
			at += len(buf[at:stop]) - len(k.trimLeft(buf[at:stop]))
		}
		for at < stop {
			if found[0][1] <= at {
				if len(found) == 1 {
					break
				}
				found = found[1:]
				continue
			}
			if m := found[0]; at < m[0] {
				at = min(stop, m[0])
			} else {
				upto := min(stop, m[1])
				k.emit(number, buf[at:upto])
				at = upto
			}
		}
		start = next
		number++
	}
}

// printLineOf prints the first line that a match touches.
func (k *sink) printLineOf(buf []byte, start, end, number int, m [2]int) {
	if !k.q.re.MultiLine() {
		k.add(number, buf[start:end])
		return
	}
	if l := k.lastLine; l.from <= m[0] && m[0] < l.to {
		if l.from < m[1] {
			k.add(l.number, buf[l.from:l.to])
		}
		return
	}
	for start < end && start < m[1] {
		next := lineEnd(buf, start, end)
		if next > m[0] {
			k.lastLine = lineBounds{start, next, number}
			k.add(number, buf[start:next])
			return
		}
		start = next
		number++
	}
}

// trimLeft cuts leading ASCII white space, but nothing that may end a line.
func (k *sink) trimLeft(b []byte) []byte {
	if k.q.o.crlf {
		return bytes.TrimLeft(b, " \t\v\f")
	}
	return bytes.TrimLeft(b, " \t\v\f\r")
}

// add prints a line or a match, with --trim applied.
func (k *sink) add(number int, text []byte) {
	text = bytes.TrimSuffix(text, []byte{'\n'})
	if k.q.form.Trim {
		text = k.trimLeft(text)
	}
	k.emit(number, text)
}

// emit counts a printed line, unless it is blank, and lists it.
func (k *sink) emit(number int, text []byte) {
	if !k.at.names && !k.q.form.Prefixed && len(bytes.TrimSpace(text)) == 0 {
		return
	}
	k.note(number, text)
}

func (k *sink) note(number int, text []byte) {
	k.res.hits++
	if len(k.res.lines) >= k.keep {
		k.res.truncated = true
		return
	}
	k.res.lines = append(k.res.lines, line{number, k.cut(text)})
}

// cut bounds the text of a match. What is cut off is named by its length and a hash,
// so that texts are equal only if the lines are. A line that is printed again and
// again is hashed once.
func (k *sink) cut(text []byte) string {
	if len(text) <= MaxTextBytes {
		return string(text)
	}
	if len(text) != len(k.lastText) || &text[0] != &k.lastText[0] {
		sum := sha256.Sum256(text)
		k.lastCut = fmt.Sprintf("%s%s [%d bytes, sha256 %x]", text[:MaxTextBytes], CutMark, len(text), sum[:8])
		k.lastText = text
	}
	return k.lastCut
}
