package report

import (
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// view is an outcome arranged for a reader. All renderers draw from it. Its
// texts are still as the repository wrote them: each renderer escapes.
type view struct {
	o          *outcome.Outcome
	review     bool    // a row has a level that waits for somebody
	rows       []row   // changed criteria, one row a mechanism
	reverified []held  // touched criteria of which everything holds
	carried    []batch // untouched criteria by the commit they are carried from
	broken     []group // evidence that no longer holds, worst first
	noted      []group // touched evidence that holds, with something to know about it
	moved      []group // other touched evidence that holds elsewhere now, by place
	improved   []string
	caps       []string
	prose      []outcome.ProseRef // tokens in prose that a person has to look at
	next       []string
}

// row is one mechanism of a changed criterion.
type row struct {
	c     *outcome.Criterion
	kind  scorecard.MechanismKind
	both  bool // the criterion has two mechanisms
	cells [4]cell
}

// cell is one parameter of a row.
type cell struct {
	rating        scorecard.Parameter // as the card had it
	before, after string              // levels
	review        bool
	inferred      bool // became inferred
	fell, rose    bool
	evidence      *scorecard.Evidence // where at head to look; nil when nowhere
}

// held is a re-verified criterion.
type held struct {
	id                        string
	items, moved, reformatted int
}

// batch is criteria carried from one commit.
type batch struct {
	from string
	ids  []string
}

func newView(o *outcome.Outcome) *view {
	v := &view{o: o}
	for i := range o.Criteria {
		v.add(&o.Criteria[i])
	}
	v.broken, v.noted, v.moved = groups(o)
	for _, p := range o.Prose {
		if !p.State.Holds() {
			v.prose = append(v.prose, p)
		}
	}
	v.next = nextSteps(v)
	return v
}

func (v *view) add(c *outcome.Criterion) {
	if slices.Contains(c.Flags, outcome.PossibleImprovement) {
		v.improved = append(v.improved, c.ID)
	}
	if slices.Contains(c.Flags, outcome.CapInQuestion) {
		v.caps = append(v.caps, c.ID)
	}
	switch c.Verdict {
	case outcome.Carried:
		v.carry(c)
	case outcome.Reverified:
		v.reverified = append(v.reverified, holdOf(c))
	default:
		for i := range c.Mechanisms {
			r := newRow(c, &c.Mechanisms[i], len(c.Mechanisms) > 1)
			v.review = v.review || slices.ContainsFunc(r.cells[:], func(c cell) bool { return c.review })
			v.rows = append(v.rows, r)
		}
		if len(c.Mechanisms) == 0 { // only its cap or its score changed
			v.rows = append(v.rows, row{c: c, kind: c.Counted})
		}
	}
}

func (v *view) carry(c *outcome.Criterion) {
	for i := range v.carried {
		if v.carried[i].from == c.CarriedFrom {
			v.carried[i].ids = append(v.carried[i].ids, c.ID)
			return
		}
	}
	v.carried = append(v.carried, batch{from: c.CarriedFrom, ids: []string{c.ID}})
}

func holdOf(c *outcome.Criterion) held {
	h := held{id: c.ID}
	eachItem(c, func(_ use, it *outcome.Item) {
		h.items++
		switch it.State {
		case outcome.Moved:
			h.moved++
		case outcome.Reformatted:
			h.reformatted++
		}
	})
	return h
}

func newRow(c *outcome.Criterion, m *outcome.Mechanism, both bool) row {
	r := row{c: c, kind: m.Kind, both: both}
	for i := range m.Parameters {
		p := &m.Parameters[i]
		if at := slices.Index(scorecard.ParameterIDs[:], p.ID); at >= 0 {
			r.cells[at] = newCell(p)
		}
	}
	return r
}

func newCell(p *outcome.Parameter) cell {
	c := cell{
		rating:   p.Before,
		before:   p.Before.LevelString(),
		after:    p.After.LevelString(),
		review:   p.NeedsReview,
		inferred: p.After.Status == scorecard.Inferred && p.Before.Status != scorecard.Inferred,
		fell:     fell(p),
		rose:     rose(p),
	}
	if c.changed() {
		c.evidence = whereToLook(p.Items)
	}
	return c
}

// changed reports whether a reader has to look at the parameter.
func (c cell) changed() bool {
	return c.before != c.after || c.review || c.inferred
}

// rank orders levels; an absence proven counts as L4 in the arithmetic, and
// losing the proof is a fall even to L4.
func rank(p scorecard.Parameter) int {
	if p.SA {
		return int(scorecard.MaxLevel) + 1
	}
	return int(p.Level)
}

// fell reports whether the parameter's level is lower at head than before.
// Structural absence stands above L4.
func fell(p *outcome.Parameter) bool { return rank(p.After) < rank(p.Before) }

// rose reports whether the parameter's level is higher at head than before.
func rose(p *outcome.Parameter) bool { return rank(p.After) > rank(p.Before) }

// whereToLook returns the first item that changed and still stands somewhere at
// head, a broken one before one that holds.
func whereToLook(items []outcome.Item) *scorecard.Evidence {
	var found *scorecard.Evidence
	best := stateRank(outcome.Intact) + 1
	for i := range items {
		at, ok := atHead(&items[i])
		if r := stateRank(items[i].State); ok && r < best {
			found, best = &at, r
		}
	}
	return found
}

// atHead returns where at head an item can be seen: the cited lines, or for a
// search the first line that is new.
func atHead(it *outcome.Item) (scorecard.Evidence, bool) {
	if it.State == outcome.Gone || it.State == outcome.Unverifiable {
		return scorecard.Evidence{}, false
	}
	if !it.After.IsSearch() {
		return it.After, true
	}
	if len(it.New) > 0 && it.New[0].Line > 0 {
		return lineEvidence(it.New[0]), true
	}
	return scorecard.Evidence{}, false
}

func lineEvidence(l outcome.Line) scorecard.Evidence {
	return scorecard.Evidence{File: l.File, Lines: scorecard.LineRange{First: l.Line, Last: l.Line}}
}

// under returns the ids of the criteria with the verdict.
func (v *view) under(want outcome.Verdict) []string {
	var ids []string
	for i := range v.o.Criteria {
		if v.o.Criteria[i].Verdict == want {
			ids = append(ids, v.o.Criteria[i].ID)
		}
	}
	return ids
}

// logWords returns a log entry without its reason: "C4 S: L2 → L0".
func logWords(e outcome.LogEntry) string {
	return place(e.Criterion, e.Mechanism, e.Parameter) + ": " + e.From + arrow + e.To
}

// decided says who decided: "by evidence", "" when nobody is named.
func decided(by string) string {
	if strings.TrimSpace(by) == "" {
		return ""
	}
	return "by " + by
}
