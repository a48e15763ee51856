package report

import (
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

type outcomeHTML struct {
	Page                     page
	Repo, Title, Total, Band string
	Conclusion, Color        string
	Reverified, Scorer       string
	Base, Head               placeHTML
	Reasons, Next            [][]span
	Parameters               []rubric.ParameterSpec
	Rows                     []rowHTML
	Review                   string
	Broken, Noted, Moved     []itemHTML
	Log                      []logHTML
	Carried                  []batchHTML
	Findings                 []factHTML
	Watch, Prose             []noteHTML
}

type rowHTML struct {
	Name, Score, Cap, Outcome string
	Cells                     [4]cellHTML
}

type cellHTML struct {
	Before, After, Mark, URL string
}

type itemHTML struct {
	Search, Scope, State, Hits, RestsOn string
	Was, Now                            placeHTML
	Ambiguous                           bool
	Reason                              []span
	Lines                               []lineHTML
}

type lineHTML struct{ Class, Text string }

type batchHTML struct {
	IDs  string
	From placeHTML
}

type noteHTML struct {
	Name  string
	Place placeHTML
	Text  []span
}

// Limits of a page, so that a hostile outcome cannot make one without end.
const (
	maxPageItems = 1_000
	maxPageLog   = 1_000
)

// pager fills a page from a view.
type pager struct {
	v          *view
	base, head linker
}

// OutcomeHTML returns the outcome as one self-contained page, in the manner of
// CardHTML. opts are those of Comment; only RepoURL and Commands matter.
func OutcomeHTML(o *outcome.Outcome, opts Options) ([]byte, error) {
	repo := opts.RepoURL
	if repo == "" {
		repo = o.Repo
	}
	p := pager{v: newView(o), base: newLinker(repo, o.Base), head: newLinker(repo, o.Head)}
	title := line(verdict(o))
	out := outcomeHTML{
		Page: newPage(title), Repo: field(repo), Title: title, Total: total(o.Score), Band: line(band(o)),
		Conclusion: string(o.Conclusion), Color: conclusionColor(o.Conclusion),
		Base: placeHTML{field(short(o.Base)), p.base.tree()}, Head: placeHTML{field(short(o.Head)), p.head.tree()},
		Parameters: rubric.Method().Parameters,
		Scorer: "Rescore " + line(o.Scorer.Version) + ", rubric " + line(o.Scorer.Rubric) +
			", judges " + line(strings.Join(o.Scorer.Judges, ", ")) + ", card of " + field(short(o.CardCommit)) + reviewed(o) + ".",
	}
	if len(p.v.reverified) > 0 {
		out.Reverified = heldWords(p.v.reverified)
	}
	p.opening(&out, opts)
	p.rows(&out)
	p.lists(&out)
	if p.v.review {
		out.Review = reviewLegend
	}
	return execute("outcome.tmpl", out)
}

func conclusionColor(c outcome.Conclusion) string {
	switch c {
	case outcome.Failure:
		return "red"
	case outcome.Neutral:
		return "amber"
	}
	return "green"
}

// opening fills reasons and steps.
func (p pager) opening(out *outcomeHTML, opts Options) {
	for _, s := range p.v.o.Reasons {
		out.Reasons = append(out.Reasons, spans(line(sentence(s))))
	}
	for _, s := range p.v.next {
		out.Next = append(out.Next, spans(s))
	}
	if ids := p.v.askAgain(); opts.Commands && len(ids) > 0 {
		out.Next = append(out.Next, spans(askWords(ids)))
	}
}

func (p pager) rows(out *outcomeHTML) {
	for _, r := range p.v.rows {
		h := rowHTML{Name: rowTitle(r), Score: "not counted", Outcome: verdictWords(r.c.Verdict)}
		if r.kind == r.c.Counted {
			h.Score, h.Cap = criterionScore(r.c.Score), strings.TrimSpace(capPlain(r.c))
		}
		for i, c := range r.cells {
			h.Cells[i] = p.cell(c)
			if c.changed() && c.rating.Finding != "" {
				out.Findings = append(out.Findings, factHTML{
					place(r.c.ID, r.kind, c.rating.ID) + " " + c.before, spans(line(sentence(c.rating.Finding))),
				})
			}
		}
		out.Rows = append(out.Rows, h)
	}
}

func (p pager) cell(c cell) cellHTML {
	h := cellHTML{After: c.after}
	if c.before != c.after {
		h.Before = c.before
	}
	switch {
	case c.review:
		h.Mark = "?"
	case c.inferred:
		h.Mark = "inferred"
	}
	if c.evidence != nil {
		h.URL = p.head.lines(*c.evidence)
	}
	return h
}

// lists fills the evidence, the log, what was carried, and the notes.
func (p pager) lists(out *outcomeHTML) {
	out.Broken, out.Noted, out.Moved = p.items(p.v.broken), p.items(p.v.noted), p.items(p.v.moved)
	for _, e := range bounded(p.v.o.Log, maxPageLog) {
		reason := sentence(e.Reason)
		if by := decided(e.By); by != "" {
			reason += " (" + by + ")"
		}
		out.Log = append(out.Log, logHTML{field(logWords(e)), spans(line(reason))})
	}
	for _, b := range p.v.carried {
		out.Carried = append(out.Carried, batchHTML{strings.Join(b.ids, ", "), placeHTML{Text: field(short(b.from))}})
	}
	for _, w := range bounded(p.v.o.Watch, maxPageItems) {
		e := lineEvidence(outcome.Line{File: w.File, Line: w.Line})
		out.Watch = append(out.Watch, noteHTML{field(w.Criterion), p.at(e), spans(line(sentence(w.Signal)))})
	}
	for _, r := range bounded(p.v.prose, maxPageItems) {
		text := string(r.State) + ". " + sentence(r.Reason)
		out.Prose = append(out.Prose, noteHTML{field(r.Where), placeHTML{Text: field(r.Before)}, spans(line(text))})
	}
}

func bounded[T any](in []T, limit int) []T { return in[:min(len(in), limit)] }

func (p pager) at(e scorecard.Evidence) placeHTML { return placeHTML{citation(e), p.head.lines(e)} }

func (p pager) items(groups []group) []itemHTML {
	var out []itemHTML
	for _, g := range bounded(groups, maxPageItems) {
		it := g.item
		h := itemHTML{State: string(it.State), Ambiguous: it.Ambiguous,
			Reason: spans(line(why(it))), RestsOn: list(g.names(), 2*maxNamed)}
		if it.Before.IsSearch() {
			h.Search, h.Scope = field(it.Before.Search), field(it.Before.Scope)
			if it.Before.Hits != it.After.Hits {
				h.Hits = strconv.Itoa(it.Before.Hits) + arrow + plural(it.After.Hits, "hit")
			}
		} else {
			h.Was = placeHTML{citation(it.Before), p.base.lines(it.Before)}
			if e, ok := atHead(it); ok && citation(e) != citation(it.Before) {
				h.Now = p.at(e)
			}
		}
		if !it.State.Holds() {
			h.Lines = diffLines(it)
		}
		out = append(out, h)
	}
	return out
}

func diffLines(it *outcome.Item) []lineHTML {
	var out []lineHTML
	for _, l := range changedLines(it) {
		class := "soft"
		switch {
		case strings.HasPrefix(l, "-"):
			class = "old"
		case strings.HasPrefix(l, "+"):
			class = "new"
		}
		out = append(out, lineHTML{class, l})
	}
	return out
}

// rowTitle names a row in plain text.
func rowTitle(r row) string {
	name := label(r.c.ID) + " " + criterionName(r.c)
	if r.both {
		name += " (" + string(r.kind) + ")"
	}
	return name
}
