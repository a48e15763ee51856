package search

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
)

// sink turns the lines that match in a file into what ripgrep prints for them.
type sink struct {
	*scanner
	at      circumstances
	quit    bool // NUL ends the search
	convert bool // NUL marks the file as binary
	whole   bool // the content comes in one piece
	max     int  // -m; -1 for none

	res     fileResult
	matched int  // lines, or with -U blocks of lines, that matched
	each    int  // single matches, where they are counted
	binary  bool // a NUL was seen
	err     error

	base    int // lines before the buffer
	inBuf   int // line feeds counted in buf[:counted]
	counted int
}

// countLines counts the line feeds up to a place in the buffer.
func (k *sink) countLines(buf []byte, upto int) int {
	if upto > k.counted {
		k.inBuf += bytes.Count(buf[k.counted:upto], []byte{'\n'})
		k.counted = upto
	}
	return k.base + k.inBuf
}

// detect looks for NUL where the content comes in one piece, and reports whether
// that ends the search.
func (k *sink) detect(part []byte) bool {
	if (k.quit || k.convert) && !k.binary && bytes.IndexByte(part, 0) >= 0 {
		k.binary = true
	}
	return k.binary && k.quit
}

// take accepts buf[start:end]: a line that matches or, with -U, a block of lines.
// It reports whether the search goes on.
func (k *sink) take(buf []byte, start, end int) bool {
	f := k.q.form
	k.matched++
	if f.Summary != lines {
		multi := k.q.re.MultiLine()
		if f.Summary == countEach || multi {
			n := 0
			k.eachMatch(buf, start, end, func(_, _ int) { n++ })
			k.each += n
			if multi {
				k.matched += n - 1
			}
		}
		return f.Summary != filesWith && !k.full()
	}
	if k.convert && k.binary {
		return false // what is left is one line that says so
	}
	k.print(buf, start, end)
	return !k.full()
}

func (k *sink) full() bool { return k.err != nil || k.max >= 0 && k.matched >= k.max }

// lookAhead is how far past a block of lines ripgrep lets -U see when it looks
// for the single matches again.
const lookAhead = 128

// eachMatch calls fn for the single matches that begin in buf[start:end].
func (k *sink) eachMatch(buf []byte, start, end int, fn func(from, to int)) {
	limit := end
	if k.q.re.MultiLine() {
		limit = min(len(buf), end+lookAhead)
	} else if end > start && buf[end-1] == '\n' {
		limit--
	}
	unsure := k.re.Each(buf[:limit], start, func(from, to int) bool {
		if from >= end {
			return false
		}
		fn(from, to)
		return true
	})
	if unsure {
		k.err = unsupported("", `single matches of a pattern with "^", or of -w: ripgrep 13 misplaces some of them`)
	}
}

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
	for start < end && start < m[1] {
		next := lineEnd(buf, start, end)
		if next > m[0] {
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
	k.res.lines = append(k.res.lines, line{number, cutText(text)})
}

// cutText bounds the text of a match. What is cut off is named by its length and
// a hash, so that texts are equal only if the lines are.
func cutText(text []byte) string {
	if len(text) <= MaxTextBytes {
		return string(text)
	}
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%s%s [%d bytes, sha256 %x]", text[:MaxTextBytes], CutMark, len(text), sum[:8])
}

// finish prints what comes after the last line of a file.
func (k *sink) finish() {
	f := k.q.form
	if f.Summary == lines {
		if k.binary && k.matched > 0 {
			k.note(0, []byte(binaryNotice))
		}
		return
	}
	if k.binary && k.quit {
		return // ripgrep leaves such a file out altogether
	}
	switch f.Summary {
	case countLines:
		k.noteCount(k.matched)
	case countEach:
		k.noteCount(k.each)
	case filesWith:
		if k.matched > 0 {
			k.note(0, nil)
		}
	case filesWithout:
		if k.matched == 0 {
			k.note(0, nil)
		}
	}
}

// binaryNotice stands for the line that ripgrep prints in place of the matches
// that follow in a file with NUL.
const binaryNotice = "binary file matches"

func (k *sink) noteCount(n int) {
	if k.matched > 0 || k.q.form.IncludeZero {
		k.note(0, strconv.AppendInt(nil, int64(n), 10))
	}
}
