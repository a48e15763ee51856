package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/testenv"
)

// draft is a report as somebody writes it by hand: no table, bare headings, empty
// links. Each change replaces a text that is there.
func draft(t *testing.T, c *clone, changes ...[2]string) string {
	t.Helper()
	md := filepath.Join(t.TempDir(), "card.md")
	require.Equal(t, exitOK, cli(t, "render", "--card", c.card, "-o", md).status)
	data, err := os.ReadFile(md)
	require.NoError(t, err)
	text := string(data)
	for _, change := range [][2]string{
		{`(?m)^\|.*\n`, ""},
		{`(?m)^Controls where .*\n`, ""},
		{`(?m)^(### C\d+ .*?) — [\d.]+ \(\w+\)$`, "$1"},
		{`(?m)^## Score: .*$`, "## Score"},
		{`\]\(https://[^)]*\)`, "]()"},
	} {
		re := regexp.MustCompile(change[0])
		require.Regexp(t, re, text)
		text = re.ReplaceAllString(text, change[1])
	}
	for _, change := range changes {
		require.Contains(t, text, change[0])
		text = strings.Replace(text, change[0], change[1], 1)
	}
	require.NoError(t, os.WriteFile(md, []byte(text), 0o600))
	return md
}

// repoFlag is --repo DIR, and nothing for no directory.
func repoFlag(dir string) []string {
	if dir == "" {
		return nil
	}
	return []string{"--repo", dir}
}

func stderrLines(r result) []string { return strings.Split(strings.TrimSuffix(r.err, "\n"), "\n") }

// What the README promises of a first card: figures, table and addresses may be left
// out, nothing is said about them, and what is written has them all.
func TestAFirstCard(t *testing.T) {
	c := newClone(t)
	md := draft(t, c)
	for repo, says := range map[string]string{"": "", c.Dir(): `, quoted the cited lines of [1-9]\d* citations`} {
		out := filepath.Join(t.TempDir(), "card.json")
		r := cli(t, append([]string{"import", md, "-o", out}, repoFlag(repo)...)...)
		require.Equal(t, exitOK, r.status, r.err)
		require.Len(t, stderrLines(r), 1, r.err)
		assert.Regexp(t, `^rescore: imported `+regexp.QuoteMeta(md)+`: 3\.6 / 10\.0 \(Minimal\)`+says+"\n$", r.err)
		r = cli(t, "verify", "--repo", c.Dir(), "--card", out)
		require.Equal(t, exitOK, r.status, r.out+r.err)
		report := cli(t, "render", "--card", out, "--format", "md").out
		assert.Contains(t, report, "## Score: 3.6 / 10.0 (Minimal)\n\n| # |")
		assert.Contains(t, report, "### C1 Identity & least privilege — 0.25 (high)")
		assert.Contains(t, report, "/blob/"+c.first+"/src/gate.py#L2-L4)")
	}
	r := cli(t, "lint", md)
	assert.NotContains(t, r.out, scorecard.RuleFigures)
	assert.NotContains(t, r.out, "link of")
	r = cli(t, "verify", "--repo", c.Dir(), "--card", md)
	assert.Equal(t, exitOK, r.status, r.out+r.err)
}

// Figures that differ are told in one line, whatever their number; lint tells each.
func TestFiguresAreComputedAnewInOneLine(t *testing.T) {
	c := newClone(t)
	md := draft(t, c, [2]string{"## Score", "## Score: 0.0 / 10.0 (Strong)"}, [2]string{"least privilege\n", "least privilege — 0 (low)\n"}, [2]string{"(default; raw 0.", "(default; raw 9."})
	r := cli(t, "import", md)
	require.Equal(t, exitOK, r.status, r.err)
	lines := stderrLines(r)
	require.Len(t, lines, 2, r.err)
	assert.Regexp(t, `^rescore: figures computed anew: score 0\.0 → 3\.6, band Strong → Minimal, C1 0 → 0\.25, C1 confidence low → high, C2 default raw 9\.\d\d → 0\.\d\d$`, lines[0])
	r = cli(t, "lint", md)
	for _, each := range []string{
		"score: the card prints 0.0, its levels give 3.6", "band: the card prints Strong, its score is Minimal",
		"C1: its heading prints 0, the levels give 0.25", "confidence low, the ratings give high", "C2 default: its line prints raw 9.",
	} {
		assert.Equal(t, 1, strings.Count(r.out, each), each)
	}

	data, err := os.ReadFile("../../testdata/demo/scorecard.md")
	require.NoError(t, err)
	figure := regexp.MustCompile(`0\.\d\d`)
	require.NoError(t, os.WriteFile(md, figure.ReplaceAll(data, []byte("0.99")), 0o600))
	r = cli(t, "import", md)
	require.Equal(t, exitOK, r.status, r.err)
	lines = stderrLines(r)
	require.Len(t, lines, 2, r.err)
	assert.Equal(t, maxFigures, strings.Count(lines[0], " → "))
	assert.Regexp(t, ` and \d+ more, which rescore lint `+regexp.QuoteMeta(md)+` lists$`, lines[0])
}

