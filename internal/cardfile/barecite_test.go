package cardfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A place that is written without a link is refused, wherever evidence may stand:
// as prose it would be lost, and the rating would look as if nothing proved it.
func TestAPlaceWithoutALinkIsRefused(t *testing.T) {
	for _, written := range []string{
		" — agent/loop.py:3",
		" — `agent/loop.py:3-9`",
		" Evidence: agent/loop.py:3",
		" — Dockerfile:3",
		" — agent/loop.py:3; searched `rg x` in `agent` → 0 hits",
		" — agent/loop.py:3; [agent/loop.py:4]()",
		" — agent/loop.py:3, agent/loop.py:8",
		", which stops it — at once — agent/loop.py:3",
	} {
		for name, report := range map[string][]byte{
			"rating": evidenceReplaced(t, "- **S L1:**", "What it does"+written+" (verified)"),
			"gap":    evidenceReplaced(t, "- A hijacked run", " reads it all. (ASI01; C5)"+written),
		} {
			t.Run(name+written, func(t *testing.T) {
				_, err := Read("report.md", report)
				require.ErrorContains(t, err, "evidence cannot be read: a place is cited as a link; write [")
				assert.ErrorContains(t, err, "]() to have the address computed")
			})
		}
	}
}

func TestProseAfterADashStaysProse(t *testing.T) {
	for _, finding := range []string{
		"What it does — by half past 10:30",
		"What it does — 10:30",
		"What it does: agent/loop.py:3",
		"What it does — see agent/loop.py:3",
		"What it does — agent/loop.py",
	} {
		d, err := Read("report.md", evidenceReplaced(t, "- **S L1:**", finding+" (verified)"))
		require.NoError(t, err, finding)
		p := d.Card.ByID("C1").Mechanisms[0].Parameters[0]
		assert.Equal(t, finding, p.Finding)
		assert.Empty(t, p.Evidence)
	}
}

// evidenceReplaced is the fixture with the rest of the first line that begins with
// head replaced.
func evidenceReplaced(t *testing.T, head, rest string) []byte {
	t.Helper()
	lines := strings.Split(string(fixture(t, "heron-dash.md")), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, head) {
			lines[i] = head + " " + strings.TrimSpace(rest)
			return []byte(strings.Join(lines, "\n"))
		}
	}
	require.Fail(t, "the fixture has no line "+head)
	return nil
}
