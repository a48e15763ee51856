package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/outcome"
)

func TestUnified(t *testing.T) {
	before := []string{"def ask(c):", "    shown = repr(c)", "    answer = input(shown)", "    return answer == 'yes'", ""}
	after := []string{"def ask(c):", "    shown = repr(c)", "    if AUTO:", "        return True", "    answer = input(shown)", "    return answer == 'yes'", ""}
	assert.Equal(t, []string{
		"  def ask(c):", "      shown = repr(c)", "+     if AUTO:", "+         return True",
		"      answer = input(shown)", "      return answer == 'yes'", "  ",
	}, unified(before, after))
	assert.Equal(t, []string{"- a", "+ b"}, unified([]string{"a"}, []string{"b"}))
}

// Where there is too much to show, what did not change gives way first.
func TestContextGivesWay(t *testing.T) {
	var before, after []string
	for i := range 60 {
		line := fmt.Sprint("line ", i)
		before = append(before, line)
		if i%7 == 3 {
			line += " changed"
		}
		after = append(after, line)
	}
	out := unified(before, after)
	assert.LessOrEqual(t, len(out), 60)
	for i := 3; i < 60; i += 7 {
		assert.Contains(t, out, fmt.Sprintf("+ line %d changed", i))
	}
}

// The lines of the edit give back both sides.
func TestUnifiedIsTheEdit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "", "c d"}), 1, 6)
		before, after := lines.Draw(t, "before"), lines.Draw(t, "after")
		var old, now []string
		for _, l := range unified(before, after) {
			switch {
			case l == "  ...":
				t.Skip("left out")
			case strings.HasPrefix(l, "- "):
				old = append(old, l[2:])
			case strings.HasPrefix(l, "+ "):
				now = append(now, l[2:])
			default:
				old, now = append(old, l[2:]), append(now, l[2:])
			}
		}
		assert.Equal(t, before, old)
		assert.Equal(t, after, now)
	})
}

func TestEditedLinesAreShownAsADiff(t *testing.T) {
	it := &outcome.Item{State: outcome.Edited, Quote: []string{"check(u)"}, Now: []string{"check(v)"}}
	assert.Equal(t, []string{"- check(u)", "+ check(v)"}, changedLines(it))
}

// What the counts of a search say, no sentence says again; a reason that they do not
// hold stands.
func TestCountsAreSaidOnce(t *testing.T) {
	o := review()
	flags := &criterion(o, "C4").Mechanisms[0].Parameters[0].Items[1]
	flags.Reason = "2 lines match, 0 before"
	page, err := OutcomeHTML(o, Options{})
	require.NoError(t, err)
	for name, text := range map[string]string{
		"terminal": Text(o, 100, false), "comment": Comment(o, Options{}), "page": string(page), "annotation": brokenMessage(group{item: flags}),
	} {
		assert.Contains(t, text, "0 → 2 hits", name)
		assert.NotContains(t, text, "lines match", name)
	}
	flags.After.Hits, flags.Reason = 0, "0 lines match as before, but not the same lines"
	assert.Contains(t, Text(o, 100, false), "not the same lines")
}

// A note of what holds is shown without a click, also when the lines stand as they did.
func TestNotesAreShown(t *testing.T) {
	o := reverified()
	loop := &criterion(o, "C2").Mechanisms[0].Parameters[0].Items[1]
	require.Equal(t, outcome.Intact, loop.State)
	loop.Reason = "heron/loop.py:2, added above in the same function, can leave before them"
	page, err := OutcomeHTML(o, Options{})
	require.NoError(t, err)
	unfolded, _, _ := strings.Cut(Comment(o, Options{}), "<details>")
	for name, text := range map[string]string{"terminal": Text(o, 200, false), "comment": unfolded, "check": Check(o, Options{}).Summary, "page": string(page), "JSON": string(JSON(o))} {
		assert.Contains(t, text, "can leave before them", name)
		assert.Equal(t, name == "JSON", !strings.Contains(text, notedHead), name)
	}
}
