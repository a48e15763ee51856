package evidence

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Bounds of what an item carries for a reader.
const (
	maxQuoteLines = 40
	maxQuoteBytes = 400 // of one line
	maxShort      = 80  // of a quote inside a sentence
)

func holds(e scorecard.Evidence, state outcome.State, file string, lines scorecard.LineRange) outcome.Item {
	after := e
	after.File, after.Lines = file, lines
	return outcome.Item{Before: e, After: after, State: state}
}

func edited(c *cited, file string, lines scorecard.LineRange, reason string) outcome.Item {
	it := holds(c.Evidence, outcome.Edited, file, lines)
	it.Reason, it.Quote = reason, c.quote()
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
func (c *cited) quote() []string {
	if !c.base.text.Has(c.Lines.First, c.Lines.Last) {
		return nil
	}
	var out []string
	for n := c.Lines.First; n <= c.Lines.Last && len(out) < maxQuoteLines; n++ {
		out = append(out, clean(c.base.text.Line(n), maxQuoteBytes))
	}
	return out
}

// clean makes bytes of a repository valid text of at most limit bytes.
func clean(line []byte, limit int) string {
	s := strings.ToValidUTF8(strings.TrimSuffix(string(line[:min(len(line), limit)]), "\r"), "\uFFFD")
	return s
}

// shorten quotes text for a sentence.
func shorten(s string) string {
	if len(s) > maxShort {
		n := maxShort
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + "..."
	}
	return fmt.Sprintf("%q", s)
}
