package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
	"github.com/rescore-app/rescore/internal/testenv"
)

// result is what one command line gave.
type result struct {
	status   int
	out, err string
}

func cli(t *testing.T, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	status := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &errs})
	return result{status, out.String(), errs.String()}
}

// clone is a repository with one cited file and a card for it.
type clone struct {
	*testenv.Repo
	first string // pinned commit
	card  string // path of the card
}

const gate = "def ask(command):\n    shown = repr(command)\n    answer = input(shown)\n    return answer == 'yes'\n"

// newClone makes the repository; every parameter of the card cites gate.py:2-4.
func newClone(t *testing.T, change ...func(*scorecard.Card)) *clone {
	t.Helper()
	c := &clone{Repo: testenv.NewRepo(t)}
	c.Write("src/gate.py", gate)
	c.Write("README.md", "an agent\n")
	c.first = c.Commit("first")
	card := cardtest.Heron()
	card.PinnedCommit = c.first
	cite := []scorecard.Evidence{{File: "src/gate.py", Lines: scorecard.LineRange{First: 2, Last: 4}, Contains: "answer = input(shown)"}}
	for i := range card.Criteria {
		k := &card.Criteria[i]
		if k.Absent() {
			k.AbsenceEvidence = []scorecard.Evidence{{Search: "rg -n 'plugin'", Scope: "src", Hits: 0}}
		}
		for j := range k.Mechanisms {
			for p := range k.Mechanisms[j].Parameters {
				q := &k.Mechanisms[j].Parameters[p]
				q.Evidence = cite
				if q.SA {
					q.Evidence = []scorecard.Evidence{{Search: "rg -n 'schedule'", Scope: "src", Hits: 0}}
				}
			}
		}
	}
	for i := range card.CriticalGaps {
		card.CriticalGaps[i].Evidence = cite
	}
	for _, f := range change {
		f(card)
	}
	scorecard.Normalize(card)
	data, err := cardfile.WriteJSON(card)
	require.NoError(t, err)
	c.card = filepath.Join(t.TempDir(), "card.json")
	require.NoError(t, os.WriteFile(c.card, data, 0o600))
	return c
}

func (c *clone) args(command string, more ...string) []string {
	return append([]string{command, "--repo", c.Dir(), "--card", c.card}, more...)
}

func TestVerify(t *testing.T) {
	c := newClone(t)
	r := cli(t, c.args("verify")...)
	require.Equal(t, exitOK, r.status, r.out+r.err)
	assert.Contains(t, r.out, "verified")

	c.Write("src/gate.py", strings.Replace(gate, "input(shown)", "'yes'", 1))
	head := c.Commit("weaken")
	r = cli(t, c.args("verify", "--rev", head, "--format", "json")...)
	assert.Equal(t, exitPolicy, r.status)
	var v struct {
		Schema string
		OK     bool
		Items  []struct{ Criterion, Kind, File, Lines, State, Expected, Got string }
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &v))
	assert.Equal(t, "rescore.verify/1", v.Schema)
	assert.False(t, v.OK)
	assert.Equal(t, "mismatch", v.Items[0].State)
	assert.Equal(t, "src/gate.py", v.Items[0].File)
}

func TestVerifySaysWhatItCannotRun(t *testing.T) {
	c := newClone(t, func(card *scorecard.Card) {
		card.ByID("C3").Mechanisms[0].Parameters[3].Evidence = []scorecard.Evidence{{Search: "rg -nP '(?<=x)y'", Scope: "src", Hits: 0}}
	})
	r := cli(t, c.args("verify")...)
	assert.Equal(t, exitPolicy, r.status)
	assert.Contains(t, r.out, "-P")
}

