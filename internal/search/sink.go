package search

import (
	"bytes"
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

	lastLine lineBounds // of printLineOf
	lastText []byte     // the last text that was cut
	lastCut  string     // and what became of it

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
