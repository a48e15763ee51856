package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Kinds of reason, worst first.
const (
	forbidden = iota // the policy file says that it fails
	fell
	gap
	review
	capped
	improvement
	rose
	other
	told // exceptions and notes: never decide anything
)

// reason is one sentence on the conclusion.
type reason struct {
	kind int
	text string
}

// Apply decides and writes conclusion, reasons and title into the outcome.
func (p *Policy) Apply(o *outcome.Outcome, now time.Time) {
	o.Conclusion, o.Reasons = p.Decide(o, now)
	o.Title = Title(o)
}

// Decide returns the check's conclusion and the reasons for it, worst first.
//
// Without a policy file a check never fails: it is a success when nothing is
// touched or everything holds, and neutral otherwise. It fails when the file
// says so, and no exception that is still active covers the cause. In a dry run
// what would fail is told and the check is neutral.
func (p *Policy) Decide(o *outcome.Outcome, now time.Time) (outcome.Conclusion, []string) {
	reasons := slices.Concat(p.forbids(o, now), p.observed(o, now), p.told(o, now))
	slices.SortStableFunc(reasons, func(a, b reason) int { return cmp.Compare(a.kind, b.kind) })
	conclusion := outcome.Success
	for _, r := range reasons {
		switch {
		case r.kind == told:
		case r.kind == forbidden && !p.DryRun:
			conclusion = outcome.Failure
		case conclusion == outcome.Success:
			conclusion = outcome.Neutral
		}
	}
	texts := make([]string, 0, len(reasons))
	for _, r := range reasons {
		text := r.text
		if r.kind == forbidden && p.DryRun {
			text = "Dry run, would fail: " + text
		}
		texts = append(texts, text)
	}
	return conclusion, texts
}

// forbids lists what the policy file makes fail.
func (p *Policy) forbids(o *outcome.Outcome, now time.Time) []reason {
	var out []reason
	fail := func(format string, args ...any) {
		out = append(out, reason{forbidden, fmt.Sprintf(format, args...)})
	}
	if lost, forgiven := p.lost(o, now); p.FailOn.Drop > 0 && lost >= p.FailOn.Drop {
		note := ""
		if forgiven > 0 {
			note = fmt.Sprintf(" (%s more is excepted)", points(forgiven))
		}
		fail("The total fell by %s%s; the policy allows less than %s.", points(lost), note, points(p.FailOn.Drop))
	}
	if m := p.FailOn.Minimum; m > 0 && 100*scorecard.Tenths(o.Score.After) < m {
		fail("The total is %s, below the %s that the policy asks for.", scorecard.Format1(o.Score.After), points(m))
	}
	if p.FailOn.NewCriticalGap {
		if ids := p.without(o.NewGaps, now); len(ids) > 0 {
			fail("%s %s a critical gap that %s not owe before.", names(ids), owe(ids), did(ids))
		}
	}
	if p.FailOn.NeedsReview {
		if ids := p.without(p.waiting(o, now), now); len(ids) > 0 {
			fail("%s %s review, and the policy does not let that pass.", names(ids), need(ids))
		}
	}
	eachParameter(o, func(c *outcome.Criterion, m *outcome.Mechanism, q *outcome.Parameter) {
		if p.guarded(c.ID, q, now) {
			unproven := ""
			if q.NeedsReview {
				unproven = " until somebody has looked at its evidence"
			}
			fail("%s fell from %s to %s%s, and the policy says that it may not.",
				scorecard.ParameterName(c.ID, m.Kind, q.ID), q.Before.LevelString(), q.After.LevelString(), unproven)
		}
	})
	return out
}

// guarded reports whether the parameter fell although the policy forbids it and
// no exception covers it.
func (p *Policy) guarded(criterion string, q *outcome.Parameter, now time.Time) bool {
	named := func(s Selector) bool { return s.Matches(criterion, q.ID) }
	return fellBack(q) && slices.ContainsFunc(p.FailOn.Parameters, named) && !p.excepted(criterion, q.ID, now)
}