func TestDiff(t *testing.T) {
	c := newClone(t)
	c.Write("README.md", "an agent, described\n")
	quiet := c.Commit("quiet")
	r := cli(t, c.args("diff", "--head", quiet, "--format", "json")...)
	require.Equal(t, exitOK, r.status, r.err)
	var o struct {
		Schema, Conclusion string
		Base, Head         string
		Cost               outcome.Cost
		Criteria           []struct{ Outcome string }
	}
	require.NoError(t, json.Unmarshal([]byte(r.out), &o))
	assert.Equal(t, "success", o.Conclusion)
	assert.Equal(t, c.first, o.Base)
	assert.Equal(t, quiet, o.Head)
	assert.Zero(t, o.Cost.BlobsRead)
	assert.EqualValues(t, 1, o.Cost.GitProcesses)
	require.Len(t, o.Criteria, 10)
	for _, k := range o.Criteria {
		assert.Equal(t, "carried", k.Outcome)
	}

	c.Write("src/gate.py", strings.Replace(gate, "input(shown)", "'yes'", 1))
	c.Commit("weaken")
	for format, want := range map[string]string{
		"text": "needs review", "markdown": "| C2 ", "json": `"outcome": "needs_review"`,
		"sarif": `"ruleId": "C2"`, "html": "<!doctype html>",
	} {
		r = cli(t, c.args("diff", "--head", "HEAD", "--format", format)...)
		assert.Equal(t, exitOK, r.status, "without a policy nothing fails")
		assert.Contains(t, r.out, want, format)
		assert.Contains(t, r.out, "src/gate.py", format)
		assert.Empty(t, r.err)
	}
}

func TestDiffObeysThePolicy(t *testing.T) {
	c := newClone(t)
	c.Write("src/gate.py", "def ask(command):\n    pass\n")
	c.Commit("remove")
	file := filepath.Join(t.TempDir(), "rescore.yml")
	require.NoError(t, os.WriteFile(file, []byte("version: 1\nfail_on:\n  drop: 0.1\n"), 0o600))
	r := cli(t, c.args("diff", "--head", "HEAD", "--policy", file)...)
	assert.Equal(t, exitPolicy, r.status)
	assert.Contains(t, r.out, "the policy allows less than 0.1")

	require.NoError(t, os.WriteFile(file, []byte("version: 1\nfail_onn: {}\n"), 0o600))
	r = cli(t, c.args("diff", "--head", "HEAD", "--policy", file)...)
	assert.Equal(t, exitInput, r.status)
	assert.Contains(t, r.err, "fail_onn")
	assert.Empty(t, r.out)
}

func TestOutCardVerifies(t *testing.T) {
	c := newClone(t)
	c.Write("src/gate.py", "# one more line\n"+gate)
	head := c.Commit("shift")
	for _, name := range []string{"card.json", "card.md"} {
		out := filepath.Join(t.TempDir(), name)
		r := cli(t, c.args("diff", "--head", "HEAD", "--out-card", out)...)
		require.Equal(t, exitOK, r.status, r.err)
		r = cli(t, "verify", "--repo", c.Dir(), "--card", out)
		require.Equal(t, exitOK, r.status, r.out+r.err)
		data, err := os.ReadFile(out)
		require.NoError(t, err)
		assert.Contains(t, string(data), head)
		assert.Contains(t, string(data), "#L3-L5")
	}
}

// brokenPipe is a standard output that nobody reads.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestOutCardIsWrittenFirst(t *testing.T) {
	c := newClone(t)
	c.Write("src/gate.py", "# one more line\n"+gate)
	c.Commit("shift")
	out := filepath.Join(t.TempDir(), "card.json")
	var errs bytes.Buffer
	status := run(context.Background(), c.args("diff", "--head", "HEAD", "--out-card", out),
		streams{in: strings.NewReader(""), out: brokenPipe{}, err: &errs})
	assert.Equal(t, exitOther, status)
	assert.FileExists(t, out)
}

func TestPanicIsNoUsageError(t *testing.T) {
	var errs bytes.Buffer
	status := run(context.Background(), []string{"version"}, streams{out: panicking{}, err: &errs})
	assert.Equal(t, exitOther, status)
	assert.Contains(t, errs.String(), "defect of the program")
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("on purpose") }

