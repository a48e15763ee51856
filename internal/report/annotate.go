package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// note is an annotation on the way, with what orders it.
type note struct {
	Annotation
	weight int
	places []string
}

// annotations returns one annotation for each place at head that shows a change
// in evidence, worst first, at most limit, and how many more there are. What is
// gone has no place at head and is told in the text alone.
func annotations(v *view, limit int) (out []Annotation, more int) {
	if limit <= 0 {
		limit = DefaultMaxAnnotations
	}
	notes := collectNotes(v)
	slices.SortStableFunc(notes, func(a, b *note) int {
		return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.EndLine, b.EndLine))
	})
	for i, n := range notes {
		if i == limit {
			return out, len(notes) - limit
		}
		out = append(out, n.Annotation)
	}
	return out, 0
}

// collectNotes makes the notes; several changes at the same lines become one.
func collectNotes(v *view) []*note {
	var notes []*note
	at := map[string]*note{}
	put := func(e scorecard.Evidence, weight int, names []string, message, raw string) {
		if e.File == "" || e.Lines.First < 1 {
			return
		}
		key := e.File + "\x00" + e.Lines.String()
		n, known := at[key]
		if !known {
			n = &note{weight: weight, Annotation: Annotation{Path: e.File, StartLine: e.Lines.First, EndLine: e.Lines.Last}}
			at[key] = n
			notes = append(notes, n)
		}
		n.weight = min(n.weight, weight)
		n.add(names, message, raw)
	}
	for _, g := range v.broken {
		for _, e := range shownAt(g.item) {
			put(e, g.weight, g.names(), brokenMessage(g), strings.Join(changedLines(g.item), "\n"))
		}
	}
	for _, w := range v.o.Watch {
		put(lineEvidence(outcome.Line{File: w.File, Line: w.Line}), weightNone+1, []string{field(w.Criterion)}, watchMessage(w), "")
	}
	for _, n := range notes {
		n.finish()
	}
	return notes
}

// shownAt lists the places at head that show the change of a broken item.
func shownAt(it *outcome.Item) []scorecard.Evidence {
	if !it.Before.IsSearch() {
		if e, ok := atHead(it); ok {
			return []scorecard.Evidence{e}
		}
		return nil
	}
	var out []scorecard.Evidence
	for i, l := range it.New {
		if i == maxChangedLines {
			break
		}
		out = append(out, lineEvidence(l))
	}
	return out
}

func brokenMessage(g group) string {
	names := list(g.names(), maxNamed)
	rests := names + " " + verb(len(g.names()), "rests", "rest")
	var s string
	if g.item.Before.IsSearch() {
		s = fmt.Sprintf("New match of a search that %s on (%s): %s.", rests,
			hits(g.item), field(g.item.Before.Search))
	} else {
		s = fmt.Sprintf("%s on %s, %s.", rests, citation(g.item.Before), stateWords(g.item))
	}
	if w := why(g.item); w != "" {
		s += " " + line(w)
	}
	return s + consequence(g.weight)
}

func watchMessage(w outcome.Watch) string {
	return "May bear on " + field(w.Criterion) + ", although the card does not cite it: " + line(sentence(w.Signal))
}

// stateWords says what became of cited lines.
func stateWords(it *outcome.Item) string {
	switch e, ok := atHead(it); {
	case it.State == outcome.Gone:
		return "which is gone"
	case it.State == outcome.Unverifiable:
		return "which could not be verified"
	case ok && citation(e) != citation(it.Before):
		return "which was " + string(it.State) + " and now is " + citation(e)
	}
	return "which was " + string(it.State)
}

// consequence says why the change matters.
func consequence(weight int) string {
	switch weight {
	case weightFell:
		return " The rating fell."
	case weightReview:
		return " The rating stands unproven until somebody looks."
	case weightImprovement:
		return " The card records a lack here: if it is gone, re-audit it."
	}
	return ""
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (n *note) add(names []string, message, raw string) {
	for _, name := range names {
		if !slices.Contains(n.places, name) {
			n.places = append(n.places, name)
		}
	}
	if !strings.Contains(n.Message, message) {
		n.Message = strings.TrimLeft(n.Message+"\n"+message, "\n")
	}
	if raw != "" && !strings.Contains(n.RawDetails, raw) {
		n.RawDetails = strings.TrimLeft(n.RawDetails+"\n"+raw, "\n")
	}
}

func (n *note) finish() {
	n.Level = LevelNotice
	what := "may bear on the scorecard"
	switch n.weight {
	case weightFell:
		n.Level, what = LevelWarning, "rating fell"
	case weightReview:
		n.Level, what = LevelWarning, "needs review"
	case weightImprovement:
		what = "possible improvement"
	case weightNone:
		what = "evidence changed"
	}
	n.Title = escape.ClipBytes(list(n.places, maxNamed)+": "+what, MaxTitle)
	n.Message = escape.ClipBytes(n.Message, maxAnnotationMessage)
	n.RawDetails = escape.ClipBytes(n.RawDetails, MaxAnnotationText)
}
