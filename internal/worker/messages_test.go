package worker

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/policy"
	"github.com/rescore-app/rescore/internal/report"
)

// What a repository says of itself is shown, and does nothing.
func TestMessagesNeutraliseTheRepository(t *testing.T) {
	hostile := "@octo/all #1 <img src=x> [a](http://evil) `x` | **b**\u202e"
	many := make([]string, 50)
	for i := range many {
		many[i] = hostile
	}
	checks := map[string]report.CheckRun{
		"not accepted": notAccepted(&rejection{path: "a`b @octo.json", title: "1 problem", lines: many}, hostile),
		"no card":      noCard([]string{"x`y.json"}, hostile),
		"policy":       brokenPolicy(&policy.Error{File: hostile, Line: 3, Msg: hostile, Fix: hostile, Excerpt: "  3 | " + hostile + "\n```\n@octo"}),
		"judge":        unknownJudge(hostile, errors.New(hostile)),
	}
	for name, c := range checks {
		assert.Equal(t, outcome.Neutral, c.Conclusion, name)
		assert.LessOrEqual(t, len(c.Title), report.MaxTitle, name)
		assert.LessOrEqual(t, len(c.Summary), report.MaxCheckText, name)
		prose := withoutCode(c.Summary)
		for _, live := range []string{"@octo", " #1", "<img", "[a](http://evil", "**b**", "\u202e"} {
			assert.NotContains(t, prose, live, name)
		}
	}
	assert.Contains(t, checks["not accepted"].Summary, "and 30 more")
	assert.Contains(t, checks["policy"].Title, "line 3")
}

// However long what a repository says of itself becomes when it is escaped, a message
// ends with what to do, and fits a check and a comment.
func TestLongMessagesKeepTheirEnd(t *testing.T) {
	for _, c := range []string{"<", "&", "@", "*", "\u202e", "é"} {
		lines := make([]string, 50)
		for i := range lines {
			lines[i] = strings.Repeat(c, 10_000)
		}
		m := notAccepted(&rejection{path: "card.json", title: "50 problems", lines: lines}, "main")
		end := func(text string) bool {
			return strings.Contains(text, "\n- and ") && strings.Contains(text, "`rescore lint`")
		}
		assert.True(t, end(m.Summary), "check of %q", c)
		comment := (&evaluation{number: 1}).message(m).comment
		assert.LessOrEqual(t, len(comment), report.MaxComment, c)
		assert.True(t, end(comment), "comment of %q", c)
	}
}

// withoutCode drops fenced blocks and code spans, in which nothing acts.
func withoutCode(s string) string {
	var out []string
	fence := ""
	for line := range strings.SplitSeq(s, "\n") {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence != "" && ticks == fence && len(line) == len(ticks):
			fence = ""
		case fence == "":
			out = append(out, dropSpans(line))
		}
	}
	return strings.Join(out, "\n")
}

func dropSpans(line string) string {
	for {
		open := strings.IndexByte(line, '`')
		if open < 0 {
			return line
		}
		run := len(line[open:]) - len(strings.TrimLeft(line[open:], "`"))
		end := strings.Index(line[open+run:], line[open:open+run])
		if end < 0 {
			return line
		}
		line = line[:open] + line[open+run+end+run:]
	}
}

// Error texts of the server stay in its log.
func TestFailureIsToldPlainly(t *testing.T) {
	inner := errors.New("open /var/lib/rescore/secret: permission denied")
	c := failed(fmt.Errorf("stage: %w", inner), true)
	assert.NotContains(t, c.Summary, "/var/lib")
	assert.Contains(t, c.Summary, "`/rescore`")
	c = failed(fmt.Errorf("%w: %w", ghclient.ErrUnavailable, inner), false)
	assert.Contains(t, c.Summary, "GitHub did not answer")
	assert.NotContains(t, c.Summary, "/rescore")
}
