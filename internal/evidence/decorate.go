package evidence

import (
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

// decoration matches a line that changes what the definition below it does.
var decoration = lazy.Regexp(`^(@\w|#?\[\w[^\]]*\]$)`)

// redecorated notes when a decorator came or went above what the lines define or stand
// under: what it does to them no text tells.
func (p *pair) redecorated(c *cited, is scorecard.LineRange) string {
	switch syntax.Family(p.new.Path) {
	case "python", "script", ".java", ".kt", ".cs", ".php":
	default:
		return ""
	}
	if !c.continues(p.new) {
		return ""
	}
	for _, n := range append([]int{is.First}, p.new.above(is.First, is.Last)...) {
		was := p.plainMap().ToOld(n)
		if was == 0 {
			continue
		}
		a, b := p.old.decorations(was), p.new.decorations(n)
		x, y := p.old.texts(a), p.new.texts(b)
		for i, text := range y {
			if !slices.Contains(x, text) && len(b) > len(a) {
				return fmt.Sprintf("%s was added above %s, %s:%d", shorten(text), shorten(string(p.new.Code(p.new.Statement(n)))), p.new.Path, b[i])
			}
		}
		for _, text := range x {
			if !slices.Contains(y, text) && len(a) > len(b) {
				return fmt.Sprintf("%s, which stood above %s, went", shorten(text), shorten(string(p.new.Code(p.new.Statement(n)))))
			}
		}
	}
	return ""
}

// decorations are the first lines of the decorators right above the line.
func (d *document) decorations(line int) []int {
	var out []int
	for n := d.codeLine(d.Statement(line), -1); n > 0; n = d.codeLine(n, -1) {
		if n = d.Statement(n); !decoration().Match(d.Code(n)) {
			break
		}
		out = append(out, n)
	}
	return out
}
