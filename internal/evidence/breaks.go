package evidence

import (
	"bytes"
	"fmt"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

var (
	// lineSeparator matches the two other characters that end a line of a script.
	lineSeparator = lazy.Regexp("\u2028|\u2029")
	// feed matches a line feed of another kind before code, which begins its line anew.
	feed = lazy.Regexp(`^[ \t]*[\f\v][ \t\f\v]*[^ \t\f\v\r]`)
)

// brokenUp says so when a line was added that the program reads as several, and a
// comparison by line feeds as one: what it says after such a break is not seen.
func (p *pair) brokenUp(*cited, scorecard.LineRange) string {
	if p.new.Lang.Prose() {
		return ""
	}
	if p.broken == nil {
		n := p.brokenLine()
		p.broken = &n
	}
	if *p.broken == 0 {
		return ""
	}
	return fmt.Sprintf("the lines stand as they were, but line %d, which was added, holds a line break that is no line feed", *p.broken)
}

// brokenLine is the first added line of that kind, or 0.
func (p *pair) brokenLine() int {
	text := p.new.Text
	all := text.Lines(1, text.Len())
	script := syntax.Family(p.new.Path) == "script" && lineSeparator().Match(all)
	if !script && !bytes.ContainsAny(all, "\r\f\v") {
		return 0
	}
	for n := 1; n <= text.Len(); n++ {
		line := bytes.TrimRight(text.Line(n), "\r")
		if (bytes.IndexByte(line, '\r') >= 0 || feed().Match(line) || script && lineSeparator().Match(line)) && p.added(n) {
			return n
		}
	}
	return 0
}
