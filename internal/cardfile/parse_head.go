package cardfile

import (
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

func (p *parser) headLine(c *cursor) error {
	const title = "# Defense-in-Depth Score"
	switch {
	case p.seen[key{kind: kTitle}] == 0:
		if c.fold(title + ":") {
			if strings.HasPrefix(p.lines[p.n].raw[c.pos-len(title)-1:], title) {
				p.style(Dash)
			} else {
				p.style(Colon)
			}
			p.card.Name = c.all(tName)
			return p.know(key{kind: kTitle}, c)
		}
		return p.unknown()
	case c.lit("**Repo:**"):
		return p.repoLine(c)
	case c.lit("**What it is:**"):
		p.card.Description = c.all(tText)
		return p.know(key{kind: kAbout}, c)
	case c.lit("**Category:**"):
		p.card.Category = categoryID(c.all(tText))
		return p.know(key{kind: kCategory}, c)
	case c.lit("**Scored configuration:**"):
		p.card.ScoredConfiguration = c.all(tText)
		return p.know(key{kind: kConfiguration}, c)
	case c.lit("**Agent surface"):
		return p.surfaceLine(c)
	}
	return p.unknown()
}

// repoLine reads "URL (`subpath`) · **Commit:** `hash` (version) · **Reviewed:** date".
func (p *parser) repoLine(c *cursor) error {
	const form = "want **Repo:** address · **Commit:** `hash` · **Reviewed:** date"
	const commit, reviewed = "**Commit:**", "**Reviewed:**"
	end := c.find(commit)
	if end < 0 {
		return p.errorf(0, "", form)
	}
	repo := cursor{s: c.s, pos: c.pos, end: trimSeparator(c.s, c.pos, end)}
	repo.space()
	stop := repo.find(" (`")
	if stop >= 0 && strings.HasSuffix(repo.rest(), "`)") && repo.end-2 >= stop+3 {
		p.card.RepoURL = repo.takeTrimmed(tURL, stop)
		repo.pos += len(" (`")
		p.card.Subpath = repo.take(tSubpath, repo.end-len("`)"))
	} else {
		p.card.RepoURL = repo.all(tURL)
	}
	c.spans = append(c.spans, repo.spans...)
	c.pos = end + len(commit)
	c.space()
	ok := c.lit("`")
	if ok {
		p.card.PinnedCommit, ok = c.until(tCommit, "`")
	}
	end = c.findLast(reviewed)
	if !ok || end < 0 {
		return p.errorf(c.pos+1, "", form)
	}
	c.pos++
	version := cursor{s: c.s, pos: c.pos, end: trimSeparator(c.s, c.pos, end)}
	version.space()
	if version.rest() != "" {
		if !version.lit("(") || !strings.HasSuffix(version.rest(), ")") {
			return p.errorf(version.pos+1, "", "want the version in parentheses after the commit")
		}
		p.card.Version = version.take(tVersion, version.end-1)
		c.spans = append(c.spans, version.spans...)
	}
	c.pos = end + len(reviewed)
	p.card.ScoredDate = c.all(tDate)
	return p.know(key{kind: kRepo}, c)
}

// trimSeparator returns the end of s[from:to] without the dot and blanks that
// separate the parts of a line.
func trimSeparator(s string, from, to int) int {
	text := strings.TrimRight(s[from:to], " \t")
	text = strings.TrimSuffix(text, "·")
	return from + len(strings.TrimRight(text, " \t"))
}

// surfaceLine reads " (default):** code execution yes · filesystem write opt-in".
func (p *parser) surfaceLine(c *cursor) error {
	colon := c.find(":**")
	if colon < 0 {
		return p.errorf(0, "", "want **Agent surface (default):** and the capabilities")
	}
	c.pos = colon + len(":**")
	for c.space(); c.pos < c.end; c.space() {
		end := c.find("·")
		if end < 0 {
			end = c.end
		}
		item := strings.TrimRight(c.s[c.pos:end], " \t")
		name, value, ok := cutLast(item, " ")
		if !ok || len(p.card.Profile) == MaxItems {
			return p.errorf(c.pos+1, "", "%q: want a capability and yes, no or opt-in", excerpt(item))
		}
		valueAt := c.pos + len(item) - len(value)
		name = c.takeTrimmed(tName, c.pos+len(name))
		c.pos = valueAt
		c.take(tValue, valueAt+len(value))
		p.card.Profile = append(p.card.Profile, scorecard.Capability{ID: capabilityID(name), Value: capabilityValue(value)})
		c.pos = end
		c.lit("·")
	}
	return p.know(key{kind: kSurface}, c)
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// scoreHeading reads "3.0 / 10.0 (Minimal)".
func (p *parser) scoreHeading(c *cursor) error {
	var ok bool
	if p.printed.Total, ok = c.until(tFigure, "/"); !ok {
		return p.errorf(c.pos+1, "", "want ## Score: N / 10.0 (band)")
	}
	if i := c.find("("); i >= 0 {
		c.pos = i + 1
		if p.printed.Band, ok = c.until(tBand, ")"); !ok {
			return p.errorf(c.pos+1, "", "want the band in parentheses")
		}
	}
	return p.know(key{kind: kScore}, c)
}

// row is a line of the table as printed.
type row struct {
	line    int
	levels  [4]string
	printed scorecard.PrintedCriterion
	alt     bool
	absent  bool
}

func (p *parser) scoreLine(c *cursor) error {
	const applicable = "Controls where a risk surface exists"
	switch {
	case strings.HasPrefix(c.rest(), "|"):
		return p.tableLine(c)
	case strings.HasPrefix(c.rest(), applicable):
		p.printed.Applicable = c.all(tText)
		return p.know(key{kind: kApplicable}, c)
	}
	if c.rest() != "" || len(p.headline) > 0 {
		p.headline = append(p.headline, p.n)
	}
	return nil
}

func (p *parser) tableLine(c *cursor) error {
	text := strings.ReplaceAll(c.rest(), " ", "")
	switch {
	case strings.HasPrefix(text, "|#|"):
		return p.know(key{kind: kTableHead}, nil)
	case strings.HasPrefix(text, "|--") || strings.HasPrefix(text, "|:-"):
		return p.know(key{kind: kTableRule}, nil)
	}
	var cells []string
	c.lit("|")
	for c.pos < c.end {
		end := c.find("|")
		if end < 0 {
			return p.errorf(c.pos+1, "", "the row of the table has no closing |")
		}
		cells = append(cells, c.takeTrimmed(rowTags[min(len(cells), len(rowTags)-1)], end))
		c.pos++
	}
	const columns = 10
	n := 0
	if len(cells) > 0 {
		n = criterionNumber(cells[0])
	}
	if n == 0 || len(cells) != columns {
		return p.errorf(0, "", "want a row of the table: a criterion C1 to C10 and %d cells in all", columns)
	}
	c.spans = c.spans[1:] // the id is part of the line's identity, not a field
	r := row{line: p.n + 1, levels: [4]string(cells[2:6])}
	r.printed = scorecard.PrintedCriterion{
		ID: cells[0], Raw: noDash(cells[6]), Cap: capCell(cells[7]), Counted: string(scorecard.Default), Confidence: strings.ToLower(cells[9]),
	}
	score := strings.TrimPrefix(cells[8], "**")
	score, mark, _ := strings.Cut(score, "**")
	r.printed.Score = strings.TrimSpace(score)
	r.alt, r.absent = strings.Contains(mark, "alt"), strings.Contains(mark, "SA")
	if r.alt {
		r.printed.Counted = string(scorecard.Alt)
	}
	switch cells[7] {
	case "—":
		p.style(Dash)
	case "none":
		p.style(Colon)
	}
	p.rows[n] = r
	p.printed.Criteria = append(p.printed.Criteria, r.printed)
	return p.know(key{kind: kRow, a: n}, c)
}

var rowTags = []tag{tNone, tName, tCell, tCell, tCell, tCell, tFigure, tCap, tScoreCell, tConfidence}

// capCell returns the cap that a cell names, "" for none.
func capCell(s string) string {
	if strings.EqualFold(s, "none") {
		return ""
	}
	return noDash(s)
}

// noDash returns what a cell of the table says, "" for a dash.
func noDash(s string) string {
	switch s {
	case "—", "–", "-":
		return ""
	}
	return s
}
