package report

import (
	"fmt"
	"strings"
)

// section is a part of a Markdown text that can be cut line by line.
type section struct {
	head  string   // with its blank line; dropped together with the last line
	lines []string // each may hold line feeds; never split
	left  int      // lines that were not even rendered, because they could not fit
	tail  string
	noun  string // what a line is, for the note that says what was cut
	keep  bool   // never cut
}

func (s section) size() int {
	if len(s.lines) == 0 && !s.keep {
		return 0
	}
	n := len(s.head) + len(s.tail) + 1
	for _, l := range s.lines {
		n += len(l) + 1
	}
	return n
}

func (s section) write(b *strings.Builder) {
	if len(s.lines) == 0 && !s.keep {
		return
	}
	b.WriteString(s.head)
	for _, l := range s.lines {
		b.WriteString(l)
		b.WriteByte('\n')
	}
	b.WriteString(s.tail)
	b.WriteByte('\n')
}

// rendered is the lines of a section.
type rendered struct {
	lines []string
	left  int // not rendered
}

// count is how many lines there are, rendered or not.
func (r rendered) count() int { return len(r.lines) + r.left }

// render calls line for 0 to n-1 until the lines fill more than a whole text: a
// hostile card must not cost more than what can be shown. A line that is "" is
// left out.
func render(n int, line func(i int) string) rendered {
	var r rendered
	size := 0
	for i := range n {
		if size > MaxComment {
			r.left = n - i
			break
		}
		if l := line(i); l != "" {
			r.lines = append(r.lines, l)
			size += len(l) + 1
		}
	}
	return r
}

// noteRoom is kept free for the note that says what was cut.
const noteRoom = 700

// fit writes the sections in their order in at most limit bytes. When they do
// not fit, lines are cut from the end of the last section first; sections marked
// keep are never cut. A note says what was cut and where the whole is.
func fit(sections []section, limit int, whole string) string {
	size := 0
	for _, s := range sections {
		size += s.size()
	}
	note := ""
	if size > limit {
		note = cut(sections, size-(limit-noteRoom), whole)
	}
	var b strings.Builder
	for _, s := range sections {
		s.write(&b)
	}
	b.WriteString(note)
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// cut drops lines until excess bytes are gone and returns the note.
func cut(sections []section, excess int, whole string) string {
	var parts []string
	for i := len(sections) - 1; i >= 0 && excess > 0; i-- {
		s := &sections[i]
		if s.keep {
			continue
		}
		dropped := s.left
		for len(s.lines) > 0 && excess > 0 {
			before := s.size()
			s.lines = s.lines[:len(s.lines)-1]
			excess -= before - s.size()
			dropped++
		}
		if dropped > 0 {
			parts = append([]string{plural(dropped, s.noun)}, parts...)
		}
	}
	return fmt.Sprintf("\nCut to fit: %s. %s\n", list(parts, 0), whole)
}
