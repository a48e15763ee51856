package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Text returns the outcome for a terminal: the verdict first, then what changed,
// the re-audit log, what was carried, and what to do. width is in columns, 0 for
// 80; color adds ANSI colours.
func Text(o *outcome.Outcome, width int, color bool) string {
	t := newTerminal(width, color)
	v := newView(o)
	t.verdict(o)
	for _, r := range v.rows {
		t.row(r)
	}
	if v.review {
		t.blank()
		t.para("", reviewLegend)
	}
	t.broken(v)
	t.noted(v)
	t.head("Re-audit log")
	t.log(o)
	t.unchanged(v)
	t.extra(v)
	if len(v.next) > 0 {
		t.head("What to do")
		for _, s := range v.next {
			t.para("  - ", line(s))
		}
	}
	return t.String()
}

func (t *terminal) verdict(o *outcome.Outcome) {
	p := green
	switch o.Conclusion {
	case outcome.Neutral:
		p = yellow
	case outcome.Failure:
		p = red
	}
	t.raw(t.painted(bold, line(verdict(o))))
	head := string(o.Conclusion)
	if head == "" {
		head = "no conclusion"
	}
	t.raw(t.painted(p, head) + ", band " + line(band(o)) + ", " + line(short(o.Base)) + ".." + line(short(o.Head)))
	for i, r := range o.Reasons {
		if i == maxReasonsShown {
			t.para("  - ", "and "+plural(len(o.Reasons)-i, "more reason"))
			break
		}
		t.para("  - ", line(sentence(r)))
	}
}

// row writes a changed mechanism: its head line, then its four levels.
func (t *terminal) row(r row) {
	t.head(rowTitle(r))
	score, limit := "not counted", ""
	if r.kind == r.c.Counted {
		score, limit = criterionScore(r.c.Score), capPlain(r.c)
	}
	t.raw("  " + score + "  " + verdictWords(r.c.Verdict) + limit)
	var cells []string
	for i, c := range r.cells {
		if c.after != "" {
			cells = append(cells, string(scorecard.ParameterIDs[i])+" "+t.cell(c))
		}
	}
	if len(cells) > 0 {
		t.raw("  " + strings.Join(cells, "   "))
	}
}

func capPlain(c *outcome.Criterion) string {
	name := func(id string) string {
		if id == "" {
			return "none"
		}
		return label(id)
	}
	switch {
	case c.CapBefore != c.CapAfter:
		return "  cap " + name(c.CapBefore) + arrow + name(c.CapAfter)
	case c.CapAfter != "":
		return "  cap " + name(c.CapAfter)
	}
	return ""
}

func (t *terminal) cell(c cell) string {
	s := c.after
	if c.before != c.after {
		s = c.before + arrow + c.after
	}
	switch {
	case c.review:
		s += " ?"
	case c.inferred:
		s += " inferred"
	}
	switch {
	case c.fell:
		return t.painted(red, s)
	case c.rose:
		return t.painted(green, s)
	case c.changed():
		return t.painted(yellow, s)
	}
	return s
}

// noted writes what is to be known of evidence that holds.
func (t *terminal) noted(v *view) {
	var notes []string
	for _, g := range v.noted {
		notes = append(notes, itemLine(g.item)+" ("+list(g.names(), maxNamed)+"). "+line(why(g.item)))
	}
	t.items(notedHead, notes)
}

// broken writes the evidence that no longer holds, with the lines behind it.
func (t *terminal) broken(v *view) {
	if len(v.broken) == 0 {
		return
	}
	t.head("Evidence that no longer holds")
	for _, g := range v.broken {
		t.para("  - ", itemLine(g.item))
		if w := why(g.item); w != "" {
			t.para("    ", line(w))
		}
		t.para("    ", "Rests on it: "+list(g.names(), 2*maxNamed)+".")
		for _, l := range changedLines(g.item) {
			p := dim
			switch {
			case strings.HasPrefix(l, "-"):
				p = red
			case strings.HasPrefix(l, "+"):
				p = green
			}
			t.raw("      " + t.painted(p, l))
		}
	}
}

// itemLine tells in one line what became of an evidence item.
func itemLine(it *outcome.Item) string {
	var s string
	if it.Before.IsSearch() {
		s = fmt.Sprintf("%s in %s: %s", field(it.Before.Search), field(it.Before.Scope), it.State)
		if it.Before.Hits != it.After.Hits {
			s += ", " + strconv.Itoa(it.Before.Hits) + arrow + plural(it.After.Hits, "hit")
		}
	} else {
		s = citation(it.Before) + " " + string(it.State)
		if e, ok := atHead(it); ok && citation(e) != citation(it.Before) {
			s += arrow + citation(e)
		}
	}
	if it.Ambiguous {
		s += " (two places are equally good)"
	}
	return s
}

func (t *terminal) log(o *outcome.Outcome) {
	if len(o.Log) == 0 {
		t.raw("  No changes.")
		return
	}
	for _, e := range o.Log {
		s := logWords(e) + "."
		if e.Reason != "" {
			s += " " + sentence(e.Reason)
		}
		if by := decided(e.By); by != "" {
			s += " (" + by + ")"
		}
		t.para("  - ", line(s))
	}
}

func (t *terminal) unchanged(v *view) {
	if len(v.reverified) > 0 {
		t.head("Re-verified, everything holds")
		t.para("  ", heldWords(v.reverified))
	}
	if len(v.carried) > 0 {
		t.head("Carried over, untouched")
		for _, b := range v.carried {
			s := strings.Join(b.ids, ", ")
			if b.from != "" {
				s += " from " + line(short(b.from))
			}
			t.para("  ", s)
		}
	}
}

// extra writes what is worth a look although no level moved.
func (t *terminal) extra(v *view) {
	var moved []string
	for _, g := range v.moved {
		moved = append(moved, itemLine(g.item)+" ("+list(g.names(), maxNamed)+")")
	}
	t.items("Evidence that moved and still holds", moved)
	var watch []string
	for _, w := range v.o.Watch {
		watch = append(watch, line(w.Criterion)+": "+path(w.File)+":"+strconv.Itoa(w.Line)+" "+line(sentence(w.Signal)))
	}
	t.items("Changed lines that may bear on a criterion, cited nowhere", watch)
	var prose []string
	for _, p := range v.prose {
		prose = append(prose, line(p.Where)+": "+field(p.Before)+" "+string(p.State)+". "+line(sentence(p.Reason)))
	}
	t.items("Places named in the card's prose", prose)
}

func (t *terminal) items(head string, lines []string) {
	if len(lines) == 0 {
		return
	}
	t.head(head)
	for _, l := range lines {
		t.para("  - ", strings.TrimSpace(l))
	}
}
