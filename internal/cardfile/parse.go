package cardfile

import (
	"fmt"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// section is the part of a report that the parser is in.
type section int

const (
	inHead section = iota
	inScore
	inGaps
	inDetails
	inTwo
	inFixes
	inLog
	inLimits
	inUnknown
)

var sections = []struct {
	title string
	kind  kind
	in    section
}{
	{sectionGaps, kGapsSection, inGaps},
	{sectionDetails, kDetailsSection, inDetails},
	{sectionTwo, kTwoSection, inTwo},
	{sectionFixes, kFixesSection, inFixes},
	{sectionLog, kLogSection, inLog},
	{sectionLimits, kLimitsSection, inLimits},
}

// parser reads a report line by line.
type parser struct {
	file     string
	lines    []sourceLine
	n        int // index of the current line
	section  section
	seen     map[key]int // line number of every understood line
	card     *scorecard.Card
	printed  *scorecard.Printed
	details  map[int]*detail
	rows     map[int]row
	current  *detail
	warnings []Warning
	headline []int // line indexes that belong to the headline
	strays   []stray

	contradictions []disagreement
}

func readMarkdown(name, text string) (*Document, error) {
	if n := strings.Count(text, "\n"); n > MaxLines {
		return nil, &SyntaxError{File: name, Msg: fmt.Sprintf("the report has %d lines, more than %d", n, MaxLines)}
	}
	bom := strings.HasPrefix(text, byteOrderMark)
	p := &parser{
		file: name, lines: splitLines(strings.TrimPrefix(text, byteOrderMark)), seen: map[key]int{},
		card:    &scorecard.Card{SchemaVersion: scorecard.SchemaVersion, ScorecardVersion: rubric.Version},
		printed: &scorecard.Printed{}, details: map[int]*detail{}, rows: map[int]row{},
	}
	for p.n = range p.lines {
		if len(p.lines[p.n].raw) > MaxLineBytes {
			return nil, p.errorf(0, "", "the line has more than %d bytes", MaxLineBytes)
		}
		if err := p.line(); err != nil {
			return nil, p.blame(err)
		}
	}
	p.n = len(p.lines)
	if err := p.finish(); err != nil {
		return nil, err
	}
	layout := newMarkdownLayout(p, bom)
	return &Document{Card: p.card, Format: Markdown, Warnings: p.warnings, layout: layout,
		details: details{p.rows, p.details}, contradictions: p.contradictions}, nil
}

// errorf is an error at the current line; col is a byte offset in it, 0 for none.
func (p *parser) errorf(col int, where, format string, args ...any) *SyntaxError {
	return &SyntaxError{File: p.file, Line: min(p.n, len(p.lines)) + 1, Column: col, Where: where, Msg: fmt.Sprintf(format, args...)}
}

// warnf warns of the current line.
func (p *parser) warnf(format string, args ...any) { p.warnAt(p.n+1, format, args...) }

func (p *parser) warnAt(line int, format string, args ...any) {
	p.warnings = addWarning(p.warnings, Warning{Line: line, Message: fmt.Sprintf(format, args...)})
}

// addWarning adds a warning, or says that there are too many.
func addWarning(list []Warning, w Warning) []Warning {
	switch {
	case len(list) < MaxWarnings:
		return append(list, w)
	case len(list) == MaxWarnings:
		return append(list, Warning{Message: "more warnings are not shown"})
	}
	return list
}

// know records that the current line has been understood.
func (p *parser) know(k key, c *cursor) error {
	if first, twice := p.seen[k]; twice {
		e := p.errorf(0, k.place(), "is given twice, first in line %d", first)
		e.Fix = "remove one of the two"
		return e
	}
	p.seen[k] = p.n + 1
	l := &p.lines[p.n]
	l.key = k
	if c != nil {
		l.spans = c.spans
	}
	return nil
}

func (p *parser) style(s Style) { p.lines[p.n].style, p.lines[p.n].styled = s, true }

// unknown keeps a line as it is and says so.
func (p *parser) unknown() error {
	p.warnf("not understood, kept as it is: %s", excerpt(p.lines[p.n].raw))
	return nil
}

func excerpt(s string) string {
	const most = 60
	s = strings.TrimSpace(s)
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "..."
}

func (p *parser) line() error {
	c := newCursor(p.lines[p.n].raw)
	if strings.HasPrefix(c.rest(), "## ") {
		return p.heading(&c)
	}
	p.notice(c.rest())
	if c.rest() == "" && p.section != inScore && p.section != inDetails {
		return nil
	}
	switch p.section {
	case inHead:
		return p.headLine(&c)
	case inScore:
		return p.scoreLine(&c)
	case inGaps:
		return p.gapLine(&c)
	case inDetails:
		return p.detailLine(&c)
	case inTwo:
		return p.twoLine(&c)
	case inFixes:
		return p.fixLine(&c)
	case inLog:
		return p.logLine(&c)
	case inLimits:
		return p.limitLine(&c)
	}
	return nil // an unknown section is kept as it is; its heading has been reported
}

// heading enters a section.
func (p *parser) heading(c *cursor) error {
	if p.section == inHead && p.seen[key{kind: kTitle}] == 0 {
		return p.notAReport()
	}
	p.current = nil
	if c.fold("## Score: ") {
		p.section = inScore
		return p.scoreHeading(c)
	}
	if strings.EqualFold(strings.TrimSuffix(c.rest(), ":"), "## Score") {
		p.section = inScore
		p.lines[p.n].bare = true
		return p.know(key{kind: kScore}, c)
	}
	for _, s := range sections {
		if strings.EqualFold(c.rest(), s.title) {
			p.section = s.in
			return p.know(key{kind: s.kind}, c)
		}
	}
	p.section = inUnknown
	return p.unknown()
}

func (p *parser) notAReport() error {
	return &SyntaxError{File: p.file, Line: 1, Msg: "this is not a scorecard report", Fix: `a report begins with "# Defense-in-Depth Score: NAME"; an entry is JSON`}
}
