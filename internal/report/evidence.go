package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report/escape"
)

// brokenLines is one line for each evidence item that no longer holds: the worst
// ones to show at once, and the others.
func (m md) brokenLines() (shown, more rendered) {
	n := min(len(m.v.broken), maxBrokenShown)
	return m.groupLines(m.v.broken[:n]), m.groupLines(m.v.broken[n:])
}

func (m md) groupLines(groups []group) rendered {
	return render(len(groups), func(i int) string {
		return "- " + m.item(groups[i].item) + " " + m.restsOn(groups[i])
	})
}

func (m md) restsOn(g group) string {
	return "Rests on it: " + list(g.names(), 2*maxNamed) + "."
}

// item tells in one line what became of an evidence item.
func (m md) item(it *outcome.Item) string {
	var b strings.Builder
	if it.Before.IsSearch() {
		fmt.Fprintf(&b, "%s in %s: %s", code(it.Before.Search), code(it.Before.Scope), it.State)
		if it.Before.Hits != it.After.Hits {
			b.WriteString(", " + hits(it))
		}
		if e, ok := atHead(it); ok && it.State == outcome.Edited {
			b.WriteString(", first new line " + m.at(e))
		}
	} else {
		b.WriteString(m.was(it.Before) + " " + string(it.State))
		if e, ok := atHead(it); ok && citation(e) != citation(it.Before) {
			b.WriteString(arrow + m.at(e))
		}
	}
	if it.Ambiguous {
		b.WriteString(" (two places are equally good)")
	}
	b.WriteString(".")
	if w := why(it); w != "" {
		b.WriteString(" " + text(w))
	}
	return b.String()
}

func hits(it *outcome.Item) string {
	return strconv.Itoa(it.Before.Hits) + arrow + plural(it.After.Hits, "hit")
}

// changes shows the lines behind each broken item.
func (m md) changes() rendered {
	return render(len(m.v.broken), func(i int) string {
		g := m.v.broken[i]
		lines := changedLines(g.item)
		if len(lines) == 0 {
			return ""
		}
		head := "**" + list(g.names(), maxNamed) + "**: "
		if g.item.Before.IsSearch() {
			head += code(g.item.Before.Search) + " in " + code(g.item.Before.Scope)
		} else {
			head += m.was(g.item.Before)
		}
		return head + "\n\n" + escape.Fence("diff", lines) + "\n"
	})
}

// changedLines returns what a broken item showed before and shows now, as lines
// of a diff.
func changedLines(it *outcome.Item) []string {
	var out []string
	switch {
	case it.State == outcome.Gone:
		out = appendBounded(out, it.Quote, maxQuoteLines, func(s string) string { return "- " + s })
	case len(it.Now) > 0:
		out = appendBounded(out, unified(it.Quote, it.Now), maxQuoteLines, func(s string) string { return s })
	default:
		out = appendBounded(out, it.Quote, maxQuoteLines, func(s string) string { return "  " + s })
	}
	where := func(sign string) func(outcome.Line) string {
		return func(l outcome.Line) string {
			return fmt.Sprintf("%s %s:%d: %s", sign, path(l.File), l.Line, strings.TrimLeft(l.Text, " \t"))
		}
	}
	out = appendBounded(out, it.Lost, maxChangedLines, where("-"))
	return appendBounded(out, it.New, maxChangedLines, where("+"))
}

// appendBounded appends at most limit lines and says how many more there are.
func appendBounded[T any](out []string, in []T, limit int, show func(T) string) []string {
	for i, x := range in {
		if i == limit {
			return append(out, fmt.Sprintf("  and %d more", len(in)-limit))
		}
		out = append(out, escape.Clip(escape.CodeLine(escape.ClipBytes(show(x), maxRawBytes)), maxReasonRunes))
	}
	return out
}

// unified is the edit from the old lines to the new ones, with as many of the
// unchanged lines around the changes as leave room for the changes themselves.
func unified(before, after []string) []string {
	m := linemap.Diff(linemap.Split(joined(before)), linemap.Split(joined(after)))
	for context := maxContext; ; context-- {
		out := unifiedWith(m, before, after, context)
		if len(out) <= maxQuoteLines || context == 0 {
			return out
		}
	}
}

// maxContext is how many unchanged lines are shown on either side of a change.
const maxContext = 3

func joined(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

func unifiedWith(m *linemap.Map, before, after []string, context int) []string {
	var out []string
	next := 1 // line of before that was not shown yet
	for _, h := range m.Hunks() {
		from := max(next, h.OldFirst-context)
		if from > next {
			out = append(out, "  ...")
		}
		for n := from; n < h.OldFirst; n++ {
			out = append(out, "  "+before[n-1])
		}
		for n := h.OldFirst; n < h.OldFirst+h.OldCount; n++ {
			out = append(out, "- "+before[n-1])
		}
		for n := h.NewFirst; n < h.NewFirst+h.NewCount; n++ {
			out = append(out, "+ "+after[n-1])
		}
		next = h.OldFirst + h.OldCount
	}
	last := min(len(before), next+context-1)
	for n := next; n <= last; n++ {
		out = append(out, "  "+before[n-1])
	}
	if last < len(before) {
		out = append(out, "  ...")
	}
	return out
}
