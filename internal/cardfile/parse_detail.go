package cardfile

import (
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// detail is a criterion while it is being read.
type detail struct {
	criterion  scorecard.Criterion
	n          int // 1 for C1
	line       int
	bare       bool // the heading leaves out score and confidence
	score      string
	confidence string
	summary    []int // indexes of the lines of the summary
	bullets    bool  // the summary is over
	heads      []mechanismHead
	have       [][4]bool // parameters read, for each mechanism
	capLine    int
	cap        scorecard.Cap
	parameter  key // of the last parameter, for its gap
}

func (p *parser) detailLine(c *cursor) error {
	d := p.current
	if strings.HasPrefix(c.rest(), "### ") {
		return p.criterionLine(c)
	}
	if d == nil {
		if c.rest() == "" {
			return nil
		}
		return p.unknown()
	}
	indent := span{tIndent, 0, c.pos}
	c.spans = append(c.spans, indent)
	switch {
	case isParameter(c.rest()):
		return p.parameterLine(c, d)
	case c.lit("- *To reach the next level:*"):
		return p.nextLine(c, d)
	case c.lit("- **Cap:**"):
		return p.capLine(c, d)
	case c.lit("- **Notes:**"):
		d.bullets = true
		d.criterion.Notes = c.all(tText)
		return p.know(key{kind: kNotes, a: d.n}, c)
	case c.lit("- **Structural absence:**"):
		return p.absenceLine(c, d)
	case isMechanism(c.rest()):
		return p.mechanismLine(c, d)
	case !d.bullets:
		if c.rest() != "" || len(d.summary) > 0 {
			d.summary = append(d.summary, p.n)
		}
		return nil
	case c.rest() == "":
		return nil
	}
	return p.unknown()
}

// criterionLine reads "### C1 Name — 0.47 (high)", "### C1 Name: 0.42 (high
// confidence)", or "### C1 Name" alone.
func (p *parser) criterionLine(c *cursor) error {
	c.lit("### ")
	c.space()
	id, _, _ := strings.Cut(c.rest(), " ")
	n := criterionNumber(id)
	if n == 0 {
		p.current = nil
		return p.unknown()
	}
	c.pos += len(id)
	c.space()
	d := &detail{n: n, line: p.n + 1}
	d.criterion = scorecard.Criterion{ID: id, Status: scorecard.StatusScored}
	if err := p.headingFigures(c, d); err != nil {
		return err
	}
	if err := p.know(key{kind: kCriterion, a: n}, c); err != nil {
		return err
	}
	p.details[n], p.current = d, d
	p.card.Criteria = append(p.card.Criteria, d.criterion)
	return nil
}

// headingFigures reads the name, the score and the confidence of a heading, or its
// name alone.
func (p *parser) headingFigures(c *cursor, d *detail) error {
	const form = `want "### C1 Name — 0.47 (high)" or "### C1 Name: 0.47 (high confidence)", or "### C1 Name" to have both computed`
	open, sep, width, style := c.findLast("("), -1, 0, Dash
	if open >= 0 && strings.HasSuffix(c.rest(), ")") {
		head := cursor{s: c.s, pos: c.pos, end: open}
		dash, colon := head.findLast(" — "), head.findLast(": ")
		sep, width = dash, len(" — ")
		if colon > dash {
			sep, width, style = colon, len(": "), Colon
		}
	}
	if sep < 0 {
		if halfHeading(c.rest()) {
			return p.errorf(0, d.criterion.ID, form)
		}
		d.bare, p.lines[p.n].bare = true, true
		d.criterion.Name = c.all(tName)
		return nil
	}
	d.criterion.Name = c.takeTrimmed(tName, sep)
	c.pos = sep + width
	d.score = c.takeTrimmed(tFigure, open)
	c.pos = open + 1
	end := c.end - 1
	if i := c.find(" confidence)"); i >= 0 {
		end = i
	}
	d.confidence = strings.ToLower(c.takeTrimmed(tConfidence, end))
	p.style(style)
	return nil
}

// halfHeading tells a heading that was meant to have figures from a bare name: it
// ends in a decimal number, a number after a separator, a separator, or a confidence.
func halfHeading(s string) bool {
	rest, last, _ := cutLast(" "+s, " ")
	separated := strings.HasSuffix(rest, " —") || strings.HasSuffix(rest, ":")
	number := last != "" && strings.Trim(last, "0123456789.") == ""
	if number && (separated || strings.Contains(last, ".")) || last == "—" || strings.HasSuffix(last, ":") {
		return true
	}
	s = strings.ToLower(s)
	for _, c := range []scorecard.Confidence{scorecard.High, scorecard.Medium, scorecard.Low} {
		if strings.HasSuffix(s, "("+string(c)+")") || strings.HasSuffix(s, "("+string(c)+" confidence)") {
			return true
		}
	}
	return false
}

func isParameter(s string) bool {
	return len(s) > 6 && strings.HasPrefix(s, "- **") && strings.IndexByte("SCDB", s[4]) >= 0 && s[5] == ' ' &&
		(strings.HasPrefix(s[6:], "SA:**") || len(s) > 10 && s[6] == 'L' && s[8:11] == ":**")
}

// parameterLine reads "- **S L1:** finding — evidence (verified)".
func (p *parser) parameterLine(c *cursor, d *detail) error {
	d.bullets = true
	c.lit("- **")
	index := strings.IndexByte("SCDB", c.s[c.pos])
	c.pos += 2
	if len(d.criterion.Mechanisms) == 0 {
		d.addMechanism(scorecard.Default, defaultLabel, mechanismHead{})
	}
	mi := len(d.criterion.Mechanisms) - 1
	m := &d.criterion.Mechanisms[mi]
	where := d.criterion.ID + " " + string(m.Kind) + " " + string(scorecard.ParameterIDs[index])
	par := scorecard.Parameter{ID: scorecard.ParameterIDs[index]}
	if level := c.take(tLevel, c.find(":**")); level == "SA" {
		par.Level, par.SA = scorecard.MaxLevel, true
	} else if par.Level = scorecard.Level(level[1] - '0'); par.Level < 0 || par.Level > scorecard.MaxLevel {
		return p.errorf(c.pos, where, "%q is not a level; want L0 to L4 or SA", level)
	}
	c.lit(":**")
	c.space()
	end, status, rest := findStatus(c)
	if status == "" {
		e := p.errorf(0, where, "the line does not end with its status")
		e.Fix = "end it with (verified) or (inferred)"
		return e
	}
	par.Status = scorecard.RatingStatus(status)
	text, style, styled, list, bad := splitEvidence(c.s, c.pos, end)
	if bad != nil {
		return p.errorf(bad.pos+1, where, "evidence cannot be read: %s", bad.msg)
	}
	if styled {
		p.style(style)
	}
	par.Finding = c.takeTrimmed(tText, text)
	par.Evidence = list.items
	c.spans = append(c.spans, list.spans...)
	c.pos = end + len(" (")
	c.take(tStatus, c.pos+len(status))
	p.links(where, list)
	p.rest(rest)
	k := key{kind: kParameter, a: d.n, b: mi, c: index}
	if err := p.know(k, c); err != nil {
		return err
	}
	m.Parameters[index] = par
	d.have[mi][index] = true
	d.parameter = k
	return nil
}

// findStatus finds the last " (verified)" or " (inferred)" and what follows it.
func findStatus(c *cursor) (at int, status, rest string) {
	at = -1
	for _, s := range []scorecard.RatingStatus{scorecard.Verified, scorecard.Inferred} {
		if i := c.findLast(" (" + string(s) + ")"); i > at {
			at, status = i, string(s)
			rest = c.s[i+len(" (")+len(s)+1 : c.end]
		}
	}
	return at, status, rest
}

// rest keeps text after the part of a line that is understood.
func (p *parser) rest(text string) {
	if text == "" {
		return
	}
	p.lines[p.n].rest = text
	p.warnf("kept as it is, not understood: %s", excerpt(text))
}

// links warns of addresses that lead elsewhere than their text says.
func (p *parser) links(where string, list evidenceList) {
	i := 0
	for _, e := range list.items {
		if e.IsSearch() {
			continue
		}
		if list.links[i].leadsElsewhere(e, p.card.PinnedCommit) {
			p.warnf("%[1]s: the link of %[2]s:%[3]s does not lead to that place at the pinned commit; write [%[2]s:%[3]s]() to have it computed", where, e.File, e.Lines)
		}
		i++
	}
}

// nextLine reads what the next level of the parameter above asks for.
func (p *parser) nextLine(c *cursor, d *detail) error {
	k := d.parameter
	if k.kind == kUnknown {
		return p.errorf(0, d.criterion.ID, "this line does not follow a parameter")
	}
	text := c.all(tText)
	d.criterion.Mechanisms[k.b].Parameters[k.c].Gap = text
	k.kind = kNext
	return p.know(k, c)
}

// capLine reads "none", "G1 — reason" or "G1: reason".
func (p *parser) capLine(c *cursor, d *detail) error {
	d.bullets = true
	d.capLine = p.n + 1
	c.space()
	if capCell(c.rest()) == "" {
		c.all(tNoCap)
		return p.know(key{kind: kCap, a: d.n}, c)
	}
	end, width := c.end, 0
	dash, colon := c.find(" — "), c.find(": ")
	switch {
	case dash >= 0 && (colon < 0 || dash < colon):
		end, width = dash, len(" — ")
		p.style(Dash)
	case colon >= 0:
		end, width = colon, len(": ")
		p.style(Colon)
	}
	d.cap.ID = c.takeTrimmed(tCap, end)
	if strings.ContainsAny(d.cap.ID, " \t") {
		return p.errorf(0, d.criterion.ID, `%q is not the name of a cap; want "none", or a cap and its reason`, excerpt(d.cap.ID))
	}
	if c.pos += width; width > 0 {
		if d.cap.Reason = c.all(tReason); d.cap.Reason == "" {
			c.spans = c.spans[:len(c.spans)-1]
		}
	}
	return p.know(key{kind: kCap, a: d.n}, c)
}

// absenceLine reads the evidence that a criterion's surface does not exist.
func (p *parser) absenceLine(c *cursor, d *detail) error {
	d.bullets = true
	c.space()
	end := c.end
	if at, status, rest := findStatus(c); status != "" && rest == "" {
		end = at
	}
	list, bad := parseEvidence(c.s, c.pos, end)
	if bad != nil && c.pos < end {
		text, _, styled, after, _ := splitEvidence(c.s, c.pos, end)
		if !styled {
			return p.errorf(bad.pos+1, d.criterion.ID+" structural absence", "evidence cannot be read: %s", bad.msg)
		}
		list = after
		p.rest(" " + c.s[c.pos:text])
	}
	d.criterion.Status = scorecard.StatusStructuralAbsence
	d.criterion.AbsenceEvidence = list.items
	c.spans = append(c.spans, list.spans...)
	p.links(d.criterion.ID+" structural absence", list)
	return p.know(key{kind: kAbsence, a: d.n}, c)
}
