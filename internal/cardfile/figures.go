package cardfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// Figure is a figure that a file prints and the card does not give.
type Figure struct {
	Place    string // "score", "band", "C4" for a criterion's score, "C4 cap", "C4 S" ...
	Printed  string // as printed
	Computed string // what the card gives; it and Printed are "" where the place says enough
}

// String names the place and both figures.
func (f Figure) String() string {
	if f.Printed == "" && f.Computed == "" {
		return f.Place
	}
	return f.Place + " " + orNone(f.Printed) + arrow + orNone(f.Computed)
}

// disagreement is a place where a file contradicts itself.
type disagreement struct {
	message string // with its place
	figure  Figure // zero where it is no figure that differs
	line    int    // of one that is a mere warning; 0 where nobody can say which of the two is meant
}

// Disagreements compares what the file prints with the card as it is now. It lists
// the figures that differ, each place once, the total, the band and the scores
// first, and says in words where the file contradicts itself otherwise.
func (d *Document) Disagreements() (figures []Figure, others []string) {
	if d.Card.Printed != nil {
		figures = printedFigures(d.Card)
	}
	for _, w := range d.Warnings {
		figures = append(figures, w.Figure)
	}
	const second = "applicable score" // of which the two forms print too much to repeat
	if slices.ContainsFunc(d.Problems(), func(p scorecard.Problem) bool { return p.Rule == scorecard.RuleFigures && p.Place == second }) {
		figures = append(figures, Figure{Place: second})
	}
	for _, g := range append(slices.Clone(d.contradictions), d.details.compare(d.Card)...) {
		if figures = append(figures, g.figure); g.figure.Place == "" {
			others = append(others, g.message)
		}
	}
	slices.SortStableFunc(figures, func(a, b Figure) int { return cmp.Compare(a.rank(), b.rank()) })
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(figures, func(f Figure) bool {
		again := seen[f.Place]
		seen[f.Place] = true
		return again
	}), others
}

// rank puts the total and the band first, then the scores of C1 to C10.
func (f Figure) rank() int {
	if f.Place == "score" || f.Place == "band" {
		return 0
	}
	if n := criterionNumber(f.Place); n > 0 {
		return n
	}
	return scorecardCriteria + 1
}

// printedFigures compares the figures that both forms print.
func printedFigures(card *scorecard.Card) (out []Figure) {
	p := card.Printed
	differs := func(same bool, place, printed, computed string) {
		if !same {
			out = append(out, Figure{place, printed, computed})
		}
	}
	total := card.Total()
	band := scorecard.BandOf(total).Label
	differs(agrees(p.Total, 100*scorecard.Tenths(total)), "score", p.Total, scorecard.Format1(total))
	differs(p.Band == "" || p.Band == band, "band", p.Band, band)
	for _, k := range p.Criteria {
		c := card.ByID(k.ID)
		if c == nil || len(c.Mechanisms) == 0 {
			continue
		}
		m := c.Counted()
		limit, _, _ := c.EffectiveCap()
		confidence := string(c.Confidence())
		differs(sameFigure(k.Score, c.Score()), c.ID, k.Score, scorecard.Format2(c.Score()))
		differs(k.Raw == "" || sameFigure(k.Raw, m.Raw()), c.ID+" raw", k.Raw, scorecard.Format2(m.Raw()))
		differs(k.Cap == limit.ID, c.ID+" cap", k.Cap, limit.ID)
		differs(k.Counted == "" || k.Counted == string(m.Kind), c.ID+" counted", k.Counted, string(m.Kind))
		differs(k.Confidence == "" || k.Confidence == confidence, c.ID+" confidence", k.Confidence, confidence)
	}
	return out
}

// sameFigure accepts two decimals, as reports print them, or the exact number.
func sameFigure(printed string, milli int) bool {
	return printed == scorecard.Format2(milli) || agrees(printed, milli)
}

// details are the criteria of a report as they were read: what its headings, the
// lines of its mechanisms and its table print.
type details struct {
	rows map[int]row
	all  map[int]*detail
}

