package cardfile

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

var update = flag.Bool("update", false, "write the files under testdata from what the code makes")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "go test ./internal/cardfile -update writes it anew")
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return data
}

func TestHeronInEveryForm(t *testing.T) {
	heron := cardtest.Heron()
	for name, write := range map[string]func() ([]byte, error){
		"heron-dash.md":  func() ([]byte, error) { return WriteMarkdown(heron, Dash) },
		"heron-colon.md": func() ([]byte, error) { return WriteMarkdown(heron, Colon) },
		"heron.json":     func() ([]byte, error) { return WriteJSON(heron) },
	} {
		t.Run(name, func(t *testing.T) {
			data, err := write()
			require.NoError(t, err)
			golden(t, name, data)
			d, err := Read(name, data)
			require.NoError(t, err)
			assert.Empty(t, d.Warnings)
			for _, p := range d.Problems() {
				assert.True(t, p.Quiet() || p.Severity == scorecard.Warning, "%v", p)
			}
			if d.Format == JSON {
				assert.Equal(t, JSONView(heron), JSONView(d.Card))
				assert.Empty(t, scorecard.Validate(d.Card, scorecard.Strict))
				return
			}
			assert.Equal(t, MarkdownView(heron), MarkdownView(d.Card))
		})
	}
}

// TestConversions imports a report as an entry and renders an entry as a report.
func TestConversions(t *testing.T) {
	d, err := Read("heron.md", fixture(t, "heron-colon.md"))
	require.NoError(t, err)
	entry, err := d.WriteAs(JSON, d.Card)
	require.NoError(t, err)
	e, err := Read("heron.json", entry)
	require.NoError(t, err)
	assert.Equal(t, "heron", e.Card.ID)
	assert.Equal(t, "data_analytics", e.Card.Category)
	assert.Equal(t, "opt_in", e.Card.Profile[4].Value)
	assert.Equal(t, []string{"ASI03", "T3", "T9"}, e.Card.Criteria[0].OWASP)
	assert.NotEmpty(t, e.Card.Criteria[0].Question)
	report, err := e.WriteAs(Markdown, e.Card)
	require.NoError(t, err)
	assert.Equal(t, string(fixture(t, "heron-dash.md")), string(report))
	same, err := d.WriteAs(Markdown, d.Card)
	require.NoError(t, err)
	assert.Equal(t, string(fixture(t, "heron-colon.md")), string(same))
}

// TestFormsOfTheFileStay reads files that differ from ours in ways that are not
// part of the card, and moves the card to another commit.
func TestFormsOfTheFileStay(t *testing.T) {
	forms := map[string]func(string) string{
		"as it is":         func(s string) string { return s },
		"no final newline": func(s string) string { return strings.TrimRight(s, "\n") },
		"more newlines":    func(s string) string { return s + "\n\n" },
		"CRLF":             func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"CRLF in one line": func(s string) string { return strings.Replace(s, "\n- **Cap:**", "\r\n- **Cap:**", 1) },
		"byte order mark":  func(s string) string { return byteOrderMark + s },
		"trailing spaces":  func(s string) string { return strings.ReplaceAll(s, "\n", "  \n") },
		"trailing tabs":    func(s string) string { return strings.ReplaceAll(s, ")\n", ")\t\n") },
		"blank lines":      func(s string) string { return strings.ReplaceAll(s, "\n- ", "\n\n- ") },
		"indented more":    func(s string) string { return strings.ReplaceAll(s, "\n  - ", "\n    - ") },
		"narrow table":     func(s string) string { return strings.ReplaceAll(s, " | ", "|") },
		"front matter":     func(s string) string { return "---\nlayout: report\n---\n\n" + s },
		"one hit":          func(s string) string { return strings.ReplaceAll(s, "→ 1 hits", "→ 1 hit") },
		"ASCII arrows": func(s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s, "→ 0 hits", "-> 0 hits"), "← counted", "<- counted")
		},
		"section of others": func(s string) string {
			return strings.Replace(s, "## Limitations", "## Thanks\n- To C1 S: L2 → L1. birds\n\n## Limitations", 1)
		},
		"remarks": func(s string) string {
			return strings.Replace(s, "- **Cap:**", "  - *Footnote:* see [notes](x).\n- **Cap:**", 3)
		},
		"words after a status": func(s string) string { return strings.ReplaceAll(s, "(inferred)", "(inferred) <!-- by reading -->") },
		"no marks of absence":  func(s string) string { return strings.Replace(s, "1.00** (SA)", "1.00**", 1) },
		"no raw where absent":  func(s string) string { return strings.Replace(s, "| SA | 1.00 |", "| SA | — |", 1) },
		"hyphens in surface":   func(s string) string { return strings.Replace(s, "third party", "third-party", 1) },
		"ASCII arrow in a fix": func(s string) string { return strings.Replace(s, "L0→L3", "L0->L3", 1) },
		"other links": func(s string) string {
			return strings.ReplaceAll(s, "https://github.com/heron-agent/heron/blob", "https://github.com/old/heron/blob")
		},
	}
	for _, base := range []string{"heron-dash.md", "heron-colon.md"} {
		for name, form := range forms {
			t.Run(base+" "+name, func(t *testing.T) {
				text := form(string(fixture(t, base)))
				d, err := Read("x.md", []byte(text))
				require.NoError(t, err)
				assert.Equal(t, MarkdownView(cardtest.Heron()), MarkdownView(d.Card))
				assert.Empty(t, d.Card.Printed.Problems)
				out, err := d.Write(d.Card)
				require.NoError(t, err)
				require.Equal(t, text, string(out))

				c := d.Card.Clone()
				c.PinnedCommit = strings.Repeat("ab", 20)
				out, err = d.Write(c)
				require.NoError(t, err)
				assert.Equal(t, strings.ReplaceAll(text, cardtest.HeronCommit, c.PinnedCommit), string(out))
			})
		}
	}
}
