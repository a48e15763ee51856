package cardfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

// linkless is a report whose citations all have an empty address.
func linkless(report string) string {
	parts := strings.Split(report, "](https://")
	for i := 1; i < len(parts); i++ {
		parts[i] = parts[i][strings.Index(parts[i], ")"):]
	}
	return strings.Join(parts, "](")
}

// An empty link says nothing, so nothing is said about it, wherever it stands; once
// the card changes, it is written out.
func TestAnEmptyLinkIsComputed(t *testing.T) {
	for _, name := range []string{"heron-dash.md", "heron-colon.md", "heron-mixed.md"} {
		t.Run(name, func(t *testing.T) {
			full, want := readFixture(t, name)
			text := linkless(full)
			require.NotContains(t, text, "/blob/")
			d, err := Read(name, []byte(text))
			require.NoError(t, err)
			assert.Equal(t, want.Warnings, d.Warnings)
			assert.Equal(t, MarkdownView(want.Card), MarkdownView(d.Card))
			out, err := d.Write(d.Card)
			require.NoError(t, err)
			assert.Equal(t, text, string(out))

			c := d.Card.Clone()
			c.PinnedCommit = strings.Repeat("ab", 20)
			out, err = d.Write(c)
			require.NoError(t, err)
			assert.NotContains(t, string(out), "]()")
			assert.Equal(t, strings.Count(full, "/blob/"+cardtest.HeronCommit), strings.Count(string(out), "/blob/"+c.PinnedCommit))
		})
	}
}

// Where the commit is no commit, no address can name it: that one fault is the
// validation's to report, not every link's.
func TestLinksAreNotHeldAgainstAnUnusableCommit(t *testing.T) {
	for _, commit := range []string{"abc", "main", cardtest.HeronCommit[:12], strings.Repeat("AB", 20), cardtest.HeronCommit + "0", ""} {
		for name, from := range map[string]string{"heron-dash.md": "**Commit:** `", "heron.json": `"pinned_commit": "`} {
			data := spoil(t, name, from+cardtest.HeronCommit, from+commit)
			d, err := Read(name, data)
			require.NoError(t, err)
			assert.Empty(t, d.Warnings, "%s %q", name, commit)
			n := 0
			for _, p := range d.Problems() {
				if p.Place == "pinned commit" {
					n++
				}
			}
			assert.Equal(t, 1, n, "%s %q", name, commit)
		}
	}
}
