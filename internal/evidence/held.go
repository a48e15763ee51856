package evidence

import (
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

// held says so when lines of Markdown became code or the like.
func (p *pair) held(c *cited, is scorecard.LineRange) string {
	if !syntax.IsMarkdown(p.old.Path) || !syntax.IsMarkdown(p.new.Path) || p.old.Text.Size()+p.new.Text.Size() > maxRewrap {
		return ""
	}
	a, b := p.old.Held(c.Lines.First, c.Lines.Last), p.new.Held(is.First, is.Last)
	for _, name := range b {
		if name != "" && !slices.Contains(a, name) {
			return fmt.Sprintf("the lines are the same, but now stand in %s", name)
		}
	}
	if slices.Contains(a, "") && !slices.Contains(b, "") {
		return "the lines are the same, but the prose among them became code"
	}
	return ""
}
