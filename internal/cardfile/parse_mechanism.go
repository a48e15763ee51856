package cardfile

import (
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// mechanismHead is the line that begins a mechanism's block, as printed.
type mechanismHead struct {
	line             int
	raw, cap, score  string
	counted, printed bool
}

func (d *detail) addMechanism(k scorecard.MechanismKind, label string, head mechanismHead) {
	d.criterion.Mechanisms = append(d.criterion.Mechanisms, scorecard.Mechanism{Kind: k, Label: label})
	d.heads = append(d.heads, head)
	d.have = append(d.have, [4]bool{})
}

const mechanismMark = "** ("

func isMechanism(s string) bool {
	label, ok := strings.CutPrefix(s, "- **")
	return ok && (strings.Contains(label, mechanismMark+"default; raw ") || strings.Contains(label, mechanismMark+"alt; raw "))
}

// mechanismLine reads "- **label** (alt; raw 0.28, cap G1 → 0.28) ← counted".
func (p *parser) mechanismLine(c *cursor, d *detail) error {
	const form = `want "- **label** (default; raw 0.28, cap G1 → 0.28)"`
	d.bullets = true
	d.parameter = key{}
	c.lit("- **")
	kindOf, at := scorecard.Default, c.findLast(mechanismMark+"default; raw ")
	if i := c.findLast(mechanismMark + "alt; raw "); i > at {
		kindOf, at = scorecard.Alt, i
	}
	label := c.takeTrimmed(tText, at)
	c.pos += len(mechanismMark) + len(string(kindOf)) + len("; raw ")
	end := c.find(")")
	if end < 0 {
		return p.errorf(c.pos+1, d.criterion.ID, form)
	}
	head := mechanismHead{line: p.n + 1, printed: true}
	inner := cursor{s: c.s, pos: c.pos, end: end}
	arrowAt, width := inner.find(arrow), len(arrow)
	if arrowAt < 0 {
		arrowAt, width = inner.find(" -> "), len(" -> ")
	}
	if arrowAt < 0 {
		return p.errorf(c.pos+1, d.criterion.ID, form)
	}
	capAt := inner.find(", cap ")
	if capAt < 0 || capAt > arrowAt {
		capAt = arrowAt
	}
	head.raw = inner.takeTrimmed(tFigure, capAt)
	head.cap = capCell(strings.TrimSpace(strings.TrimPrefix(inner.take(tCap, arrowAt), ", cap ")))
	inner.pos += width
	head.score = inner.takeTrimmed(tFigure, end)
	c.spans = append(c.spans, inner.spans...)
	c.pos = end + 1
	mark := c.take(tMark, c.end)
	head.counted = strings.Contains(mark, "counted")
	if mark != "" && !head.counted {
		return p.errorf(end+2, d.criterion.ID, `want "← counted" or nothing after the figures`)
	}
	n := len(d.criterion.Mechanisms)
	if n == 0 && kindOf != scorecard.Default || n == 1 && kindOf != scorecard.Alt || n > 1 {
		return p.errorf(0, d.criterion.ID, "want a default mechanism and after it at most one alt")
	}
	d.addMechanism(kindOf, label, head)
	return p.know(key{kind: kMechanism, a: d.n, b: n}, c)
}
