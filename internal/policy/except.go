package policy

import (
	"time"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// excepted reports whether an active exception covers the parameter.
func (p *Policy) excepted(criterion string, id scorecard.ParameterID, now time.Time) bool {
	for _, e := range p.Exceptions {
		if e.Criterion == criterion && (e.Parameter == "" || e.Parameter == id) && e.Active(now) {
			return true
		}
	}
	return false
}

// without leaves out the criteria that are excepted as a whole.
func (p *Policy) without(ids []string, now time.Time) []string {
	var out []string
	for _, id := range ids {
		if !p.excepted(id, "", now) {
			out = append(out, id)
		}
	}
	return out
}

// waiting lists the criteria that need review for a parameter, or for something
// else, that no exception covers.
func (p *Policy) waiting(o *outcome.Outcome, now time.Time) []string {
	var out []string
	for i := range o.Criteria {
		c := &o.Criteria[i]
		if c.Verdict != outcome.NeedsReview {
			continue
		}
		open := func(q *outcome.Parameter) bool { return q.NeedsReview && !p.excepted(c.ID, q.ID, now) }
		if anyParameter(c, open) || !hasReview(c) {
			out = append(out, c.ID)
		}
	}
	return out
}

// lost returns by how much the total fell, in thousandths, without what active
// exceptions forgive, and how much that is. A rise of one criterion makes up for
// the fall of another, as it does in the total.
func (p *Policy) lost(o *outcome.Outcome, now time.Time) (lost, forgiven int) {
	for i := range o.Criteria {
		c := &o.Criteria[i]
		drop := c.Score.Before - c.Score.After
		if drop > 0 {
			counted := p.unforgiven(o, c, drop, now)
			forgiven += drop - counted
			drop = counted
		}
		lost += drop
	}
	return max(0, lost), forgiven
}

// unforgiven returns how much of the criterion's drop no exception covers: the
// drop that would be left if the excepted parameters stood as before.
func (p *Policy) unforgiven(o *outcome.Outcome, c *outcome.Criterion, drop int, now time.Time) int {
	if p.excepted(c.ID, "", now) {
		return 0
	}
	if o.Before == nil || o.After == nil {
		return drop
	}
	was, is := o.Before.ByID(c.ID), o.After.ByID(c.ID)
	if was == nil || is == nil {
		return drop
	}
	restored := is.Clone()
	for i := range restored.Mechanisms {
		m := &restored.Mechanisms[i]
		old := was.ByKind(m.Kind)
		if old == nil {
			continue
		}
		for _, id := range scorecard.ParameterIDs {
			if p.excepted(c.ID, id, now) {
				*m.ByID(id) = *old.ByID(id)
			}
		}
	}
	return min(drop, max(0, c.Score.Before-restored.Score()))
}
