package cardfile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

func readFixture(t testing.TB, name string) (string, *Document) {
	t.Helper()
	data := fixture(t, name)
	d, err := Read(name, data)
	require.NoError(t, err)
	return string(data), d
}

// TestMixedReport reads a report that changes its style from line to line.
func TestMixedReport(t *testing.T) {
	text, d := readFixture(t, "heron-mixed.md")
	var warnings []string
	for _, w := range d.Warnings {
		warnings = append(warnings, w.String())
	}
	assert.Equal(t, []string{
		"line 1: not understood, kept as it is: [![score](badge.svg)](report.md)",
		"line 7: not understood, kept as it is: **Auditor:** two people",
		"line 52: not understood, kept as it is: - **Reviewer:** first pass only",
		"line 198: not understood, kept as it is: ## Thanks",
	}, warnings)
	assert.Empty(t, d.Card.Printed.Problems)

	want := MarkdownView(cardtest.Heron())
	want.ByID("C8").Mechanisms[0].Parameters[2].Finding = "Nothing was written down here."
	want.ByID("C8").Mechanisms[0].Parameters[2].Evidence = nil
	want.ByID("C6").Mechanisms[0].Parameters[0].Evidence[0].Lines.Form = scorecard.Long
	want.ByID("C3").Mechanisms[0].Parameters[1].Evidence[1].Note = "smile :) and ; [x] (y"
	assert.Equal(t, want, MarkdownView(d.Card))

	var loud []string
	for _, p := range d.Problems() {
		if !p.Quiet() {
			loud = append(loud, string(p.Severity)+" "+p.Place)
		}
	}
	assert.Equal(t, []string{"warning C8 default D", "warning applicable score"}, loud)

	out, err := d.Write(d.Card)
	require.NoError(t, err)
	assert.Equal(t, text, string(out))
}

// change is a change of a card and the lines that it changes in the mixed report.
type change struct {
	name    string
	do      func(*scorecard.Card)
	removed []string
	added   []string
}

const blobPrefix = "https://github.com/heron-agent/heron/blob/"

var changes = []change{
	{
		"a line moves: its line keeps its style",
		func(c *scorecard.Card) {
			c.ByID("C1").Mechanisms[0].Parameters[0].Evidence[0].Lines = scorecard.LineRange{First: 8, Last: 9}
		},
		[]string{"- **S L1:** What S of the default mechanism does; it reads files (all of them). Evidence: [agent/loop.py:3](" + blobPrefix + cardtest.HeronCommit + "/agent/loop.py#L3); searched `rg -n -i 'confirm|approv' -g '*.py'` in `agent` → 0 hits (comments only; none of them (see `loop.py`) is a gate) (verified)"},
		[]string{"- **S L1:** What S of the default mechanism does; it reads files (all of them). Evidence: [agent/loop.py:8-9](" + blobPrefix + cardtest.HeronCommit + "/agent/loop.py#L8-L9); searched `rg -n -i 'confirm|approv' -g '*.py'` in `agent` → 0 hits (comments only; none of them (see `loop.py`) is a gate) (verified)"},
	},
	{
		"evidence goes: the line is written afresh in its own style",
		func(c *scorecard.Card) { p := &c.ByID("C1").Mechanisms[0].Parameters[0]; p.Evidence = p.Evidence[1:] },
		[]string{"- **S L1:** What S of the default mechanism does; it reads files (all of them). Evidence: [agent/loop.py:3](" + blobPrefix + cardtest.HeronCommit + "/agent/loop.py#L3); searched `rg -n -i 'confirm|approv' -g '*.py'` in `agent` → 0 hits (comments only; none of them (see `loop.py`) is a gate) (verified)"},
		[]string{"- **S L1:** What S of the default mechanism does; it reads files (all of them). Evidence: searched `rg -n -i 'confirm|approv' -g '*.py'` in `agent` → 0 hits (comments only; none of them (see `loop.py`) is a gate) (verified)"},
	},
	{
		"a cap goes",
		func(c *scorecard.Card) { m := &c.ByID("C4").Mechanisms[1]; m.Caps = nil },
		[]string{
			"## Score: 3.6 / 10.0 (Minimal)",
			"| C4 | Code-execution isolation | L4 | L3 | L0 | L1 | 0.57 | G1 | **0.50** (alt) | High |",
			"Controls where a risk surface exists: 2.60 / 9.0 (29%); 1 criterion scored SA (surface absent).",
			"### C4 Code-execution isolation: 0.50 (high confidence)",
			"- **opt-in gVisor runtime (RUNTIME=runsc)** (alt; raw 0.57, cap G1 → 0.50) ← counted",
			"- **Cap:** G1 — The runtime is named only in a commented line of the compose file.",
		},
		[]string{
			"## Score: 3.7 / 10.0 (Minimal)",
			"| C4 | Code-execution isolation | L4 | L3 | L0 | L1 | 0.57 | — | **0.57** (alt) | High |",
			"Controls where a risk surface exists: 2.65 / 9.0 (29%); 1 criterion scored SA (surface absent).",
			"### C4 Code-execution isolation: 0.57 (high confidence)",
			"- **opt-in gVisor runtime (RUNTIME=runsc)** (alt; raw 0.57 → 0.57) ← counted",
			"- **Cap:** none",
		},
	},
	{
		"a log entry, a gap and a note are added",
		func(c *scorecard.Card) {
			c.ReauditLog = append(c.ReauditLog, scorecard.LogEntry{Criterion: "C1", Parameter: scorecard.S, From: "L2", To: "L1", Reason: "Two roles became one."})
			c.CriticalGaps = append(c.CriticalGaps, scorecard.CriticalGap{Summary: "New.", OWASP: []string{"T1"}, Criterion: "C1"})
			c.ByID("C8").Notes = "Read twice."
		},
		nil,
		[]string{"- New. (T1; C1)", "- **Notes:** Read twice.", "- C1 S: L2 → L1. Two roles became one."},
	},
	{
		"an entry before others leaves them alone",
		func(c *scorecard.Card) {
			c.Limitations = append([]string{"First."}, c.Limitations...)
			c.Fixes = append([]scorecard.Fix{{Summary: "Sooner.", Criterion: "C1", Parameter: scorecard.B, From: 1, To: 2}}, c.Fixes...)
		},
		[]string{
			"1. Ask before a script runs and show its text. (C2 S L0→L3, +0.225 before caps; Playbook 5)",
			"2. Give the container no network. (C4 B L1→L2, +0.050 before caps)",
		},
		[]string{
			"1. Sooner. (C1 B L1→L2, +0.050 before caps)",
			"2. Ask before a script runs and show its text. (C2 S L0→L3, +0.225 before caps; Playbook 5)",
			"3. Give the container no network. (C4 B L1→L2, +0.050 before caps)",
			"- First.",
		},
	},
	{
		"all gaps and the log go",
		func(c *scorecard.Card) { c.CriticalGaps, c.ReauditLog = nil, nil },
		[]string{
			"- A hijacked run reads every field note and posts it anywhere. (ASI01, LLM01; C5). Evidence: [agent/loop.py:40-52](" + blobPrefix + cardtest.HeronCommit + "/agent/loop.py#L40-L52)",
			"- The default sandbox hands the Docker socket to the script. (ASI05; C4). Evidence: [deploy/compose.yml:12](" + blobPrefix + cardtest.HeronCommit + "/deploy/compose.yml#L12)",
			"- C9 S: L3 → L2. No identity beside the tool name; between L2 and L3, so the lower level.",
		},
		[]string{"- None: no criterion owes one at this commit.", "- No changes."},
	},
	{
		"the alt goes: parameters lose their block",
		func(c *scorecard.Card) { k := c.ByID("C2"); k.Mechanisms = k.Mechanisms[:1] },
		nil, nil, // compared by reading back
	},
	{
		"an alt comes",
		func(c *scorecard.Card) {
			k := c.ByID("C1")
			alt := k.Clone().Mechanisms[0]
			alt.Kind, alt.Label, alt.Caps = scorecard.Alt, "opt-in roles", []scorecard.Cap{{ID: "G1", Reason: "r"}}
			k.Mechanisms = append(k.Mechanisms, alt)
		},
		nil, nil,
	},
	{
		"nothing is absent any more",
		func(c *scorecard.Card) {
			k := c.ByID("C7")
			k.Status, k.AbsenceEvidence, k.Mechanisms = scorecard.StatusScored, nil, c.ByID("C1").Clone().Mechanisms
		},
		nil, nil,
	},
}