// observed lists what keeps the check from being a success without any policy,
// but for what forbids has told already.
func (p *Policy) observed(o *outcome.Outcome, now time.Time) []reason {
	var out []reason
	add := func(kind int, format string, args ...any) {
		out = append(out, reason{kind, fmt.Sprintf(format, args...)})
	}
	var waiting []string
	eachParameter(o, func(c *outcome.Criterion, m *outcome.Mechanism, q *outcome.Parameter) {
		name := scorecard.ParameterName(c.ID, m.Kind, q.ID)
		switch {
		case p.guarded(c.ID, q, now):
		case q.NeedsReview:
			waiting = append(waiting, name)
		case fellBack(q):
			add(fell, "%s fell from %s to %s.", name, q.Before.LevelString(), q.After.LevelString())
		case rankOf(q.After) > rankOf(q.Before):
			add(rose, "%s rose from %s to %s.", name, q.Before.LevelString(), q.After.LevelString())
		}
	})
	forbidden := p.FailOn.NewCriticalGap && len(p.without(o.NewGaps, now)) > 0
	if len(o.NewGaps) > 0 && !forbidden {
		add(gap, "%s now %s a critical gap.", names(o.NewGaps), owe(o.NewGaps))
	}
	for i := range o.Criteria {
		c := &o.Criteria[i]
		if c.Verdict == outcome.NeedsReview && !hasReview(c) {
			waiting = append(waiting, c.ID)
		}
		if slices.Contains(c.Flags, outcome.CapInQuestion) {
			add(capped, "%s keeps its cap, although the evidence of the capped mechanism changed.", c.ID)
		}
		if slices.Contains(c.Flags, outcome.PossibleImprovement) {
			add(improvement, "%s may have improved: the code behind a recorded lack changed.", c.ID)
		}
		if c.CapBefore != c.CapAfter {
			add(other, "%s has another cap: %s instead of %s.", c.ID, capName(c.CapAfter), capName(c.CapBefore))
		}
		if c.Verdict == outcome.Rejudged && !moved(c) && c.CapBefore == c.CapAfter && len(c.Flags) == 0 {
			add(other, "%s was rejudged.", c.ID)
		}
	}
	if len(waiting) > 0 {
		add(review, "%s %s review: %s evidence changed and nobody has decided what that means.",
			some(waiting), need(waiting), number(waiting, "its", "their"))
	}
	return out
}

// told lists the exceptions that matter now, and those that no longer do.
func (p *Policy) told(o *outcome.Outcome, now time.Time) []reason {
	var out []reason
	for _, e := range p.Exceptions {
		day := e.Expires.Format(time.DateOnly)
		if e.Active(now) {
			out = append(out, reason{told, fmt.Sprintf("Excepted until %s: %s, %s", day, e.place(), dotted(e.Reason))})
			continue
		}
		out = append(out, reason{told, fmt.Sprintf("The exception for %s expired on %s: renew it or remove it.", e.place(), day)})
	}
	return out
}

func dotted(s string) string {
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// eachParameter visits the parameters of all touched criteria.
func eachParameter(o *outcome.Outcome, visit func(*outcome.Criterion, *outcome.Mechanism, *outcome.Parameter)) {
	for i := range o.Criteria {
		c := &o.Criteria[i]
		for j := range c.Mechanisms {
			m := &c.Mechanisms[j]
			for k := range m.Parameters {
				visit(c, m, &m.Parameters[k])
			}
		}
	}
}

func hasReview(c *outcome.Criterion) bool {
	return anyParameter(c, func(q *outcome.Parameter) bool { return q.NeedsReview })
}

func moved(c *outcome.Criterion) bool {
	return anyParameter(c, func(q *outcome.Parameter) bool { return rankOf(q.After) != rankOf(q.Before) })
}

func anyParameter(c *outcome.Criterion, match func(*outcome.Parameter) bool) bool {
	for j := range c.Mechanisms {
		if slices.ContainsFunc(c.Mechanisms[j].Parameters, func(q outcome.Parameter) bool { return match(&q) }) {
			return true
		}
	}
	return false
}

// rankOf orders levels: absence that is proven stands above L4.
func rankOf(q scorecard.Parameter) int {
	if q.SA {
		return int(scorecard.MaxLevel) + 1
	}
	return int(q.Level)
}

func fellBack(q *outcome.Parameter) bool { return rankOf(q.After) < rankOf(q.Before) }

func capName(id string) string {
	if id == "" {
		return "none"
	}
	return id
}

// points prints thousandths without needless zeros, but with one decimal.
func points(milli int) string {
	s := strings.TrimRight(scorecard.Format3(milli), "0")
	if strings.HasSuffix(s, ".") {
		s += "0"
	}
	return s
}

func names(ids []string) string {
	if len(ids) == 1 {
		return ids[0]
	}
	return strings.Join(ids[:len(ids)-1], ", ") + " and " + ids[len(ids)-1]
}

// some names the first of many and counts the rest.
func some(ids []string) string {
	const most = 8
	if len(ids) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
	}
	return names(ids)
}

func owe(ids []string) string  { return number(ids, "owes", "owe") }
func did(ids []string) string  { return number(ids, "it did", "they did") }
func need(ids []string) string { return number(ids, "needs", "need") }

func number(ids []string, one, many string) string {
	if len(ids) == 1 {
		return one
	}
	return many
}
