package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// maxTitleNames is how many criteria a title names before it counts the rest.
const maxTitleNames = 3

// Title returns the outcome in one line of plain words: the total before and
// after, and why. It holds nothing of the repository but criterion ids.
func Title(o *outcome.Outcome) string {
	figure, still := totals(o.Score)
	parts := changes(o)
	switch n := touched(o); {
	case n == 0:
		return figure + ", nothing it rests on changed"
	case len(parts) == 0 && still:
		return fmt.Sprintf("%s holds: %s re-verified", figure, criteria(n))
	case len(parts) == 0:
		return figure
	case still && slices.ContainsFunc(o.Criteria, unsettled):
		return figure + " unchanged: " + strings.Join(parts, ", ")
	case still:
		return figure + " holds: " + strings.Join(parts, ", ")
	}
	return figure + ": " + strings.Join(parts, ", ")
}

// unsettled reports whether the criterion fell or waits for somebody, although
// the total may not show it.
func unsettled(c outcome.Criterion) bool {
	return c.Verdict == outcome.NeedsReview || anyParameter(&c, fellBack)
}

// totals prints the span of the total, and tells whether it stands still.
func totals(s outcome.Span) (figure string, still bool) {
	before, low, high := scorecard.Format1(s.Before), scorecard.Format1(s.Low), scorecard.Format1(s.High)
	if low == high && low == before {
		return before, true
	}
	if low == high {
		return before + " → " + low, false
	}
	return before + " → " + low + ".." + high, false
}

func criteria(n int) string {
	if n == 1 {
		return "1 criterion"
	}
	return fmt.Sprintf("%d criteria", n)
}

// changes says what happened, worst first, each criterion once.
func changes(o *outcome.Outcome) []string {
	var fallen, waiting, risen, improved, capped, recapped, rest []string
	for i := range o.Criteria {
		c := &o.Criteria[i]
		settledFall := func(q *outcome.Parameter) bool { return fellBack(q) && !q.NeedsReview }
		rise := func(q *outcome.Parameter) bool { return rankOf(q.After) > rankOf(q.Before) }
		switch {
		case anyParameter(c, settledFall):
			fallen = append(fallen, c.ID)
		case c.Verdict == outcome.NeedsReview:
			waiting = append(waiting, c.ID)
		case anyParameter(c, rise):
			risen = append(risen, c.ID)
		case c.CapBefore != c.CapAfter:
			recapped = append(recapped, c.ID)
		case slices.Contains(c.Flags, outcome.CapInQuestion):
			capped = append(capped, c.ID)
		case slices.Contains(c.Flags, outcome.PossibleImprovement):
			improved = append(improved, c.ID)
		case c.Verdict == outcome.Rejudged:
			rest = append(rest, c.ID)
		}
	}
	var parts []string
	for _, x := range []struct {
		ids       []string
		one, many string
	}{
		{fallen, "fell", "fell"},
		{waiting, "needs review", "need review"},
		{recapped, "has another cap", "have other caps"},
		{capped, "has its cap in question", "have their caps in question"},
		{risen, "rose", "rose"},
		{improved, "may have improved", "may have improved"},
		{rest, "was rejudged", "were rejudged"},
	} {
		if len(x.ids) > 0 {
			parts = append(parts, few(x.ids)+" "+number(x.ids, x.one, x.many))
		}
	}
	return parts
}

// few names the first criteria and counts the rest.
func few(ids []string) string {
	if len(ids) > maxTitleNames {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:maxTitleNames], ", "), len(ids)-maxTitleNames)
	}
	return names(ids)
}
