package mutate

import (
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

// byBraces are endings of programs whose blocks are in braces.
var byBraces = map[string]bool{".go": true, ".ts": true, ".tsx": true, ".js": true, ".jsx": true, ".java": true, ".rs": true, ".php": true, ".cs": true, ".kt": true}

// begins matches a line that begins a statement of its own.
var begins = lazy.Regexp(`^\s*[A-Za-z_@]`)

// continues matches a line that begins with a word which belongs to a statement
// before it.
var continues = lazy.Regexp(`^\s*(else|elif|except|finally|case|default|catch|and|or|in|is|not|if [^:]*$|for [^:{]*$)\b`)

// leaving matches a statement after which nothing in its block is reached.
var leaving = lazy.Regexp(`^\s*(return|raise|throw|continue|break)\b`)

// plain reports whether the block is made of statements of a program.
func (c citation) plain() bool {
	py := path.Ext(c.e.File) == ".py"
	first := c.lines[c.first()-1]
	if !py && !byBraces[path.Ext(c.e.File)] || !begins().MatchString(first) || continues().MatchString(first) {
		return false
	}
	above := strings.Join(c.lines[:c.first()-1], "\n")
	for _, mark := range []string{`"""`, "'''", "`"} {
		if strings.Count(above, mark)%2 == 1 || strings.Contains(strings.Join(c.block(), ""), mark) {
			return false
		}
	}
	if depth, low := brackets(c.block()); depth != 0 || low < 0 {
		return false
	}
	if leaves := slices.ContainsFunc(c.lines[:c.first()-1], func(l string) bool {
		return leaving().MatchString(l) && (!py || marginOf(l) == c.margin())
	}); leaves {
		return false // perhaps nothing comes here as it is
	}
	head, ok := c.above()
	if ok && py && !strings.HasSuffix(head, ":") || ok && !py && !strings.HasSuffix(head, ") {") {
		return false
	}
	return c.shallowest() == c.margin() && !strings.HasSuffix(strings.TrimSpace(c.lines[max(0, c.first()-2)]), ",")
}

// brackets counts what the lines open less what they close, and how far that falls.
func brackets(lines []string) (depth, low int) {
	for _, r := range strings.Join(lines, "\n") {
		switch {
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
			low = min(low, depth)
		}
	}
	return depth, low
}

func marginOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// margin is the white space before the block.
func (c citation) margin() string {
	for _, line := range c.block() {
		if strings.TrimSpace(line) != "" {
			return marginOf(line)
		}
	}
	return ""
}

// shallowest is the least white space before any line of the block.
func (c citation) shallowest() string {
	least := c.margin()
	for _, line := range c.block() {
		if m := marginOf(line); strings.TrimSpace(line) != "" && len(m) < len(least) {
			least = m
		}
	}
	return least
}

// above is the nearest line above the block that is indented less, without its
// margin.
func (c citation) above() (string, bool) {
	for n := c.first() - 2; n >= 0; n-- {
		if line := c.lines[n]; strings.TrimSpace(line) != "" && len(marginOf(line)) < len(c.shallowest()) {
			return strings.TrimSpace(line), true
		}
	}
	return "", false
}
