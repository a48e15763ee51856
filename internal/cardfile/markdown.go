package cardfile

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// WriteMarkdown writes the card as a new report in the style. It fails when the
// report would not read back the same; MarkdownView says what a report holds.
func WriteMarkdown(card *scorecard.Card, style Style) ([]byte, error) {
	var b strings.Builder
	for _, l := range render(card, style) {
		for range l.blank {
			b.WriteByte('\n')
		}
		for _, s := range l.segs {
			b.WriteString(s.text)
		}
		b.WriteByte('\n')
	}
	out := []byte(b.String())
	if err := checkMarkdown(out, card); err != nil {
		return nil, err
	}
	return out, nil
}

// checkMarkdown reads what has been written and compares it with the card, so that
// no text of the card can pass for another part of the report.
func checkMarkdown(out []byte, card *scorecard.Card) error {
	d, err := Read("report.md", out)
	if err != nil {
		return fmt.Errorf("write report: the card cannot be held in Markdown: %w", err)
	}
	got, want := MarkdownView(d.Card), MarkdownView(card)
	if reflect.DeepEqual(got, want) {
		return nil
	}
	a, b := render(got, Dash), render(want, Dash)
	for i := range b {
		if i >= len(a) || !a[i].equal(b[i]) {
			return fmt.Errorf("write report: %q would not read back the same; reword it or keep the card as JSON", excerpt(b[i].String()))
		}
	}
	return errors.New("write report: the card would not read back the same; keep it as JSON")
}