func TestReplay(t *testing.T) {
	c := newClone(t)
	commits := []string{c.first}
	for i := range 5 {
		c.Write("src/gate.py", strings.Repeat("# more\n", i+1)+gate)
		commits = append(commits, c.Commit(fmt.Sprint("step ", i)))
	}
	out := filepath.Join(t.TempDir(), "end.json")
	r := cli(t, c.args("replay", "--from", c.first, "--to", "HEAD", "--format", "jsonl", "--out-card", out)...)
	require.Equal(t, exitOK, r.status, r.err)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	require.Len(t, lines, 5)
	for i, line := range lines {
		var o struct{ Schema, Base, Head string }
		require.NoError(t, json.Unmarshal([]byte(line), &o))
		assert.Equal(t, "rescore.outcome/1", o.Schema)
		assert.Equal(t, commits[i], o.Base)
		assert.Equal(t, commits[i+1], o.Head)
	}
	// And back: the card ends where it began.
	end := filepath.Join(t.TempDir(), "back.json")
	r = cli(t, "replay", "--repo", c.Dir(), "--card", out, "--from", "HEAD", "--to", c.first, "--first-parent", "--out-card", end)
	require.Equal(t, exitOK, r.status, r.err)
	assert.Equal(t, 5, strings.Count(r.out, "\n"))
	first, err := os.ReadFile(c.card)
	require.NoError(t, err)
	last, err := os.ReadFile(end)
	require.NoError(t, err)
	assert.JSONEq(t, string(first), string(last))
}

// A step tells of a doubt once; what waits at the end is told at the end.
func TestReplayEndsWithWhatWaits(t *testing.T) {
	c := newClone(t)
	c.Write("src/gate.py", strings.Replace(gate, "input(shown)", "'yes'", 1))
	c.Commit("weaken")
	c.Write("README.md", "an agent, described\n")
	c.Commit("quiet")
	r := cli(t, c.args("replay", "--from", c.first, "--to", "HEAD")...)
	require.Equal(t, exitOK, r.status, r.err)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	require.Len(t, lines, 5)
	assert.Contains(t, lines[1], "nothing it rests on changed")
	assert.Regexp(t, `^At the end \d+ ratings wait for review, .*:$`, lines[2])
	assert.Regexp(t, `^  C1 S, C1 C,.* C4 alt S,`, lines[3])
	assert.Equal(t, "--out-card writes the card to settle them in.", lines[4])
	written := cli(t, c.args("replay", "--from", c.first, "--to", "HEAD", "--out-card", filepath.Join(t.TempDir(), "card.json"))...)
	assert.Equal(t, strings.TrimSuffix(r.out, lines[4]+"\n"), written.out, "no advice that was followed")

	// A card that is brought to the first commit says what that did to it.
	r = cli(t, c.args("replay", "--from", "HEAD~1", "--to", "HEAD")...)
	require.Equal(t, exitOK, r.status, r.err)
	assert.Regexp(t, `^rescore: the card of `+c.first[:12]+` brought to [0-9a-f]{12}: 3\.6 → 3\.4\n$`, r.err)

	r = cli(t, c.args("replay", "--from", c.first, "--to", c.first)...)
	assert.Equal(t, exitOK, r.status)
	assert.Empty(t, r.out)
	assert.Contains(t, r.err, "no step to replay")
}

func TestSearch(t *testing.T) {
	c := newClone(t)
	base := []string{"search", "--repo", c.Dir(), "--rev", "HEAD"}
	r := cli(t, append(base, "--count", "--", "rg -n 'shown' -g '*.py'", "src")...)
	assert.Equal(t, result{exitOK, "2\n", ""}, r)
	r = cli(t, append(base, "--", "rg -n 'shown' -g '*.py'", "src")...)
	assert.Equal(t, "src/gate.py:2:    shown = repr(command)\nsrc/gate.py:3:    answer = input(shown)\n", r.out)
	r = cli(t, append(base, "--", "rg -nP 'shown'", "src")...)
	assert.Equal(t, exitInput, r.status)
	assert.Contains(t, r.err, "-P")
	r = cli(t, append(base, "--", "rg -n 'shown'", "nowhere")...)
	assert.Equal(t, exitInput, r.status)
	assert.Contains(t, r.err, "nowhere")
}

func TestImportAndRender(t *testing.T) {
	c := newClone(t)
	md := filepath.Join(t.TempDir(), "card.md")
	require.Equal(t, exitOK, cli(t, "render", "--card", c.card, "--format", "md", "-o", md).status)
	r := cli(t, "import", md)
	require.Equal(t, exitOK, r.status, r.err)
	assert.True(t, json.Valid([]byte(r.out)))
	for format, want := range map[string]string{
		"md": "# Defense-in-Depth Score: Heron", "json": `"schema_version"`, "html": "<!doctype html>", "badge": `"schemaVersion"`, "svg": "<svg",
	} {
		r := cli(t, "render", "--card", md, "--format", format)
		require.Equal(t, exitOK, r.status, r.err)
		assert.Contains(t, strings.ToLower(r.out), strings.ToLower(want), format)
	}
}

