package evidence

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Bounds of what an item carries for a reader.
const (
	maxQuoteLines = 120
	maxQuoteBytes = 400 // of one line
	maxShort      = 80  // of a quote inside a sentence
)

func holds(e scorecard.Evidence, state outcome.State, file string, lines scorecard.LineRange) outcome.Item {
	after := e
	after.File, after.Lines = file, lines
	return outcome.Item{Before: e, After: after, State: state}
}

// edited makes the item of a block that was changed into the lines of a document
// at head. Its place at head goes into the next card, so a quote that is not in
// these lines any more gives way to one that is: the item must verify there,
// while that it was edited is for the judge to weigh now.
func edited(c *cited, head *document, lines scorecard.LineRange, reason string) outcome.Item {
	it := holds(c.Evidence, outcome.Edited, head.Path, lines)
	it.Reason, it.Quote, it.Now = reason, c.quote(), excerpt(head.Text, lines)
	if c.Contains != "" && !quoted(c.Contains, head.Text.Lines(lines.First, lines.Last)) {
		it.After.Contains = newQuote(head.Text, lines)
	}
	return it
}

func gone(e scorecard.Evidence, base *document, format string, args ...any) outcome.Item {
	it := outcome.Item{Before: e, After: e, State: outcome.Gone, Reason: fmt.Sprintf(format, args...)}
	if base != nil {
		it.Quote = (&cited{Evidence: e, base: base}).quote()
	}
	return it
}

func unverifiable(e scorecard.Evidence, format string, args ...any) outcome.Item {
	return outcome.Item{Before: e, After: e, State: outcome.Unverifiable, Reason: fmt.Sprintf(format, args...)}
}

// quote is the cited lines as they stood at base, bounded.
func (c *cited) quote() []string { return excerpt(c.base.Text, c.Lines) }

// excerpt is lines of a text for a reader, bounded.
func excerpt(text *linemap.Text, lines scorecard.LineRange) []string {
	if !text.Has(lines.First, lines.Last) {
		return nil
	}
	var out []string
	for n := lines.First; n <= lines.Last && len(out) < maxQuoteLines; n++ {
		out = append(out, clean(text.Line(n), maxQuoteBytes))
	}
	return out
}

// clean makes bytes of a repository valid text of about limit bytes.
func clean(line []byte, limit int) string {
	return strings.ToValidUTF8(cut(strings.TrimSuffix(string(line), "\r"), limit), "\uFFFD")
}

// shorten quotes text for a sentence.
func shorten(s string) string {
	if len(s) > maxShort {
		s = cut(s, maxShort) + "..."
	}
	return fmt.Sprintf("%q", s)
}

// cut shortens text to at most limit bytes without splitting a character.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
