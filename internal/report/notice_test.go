package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

func TestNotice(t *testing.T) {
	n := Notice{
		Title:   "No scorecard: commit one at .github/rescore/scorecard.json",
		Why:     "there is nothing to compare with",
		Steps:   []string{"Commit a card as `.github/rescore/scorecard.json`.", "Or name another path with `card:` in `.github/rescore.yml`."},
		Excerpt: ">   3 |   drops: 0.1\n      |   ^\n",
	}
	run := n.Check(Options{})
	assert.Equal(t, outcome.Neutral, run.Conclusion)
	assert.Equal(t, n.Title, run.Title)
	want := "There is nothing to compare with.\n\n**What to do**\n\n" +
		"- Commit a card as `.github/rescore/scorecard.json`.\n- Or name another path with `card:` in `.github/rescore.yml`.\n\n" +
		"```\n>   3 |   drops: 0.1\n      |   ^\n```\n"
	assert.Equal(t, "### No scorecard: commit one at .github/rescore/scorecard.json\n\n"+want, run.Summary)
	assert.Equal(t, "<!-- rescore:pr=7 -->\n\n### Rescore: No scorecard: commit one at .github/rescore/scorecard.json\n\n"+want, n.Comment(options()))
	n.Conclusion = outcome.Failure
	assert.Equal(t, outcome.Failure, n.Check(Options{}).Conclusion)
	assert.Equal(t, "### x\n", Notice{Title: "x"}.Check(Options{}).Summary)
}

func TestHostileNotice(t *testing.T) {
	n := Notice{Title: evil, Why: evil, Steps: []string{evil, "```", evil}, Excerpt: evil + "\n```\n~~~\n" + evil}
	run := n.Check(Options{})
	harmless(t, run.Summary)
	harmless(t, n.Comment(Options{}))
	assert.LessOrEqual(t, len(run.Title), MaxTitle)
	long := strings.Repeat(evil+"\n", 10_000)
	n = Notice{Title: long, Why: long, Excerpt: long}
	for range 1_000 {
		n.Steps = append(n.Steps, long)
	}
	assert.LessOrEqual(t, len(n.Check(Options{}).Summary), MaxCheckText)
	assert.LessOrEqual(t, len(n.Comment(options())), MaxComment)
	harmless(t, n.Check(Options{}).Summary)
}
