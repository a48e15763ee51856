package report

import (
	"fmt"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// arrow stands between before and after.
const arrow = " → "

// short returns the first seven digits of a commit id, as git prints it.
func short(commit string) string {
	const digits = 7
	if len(commit) > digits {
		return commit[:digits]
	}
	return commit
}

// figure prints a span of the total at one decimal: "3.0", "3.0 → 2.9" or
// "3.0 → 2.6..3.0".
func figure(s outcome.Span, format func(int) string) string {
	before, low, high := format(s.Before), format(s.Low), format(s.High)
	after := low
	if low != high {
		after = low + ".." + high
	}
	if before == after {
		return before
	}
	return before + arrow + after
}

// why says in a sentence what is to be known of an evidence item beside its state; ""
// when its state and count of hits have said it all.
func why(it *outcome.Item) string {
	counted := it.Before.IsSearch() && it.State == outcome.Edited && it.Before.Hits != it.After.Hits
	if it.Reason == "" || counted {
		return ""
	}
	return sentence(it.Reason)
}

// notedHead is above evidence that holds, with something to know about it.
const notedHead = "Evidence that holds, with a note"

// total prints the total of a span, criterionScore that of one criterion.
func total(s outcome.Span) string          { return figure(s, scorecard.Format1) }
func criterionScore(s outcome.Span) string { return figure(s, scorecard.Format2) }

// band prints the band before and after, visible and bounded.
func band(o *outcome.Outcome) string {
	before, after := label(o.BandBefore), label(o.BandAfter)
	if before == after || after == "" {
		return before
	}
	return before + arrow + after
}

// verdict returns the outcome's one line. An outcome that no policy has read has
// no title of its own: then the figures speak.
func verdict(o *outcome.Outcome) string {
	if o.Title != "" {
		return o.Title
	}
	return total(o.Score)
}

// reviewLegend explains the mark on a level that waits for somebody.
const reviewLegend = "A level with ? rests on evidence that changed, and nobody has decided yet what that means: " +
	"the score is an interval, from all such ratings void to all of them sound."

// reviewed says when the card was reviewed, as far as it tells.
func reviewed(o *outcome.Outcome) string {
	if o.Before == nil || o.Before.ScoredDate == "" {
		return ""
	}
	return ", reviewed " + label(o.Before.ScoredDate)
}

// verdictWords says what became of a criterion.
func verdictWords(v outcome.Verdict) string {
	switch v {
	case outcome.Carried:
		return "carried over"
	case outcome.Reverified:
		return "re-verified"
	case outcome.Rejudged:
		return "rejudged"
	case outcome.NeedsReview:
		return "needs review"
	}
	return string(v)
}

// stateRank orders states from what a reader has to look at first.
func stateRank(s outcome.State) int {
	switch s {
	case outcome.Gone:
		return 0
	case outcome.Edited:
		return 1
	case outcome.Unverifiable:
		return 2
	case outcome.Reformatted:
		return 3
	case outcome.Moved:
		return 4
	}
	return 5
}

// list joins names: "C1", "C1 and C2", "C1, C2 and C3"; from more than limit
// names on, the rest is counted. limit 0 names all.
func list(names []string, limit int) string {
	if limit > 0 && len(names) > limit {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:limit], ", "), len(names)-limit)
	}
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// plural returns "1 item", "2 items".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	switch {
	case strings.HasSuffix(noun, "entry"):
		noun = strings.TrimSuffix(noun, "y") + "ie"
	case strings.HasSuffix(noun, "search"):
		noun += "e"
	case strings.HasSuffix(noun, "criterion"):
		return fmt.Sprintf("%d %sa", n, strings.TrimSuffix(noun, "on"))
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// place names a parameter: "C4 S", "C4 alt S".
func place(criterion string, kind scorecard.MechanismKind, id scorecard.ParameterID) string {
	parts := []string{criterion}
	if kind == scorecard.Alt {
		parts = append(parts, string(kind))
	}
	if id != "" {
		parts = append(parts, string(id))
	}
	return strings.Join(parts, " ")
}

// citation names a cited place: "a.py:3-5". It is visible and bounded, and the
// lines are never cut.
func citation(e scorecard.Evidence) string { return path(e.File) + ":" + e.Lines.String() }

// path makes a bounded visible line of a path, of which the end tells most.
func path(file string) string { return escape.ClipLeft(visible(file), maxFieldRunes) }

// line makes a bounded visible line of a text that others wrote.
func line(s string) string { return escape.Clip(visible(s), maxReasonRunes) }

// field makes a shorter one of a command, a name or an id.
func field(s string) string { return escape.Clip(visible(s), maxFieldRunes) }

// label makes a short one of an id, a date or the name of a band.
func label(s string) string { return escape.Clip(visible(s), maxIDRunes) }

// visible is escape.Line of what can matter of s: nothing near its bound is shown
// in a report, and a text of megabytes shall not cost megabytes of work.
func visible(s string) string { return escape.Line(escape.ClipBytes(s, maxRawBytes)) }

// sentence returns s with a full stop, and with a capital when it starts with a
// word and not with a path, a command or a code span.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if plainWord(s) {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// plainWord reports whether s starts with a word of lower-case letters.
func plainWord(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	word = strings.TrimRight(word, ",:;.")
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return word != "" && word != "rg"
}
