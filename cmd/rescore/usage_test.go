package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// Every wrong command line ends with the status of wrong usage and says what is
// missing in words of this program.
func TestWrongUsageSaysWhatToWrite(t *testing.T) {
	c := newClone(t)
	for line, says := range map[string]string{
		"dif":         `unknown command "dif" (near: diff); see 'rescore --help'`,
		"frobnicate":  `unknown command "frobnicate"; see 'rescore --help'`,
		"verify x.md": `"x.md" belongs to no flag; see 'rescore verify --help'`,
		"serve now":   `"now" belongs to no flag; see 'rescore serve --help'`,
		"import":      "say which file to read",
		"import a b":  "say which file to read",
		"lint":        "say which card to read",
		"explain":     "say a criterion or a parameter",
		"schema":      "say one of",
		"search --repo " + c.Dir() + " --rev HEAD":                     "say the command, in quotes of its own",
		"search --repo " + c.Dir() + " --rev HEAD -- rg -n shown src/": "the command is one argument, in quotes of its own",
	} {
		r := cli(t, strings.Fields(line)...)
		assert.Equal(t, exitUsage, r.status, line)
		assert.Contains(t, r.err, says, line)
		assert.NotContains(t, r.err, "arg(s)", line)
		assert.Empty(t, r.out, line)
	}
}

// Whoever names a file in a directory that is not there is told so, and not of a
// temporary file that nobody named.
func TestOutputIntoAMissingDirectory(t *testing.T) {
	c := newClone(t)
	for _, args := range [][]string{
		{"import", c.card, "-o", "no/such/card.json"},
		{"render", "--card", c.card, "-o", "no/such/card.md"},
		c.args("diff", "--head", "HEAD", "--out-card", "no/such/card.json"),
	} {
		r := cli(t, args...)
		assert.Equal(t, exitInput, r.status, args[0])
		assert.Contains(t, r.err, "there is no directory no/such; make it first", args[0])
		assert.NotContains(t, r.err, ".rescore-", args[0])
	}
}

// An import that no other command will take says which of its problems are to
// blame, and does not call what it mended itself an error.
func TestImportNamesWhatWillBeRefused(t *testing.T) {
	c := newClone(t)
	md := filepath.Join(t.TempDir(), "card.md")
	require.Equal(t, exitOK, cli(t, "render", "--card", c.card, "-o", md).status)
	data, err := os.ReadFile(md)
	require.NoError(t, err)
	for _, change := range [][2]string{
		{"**Category:** Data & Analytics", "**Category:** Birds"},
		{"## Score: 3", "## Score: 9"},
		{"## Critical gaps\n", "## Critical gaps\nA line that is no gap.\n"},
	} {
		require.Contains(t, string(data), change[0])
		data = []byte(strings.Replace(string(data), change[0], change[1], 1))
	}
	require.NoError(t, os.WriteFile(md, data, 0o600))

	r := cli(t, "import", md)
	require.Equal(t, exitOK, r.status, r.err)
	assert.Equal(t, 1, strings.Count(r.err, "rescore: error: "), r.err)
	assert.Contains(t, r.err, `rescore: error: `+md+`: category: "Birds" is not a category`)
	assert.Contains(t, r.err, "the imported card has 1 error and will be refused")
	assert.Contains(t, r.err, "warning: "+md+": score: the card prints 9", "the figure is computed anew")
	const lost = `not understood, kept as it is: A line that is no gap.`
	assert.Contains(t, r.err, lost)
	assert.Contains(t, cli(t, "lint", md).out, lost)
}

// A report cannot hold the quotes that lint asks for; an entry can.
func TestLintSaysWhereQuotesGo(t *testing.T) {
	const hint = "A report has no room for quotes: rescore import --repo DIR writes an entry that has them."
	c := newClone(t, func(card *scorecard.Card) {
		for i := range card.CriticalGaps {
			card.CriticalGaps[i].Evidence = []scorecard.Evidence{{File: "src/gate.py", Lines: scorecard.LineRange{First: 2, Last: 4}}}
		}
	})
	md := filepath.Join(t.TempDir(), "card.md")
	require.Equal(t, exitOK, cli(t, "render", "--card", c.card, "-o", md).status)
	r := cli(t, "lint", md)
	assert.Equal(t, exitPolicy, r.status)
	assert.Contains(t, r.out, "R-QUOTE")
	assert.Contains(t, r.out, hint)
	r = cli(t, "lint", c.card)
	assert.Contains(t, r.out, "R-QUOTE")
	assert.NotContains(t, r.out, hint)
}