// Quotes from the repository make a card's own check see what the lines say.
func TestImportQuotesTheCitedLines(t *testing.T) {
	c := newClone(t, func(card *scorecard.Card) {
		for i := range card.Criteria {
			for j := range card.Criteria[i].Mechanisms {
				for k := range card.Criteria[i].Mechanisms[j].Parameters {
					for n := range card.Criteria[i].Mechanisms[j].Parameters[k].Evidence {
						card.Criteria[i].Mechanisms[j].Parameters[k].Evidence[n].Contains = ""
					}
				}
			}
		}
	})
	quoted := filepath.Join(t.TempDir(), "quoted.json")
	r := cli(t, "import", c.card, "--repo", c.Dir(), "-o", quoted)
	require.Equal(t, exitOK, r.status, r.err)
	assert.Regexp(t, `quoted the cited lines of [1-9]\d* citations`, r.err)
	assert.NotContains(t, r.err, "are not there")

	r = cli(t, "verify", "--repo", c.Dir(), "--card", quoted)
	require.Equal(t, exitOK, r.status, r.out+r.err)
	assert.NotContains(t, r.out, "without a quote")
	r = cli(t, "verify", "--repo", c.Dir(), "--card", c.card)
	assert.Contains(t, r.out, "without a quote")

	again := cli(t, "import", quoted, "--repo", c.Dir())
	require.Equal(t, exitOK, again.status, again.err)
	assert.Contains(t, again.err, "no quote was missing")

	r = cli(t, "import", c.card, "--repo", t.TempDir())
	assert.Equal(t, exitInput, r.status)
	assert.Empty(t, r.out)
}

func TestCardInsideTheRepository(t *testing.T) {
	c := newClone(t)
	data, err := os.ReadFile(c.card)
	require.NoError(t, err)
	c.Write(".github/rescore/scorecard.json", string(data))
	c.Commit("commit the card")
	r := cli(t, "verify", "--repo", c.Dir(), "--card", "HEAD:.github/rescore/scorecard.json")
	require.Equal(t, exitOK, r.status, r.err)
	r = cli(t, "verify", "--repo", c.Dir(), "--card", "HEAD:nowhere.json")
	assert.Equal(t, exitInput, r.status)
	assert.Contains(t, r.err, "nowhere.json")
}

func TestBadInput(t *testing.T) {
	c := newClone(t)
	broken := filepath.Join(t.TempDir(), "broken.json")
	require.NoError(t, os.WriteFile(broken, []byte("{\n  \"schema_version\": \"2.0\",\n  oops\n}\n"), 0o600))
	empty := testenv.NewRepo(t)
	unknown := strings.Repeat("cd", 20)
	for name, tc := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"unknown command":     {[]string{"frobnicate"}, exitUsage, "frobnicate"},
		"unknown flag":        {[]string{"diff", "--nope"}, exitUsage, "--nope"},
		"missing flag":        {[]string{"diff", "--repo", c.Dir(), "--card", c.card}, exitUsage, "--head is missing"},
		"unknown format":      {c.args("diff", "--head", "HEAD", "--format", "yaml"), exitUsage, "want one of text"},
		"unknown judge":       {c.args("diff", "--head", "HEAD", "--judge", "oracle"), exitUsage, "oracle"},
		"extra argument":      {c.args("verify", "more"), exitUsage, "more"},
		"no such card":        {[]string{"verify", "--repo", c.Dir(), "--card", "nowhere.json"}, exitInput, "nowhere.json"},
		"broken card":         {[]string{"verify", "--repo", c.Dir(), "--card", broken}, exitInput, "broken.json:3"},
		"no such repository":  {[]string{"verify", "--repo", t.TempDir(), "--card", c.card}, exitInput, "not a git repository"},
		"empty repository":    {[]string{"verify", "--repo", empty.Dir(), "--card", c.card}, exitInput, "no commits"},
		"unknown head":        {c.args("diff", "--head", unknown), exitInput, unknown[:12]},
		"unknown branch":      {c.args("diff", "--head", "no-such-branch"), exitInput, "no-such-branch"},
		"unknown base":        {c.args("diff", "--base", unknown, "--head", "HEAD"), exitInput, unknown[:12]},
		"no such policy":      {c.args("diff", "--head", "HEAD", "--policy", "nowhere.yml"), exitInput, "nowhere.yml"},
		"all and lines":       {[]string{"search", "--repo", c.Dir(), "--rev", "HEAD", "--all", "--lines", "--", "rg x", "src"}, exitUsage, "--lines and --all exclude each other"},
		"count and lines":     {[]string{"search", "--repo", c.Dir(), "--rev", "HEAD", "--count", "--lines", "--", "rg x", "src"}, exitUsage, "exclude each other"},
		"refused at the tree": {[]string{"search", "--repo", c.Dir(), "--rev", "HEAD", "--", "rg --hidden x", "."}, exitInput, ".git"},
		"out-card to nowhere": {c.args("diff", "--head", "HEAD", "--out-card", "no/such/dir/x.json"), exitInput, "no/such/dir"},
	} {
		t.Run(name, func(t *testing.T) {
			r := cli(t, tc.args...)
			assert.Equal(t, tc.status, r.status, r.err)
			assert.Contains(t, r.err, tc.says)
		})
	}
}

