package explain

import (
	"fmt"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// card tells how the card rates the topic and what would raise it.
func (w *writer) card(t Topic, card *scorecard.Card) {
	c := card.ByID(t.Criterion)
	if c == nil {
		return
	}
	w.line("")
	w.para("", fmt.Sprintf("%s at %.7s: %s scores %s, total %s (%s)", card.Name, card.PinnedCommit, c.ID,
		scorecard.Format2(c.Score()), scorecard.Format1(card.Total()), card.Band().Label))
	if c.Absent() {
		w.para("  ", "The criterion is absent as a whole; nothing would raise it.")
		return
	}
	for i := range c.Mechanisms {
		m := &c.Mechanisms[i]
		counted := ""
		if c.Counted() == m && len(c.Mechanisms) > 1 {
			counted = ", counted"
		}
		w.para("  ", fmt.Sprintf("%s (%s%s): raw %s%s", m.Label, m.Kind, counted, scorecard.Format2(m.Raw()), capped(m)))
		for _, p := range t.parameters() {
			w.parameter(card, c, i, m.ByID(p))
		}
	}
}

func capped(m *scorecard.Mechanism) string {
	c, limit, ok := m.EffectiveCap()
	if !ok {
		return ""
	}
	return fmt.Sprintf(", cap %s at most %s", c.ID, scorecard.Format2(limit))
}

func (w *writer) parameter(card *scorecard.Card, c *scorecard.Criterion, mechanism int, p *scorecard.Parameter) {
	const indent = "       "
	w.para(fmt.Sprintf("    %s %s (%s): ", p.ID, p.LevelString(), p.Status), p.Finding)
	for _, e := range p.Evidence {
		w.line(indent+"%s", evidence(card, e))
	}
	if p.SA || p.Level == scorecard.MaxLevel {
		return
	}
	next, asks := p.Level+1, ""
	if spec, err := rubric.Criterion(c.ID); err == nil {
		asks = spec.Anchors[string(p.ID)][next]
	}
	if p.Gap != "" && !sameWords(p.Gap, asks) {
		w.para(indent+"missing: ", p.Gap)
	}
	if asks == "" {
		return
	}
	w.para(indent+next.String()+" asks: ", asks)
	w.para(indent, gain(card, c, mechanism, p.ID, next))
}

// sameWords reports whether two sentences differ at most in their full stop and the
// case of their letters.
func sameWords(a, b string) bool {
	words := func(s string) string { return strings.TrimSuffix(strings.Join(strings.Fields(s), " "), ".") }
	return strings.EqualFold(words(a), words(b))
}

func evidence(card *scorecard.Card, e scorecard.Evidence) string {
	if e.IsSearch() {
		noun := "hits"
		if e.Hits == 1 {
			noun = "hit"
		}
		return fmt.Sprintf("%s in %s: %d %s", e.Search, e.Scope, e.Hits, noun)
	}
	return fmt.Sprintf("%s:%s %s", e.File, e.Lines, card.Permalink(e))
}

// gain says what one level more would add, with every rule of the method applied.
func gain(card *scorecard.Card, c *scorecard.Criterion, mechanism int, id scorecard.ParameterID, next scorecard.Level) string {
	m := &c.Mechanisms[mechanism]
	if s := m.ByID(scorecard.S); !s.SA && (id == scorecard.C || id == scorecard.D) && next > s.Level+1 {
		return fmt.Sprintf("not before S: %s may stand at most one level above S, which is %s", id, s.Level)
	}
	better := card.Clone()
	p := better.ByID(c.ID).Mechanisms[mechanism].ByID(id)
	p.Level, p.Status = next, scorecard.Verified
	after := better.ByID(c.ID)
	raw := after.Mechanisms[mechanism].Raw() - m.Raw()
	score := after.Score() - c.Score()
	text := fmt.Sprintf("gains %s before caps, %s in the criterion, total %s", scorecard.Format3(raw),
		scorecard.Format3(score), step(card.Total(), better.Total()))
	switch {
	case score > 0:
		return text
	case c.Counted() != m:
		return text + " (the other mechanism counts)"
	default:
		return text + " (the cap still holds it)"
	}
}

// step prints both totals with as many decimals as their difference needs.
func step(from, to int) string {
	for _, format := range []func(int) string{scorecard.Format1, scorecard.Format2} {
		if a, b := format(from), format(to); a != b || from == to {
			return a + " → " + b
		}
	}
	return scorecard.Format3(from) + " → " + scorecard.Format3(to)
}
