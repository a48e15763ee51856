package report

import (
	"cmp"
	"slices"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// use is one place of the card that rests on an evidence item.
type use struct {
	criterion string
	kind      scorecard.MechanismKind
	parameter scorecard.ParameterID
	gap       bool
	weight    int // of what became of it, lowest first
}

// Weights of what became of a rating whose evidence broke.
const (
	weightFell = iota
	weightReview
	weightImprovement
	weightNone
)

func (u use) String() string {
	if u.gap {
		return u.criterion + " critical gap"
	}
	return place(u.criterion, u.kind, u.parameter)
}

// group is one evidence item with all places of the card that rest on it: the
// same lines are often cited for several parameters, and a reader wants to read
// them once.
type group struct {
	item   *outcome.Item
	uses   []use
	weight int // lowest of its uses
}

// names lists the places that rest on the item.
func (g group) names() []string {
	var out []string
	for _, u := range g.uses {
		if s := u.String(); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

type groupKey struct {
	file, lines, search, scope string
	state                      outcome.State
	afterFile, afterLines      string
}

// groups returns the items that no longer hold, worst first, those that hold with
// something to know about them, and the others that hold but not as they stood, by
// place. Equal items are one group.
func groups(o *outcome.Outcome) (broken, noted, moved []group) {
	at := map[groupKey]int{}
	var all []group
	for i := range o.Criteria {
		eachItem(&o.Criteria[i], func(u use, it *outcome.Item) {
			k := groupKey{
				it.Before.File, it.Before.Lines.String(), it.Before.Search, it.Before.Scope,
				it.State, it.After.File, it.After.Lines.String(),
			}
			n, known := at[k]
			if !known {
				n = len(all)
				at[k] = n
				all = append(all, group{item: it, weight: u.weight})
			}
			all[n].uses = append(all[n].uses, u)
			all[n].weight = min(all[n].weight, u.weight)
		})
	}
	for _, g := range all {
		switch {
		case !g.item.State.Holds():
			broken = append(broken, g)
		case g.item.Reason != "":
			noted = append(noted, g)
		case g.item.State != outcome.Intact:
			moved = append(moved, g)
		}
	}
	slices.SortStableFunc(broken, compareGroups)
	slices.SortStableFunc(noted, compareGroups)
	slices.SortStableFunc(moved, compareGroups)
	return broken, noted, moved
}

func compareGroups(a, b group) int {
	return cmp.Or(
		cmp.Compare(a.weight, b.weight),
		cmp.Compare(stateRank(a.item.State), stateRank(b.item.State)),
		cmp.Compare(a.item.Before.File, b.item.Before.File),
		cmp.Compare(a.item.Before.Lines.First, b.item.Before.Lines.First),
		cmp.Compare(a.item.Before.Lines.Last, b.item.Before.Lines.Last),
		cmp.Compare(a.item.Before.Search, b.item.Before.Search),
		cmp.Compare(a.item.Before.Scope, b.item.Before.Scope),
	)
}

// eachItem visits every evidence item of a criterion, its critical gaps included.
func eachItem(c *outcome.Criterion, visit func(use, *outcome.Item)) {
	for i := range c.Mechanisms {
		m := &c.Mechanisms[i]
		for j := range m.Parameters {
			p := &m.Parameters[j]
			u := use{criterion: c.ID, kind: m.Kind, parameter: p.ID}
			for k := range p.Items {
				u.weight = weigh(c, p, &p.Items[k])
				visit(u, &p.Items[k])
			}
		}
	}
	for i := range c.Gaps {
		for k := range c.Gaps[i].Items {
			it := &c.Gaps[i].Items[k]
			visit(use{criterion: c.ID, gap: true, weight: weigh(c, nil, it)}, it)
		}
	}
}

func weigh(c *outcome.Criterion, p *outcome.Parameter, it *outcome.Item) int {
	switch {
	case it.State.Holds():
		return weightNone
	case p != nil && p.NeedsReview:
		return weightReview
	case p != nil && fell(p):
		return weightFell
	case slices.Contains(c.Flags, outcome.PossibleImprovement):
		return weightImprovement
	}
	return weightNone
}
