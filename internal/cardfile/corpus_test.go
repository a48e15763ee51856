package cardfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/testenv"
)

// explained are the rules that published cards are known to break: ratings without
// evidence, absence searches whose notes the corpus leaves out, and gaps that
// reports do not list.
var explained = map[string]bool{"R-EVIDENCE": true, "Q-SEARCH-HITS": true, "R-CRITICAL-GAP": true}

func TestCorpus(t *testing.T) {
	testenv.EachAgent(t, func(t *testing.T, a testenv.Agent) {
		name, data := a.Entry(t)
		d, err := Read(name, data)
		require.NoError(t, err)
		assert.Empty(t, d.Warnings)
		for _, p := range d.Problems() {
			assert.Equal(t, scorecard.Warning, p.Severity, "%v", p)
			assert.True(t, p.Quiet() || explained[p.Rule], "%v", p)
		}
		assert.Equal(t, d.Card.Printed.Total, scorecard.Format1(d.Card.Total()))

		out, err := d.Write(d.Card)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out))
		fresh, err := WriteJSON(d.Card)
		require.NoError(t, err)
		require.JSONEq(t, string(data), string(fresh))
		for _, style := range []Style{Dash, Colon} {
			report, err := WriteMarkdown(d.Card, style)
			require.NoError(t, err)
			m, err := Read("report.md", report)
			require.NoError(t, err)
			assert.Empty(t, m.Warnings)
			assert.Empty(t, m.Card.Printed.Problems)
			assert.Equal(t, MarkdownView(d.Card), MarkdownView(m.Card))
			out, err := m.Write(m.Card)
			require.NoError(t, err)
			assert.Equal(t, string(report), string(out))
		}
	})
}

// TestSeedsAreAccepted reads the published reports with no complaint but the
// quotes that reports cannot hold.
func TestSeedsAreAccepted(t *testing.T) {
	for _, seed := range seeds {
		_, d := readSeed(t, seed.name)
		for _, p := range d.Problems() {
			assert.True(t, p.Quiet(), "%s: %v", seed.name, p)
		}
	}
}

// TestSeedsConvert takes the published reports to entries and back.
func TestSeedsConvert(t *testing.T) {
	for _, seed := range seeds {
		data, d := readSeed(t, seed.name)
		entry, err := d.WriteAs(JSON, d.Card)
		require.NoError(t, err)
		e, err := Read(seed.name+".json", entry)
		require.NoError(t, err)
		assert.Equal(t, seed.name, e.Card.ID)
		report, err := WriteMarkdown(e.Card, seed.style)
		require.NoError(t, err)
		assert.Equal(t, strings.TrimRight(string(data), "\n"), strings.TrimRight(string(report), "\n"))
	}
}

// TestKnownDefectOfAReport prints both figures where a report's line disagrees.
func TestKnownDefectOfAReport(t *testing.T) {
	name, data := testenv.Agent{ID: "aider"}.Entry(t)
	d, err := Read(name, data)
	require.NoError(t, err)
	report, err := WriteMarkdown(d.Card, Dash)
	require.NoError(t, err)
	text := strings.Replace(string(report), "2.55 / 9.0 (28%)", "2.57 / 9.0 (29%)", 1)
	require.NotEqual(t, string(report), text)
	m, err := Read("aider.md", []byte(text))
	require.NoError(t, err)
	var got []string
	for _, p := range m.Problems() {
		if p.Rule == scorecard.RuleFigures {
			got = append(got, string(p.Severity)+" "+p.Message)
		}
	}
	assert.Equal(t, []string{"warning the card prints Controls where a risk surface exists: 2.57 / 9.0 (29%); 1 criterion scored SA (surface absent)., its criteria give Controls where a risk surface exists: 2.55 / 9.0 (28%); 1 criterion scored SA (surface absent)."}, got)
	out, err := m.Write(m.Card)
	require.NoError(t, err)
	assert.Equal(t, text, string(out))
}
