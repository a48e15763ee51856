package evidence

import (
	"bytes"
	"fmt"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

var (
	// statements matches a header under which statements stand, one after another.
	statements = lazy.Regexp(`^(\} ?)?((export|default|public|private|protected|internal|static|async|pub(\(\w+\))?|unsafe|final|override|inline|virtual|const|extern) ?)*` +
		`(def|func|fn|function|fun|sub|if|elif|elsif|else|unless|for|while|until|with|try|except|catch|finally|rescue|ensure|begin|do|case|when|loop)\b|=> ?\{$|\) ?(const|throws [\w, .]+|: ?[^(){}=]+|-> ?[^{}]+)?\{$|\) ?\{$`)
	// noStatements matches a header under which the order means nothing.
	noStatements = lazy.Regexp(`\b(class|interface|struct|enum|type|namespace|module|trait|impl|switch|match|select)\b`)
	// definition begins a block whose place among others means nothing.
	definition = lazy.Regexp(`^(@|(export|public|private|protected|static|async|pub) ?)*\b(def|class|func|fn|function|fun|sub|import|from|use|using|package)\b`)
	// ordered begins a line of a container file whose order counts.
	ordered = lazy.Regexp(`^(?i:run|user|shell|from)\b`)
)

// Bounds of looking for statements that lines went past.
const (
	maxBody   = 2000 // lines above and below
	maxPassed = 64   // lines that were gone past and are looked into
)

// reordered says so when lines and a statement beside them changed places inside
// their function, or calls on the same thing in a module: a check after what it checks
// is none.
func (p *pair) reordered(c *cited, is scorecard.LineRange) string {
	was := c.Lines
	if !c.continues(p.new) || definition().Match(p.old.Code(max(1, p.old.firstCode(was.First, was.Last)))) {
		return ""
	}
	passed := p.passed(was, is)
	if len(passed) == 0 {
		return ""
	}
	a, b := p.old.above(was.First, was.Last), p.new.above(is.First, is.Last)
	on := ""
	if len(a) == 0 && len(b) == 0 {
		on = p.old.calledOn(p.old.firstCode(was.First, was.Last))
	}
	if on == "" && (!p.old.sequential(a) || !p.new.sequential(b)) || len(a) > 0 && len(b) > 0 && string(p.old.Code(a[0])) != string(p.new.Code(b[0])) {
		return ""
	}
	for _, n := range passed {
		if on != "" && (p.old.calledOn(n) != on || len(p.old.above(n, n)) > 0) {
			continue
		}
		if to := p.went(n); p.old.counts(n) && p.old.under(n, a) && p.new.under(to, b) {
			return fmt.Sprintf("the lines are the same, but they changed places with what stands beside them, line %d", to)
		}
	}
	return ""
}

// receiver matches a statement that is a call on something.
var receiver = lazy.Regexp(`^(?:await )?([\w$.]+)\.[\w$]+\(`)

// calledOn is what the line of a module calls something on, as "app" of
// app.use(check), or "". The order of such calls counts, that of definitions does not.
func (d *document) calledOn(n int) string {
	if f := syntax.Family(d.Path); n == 0 || f != "script" && f != "python" {
		return ""
	}
	if m := receiver().FindSubmatch(d.Code(n)); m != nil {
		return string(m[1])
	}
	return ""
}

// passed lists old lines that stood before the cited ones and now stand after
// them, or the other way round. A line that the file has twice is none.
func (p *pair) passed(was, is scorecard.LineRange) []int {
	var out []int
	for n := max(1, was.First-maxBody); n <= min(p.old.Text.Len(), was.Last+maxBody) && len(out) < maxPassed; n++ {
		to := p.went(n)
		if to == 0 || was.First <= n && n <= was.Last || is.First <= to && to <= is.Last || (n < was.First) == (to < is.First) {
			continue
		}
		line := p.old.Plain().Line(n)
		if code := p.old.Code(n); len(code) > 0 && !closes(code) && p.old.lineBag()[string(line)] == 1 && p.new.lineBag()[string(line)] == 1 {
			out = append(out, n)
		}
	}
	return out
}

// counts reports whether the order of the line and others counts. What one does
// that others stand under is for those to tell.
func (d *document) counts(n int) bool {
	code := d.Code(n)
	return !opens(code) && d.Inside(n).Name == "" && (!d.Lang.Data() || ordered().Match(code))
}

// opens reports whether others stand under the code.
func opens(code []byte) bool { return bytes.IndexByte([]byte(":{([,"), code[len(code)-1]) >= 0 }

// went is the new line that an old one became, by the map or, if it stands once
// on either side, wherever it is; 0 when there is none.
func (p *pair) went(n int) int {
	if to := p.plainMap().ToNew(n); to > 0 {
		return to
	}
	if p.moved == nil {
		p.moved = map[string]int{}
		for m := 1; m <= p.new.Plain().Len(); m++ {
			if line := p.new.Plain().Line(m); len(line) > 0 && p.plainMap().ToOld(m) == 0 {
				p.moved[string(line)] = m
			}
		}
	}
	return p.moved[string(p.old.Plain().Line(n))]
}

// sequential reports whether what stands under the headers is done one after
// another.
func (d *document) sequential(headers []int) bool {
	if d.Lang.Data() {
		return syntax.Family(d.Path) == "dockerfile" || syntax.Family(d.Path) == "containerfile"
	}
	if len(headers) == 0 {
		return syntax.Family(d.Path) == "shell"
	}
	code := d.Code(headers[0])
	return statements().Match(code) && !noStatements().Match(code)
}

// under reports whether the line stands under the innermost of the headers.
func (d *document) under(n int, headers []int) bool {
	if len(headers) == 0 {
		return true
	}
	above := d.above(n, n)
	return len(above) >= len(headers) && above[len(above)-len(headers)] == headers[0]
}