// A card whose figures contradict its levels is no ground to build on, though it
// can be imported.
func TestFiguresThatDisagree(t *testing.T) {
	c := newClone(t)
	data, err := os.ReadFile(c.card)
	require.NoError(t, err)
	var entry map[string]any
	require.NoError(t, json.Unmarshal(data, &entry))
	entry["score"] = 9.9
	data, err = json.Marshal(entry)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(c.card, data, 0o600))
	r := cli(t, c.args("diff", "--head", "HEAD")...)
	assert.Equal(t, exitInput, r.status)
	assert.Contains(t, r.err, "9.9")
	r = cli(t, "import", c.card)
	assert.Equal(t, exitOK, r.status)
	assert.Contains(t, r.err, "9.9")
}

func TestExplain(t *testing.T) {
	c := newClone(t)
	r := cli(t, "explain", "c4.s", "--card", c.card)
	require.Equal(t, exitOK, r.status, r.err)
	assert.Contains(t, r.out, "C4.S Strength")
	assert.Contains(t, r.out, "Heron at "+c.first[:7])
	r = cli(t, "explain", "C11")
	assert.Equal(t, exitUsage, r.status)
	assert.Contains(t, r.err, "C1 to C10")
}

func TestLint(t *testing.T) {
	c := newClone(t)
	r := cli(t, "lint", c.card, "--repo", c.Dir())
	assert.Equal(t, exitOK, r.status, r.out+r.err)
	assert.Contains(t, r.out, "0 errors")
	c = newClone(t, func(card *scorecard.Card) {
		card.ByID("C9").Mechanisms[0].Parameters[0].Evidence = []scorecard.Evidence{{File: "src/gone.py", Lines: scorecard.LineRange{First: 1, Last: 1}}}
	})
	r = cli(t, "lint", c.card, "--repo", c.Dir())
	assert.Equal(t, exitPolicy, r.status)
	assert.Contains(t, r.out, "src/gone.py:1")
	assert.Regexp(t, `(?m)^not verified: \d+ citations and \d+ searches, of which .* at `+c.first[:7]+"$", r.out)
	r = cli(t, "lint", c.card)
	assert.Equal(t, exitOK, r.status, "without a repository nothing is verified")
	assert.NotContains(t, r.out, "verified: ")
}

func TestSchema(t *testing.T) {
	for name := range schemas {
		r := cli(t, "schema", name)
		require.Equal(t, exitOK, r.status)
		assert.True(t, json.Valid([]byte(r.out)), name)
	}
	assert.Equal(t, exitUsage, cli(t, "schema", "nothing").status)
}

func TestVersion(t *testing.T) {
	r := cli(t, "version")
	assert.Equal(t, exitOK, r.status)
	assert.Contains(t, r.out, "rubric 0.9")
}
