// Package explain tells what the method asks for: the anchors, caps and traps of a
// criterion or of one parameter and, with a card, what would raise its rating and
// by how many points.
//
// It is pure. It may import rubric and scorecard.
package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// Topic is what is asked about: a criterion, or one of its parameters.
type Topic struct {
	Criterion string                // "C1".."C10"
	Parameter scorecard.ParameterID // "" for all four
}

// ParseTopic reads "C4" or "C4.S"; case does not matter.
func ParseTopic(s string) (Topic, error) {
	id, p, dotted := strings.Cut(strings.ToUpper(s), ".")
	t := Topic{Criterion: id, Parameter: scorecard.ParameterID(p)}
	if _, err := rubric.Criterion(id); err != nil {
		return t, fmt.Errorf("%q: want a criterion, C1 to C10, alone or with a parameter as in C4.S", s)
	}
	if dotted && !slices.Contains(scorecard.ParameterIDs[:], t.Parameter) {
		return t, fmt.Errorf("%q: the parameters are S, C, D and B, as in %s.S", s, id)
	}
	return t, nil
}

func (t Topic) parameters() []scorecard.ParameterID {
	if t.Parameter != "" {
		return []scorecard.ParameterID{t.Parameter}
	}
	return scorecard.ParameterIDs[:]
}

// Text explains the topic in lines of at most width columns, 80 for a width of 0;
// evidence stands in lines of its own that are not broken. card may be nil.
func Text(t Topic, card *scorecard.Card, width int) (string, error) {
	c, err := rubric.Criterion(t.Criterion)
	if err != nil {
		return "", err
	}
	w := newWriter(width)
	w.para("", c.ID+" "+c.Name)
	w.para("", c.Question)
	w.para("Surface: ", c.Surface)
	if c.AbsentWhen != "" {
		w.para("Absent as a whole when: ", c.AbsentWhen)
	}
	w.para("OWASP: ", strings.Join(c.OWASP, ", "))
	for _, p := range t.parameters() {
		w.anchors(c, p)
	}
	w.caps(c)
	w.list("Traps", c.Traps)
	w.rules(c.ID, t)
	if card != nil {
		w.card(t, card)
	}
	return w.String(), nil
}

func (w *writer) anchors(c *rubric.CriterionSpec, p scorecard.ParameterID) {
	spec, _ := rubric.Method().Parameter(string(p))
	w.line("")
	w.para("", fmt.Sprintf("%s.%s %s, %s a level", c.ID, p, spec.Name, scorecard.Format3(spec.PerLevel)))
	w.levels(c.Anchors[string(p)])
	if p == scorecard.S && c.ToolServerS != nil {
		w.line("  for a tool server instead:")
		w.levels(*c.ToolServerS)
	}
}

func (w *writer) levels(a rubric.Anchors) {
	for i, text := range a {
		w.para(fmt.Sprintf("  L%d  ", i), text)
	}
}

func (w *writer) caps(c *rubric.CriterionSpec) {
	w.line("\nCaps")
	for _, k := range rubric.Method().Caps {
		if k.Criterion == "" || k.Criterion == c.ID {
			w.para("  ", fmt.Sprintf("%s, at most %s: %s", k.ID, scorecard.Format2(k.Max), k.When))
		}
	}
}

// rules lists the method's rules that begin with the criterion's id.
func (w *writer) rules(id string, t Topic) {
	var out []string
	for _, r := range rubric.Rules() {
		about, parameter := subject(r.Text)
		if about == id && (t.Parameter == "" || parameter == "" || parameter == t.Parameter) {
			out = append(out, r.Text)
		}
	}
	w.list("Rules of its own", out)
}

// subject reads the criterion, and perhaps the parameter, that a rule begins with:
// "C4 B exception, at most L3: ..." is about C4 and B.
func subject(rule string) (criterion string, p scorecard.ParameterID) {
	words := strings.Fields(rule)
	if len(words) < 2 {
		return "", ""
	}
	p = scorecard.ParameterID(strings.TrimRight(words[1], ":,;"))
	if !slices.Contains(scorecard.ParameterIDs[:], p) {
		p = ""
	}
	return strings.TrimRight(words[0], ":,;"), p
}
