package cardfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// finish puts the parts of a report together once all lines have been read.
func (p *parser) finish() error {
	if p.seen[key{kind: kTitle}] == 0 {
		return p.notAReport()
	}
	if p.seen[key{kind: kRepo}] == 0 {
		return &SyntaxError{File: p.file, Msg: "no line with the repository and the pinned commit", Fix: "add **Repo:** address · **Commit:** `hash` · **Reviewed:** date under the title"}
	}
	if err := p.lost(); err != nil {
		return err
	}
	p.card.Headline = p.text(p.headline, func(i int) key { return key{kind: kHeadline, a: i} })
	for i := range p.card.Criteria {
		d := p.details[criterionNumber(p.card.Criteria[i].ID)]
		d.criterion.Summary = p.text(d.summary, func(j int) key { return key{kind: kSummary, a: d.n, b: j} })
		if err := p.mechanisms(d); err != nil {
			return err
		}
		p.cap(d)
		complete(&d.criterion)
		p.card.Criteria[i] = d.criterion
	}
	p.disagree(p.contradictions)
	p.disagree(details{p.rows, p.details}.compare(p.card))
	leftOut(p.printed, p.card)
	p.card.ID = agentID(p.card.Name, p.card.RepoURL)
	p.card.Printed = p.printed
	slices.SortStableFunc(p.warnings, func(a, b Warning) int { return a.Line - b.Line })
	return nil
}

// text joins the lines of a text and marks them as understood.
func (p *parser) text(lines []int, k func(int) key) string {
	for len(lines) > 0 && strings.Trim(p.lines[lines[len(lines)-1]].raw, " \t") == "" {
		lines = lines[:len(lines)-1]
	}
	var b strings.Builder
	for i, n := range lines {
		c := newCursor(p.lines[n].raw)
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(c.all(tText))
		p.lines[n].key, p.lines[n].spans = k(i), c.spans
	}
	return b.String()
}

// mechanisms checks that every parameter of every mechanism has been read.
func (p *parser) mechanisms(d *detail) error {
	c := &d.criterion
	if c.Absent() {
		if len(c.Mechanisms) > 0 {
			return &SyntaxError{File: p.file, Line: d.line, Where: c.ID, Msg: "has both a structural absence and parameters", Fix: "keep one of the two"}
		}
		c.Mechanisms = []scorecard.Mechanism{scorecard.AbsentMechanism(c.AbsenceEvidence)}
		return nil
	}
	for i, have := range d.have {
		for j, ok := range have {
			if !ok {
				return &SyntaxError{File: p.file, Line: d.line, Where: fmt.Sprintf("%s %s", c.ID, c.Mechanisms[i].Kind),
					Msg: fmt.Sprintf("parameter %s is missing", scorecard.ParameterIDs[j]), Fix: "add the line that begins with - **" + string(scorecard.ParameterIDs[j]) + " L0:**"}
			}
		}
	}
	if len(d.have) == 0 {
		return &SyntaxError{File: p.file, Line: d.line, Where: c.ID, Msg: "has neither parameters nor a structural absence", Fix: "add lines for S, C, D and B"}
	}
	return nil
}

// cap gives each mechanism its cap: from its head where it has one, with the reason
// from the cap line for the mechanism that counts.
func (p *parser) cap(d *detail) {
	c := &d.criterion
	if c.Absent() {
		return
	}
	row, inTable := p.rows[d.n]
	if !d.heads[0].printed {
		if d.capLine == 0 && inTable && row.printed.Cap != "" {
			p.warnAt(d.line, "%s: no cap line; the cap is taken from the table; add - **Cap:** %s with its reason", c.ID, row.printed.Cap)
			d.cap.ID = row.printed.Cap
		}
		if d.cap.ID != "" {
			c.Mechanisms[0].Caps = []scorecard.Cap{d.cap}
		}
		return
	}
	for i, h := range d.heads {
		if h.bare && d.capLine > 0 { // with its cap, another mechanism may be the counted one
			p.lines[d.capLine-1].bare = true
		}
		if h.cap != "" {
			c.Mechanisms[i].Caps = []scorecard.Cap{{ID: h.cap}}
		}
	}
	counted := c.Counted()
	for i, h := range d.heads {
		if h.counted {
			counted = &c.Mechanisms[i]
		}
	}
	for i := range c.Mechanisms {
		m := &c.Mechanisms[i]
		switch {
		case m == counted && d.capLine > 0:
			p.capReason(d, m, d.heads[i].bare)
		case len(m.Caps) > 0:
			m.Caps[0].Reason = standardReason(m.Caps[0].ID)
		}
	}
}

// capReason joins the cap line with the counted mechanism's head; a bare head may
// leave the cap to the cap line.
func (p *parser) capReason(d *detail, m *scorecard.Mechanism, bare bool) {
	head := ""
	if len(m.Caps) > 0 {
		head = m.Caps[0].ID
	}
	if head != d.cap.ID && (head != "" || !bare) {
		place := d.criterion.ID + " " + string(m.Kind)
		p.contradictions = append(p.contradictions, disagreement{figure: Figure{place + " cap", head, d.cap.ID},
			message: fmt.Sprintf("%s: the mechanism's line names cap %s, the cap line %s", place, orNone(head), orNone(d.cap.ID))})
	}
	m.Caps = nil
	if d.cap.ID != "" {
		m.Caps = []scorecard.Cap{d.cap}
	}
}

// standardReason stands for a reason that a report does not print: that of a cap
// on a mechanism that is not counted.
func standardReason(id string) string {
	if spec, ok := rubric.Method().Cap(id); ok {
		return spec.When
	}
	return ""
}

// complete fills what reports do not print and the method knows.
func complete(c *scorecard.Criterion) {
	if h, ok := rubric.Head(c.ID); ok {
		c.OWASP, c.Question = slices.Clone(h.OWASP), h.Question
		if c.Name == "" {
			c.Name = h.Name
		}
	}
}