// compare finds where the table, the headings and the lines of the mechanisms
// contradict the card.
func (d details) compare(card *scorecard.Card) (out []disagreement) {
	for i := range card.Criteria {
		c := &card.Criteria[i]
		if k, ok := d.all[criterionNumber(c.ID)]; ok {
			out = append(out, d.compareTable(k.n, c)...)
			out = append(out, k.compareHeading(c)...)
			out = append(out, k.compareMechanisms(c)...)
		}
	}
	return out
}

// compareTable compares a row of the table with the counted mechanism.
func (d details) compareTable(n int, c *scorecard.Criterion) (out []disagreement) {
	r, ok := d.rows[n]
	allSA := r.levels == [4]string{"SA", "SA", "SA", "SA"}
	switch {
	case len(d.rows) == 0:
		return nil
	case !ok:
		return []disagreement{{message: c.ID + ": the table has no row for it"}}
	case r.absent && !c.Absent() || c.Absent() && !r.absent && !allSA:
		return []disagreement{{message: c.ID + ": the table and the details disagree whether its surface is absent"}}
	case c.Absent():
		return nil
	}
	for i, par := range c.Counted().Parameters {
		if got := r.levels[i]; got != par.LevelString() && !(par.SA && got == scorecard.MaxLevel.String()) {
			place := c.ID + " " + string(par.ID)
			out = append(out, disagreement{message: fmt.Sprintf("%s: the table prints %s, the details %s", place, got, par.LevelString()),
				figure: Figure{place, got, par.LevelString()}})
		}
	}
	return out
}

// compareHeading compares what the heading prints; a bare one prints nothing.
func (d *detail) compareHeading(c *scorecard.Criterion) (out []disagreement) {
	if d.bare {
		return nil
	}
	if score := scorecard.Format2(c.Score()); d.score != score {
		out = append(out, disagreement{message: fmt.Sprintf("%s: its heading prints %s, the levels give %s", c.ID, d.score, score),
			figure: Figure{c.ID, d.score, score}})
	}
	if want := string(c.Confidence()); d.confidence != want && !c.Absent() {
		out = append(out, disagreement{message: fmt.Sprintf("%s: the heading prints confidence %s, the ratings give %s", c.ID, d.confidence, want),
			figure: Figure{c.ID + " confidence", d.confidence, want}, line: d.line})
	}
	return out
}

// compareMechanisms compares the lines that mechanisms begin with.
func (d *detail) compareMechanisms(c *scorecard.Criterion) (out []disagreement) {
	for i, h := range d.heads {
		if !h.printed || i >= len(c.Mechanisms) {
			continue
		}
		m := &c.Mechanisms[i]
		raw, score := scorecard.Format2(m.Raw()), scorecard.Format2(m.Score())
		place := c.ID + " " + string(m.Kind)
		if !h.bare && (h.raw != raw || h.score != score) {
			figure := Figure{place + " raw", h.raw, raw}
			if h.raw == raw {
				figure = Figure{place + " score", h.score, score}
			}
			out = append(out, disagreement{message: fmt.Sprintf("%s: its line prints raw %s → %s, the levels give %s → %s", place, h.raw, h.score, raw, score),
				figure: figure})
		}
		if h.counted && m != c.Counted() {
			out = append(out, disagreement{message: fmt.Sprintf("%s: the %s mechanism is marked as counted, the scores count the other", c.ID, m.Kind)})
		}
	}
	return out
}

// leftOut fills in what a report leaves out as its levels give it: what is not
// printed contradicts nothing.
func leftOut(p *scorecard.Printed, card *scorecard.Card) {
	if p.Total == "" {
		p.Total = scorecard.Format1(card.Total())
	}
	if a := card.Applicable(); p.Applicable == "" && a.Absent > 0 {
		p.Applicable = a.String()
	}
}

// disagree records a contradiction for the validation to report, or a warning.
func (p *parser) disagree(all []disagreement) {
	for _, g := range all {
		if g.line > 0 {
			p.warnings = addWarning(p.warnings, Warning{Line: g.line, Message: g.message, Figure: g.figure})
			continue
		}
		p.printed.Problems = append(p.printed.Problems, g.message)
	}
}

func orNone(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return "none"
	}
	return s
}