// TestOnlyWhatChangedIsWritten changes the mixed report and looks at its lines.
func TestOnlyWhatChangedIsWritten(t *testing.T) {
	text, d := readFixture(t, "heron-mixed.md")
	for _, tt := range changes {
		t.Run(tt.name, func(t *testing.T) {
			c := d.Card.Clone()
			tt.do(c)
			out, err := d.Write(c)
			require.NoError(t, err)
			again, err := Read("again.md", out)
			require.NoError(t, err)
			assert.Equal(t, MarkdownView(c), MarkdownView(again.Card))
			for _, kept := range []string{"[![score](badge.svg)](report.md)", "**Auditor:** two people", "- **Reviewer:** first pass only", "To the birds."} {
				assert.Contains(t, string(out), kept)
			}
			if tt.removed == nil && tt.added == nil {
				return
			}
			assert.Equal(t, tt.removed, missing(text, string(out)))
			assert.Equal(t, tt.added, missing(string(out), text))
		})
	}
}

// missing returns the lines of a that b does not have, counting repeats.
func missing(a, b string) []string {
	have := map[string]int{}
	for l := range strings.SplitSeq(b, "\n") {
		have[l]++
	}
	var out []string
	for l := range strings.SplitSeq(a, "\n") {
		if have[l]--; have[l] < 0 && l != "" {
			out = append(out, l)
		}
	}
	return out
}

// TestABlockThatComesIsIndented looks at the shape of a criterion that gets an alt
// and at that of one that loses it.
func TestABlockThatComesIsIndented(t *testing.T) {
	_, d := readFixture(t, "heron-dash.md")
	c := d.Card.Clone()
	one, two := c.ByID("C1"), c.ByID("C2")
	one.Mechanisms, two.Mechanisms = two.Clone().Mechanisms, one.Clone().Mechanisms
	out, err := d.Write(c)
	require.NoError(t, err)
	fresh, err := WriteMarkdown(c, Dash)
	require.NoError(t, err)
	section := func(s string) string {
		_, s, _ = strings.Cut(s, "### C1 ")
		s, _, _ = strings.Cut(s, "### C3 ")
		return s
	}
	assert.Equal(t, section(string(fresh)), section(string(out)))
}
