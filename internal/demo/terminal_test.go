package demo

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func render(source string, width int, color bool) string {
	var out []string
	for _, l := range terminalLines(source, width) {
		out = append(out, paint(l, color))
	}
	return strings.Join(out, "\n")
}

func TestTerminalShowsMarkdownAsText(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"heading and marker": {"<!-- rescore:pr=7 -->\n\n### Rescore: 3.0 holds\n", "Rescore: 3.0 holds"},
		"escapes":            {"a \\#1 &amp; b\\_c &#124; d", "a #1 & b_c | d"},
		"code is literal":    {"`a\\_b &amp; c`", `a\_b &amp; c`},
		"link":               {"see [`a.py:3`](https://example.com/a.py#L3).", "see a.py:3."},
		"sub":                {"<sub>small words</sub>", "small words"},
		"wrapped list":       {"- one two three four\n- five\n", "• one two\n  three four\n• five"},
		"ordered list":       {"1. one\n2. two\n", "1. one\n2. two"},
		"diff":               {"```diff\n+ new\n- old\n```\n", "    + new\n    - old"},
		"details": {"before\n\n<details><summary>The lines (1)</summary>\n\ninside\n\n</details>\n\nafter\n",
			"before\n\n▸ The lines\n(1)\n\nafter"},
		"two details": {"<details><summary>A</summary>\n\n<details><summary>deep</summary>\n\nx\n\n</details>\n\n</details>\n\n<details><summary>B</summary>\n\ny\n\n</details>\n\nend",
			"▸ A\n▸ B\n\nend"},
		"quote": {"> said\n", "│ said"},
	} {
		t.Run(name, func(t *testing.T) {
			width := 80
			if name == "wrapped list" || name == "details" {
				width = 12
			}
			assert.Equal(t, tc.want, render(tc.in, width, false))
		})
	}
}

func TestTerminalTable(t *testing.T) {
	const in = "| Criterion | S | C | Score |\n|---|---|---|---|\n| C2 Approval gates of the agent | L3 → **L2** |  | 0.60 |\n"
	assert.Equal(t, strings.Join([]string{
		"Criterion                       S        Score",
		"──────────────────────────────────────────────",
		"C2 Approval gates of the agent  L3 → L2  0.60",
	}, "\n"), render(in, 80, false))
	assert.Equal(t, strings.Join([]string{
		"Criterion          S        Score",
		"─────────────────────────────────",
		"C2 Approval gates  L3 → L2  0.60",
		"of the agent",
	}, "\n"), render(in, 33, false))
}

func TestTerminalColor(t *testing.T) {
	assert.Equal(t, "a \x1b[1mb c\x1b[0m \x1b[36md\x1b[0m", render("a **b c** `d`", 80, true))
	assert.NotContains(t, render("a **b** `c`", 80, false), "\x1b")
}

// Nothing that a comment holds can steer the terminal, and no line that could be
// broken is wider than it.
func TestTerminalIsSafeForAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := rapid.StringMatching(`([ -~\n|*_<>\x60#\x1b\x07]|\x{202e}|<summary>|- |\n\n){0,200}`).Draw(t, "source")
		width := rapid.IntRange(20, 100).Draw(t, "width")
		for _, line := range terminalLines(source, width) {
			text := paint(line, false)
			assert.NotContains(t, text, "\n")
			for _, r := range text {
				if r < ' ' || r == '\u202e' {
					t.Fatalf("%q reaches the terminal", r)
				}
			}
		}
	})
}
