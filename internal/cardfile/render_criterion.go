package cardfile

import (
	"strconv"

	"github.com/rescore-app/rescore/internal/scorecard"
)

func (r *renderer) criterion(c *scorecard.Criterion) {
	n := criterionNumber(c.ID)
	blank := 1
	k := key{kind: kCriterion, a: n}
	r.lit("### " + c.ID + " ")
	r.field(tName, oneLine(c.Name))
	r.either(k, " — ", ": ")
	r.field(tFigure, scorecard.Format2(c.Score()))
	r.lit(" (")
	r.field(tConfidence, string(c.Confidence()))
	r.either(k, ")", " confidence)")
	r.end(k, blank)

	for j, l := range textLines(c.Summary) {
		r.field(tText, l)
		r.end(key{kind: kSummary, a: n, b: j}, blank)
		blank = 0
	}
	r.blankNext(1)
	if c.Absent() {
		r.absence(n, c)
	} else {
		r.mechanisms(n, c)
		r.cap(n, c)
	}
	if c.Notes != "" {
		r.bullet("", "- **Notes:** ")
		r.field(tText, oneLine(c.Notes))
		r.end(key{kind: kNotes, a: n}, 0)
	}
	r.blankDone()
}

// blankNext and blankDone give the first line between them its blank lines.
func (r *renderer) blankNext(n int) { r.pending, r.mark = n, len(r.out) }

func (r *renderer) blankDone() {
	if r.mark < len(r.out) {
		r.out[r.mark].blank = r.pending
	}
}

// bullet begins a list line whose indentation belongs to the card's shape.
func (r *renderer) bullet(indent, text string) {
	r.field(tIndent, indent)
	r.lit(text)
}

func (r *renderer) absence(n int, c *scorecard.Criterion) {
	r.bullet("", "- **Structural absence:** ")
	r.evidence(c.AbsenceEvidence)
	r.end(key{kind: kAbsence, a: n}, 0)
}

func (r *renderer) mechanisms(n int, c *scorecard.Criterion) {
	heads := len(c.Mechanisms) > 1 || r.form.printsMechanism(n)
	counted := c.Counted()
	indent := ""
	for i := range c.Mechanisms {
		m := &c.Mechanisms[i]
		if heads {
			r.mechanism(key{kind: kMechanism, a: n, b: i}, m, m == counted && len(c.Mechanisms) > 1)
			indent = "  "
		}
		for j := range m.Parameters {
			r.parameter(key{kind: kParameter, a: n, b: i, c: j}, &m.Parameters[j], indent)
		}
	}
}

func (r *renderer) mechanism(k key, m *scorecard.Mechanism, counted bool) {
	r.bullet("", "- **")
	r.field(tText, oneLine(m.Label))
	r.lit("** (" + string(m.Kind) + "; raw ")
	r.field(tFigure, scorecard.Format2(m.Raw()))
	limit := ""
	if c, _, ok := m.EffectiveCap(); ok {
		limit = ", cap " + c.ID
	}
	r.field(tCap, limit)
	r.lit(arrow)
	r.field(tFigure, scorecard.Format2(m.Score()))
	r.lit(")")
	if counted {
		r.field(tMark, countedMark)
	} else {
		r.field(tMark, "")
	}
	r.end(k, 0)
}

func (r *renderer) parameter(k key, p *scorecard.Parameter, indent string) {
	r.bullet(indent, "- **"+string(p.ID)+" ")
	r.field(tLevel, p.LevelString())
	r.lit(":** ")
	r.field(tText, oneLine(p.Finding))
	if len(p.Evidence) > 0 {
		r.either(k, " — ", " Evidence: ")
		r.evidence(p.Evidence)
	}
	r.lit(" (")
	r.field(tStatus, string(p.Status))
	r.lit(")")
	r.end(k, 0)
	if p.Gap == "" {
		return
	}
	k.kind = kNext
	r.bullet(indent+"  ", "- *To reach the next level:* ")
	r.field(tText, oneLine(p.Gap))
	r.end(k, 0)
}

func (r *renderer) cap(n int, c *scorecard.Criterion) {
	k := key{kind: kCap, a: n}
	r.bullet("", "- **Cap:** ")
	limit, _, ok := c.EffectiveCap()
	if !ok {
		r.field(tNoCap, "none")
		r.end(k, 0)
		return
	}
	r.field(tCap, limit.ID)
	if limit.Reason != "" {
		r.either(k, " — ", ": ")
		r.field(tReason, oneLine(limit.Reason))
	}
	r.end(k, 0)
}

// evidence writes items separated by semicolons.
func (r *renderer) evidence(items []scorecard.Evidence) {
	for i, e := range items {
		if i > 0 {
			r.lit("; ")
		}
		if e.IsSearch() {
			r.search(e)
		} else {
			r.citation(e)
		}
		note := ""
		if e.Note != "" {
			note = " (" + oneLine(e.Note) + ")"
		}
		r.field(tNote, note)
	}
}

func (r *renderer) citation(e scorecard.Evidence) {
	r.lit("[")
	r.field(tFile, e.File)
	r.lit(":")
	r.field(tLines, e.Lines.String())
	r.lit("](")
	r.field(tLinkBase, r.card.RepoURL)
	r.lit("/blob/")
	r.field(tLinkCommit, r.card.PinnedCommit)
	r.lit("/")
	r.field(tLinkPath, scorecard.EscapePath(e.File))
	r.field(tLinkLines, scorecard.Fragment(e.Lines))
	r.lit(")")
}

func (r *renderer) search(e scorecard.Evidence) {
	r.lit("searched `")
	r.field(tCommand, e.Search)
	r.lit("`")
	if e.Scope != "" {
		r.lit(" in `")
		r.field(tScope, e.Scope)
		r.lit("`")
	}
	r.lit(arrow)
	r.field(tHits, strconv.Itoa(e.Hits))
	r.lit(" hits")
}
