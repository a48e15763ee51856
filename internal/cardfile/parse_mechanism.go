package cardfile

import (
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// mechanismHead is the line that begins a mechanism's block, as printed.
type mechanismHead struct {
	raw, cap, score  string
	counted, printed bool
	bare             bool // it leaves out raw score and score
}

func (d *detail) addMechanism(k scorecard.MechanismKind, label string, head mechanismHead) {
	d.criterion.Mechanisms = append(d.criterion.Mechanisms, scorecard.Mechanism{Kind: k, Label: label})
	d.heads = append(d.heads, head)
	d.have = append(d.have, [4]bool{})
}

const mechanismMark = "** ("

// mechanismAt finds in a line, without the "- **" that it begins with, the mark behind
// the label of a mechanism, and its kind; at is -1 for any other line. bare says that
// the line leaves out its figures.
func mechanismAt(s string) (at int, kind scorecard.MechanismKind, bare bool) {
	at = -1
	for _, k := range []scorecard.MechanismKind{scorecard.Default, scorecard.Alt} {
		if i := strings.LastIndex(s, mechanismMark+string(k)+"; raw "); i > at {
			at, kind = i, k
		}
	}
	if at >= 0 {
		return at, kind, false
	}
	i := strings.LastIndex(s, mechanismMark)
	if i < 0 {
		return -1, "", false
	}
	inner, mark, ok := strings.Cut(s[i+len(mechanismMark):], ")")
	word, limit, capped := strings.Cut(inner, "; cap ")
	kind = scorecard.MechanismKind(word)
	if !ok || kind != scorecard.Default && kind != scorecard.Alt || capped && (limit == "" || strings.ContainsAny(limit, " \t")) {
		return -1, "", false
	}
	if mark != "" && !strings.Contains(mark, "counted") {
		return -1, "", false
	}
	return i, kind, true
}

func isMechanism(s string) bool {
	label, ok := strings.CutPrefix(s, "- **")
	at, _, _ := mechanismAt(label)
	return ok && at >= 0
}

// mechanismLine reads "- **label** (alt; raw 0.28, cap G1 → 0.28) ← counted", or
// "- **label** (alt; cap G1)" without figures.
func (p *parser) mechanismLine(c *cursor, d *detail) error {
	d.bullets = true
	d.parameter = key{}
	c.lit("- **")
	at, kindOf, bare := mechanismAt(c.rest())
	label := c.takeTrimmed(tText, c.pos+at)
	c.pos += len(mechanismMark) + len(string(kindOf))
	head := mechanismHead{printed: true, bare: bare}
	read := p.mechanismFigures
	if bare {
		read = p.bareMechanism
	}
	if err := read(c, d, &head); err != nil {
		return err
	}
	n := len(d.criterion.Mechanisms)
	if n == 0 && kindOf != scorecard.Default || n == 1 && kindOf != scorecard.Alt || n > 1 {
		return p.errorf(0, d.criterion.ID, "want a default mechanism and after it at most one alt")
	}
	d.addMechanism(kindOf, label, head)
	return p.know(key{kind: kMechanism, a: d.n, b: n}, c)
}

// bareMechanism reads "; cap G1)" or ")" and perhaps the mark of the counted one.
func (p *parser) bareMechanism(c *cursor, _ *detail, head *mechanismHead) error {
	p.lines[p.n].bare = true
	inner, mark, _ := strings.Cut(c.rest(), ")")
	head.cap = capCell(strings.TrimPrefix(inner, "; cap "))
	head.counted = mark != ""
	c.pos = c.end
	return nil
}

// mechanismFigures reads "; raw 0.28, cap G1 → 0.28) ← counted".
func (p *parser) mechanismFigures(c *cursor, d *detail, head *mechanismHead) error {
	const form = `want "- **label** (default; raw 0.28, cap G1 → 0.28)", or "- **label** (default; cap G1)" to have the figures computed`
	c.pos += len("; raw ")
	end := c.find(")")
	if end < 0 {
		return p.errorf(c.pos+1, d.criterion.ID, form)
	}
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
	return nil
}
