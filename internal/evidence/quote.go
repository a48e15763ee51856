package evidence

import (
	"bytes"
	"context"
	"strings"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// quoted reports whether the quote stands in the lines, as written or with any
// run of white space standing for any other, since a quote in a report is one
// line and what it quotes may be several.
func quoted(quote string, lines []byte) bool {
	s := string(lines)
	if strings.Contains(s, quote) {
		return true
	}
	words := strings.Fields(quote)
	if len(words) == 0 {
		return false
	}
	for from := 0; ; {
		i := strings.Index(s[from:], words[0])
		if i < 0 {
			return false
		}
		if matchWords(s[from+i:], words) {
			return true
		}
		from += i + 1
	}
}

// matchWords reports whether s begins with the words, white space between them.
func matchWords(s string, words []string) bool {
	for i, w := range words {
		rest := strings.TrimLeft(s, " \t\r\n\f\v")
		if i > 0 && len(rest) == len(s) || i == 0 && len(rest) < len(s) || !strings.HasPrefix(rest, w) {
			return false
		}
		s = rest[len(w):]
	}
	return true
}

// newQuote chooses a quote for lines that have none, or none any more: the first
// line that says something, or the first that is not blank.
func newQuote(text *linemap.Text, lines scorecard.LineRange) string {
	best := ""
	for n := lines.First; n <= lines.Last; n++ {
		line := strings.TrimSpace(strings.ToValidUTF8(string(text.Line(n)), "\n"))
		line, _, _ = strings.Cut(line, "\n") // no further than to the first byte that is no text
		line = cut(line, maxQuoteBytes)
		if information([]byte(line)) >= telling {
			return line
		}
		if best == "" {
			best = line
		}
	}
	return best
}

// byQuote answers when the cited file's text at base is not to be had: the lines
// hold when the quote tells them apart, that is, when it stands once in the file
// at head, within lines of the same number.
func (f *Follower) byQuote(ctx context.Context, e scorecard.Evidence, base *document, now search.File, is bool) (outcome.Item, error) {
	if !is || e.Contains == "" || information([]byte(e.Contains)) < distinctiveBlock {
		return unverifiable(e, "at the base commit %s is %s, and no quote tells its lines apart", e.File, base.trouble.words), nil
	}
	head, err := f.load(ctx, now)
	if err != nil {
		return outcome.Item{}, err
	}
	if head.trouble.any() {
		return unverifiable(e, "at the base commit %s is %s, at head it is %s", e.File, base.trouble.words, head.trouble.words), nil
	}
	lines := linesWith(head.Text, e.Contains)
	switch {
	case len(lines) != 1:
		return unverifiable(e, "at the base commit %s is %s, and its quote stands in %d lines at head", e.File, base.trouble.words, len(lines)), nil
	case e.Lines.First <= lines[0] && lines[0] <= e.Lines.Last && head.Text.Has(e.Lines.First, e.Lines.Last):
		it := holds(e, outcome.Intact, e.File, e.Lines)
		it.Reason = "held by its quote alone: the text at the base commit is not to be had"
		return it, nil
	case e.Lines.Count() == 1:
		it := holds(e, outcome.Moved, e.File, e.Lines.At(lines[0], 1))
		it.Reason = "held by its quote alone: the text at the base commit is not to be had"
		return it, nil
	}
	return unverifiable(e, "at the base commit %s is %s; its quote stands in line %d at head, but not how far the other lines went",
		e.File, base.trouble.words, lines[0]), nil
}

// linesWith lists the lines that hold the quote, at most two.
func linesWith(t *linemap.Text, quote string) []int {
	var out []int
	for n := 1; n <= t.Len() && len(out) < 2; n++ {
		if bytes.Contains(t.Line(n), []byte(quote)) {
			out = append(out, n)
		}
	}
	return out
}
