package mutate

import (
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

// goesOn matches lines of which the last takes in what follows.
var goesOn = lazy.Regexp(`[:({\[,\\]\s*$`)

// complete reports whether the block is whole: no head without what it takes in, no
// part of a text or a comment, and nothing that only its function can hold.
func (c citation) complete() bool {
	depth, low := brackets(c.block())
	return depth == 0 && low == 0 && !goesOn().MatchString(strings.Join(c.block(), "\n")) && !c.cutsText() && !c.inComment() &&
		!leaving().MatchString(c.lines[c.first()-1])
}

// midway matches a line that goes on with the one before it.
var midway = lazy.Regexp(`^\s*([.?:&|+*/%=<>,()\[\]{}-]|(and|or|in|is|not|else|instanceof|as)\b)`)

// goesOnFrom reports whether the line before the block, or one of the block, may be a
// part of the statement that the next begins in the midst of.
func (c citation) goesOnFrom(n int) bool {
	return n <= len(c.lines) && midway().MatchString(c.lines[n-1])
}

// quoteMarks are what opens and ends a text of several lines, by file.
func (c citation) quoteMarks() []string {
	switch ext := path.Ext(c.e.File); {
	case ext == ".py":
		return []string{`"""`, "'''"}
	case byBraces[ext]:
		return []string{"`"}
	}
	return nil
}

// cutsText reports whether the block begins or ends inside a text of several lines.
func (c citation) cutsText() bool {
	return slices.ContainsFunc(c.quoteMarks(), func(m string) bool {
		return odd(c.lines[:c.first()-1], m) || odd(c.block(), m)
	})
}

func odd(lines []string, mark string) bool {
	return strings.Count(strings.Join(lines, "\n"), mark)%2 == 1
}

// inText reports whether the block has a part of a text of several lines in which white
// space counts: one that begins behind something, as no docstring does.
func (c citation) inText() bool {
	if ext := path.Ext(c.e.File); (ext == "" || ext == ".sh") && strings.Contains(strings.Join(c.lines[:c.last()], "\n"), "<<") {
		return true // perhaps in a here-document
	}
	for _, m := range c.quoteMarks() {
		open := false
		for i, line := range c.lines[:c.last()] {
			was := open
			open = open != (strings.Count(line, m)%2 == 1)
			if (was || open) && i+1 >= c.first() && !strings.HasPrefix(strings.TrimSpace(c.opener(i, m, was)), m) {
				return true
			}
		}
	}
	return false
}

// opener is the line that opens the text which line i, counted from 0, is in or opens.
func (c citation) opener(i int, mark string, inside bool) string {
	for ; inside && i > 0; i-- {
		if strings.Count(c.lines[i-1], mark)%2 == 1 {
			return c.lines[i-1]
		}
	}
	return c.lines[i]
}

// inComment reports whether the block begins inside a comment of several lines.
func (c citation) inComment() bool {
	above := strings.Join(c.lines[:c.first()-1], "\n")
	return byBraces[path.Ext(c.e.File)] && strings.LastIndex(above, "/*") > strings.LastIndex(above, "*/")
}
