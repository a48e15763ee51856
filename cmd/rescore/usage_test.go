package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

// Every wrong command line ends with the status of wrong usage and says what is
// missing in words of this program.
func TestWrongUsageSaysWhatToWrite(t *testing.T) {
	c := newClone(t)
	for line, says := range map[string]string{
		"dif":           `unknown command "dif"; did you mean "diff"? see 'rescore --help'`,
		"verfy":         `unknown command "verfy"; did you mean "verify"? see 'rescore --help'`,
		"help verfy":    `unknown command "verfy"; did you mean "verify"? see 'rescore --help'`,
		"help diff x":   `unknown command "diff x"`,
		"diff --rpeo x": `unknown flag: --rpeo; did you mean --repo? see 'rescore diff --help'`,
		"diff --zzzzzz": `unknown flag: --zzzzzz; see 'rescore diff --help'`,
		"diff -x":       `unknown shorthand flag: 'x' in -x; see 'rescore diff --help'`,
		"verify":        `--repo and --card are missing; see 'rescore verify --help'`,
		"replay --to x": `--repo, --card and --from are missing; see 'rescore replay --help'`,
		"frobnicate":    `unknown command "frobnicate"; see 'rescore --help'`,
		"verify x.md":   `"x.md" belongs to no flag; see 'rescore verify --help'`,
		"serve now":     `"now" belongs to no flag; see 'rescore serve --help'`,
		"import":        "say which file to read",
		"import a b":    "say which file to read",
		"lint":          "say which card to read",
		"explain":       "say one criterion or parameter",
		"schema":        "say one of",
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
	require.Equal(t, exitInput, r.status, r.err)
	assert.Equal(t, 1, strings.Count(r.err, "rescore: error: "), r.err)
	assert.Contains(t, r.err, `rescore: error: `+md+`: category: "Birds" is not a category`)
	assert.Contains(t, r.err, "1 error keeps it from being used")
	assert.Contains(t, r.err, "figures computed anew: score 9", "the figure is computed anew")
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

// What a script gets wrong is told by what it did, with the next step.
func TestScriptsMistakes(t *testing.T) {
	c := newClone(t)
	dir := t.TempDir()
	for _, tc := range []struct {
		args   []string
		status int
		want   string
	}{
		{c.args("diff", "--head", ""), exitUsage, "--head is empty"},
		{c.args("diff"), exitUsage, "--head is missing"},
		{c.args("diff", "--head", "HEAD", "--policy", "HEAD:.github/rescore.yml"), exitInput, "leave --policy out where there is none"},
		{c.args("diff", "--head", "HEAD", "--out-card", dir), exitInput, dir + ": it is a directory; name a file in it"},
		{[]string{"verify", "--repo", filepath.Join(dir, "no"), "--card", c.card}, exitInput, `rescore: open repository: there is no directory "` + filepath.Join(dir, "no") + `"`},
		{[]string{"explain", "C11"}, exitUsage, `rescore: "C11": want a criterion, C1 to C10, alone or with a parameter as in C4.S`},
		{[]string{"verify", "--repo", c.Dir(), "--card", "HEAD:src"}, exitInput, "HEAD:src is a directory; name a file in it"},
	} {
		r := cli(t, tc.args...)
		assert.Equal(t, tc.status, r.status, tc.args)
		assert.Contains(t, r.err, tc.want, tc.args)
		assert.Empty(t, r.out, tc.args)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// A flag that is given and empty is a script's mistake, whichever it is: an answer to
// another question, such as a diff without its policy, would pass for this one's.
func TestNoFlagIsEmpty(t *testing.T) {
	c := newClone(t)
	given := map[string][]string{
		"diff": c.args("diff", "--head", "HEAD"), "verify": c.args("verify"), "replay": c.args("replay", "--from", "HEAD", "--to", "HEAD"),
		"search": {"search", "--repo", c.Dir(), "--rev", "HEAD", "--", "rg x"}, "import": {"import", c.card}, "render": c.args("render"),
		"explain": {"explain", "C4"}, "lint": {"lint", c.card}, "serve": {"serve"}, "demo": {"demo"}, "schema": {"schema", "entry"}, "version": {"version"},
	}
	tried := 0
	for _, cmd := range newRoot(streams{}).Commands() {
		line, known := given[cmd.Name()]
		require.True(t, known, "say here how %s is called", cmd.Name())
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			tried++
			args := slices.Insert(slices.Clone(line), 1, "--"+f.Name+"=")
			if i := slices.Index(args, "--"+f.Name); i > 0 {
				args = slices.Delete(args, i, i+2) // else the second one fills it
			}
			r := cli(t, args...)
			assert.Equal(t, exitUsage, r.status, "%v", args)
			assert.Contains(t, r.err, "--"+f.Name, "%v", args)
			assert.Empty(t, r.out, "%v", args)
		})
	}
	assert.Greater(t, tried, 20)
}

// No schema asks for a multiple of a fraction: validators that reckon in binary refuse
// 0.475 as a multiple of 0.001.
func TestSchemasSuitEveryValidator(t *testing.T) {
	for _, name := range []string{"entry", "outcome", "policy", "verify"} {
		r := cli(t, "schema", name)
		require.Equal(t, exitOK, r.status)
		assert.NotContains(t, r.out, "multipleOf", name)
	}
}

// A long list of warnings would bury what the command says.
func TestManyWarningsAreOneLine(t *testing.T) {
	c := newClone(t, func(card *scorecard.Card) {
		for i := range card.Criteria {
			for j := range card.Criteria[i].Mechanisms {
				for p := range card.Criteria[i].Mechanisms[j].Parameters {
					card.Criteria[i].Mechanisms[j].Parameters[p].Gap = ""
				}
			}
		}
	})
	r := cli(t, c.args("verify")...)
	assert.Equal(t, exitOK, r.status)
	assert.Regexp(t, `^rescore: \d\d warnings about the card .*; `+"`rescore lint`"+` lists them\n$`, r.err)
	c = newClone(t, func(card *scorecard.Card) { card.Criteria[0].Mechanisms[0].Parameters[0].Gap = "" })
	r = cli(t, c.args("verify")...)
	assert.Equal(t, 1, strings.Count(r.err, "\n"), r.err)
	assert.Contains(t, r.err, "warning: ")
}

// A card in the repository is read by every command alike.
func TestCardAtARevision(t *testing.T) {
	c := newClone(t)
	data, err := os.ReadFile(c.card)
	require.NoError(t, err)
	c.Write("card.json", string(data))
	c.Commit("card")
	const card = "HEAD:card.json"
	for _, args := range [][]string{
		{"verify", "--card", card}, {"diff", "--card", card, "--head", "HEAD"}, {"replay", "--card", card, "--from", c.first, "--to", "HEAD"},
		{"lint", card}, {"import", card}, {"render", "--card", card}, {"explain", "C4", "--card", card},
	} {
		r := cli(t, append(args, "--repo", c.Dir())...)
		assert.NotContains(t, r.err, "read card", args[0])
		assert.NotEmpty(t, r.out, args[0])
	}
}

// Two commits that no line of history joins can be compared, not walked between.
func TestReplayOfUnrelatedCommits(t *testing.T) {
	c := newClone(t)
	c.Git("checkout", "--quiet", "--orphan", "other")
	c.Commit("other")
	r := cli(t, c.args("replay", "--from", c.first, "--to", "other")...)
	assert.Equal(t, exitInput, r.status)
	assert.Contains(t, r.err, "neither commit is an ancestor of the other; replay walks one line of history, so name two commits of one, or compare them with rescore diff")
}

// A scope path that is not there changes no count, and is told.
func TestSearchTellsAbsentScopePaths(t *testing.T) {
	c := newClone(t)
	r := cli(t, "search", "--repo", c.Dir(), "--rev", "HEAD", "--count", "--", "rg -n def", "src", "nosuch")
	assert.Equal(t, exitOK, r.status)
	assert.NotEqual(t, "0\n", r.out)
	assert.Contains(t, r.err, `the scope path "nosuch" does not exist`)
}

// What a search does not show it counts and says how to see.
func TestSearchShowsAllOnDemand(t *testing.T) {
	const lines = search.MaxMatches + 234
	c := newClone(t)
	c.Write("src/many.txt", strings.Repeat("needle\n", lines))
	c.Commit("many")
	args := []string{"search", "--repo", c.Dir(), "--rev", "HEAD", "--", "rg -n needle", "src"}
	r := cli(t, args...)
	assert.Equal(t, exitOK, r.status, r.err)
	assert.Equal(t, search.MaxMatches, strings.Count(r.out, "\n"))
	assert.Equal(t, fmt.Sprintf("rescore: only the first %d of %d lines are shown; --all prints every one\n", search.MaxMatches, lines), r.err)
	r = cli(t, slices.Insert(args, 1, "--all")...)
	assert.Equal(t, exitOK, r.status, r.err)
	assert.Equal(t, lines, strings.Count(r.out, "\n"))
	assert.Contains(t, r.out, fmt.Sprintf("src/many.txt:%d:needle\n", lines))
	assert.Empty(t, r.err)
}

func TestInterruptedCommandSaysSo(t *testing.T) {
	c := newClone(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("interrupt signal received"))
	var out, errs bytes.Buffer
	status := run(ctx, c.args("diff", "--head", "HEAD"), streams{in: strings.NewReader(""), out: &out, err: &errs})
	assert.Equal(t, exitOther, status)
	assert.Equal(t, "rescore: interrupted\n", errs.String())
	assert.Empty(t, out.String())
}

// A repository that lacks the commit of the card may be the wrong one.
func TestCardOfAnotherRepository(t *testing.T) {
	c := newClone(t)
	other := testenv.NewRepo(t)
	other.Write("a", "1")
	other.Commit("1")
	for _, args := range [][]string{
		{"verify", "--repo", other.Dir(), "--card", c.card},
		{"diff", "--repo", other.Dir(), "--card", c.card, "--head", "HEAD"},
		{"replay", "--repo", other.Dir(), "--card", c.card, "--from", "HEAD", "--to", "HEAD"},
		{"lint", c.card, "--repo", other.Dir()},
		{"import", c.card, "--repo", other.Dir()},
	} {
		r := cli(t, args...)
		assert.Equal(t, exitInput, r.status, args[0])
		assert.Contains(t, r.err, `rescore: revision "`, args[0])
		assert.Contains(t, r.err, c.first, args[0])
		assert.Contains(t, r.err, "is --repo a clone of that?", args[0])
	}
}
