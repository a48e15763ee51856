package report

import (
	"fmt"
	"strings"
)

// section is a part of a Markdown text that can be cut line by line.
type section struct {
	head  string   // with its blank line; dropped together with the last line
	lines []string // each may hold line feeds; never split
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
		dropped := 0
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
