package report

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/outcome"
)

var colours = regexp.MustCompile("\x1b\\[[0-9]+m")

// Colours add control sequences and change nothing else; without them there is
// not one control character but the line feed.
func TestColourOnlyAdds(t *testing.T) {
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			plain, painted := Text(make(), 80, false), Text(make(), 80, true)
			assert.Equal(t, plain, colours.ReplaceAllString(painted, ""))
			assert.NotEqual(t, plain, painted)
			assert.NotRegexp(t, "[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\u200b]", plain)
		})
	}
	assert.Contains(t, Text(dropped(), 80, true), string(red)+"L3 → L0"+reset)
	assert.Contains(t, Text(dropped(), 80, true), string(red)+"failure"+reset)
	assert.Contains(t, Text(review(), 80, true), string(yellow)+"neutral"+reset)
	assert.Contains(t, Text(quiet(), 80, true), string(green)+"success"+reset)
}

// Prose is wrapped to the width; code lines and single long words are not cut.
func TestWidth(t *testing.T) {
	for _, width := range []int{40, 60, 120} {
		for _, l := range strings.Split(Text(dropped(), width, false), "\n") {
			code := strings.HasPrefix(l, "      ")
			long := !strings.Contains(strings.TrimLeft(l, " -"), " ")
			assert.True(t, code || long || utf8.RuneCountInString(l) <= max(width, 50), "%d: %q", width, l)
		}
	}
	assert.Equal(t, Text(review(), 80, false), Text(review(), 0, false))
	assert.Equal(t, Text(review(), minWidth, false), Text(review(), 1, false))
	assert.Equal(t, []string{"aaaa bbbb cccc dddd", "eeee"}, wrap("aaaa bbbb  cccc dddd eeee", 20))
	assert.Equal(t, []string{""}, wrap("", 20))
}

// A log of continuous integration must not take a line for a command.
func TestNoWorkflowCommands(t *testing.T) {
	o := review()
	c := criterion(o, "C4")
	it := &c.Mechanisms[0].Parameters[0].Items[0]
	it.Reason = strings.Repeat("x", 74) + " ::error file=a::b"
	it.Quote = []string{"::stop-commands::x", "##[group]x"}
	o.Reasons = []string{"##[error]x"}
	text := Text(o, 80, false)
	assert.NotContains(t, text, "##[")
	for _, l := range strings.Split(text, "\n") {
		require.False(t, strings.HasPrefix(strings.TrimSpace(l), "::"), "%q", l)
	}
	assert.Contains(t, text, ": :error file=a::b")
}

// The verdict is the first line, and a check without a policy says so.
func TestVerdictFirst(t *testing.T) {
	for _, make := range fixtures {
		o := make()
		first, _, _ := strings.Cut(Text(o, 80, false), "\n")
		assert.Equal(t, o.Title, first)
	}
	o := quiet()
	o.Conclusion = outcome.Conclusion("")
	assert.Contains(t, Text(o, 80, false), "no conclusion, band Minimal")
}
