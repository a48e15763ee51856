package cardfile

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// TestRandomCardsPassThroughEveryFormat takes valid cards through entry JSON, which
// meets the published schema, and both house styles, and back.
func TestRandomCardsPassThroughEveryFormat(t *testing.T) {
	s := entrySchema(t)
	rapid.Check(t, func(t *rapid.T) {
		c := randomCard(t)
		for _, p := range scorecard.Validate(c, scorecard.Strict) {
			require.NotEqual(t, scorecard.Error, p.Severity, "%v", p)
		}
		entry, err := WriteJSON(c)
		require.NoError(t, err)
		require.NoError(t, checkSchema(s, entry))
		d := unchanged(t, "card.json", entry)
		assert.Equal(t, JSONView(c), JSONView(d.Card))
		for _, style := range []Style{Dash, Colon} {
			report, err := WriteMarkdown(c, style)
			require.NoError(t, err)
			d := unchanged(t, "card.md", report)
			assert.Equal(t, MarkdownView(c), MarkdownView(d.Card))
			again, err := WriteMarkdown(d.Card, style)
			require.NoError(t, err)
			assert.Equal(t, string(report), string(again))
		}
	})
}

// unchanged reads a file of ours, which agrees with itself and is written back
// byte for byte.
func unchanged(t *rapid.T, name string, data []byte) *Document {
	d, err := Read(name, data)
	require.NoError(t, err)
	assert.Empty(t, d.Warnings)
	for _, p := range d.Problems() {
		require.NotEqual(t, scorecard.RuleFigures, p.Rule, "%v", p)
		require.NotEqual(t, scorecard.Error, p.Severity, "%v", p)
	}
	out, err := d.Write(d.Card)
	require.NoError(t, err)
	require.Equal(t, string(data), string(out))
	return d
}

// TestAnyCardReplacesAnyOther writes one card into the file of another: what reads
// back is the new card, whatever the old file looked like.
func TestAnyCardReplacesAnyOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := randomCard(t), randomCard(t)
		style := rapid.SampledFrom([]Style{Dash, Colon}).Draw(t, "style")
		report, err := WriteMarkdown(a, style)
		require.NoError(t, err)
		d, err := Read("card.md", report)
		require.NoError(t, err)
		out, err := d.Write(b)
		require.NoError(t, err)
		again, err := Read("card.md", out)
		require.NoError(t, err)
		assert.Equal(t, MarkdownView(b), MarkdownView(again.Card))
		assert.Empty(t, again.Card.Printed.Problems)

		entry, err := WriteJSON(a)
		require.NoError(t, err)
		d, err = Read("card.json", entry)
		require.NoError(t, err)
		out, err = d.Write(b)
		require.NoError(t, err)
		fresh, err := WriteJSON(b)
		require.NoError(t, err)
		assert.JSONEq(t, string(fresh), string(out))
	})
}