// A card that nothing will use is written, and a script can tell: the errors come
// first, links are not held against a commit that is none, and the last line says
// how many errors there are.
func TestImportOfADraft(t *testing.T) {
	c := newClone(t)
	commit := [2]string{"**Commit:** `" + c.first, "**Commit:** `abc"}
	md := draft(t, c, commit, [2]string{"[src/gate.py:2-4]()", "[src/gate.py:2-4](https://github.com/a/b/blob/main/src/gate.py#L2-L4)"}, [2]string{"## Critical gaps\n", "## Critical gaps\nA line that is no gap.\n"})
	for _, dir := range []string{"", c.Dir()} {
		out := filepath.Join(t.TempDir(), "card.json")
		r := cli(t, append([]string{"import", md, "-o", out}, repoFlag(dir)...)...)
		assert.Equal(t, exitInput, r.status, r.err)
		lines := stderrLines(r)
		require.Len(t, lines, 3, r.err)
		assert.Contains(t, lines[0], "rescore: error: "+md+`: pinned commit: "abc" is not a full commit hash`)
		assert.Contains(t, lines[1], "not understood, kept as it is: A line that is no gap.")
		assert.Equal(t, "rescore: the card was written, but 1 error keeps it from being used; rescore lint "+md+" lists what to mend", lines[2])
		data, err := os.ReadFile(out)
		require.NoError(t, err)
		doc, err := cardfile.Read(out, data)
		require.NoError(t, err)
		assert.Equal(t, "abc", doc.Card.PinnedCommit)
	}
	assert.Contains(t, cli(t, "lint", md).out, md+`: error: pinned commit: "abc" is not a full commit hash`)

	md = draft(t, c, commit, [2]string{"Data & Analytics", "Birds"})
	r := cli(t, "import", md)
	assert.Equal(t, exitInput, r.status)
	assert.Contains(t, r.err, "but 2 errors keep it from being used")
	assert.NotEmpty(t, r.out)
}

// What the import mends by itself is no warning, but is said once.
func TestImportMendsCapsThatFollow(t *testing.T) {
	c := newClone(t)
	md := draft(t, c)
	data, err := os.ReadFile(md)
	require.NoError(t, err)
	cap := regexp.MustCompile(`- \*\*Cap:\*\* C5-WORSTCASE.*\n`)
	require.Regexp(t, cap, string(data))
	require.NoError(t, os.WriteFile(md, cap.ReplaceAll(data, []byte("- **Cap:** none\n")), 0o600))
	r := cli(t, "import", md)
	require.Equal(t, exitOK, r.status, r.err)
	lines := stderrLines(r)
	require.Len(t, lines, 2, r.err)
	assert.Equal(t, "rescore: C5 default: cap C5-WORSTCASE added automatically, B is L0", lines[0])
}

// The report that the README begins with is read, line for line: what is said of it is
// what it leaves out.
func TestTheReportOfTheReadme(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(t), "README.md"))
	require.NoError(t, err)
	block := regexp.MustCompile(`(?m)^    # Defense-in-Depth Score: NAME\n(?:(?:    .*)?\n)+`).FindString(string(readme))
	require.NotEmpty(t, block)
	text := regexp.MustCompile(`(?m)^    `).ReplaceAllString(block, "")
	text = strings.NewReplacer("NAME", "pip", "OWNER", "acme", "FULL HASH", strings.Repeat("a1", 20)).Replace(text)
	md, out := filepath.Join(t.TempDir(), "report.md"), filepath.Join(t.TempDir(), "card.json")
	require.NoError(t, os.WriteFile(md, []byte(text), 0o600))

	r := cli(t, "import", md, "-o", out)
	assert.Equal(t, exitInput, r.status)
	assert.NotContains(t, r.err, "not understood")
	data, err := os.ReadFile(out)
	require.NoError(t, err, r.err)
	doc, err := cardfile.Read(out, data)
	require.NoError(t, err)
	var ids []string
	for _, c := range doc.Card.Criteria {
		ids = append(ids, c.ID)
		assert.NotContains(t, r.err, c.ID+": ", "no error about what the README shows")
	}
	assert.Equal(t, []string{"C2", "C7"}, ids)
	assert.Equal(t, 600, doc.Card.Criteria[0].Score())
	assert.True(t, doc.Card.Criteria[1].Absent())
}
