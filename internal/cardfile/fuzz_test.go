package cardfile

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

// FuzzMarkdown reads anything: what parses is written back byte for byte, and
// stays readable when the card moves to another commit.
func FuzzMarkdown(f *testing.F) {
	f.Add(shortReport)
	f.Add("# Defense-in-Depth Score: x\n**Repo:** a · **Commit:** `b` · **Reviewed:** c")
	f.Add("# Defense-in-Depth Score: x\r\n\r\n## Re-audit log\r\n- No changes.")
	for _, line := range []string{"** (alt; raw →0", "**S L", "**S L1:", "**x** (default; raw ", "Cap ", "**", "rg -n", "[a.py:1]("} { // marks cut short
		f.Add("# Defense-in-Depth Score:\n## Criterion details\n### C1 0 — ()\n- " + line)
	}
	f.Add(linkless(bareScore(bareMechanisms(bareHeadings(shortReport)))))
	f.Fuzz(func(t *testing.T, text string) { roundTrip(t, "x.md", text) })
}

// FuzzJSON does the same for entries.
func FuzzJSON(f *testing.F) {
	d, err := Read("x.md", []byte(shortReport))
	require.NoError(f, err)
	entry, err := WriteJSON(d.Card)
	require.NoError(f, err)
	f.Add(string(entry))
	f.Add(`{"schema_version": "2.0"}`)
	f.Add(`{"a": [1, 2e9, "\ud800", {"b": null}]}`)
	f.Fuzz(func(t *testing.T, text string) { roundTrip(t, "x.json", text) })
}

// FuzzTexts puts any text at every place of a card that holds text: what is written
// reads back as the same card, or writing says that it cannot be held.
func FuzzTexts(f *testing.F) {
	f.Add("plain", "a/b.py")
	f.Add("ends — [x:1](https://h/blob/c/x#L1)", "a]b")
	f.Add("- **S L1:** x (verified)\n## Limitations", "a b")
	f.Add("`", "`")
	f.Add(" (verified)", "x:1](y")
	f.Add("\xcc", "\x8f") // neither is UTF-8, both together are
	f.Fuzz(func(t *testing.T, text, path string) {
		c := cardtest.Heron()
		for _, s := range []*string{&c.Name, &c.Description, &c.ScoredConfiguration, &c.Version, &c.Headline, &c.Subpath, &c.RuleOfTwo.UntrustedInput,
			&c.RuleOfTwo.SensitiveData, &c.RuleOfTwo.StateChangeOrEgress, &c.CriticalGaps[0].Summary, &c.Fixes[0].Summary, &c.Fixes[0].Playbook,
			&c.ReauditLog[0].Reason, &c.Limitations[0], &c.Criteria[0].Name, &c.Criteria[0].Summary, &c.Criteria[0].Notes,
			&c.Criteria[1].Mechanisms[1].Label, &c.Criteria[3].Mechanisms[1].Caps[0].Reason} {
			*s = text
		}
		p := &c.Criteria[0].Mechanisms[0].Parameters[0]
		p.Finding, p.Gap, p.Evidence[0].Note, p.Evidence[0].File, p.Evidence[1].Scope, p.Evidence[1].Search = text, text, text, path, path, text
		scorecard.Validate(c, scorecard.Strict)
		for _, style := range []Style{Dash, Colon} {
			report, err := WriteMarkdown(c, style)
			if err != nil {
				continue
			}
			d, err := Read("x.md", report)
			require.NoError(t, err)
			require.Equal(t, MarkdownView(c), MarkdownView(d.Card))
		}
		if entry, err := WriteJSON(c); err == nil {
			d, err := Read("x.json", entry)
			require.NoError(t, err)
			require.Equal(t, JSONView(c), JSONView(d.Card))
		} else {
			require.True(t, !utf8.ValidString(text) || !utf8.ValidString(path) || path == "" || text == "" || strings.ContainsRune(text+path, 0), "%q %q: %v", text, path, err)
		}
	})
}

func roundTrip(t *testing.T, name, text string) {
	d, err := Read(name, []byte(text))
	if err != nil {
		return
	}
	broken := scorecard.HasErrors(d.Problems())
	out, err := d.Write(d.Card)
	require.NoError(t, err)
	require.Equal(t, text, string(out))
	c := d.Card.Clone()
	c.PinnedCommit = strings.Repeat("ab", 20)
	out, err = d.Write(c)
	if err != nil && broken { // nothing builds on such a card: an address with blanks, say
		return
	}
	require.NoError(t, err)
	again, err := Read(name, out)
	require.NoError(t, err)
	require.Equal(t, MarkdownView(c), MarkdownView(again.Card))
}

func TestShortReportIsARealSeed(t *testing.T) {
	d, err := Read("x.md", []byte(shortReport))
	require.NoError(t, err)
	require.Len(t, d.Card.Criteria, 2)
}

// shortReport has one criterion with every kind of line, so that the fuzzer gets
// to all of them quickly.
const shortReport = "# Defense-in-depth score: x\n\n" +
	"**Repo:** https://h/o/n (`p`) · **Commit:** `c0` (1 (a)) · **Reviewed:** 2026-01-01\n" +
	"**What it is:** d\n**Category:** Coding\n**Scored configuration:** s\n**Agent surface (default):** a b yes · c opt-in\n\n" +
	"## Score: 0.3 / 10.0 (Minimal)\n\n| # | C |\n|---|---|\n| C1 | n | L1 | SA | L1 | L1 | 0.25 | none | **0.25** (alt) | High |\n\n" +
	"Controls where a risk surface exists: 1\n\nh\n\n## Critical gaps\n- g (T1; C1). Evidence: [f:1](https://h/o/n/blob/c0/f#L1)\n- None: x\n\n" +
	"## Criterion details\n\n### C1 n: 0.25 (high confidence)\n\nsum\n\n" +
	"- **l** (default; raw 0.25, cap G2 → 0.25)\n  - **S L1:** t — searched `rg x` in `y` → 0 hits (n (m); o); [a:1-2](u) (verified)\n    - *To reach the next level:* g\n" +
	"  - **C SA:** t (inferred)\n  - **D L1:** t (verified)\n  - **B L1:** t (verified)\n" +
	"- **m** (alt; raw 0.25, cap G1 → 0.25) ← counted\n  - **S L1:** t (verified)\n  - **C L1:** t (verified)\n  - **D L1:** t (verified)\n  - **B L1:** t (verified)\n" +
	"- **Cap:** G1: r\n- **Notes:** n\n\n### C2 n — 1.00 (high)\n\n- **Structural absence:** searched `a` → 0 hits\n\n" +
	"## Rule-of-Two check\n[A] untrusted input: a · [B] sensitive data/systems: b · [C] state change / egress: c · Same default session? No\n\n" +
	"## Highest-impact improvements\n1. s (C2 S L0→L3, +0.225 before caps; P 5)\n2. s — C2 S L0→L3, +0.225 before caps\n- None.\n\n" +
	"## Re-audit log\n- C1 S: L2 → L1. r\n- No changes.\n\n## Limitations\n- l\n"
