package cardfile

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

// spoil replaces one text of a fixture, which must be there.
func spoil(t *testing.T, name, old, now string) []byte {
	t.Helper()
	text := string(fixture(t, name))
	require.Contains(t, text, old)
	return []byte(strings.Replace(text, old, now, 1))
}

func TestBrokenReports(t *testing.T) {
	const file = "heron-dash.md"
	tests := []struct{ name, old, now, want string }{
		{"no title", "# Defense-in-Depth Score: Heron", "# Heron", `heron-dash.md:1: this is not a scorecard report; a report begins with "# Defense-in-Depth Score: NAME"; an entry is JSON`},
		{"no repository", "**Repo:**", "**Repository:**", "heron-dash.md: no line with the repository and the pinned commit; add **Repo:**"},
		{"no commit", "**Commit:**", "**At:**", "heron-dash.md:3: want **Repo:** address"},
		{"commit without backticks", "**Commit:** `" + cardtest.HeronCommit + "`", "**Commit:** " + cardtest.HeronCommit, "heron-dash.md:3:73: want **Repo:** address"},
		{"version without parentheses", "(1.4.0 (no tag at commit))", "1.4.0", "want the version in parentheses after the commit"},
		{"no day", "**Reviewed:**", "**Seen:**", "want **Repo:** address"},
		{"no surface", "surface (default):**", "surface** of", "want **Agent surface (default):** and the capabilities"},
		{"capability without a value", "code execution yes ·", "code ·", `"code": want a capability and yes, no or opt-in`},
		{"no score", "## Score: 3.6 / 10.0", "## Score: 3.6 of 10.0", "want ## Score: N / 10.0 (band)"},
		{"no band", "(Minimal)", "(Minimal", "want the band in parentheses"},
		{"row with too few cells", "| C1 | Identity & least privilege |", "| C1 |", "heron-dash.md:13: want a row of the table: a criterion C1 to C10 and 10 cells in all"},
		{"row of no criterion", "| C1 | Identity", "| C0 | Identity", "want a row of the table"},
		{"row without an end", "0.25 | — | **0.25** | High |\n| C2", "0.25 | — | **0.25** | High\n| C2", "the row of the table has no closing |"},
		{"row twice", "| C2 | Approval gates |", "| C1 | Approval gates |", "heron-dash.md:14: C1 in the table: is given twice, first in line 13; remove one of the two"},
		{"criterion twice", "### C2 Approval gates", "### C1 Approval gates", "C1: is given twice"},
		{"criteria without their section", "## Criterion details\n", "\n", `heron-dash.md:36: C1: stands outside the section of criteria; put the line "## Criterion details" above the criteria`},
		{"criteria under another section", "## Criterion details", "## Details", `C1: stands outside the section of criteria; put the line "## Criterion details" above`},
		{"criterion without a confidence", "### C1 Identity & least privilege — 0.25 (high)", "### C1 Identity & least privilege — 0.25", `C1: want "### C1 Name — 0.47 (high)" or "### C1 Name: 0.47 (high confidence)", or "### C1 Name" to have both computed`},
		{"criterion without a separator", "### C1 Identity & least privilege — 0.25 (high)", "### C1 (high)", "C1: want "},
		{"level out of range", "- **S L1:**", "- **S L7:**", `heron-dash.md:40:8: C1 default S: "L7" is not a level; want L0 to L4 or SA`},
		{"parameter twice", "- **C L1:**", "- **S L1:**", "heron-dash.md:42: C1 default S: is given twice, first in line 40"},
		{"no status", " is a gate) (verified)\n", " is a gate)\n", "C1 default S: the line does not end with its status; end it with (verified) or (inferred)"},
		{"link without lines", "[agent/loop.py:3](https", "[agent/loop.py:3](https://x#L1); [agent/loop.py](https", "C1 default S: evidence cannot be read: want a link [file:lines](address)"},
		{"link without an end", "loop.py#L3); searched", "loop.py#L3; searched", "C1 default S: evidence cannot be read: want the address of the link"},
		{"search without hits", "→ 0 hits (comments", "→ no hits (comments", "evidence cannot be read: want the number of hits"},
		{"search without an arrow", "in `agent` → 0 hits", "in `agent`: 0 hits", "evidence cannot be read: want → and the number of hits"},
		{"search of something", "→ 0 hits (comments", "→ 0 finds (comments", `evidence cannot be read: want "hits" after the number`},
		{"search without a command", "searched `rg -n -i 'confirm|approv' -g '*.py'` in", "searched `` in", "the search has no command"},
		{"scope without an end", "in `agent` → 0 hits (comments only; none of them (see `loop.py`) is", "in `agent → 0 hits (comments only; none of them (see loop.py) is", "the scope has no closing backtick"},
		{"gap of a level without a parameter", "- **S L1:** What", "  - *To reach the next level:* x\n- **S L1:** What", "heron-dash.md:40: C1: this line does not follow a parameter"},
		{"gap twice", "  - *To reach the next level:* What", "  - *To reach the next level:* x\n  - *To reach the next level:* What", "C1 default S next level: is given twice"},
		{"cap that is a sentence", "- **Cap:** none", "- **Cap:** not at all", `C1: "not at all" is not the name of a cap; want "none", or a cap and its reason`},
		{"cap twice", "- **Cap:** none", "- **Cap:** none\n- **Cap:** none", "C1 cap: is given twice"},
		{"alt before default", "(default; raw 0.10 → 0.10) ← counted", "(alt; raw 0.10 → 0.10) ← counted", "C2: want a default mechanism and after it at most one alt"},
		{"three mechanisms", "- **opt-in review", "- **x** (alt; raw 0.10 → 0.10)\n- **opt-in review", "C2: want a default mechanism and after it at most one alt"},
		{"mechanism without a score", "raw 0.10 → 0.10) ← counted", "raw 0.10) ← counted", `C2: want "- **label** (default; raw 0.28, cap G1 → 0.28)"`},
		{"mechanism with a remark", "← counted", "← here", `C2: want "← counted" or nothing after the figures`},
		{"absence with parameters", "- **Structural absence:**", "- **S L1:** x (verified)\n- **Structural absence:**", "C7: has both a structural absence and parameters"},
		{"absence without evidence that reads", "- **Structural absence:** searched", "- **Structural absence:** looked for", "C7 structural absence: evidence cannot be read"},
		{"criterion with nothing", "- **Structural absence:**", "- **Absence:**", "C7: has neither parameters nor a structural absence; add lines for S, C, D and B"},
		{"gap without labels", " (ASI01, LLM01; C5)", "", "critical gap 1: no OWASP labels and one criterion in parentheses; write: - summary"},
		{"gap with broken evidence", "compose.yml#L12)", "compose.yml#L12", "critical gap 2: evidence cannot be read"},
		{"rule of two without a leg", "· [B] sensitive data/systems:", "and", `Rule-of-Two check: want "· [B] sensitive data/systems:" later in this line`},
		{"rule of two without an answer", "session? Yes", "session? Perhaps", `Rule-of-Two check: "Perhaps": want Yes or No`},
		{"improvement without a gain", ", +0.225 before caps", "", "improvement 1: no parameter and gain at its end; write: 1. summary"},
		{"improvement of no parameter", "C2 S L0→L3", "C2 X L0→L3", "improvement 1: no parameter"},
		{"improvement to no level", "C2 S L0→L3", "C2 S L0→L9", "improvement 1: no parameter"},
		{"improvement of an odd playbook", " (Playbook 5)", " Playbook 5", "improvement 1: no parameter"},
		{"log without a reason", "- C9 S: L3 → L2. No", "- C9 S: L3 to L2, no", "re-audit log entry 1: not a change of level; write: - C1 S: L2 → L1. reason"},
		{"log of no level", "- C9 S: L3 → L2.", "- C9 S: L3 → L9.", "re-audit log entry 1: not a change of level"},
		{"NUL byte", "Heron runs", "Her\x00n runs", "heron-dash.md:26: a NUL byte; save the file as UTF-8 text"},
		{"Latin-1", "Heron runs", "H\xe9ron runs", "heron-dash.md:26: a byte that is not UTF-8; save the file as UTF-8 text"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(file, spoil(t, file, tt.old, tt.now))
			var bad *SyntaxError
			require.ErrorAs(t, err, &bad)
			assert.Contains(t, err.Error(), tt.want)
			assert.Equal(t, file, bad.File)
		})
	}
}

// A criterion that the report has in its place may have a heading elsewhere, too.
func TestACriterionMayBeNamedElsewhere(t *testing.T) {
	data := spoil(t, "heron-dash.md", "## Criterion details\n", "\n## Appendix\n### C1 in history\nx\n\n## Criterion details\n")
	data = bytes.Replace(data, []byte("Heron runs every script"), []byte("### C2 first\nHeron runs every script"), 1)
	doc, err := Read("x.md", data)
	require.NoError(t, err)
	assert.Len(t, doc.Card.Criteria, 10)
	assert.Contains(t, doc.Card.Headline, "### C2 first")
}

func TestAMissingParameterIsNamed(t *testing.T) {
	lines := strings.SplitAfter(string(fixture(t, "heron-dash.md")), "\n")
	const c, next = 41, 42
	require.Contains(t, lines[c], "- **C L1:**")
	_, err := Read("x.md", []byte(strings.Join(append(lines[:c:c], lines[next+1:]...), "")))
	assert.EqualError(t, err, "x.md:36: C1 default: parameter C is missing; add the line that begins with - **C L0:**")
}

func TestBrokenEntries(t *testing.T) {
	const file = "heron.json"
	tests := []struct{ name, old, now, want string }{
		{"unknown key", `"headline":`, `"headlines":`, "/headline: this key is missing"},
		{"key of nobody", `"id": "heron",`, `"id": "heron", "x/y": 1,`, "heron.json:4:25: /x~1y: this key is not part of an entry, schema version 2.0; remove it"},
		{"key of nobody deep inside", `"weight": 0.3,`, `"weight": 0.3, "mood": 1,`, "/criteria/0/parameters/S/mood: this key is not part"},
		{"key twice", `"id": "heron",`, `"id": "heron", "id": "egret",`, `heron.json:4:18: the key "id" is given twice; remove one of the two`},
		{"other version", `"schema_version": "2.0"`, `"schema_version": "3.0"`, `heron.json:2:21: /schema_version: version "3.0" is not known; this program reads version 2.0`},
		{"not JSON", `"id": "heron",`, `"id": "heron"`, "heron.json:5:3: not valid JSON: invalid character"},
		{"string for a number", `"level": 1`, `"level": "1"`, "want a whole number from 0 to 4"},
		{"level too high", `"level": 1`, `"level": 5`, "want a whole number from 0 to 4"},
		{"number for a string", `"id": "heron"`, `"id": 1`, "/id: want a string"},
		{"text for a figure", `"max_score": 10.0`, `"max_score": "ten"`, "/max_score: want a number"},
		{"text for a truth", `"same_session": true`, `"same_session": "yes"`, "/rule_of_two/same_session: want true or false"},
		{"unknown status", `"status": "verified"`, `"status": "sure"`, `"sure" is none of verified, inferred`},
		{"unknown capability value", `"code_execution": "yes"`, `"code_execution": "opt-in"`, `/capability_profile/code_execution: "opt-in" is none of yes, no, opt_in`},
		{"object for a list", `"limitations": [`, `"limitations": {}, "x": [`, "/limitations: want an array"},
		{"list for an object", `"band": {`, `"band": [], "x": {`, "/band: want an object"},
		{"odd lines", `"lines": "3"`, `"lines": "3-1"`, `lines "3-1": want N-M with M not below N`},
		{"no file", `"file": "agent/loop.py"`, `"file": ""`, "a citation needs a file"},
		{"SA below L4", `"structural_absence": false`, `"structural_absence": true`, "a structural absence counts as L4, the level is 1; set level to 4"},
		{"wrong number", `"number": 2`, `"number": 3`, "3 is not the number of C2"},
		{"parameter missing", `"B": {`, `"E": {`, "/parameters/B: this key is missing"},
		{"no cap", `"cap": null,`, ``, "/cap: this key is missing; give it, or null"},
		{"improvement of no parameter", `"parameter": "S"`, `"parameter": "X"`, `"X" is not a parameter; want S, C, D or B`},
		{"improvement from no level", `"from_level": 0`, `"from_level": 9`, "want a level from 0 to 4"},
		{"too deep", `"limitations": [`, `"limitations": ` + strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1) + `, "x": [`, "values are nested more than 32 deep"},
		{"endless list", `"limitations": [`, `"limitations": [` + strings.Repeat(`"x",`, MaxItems), "more than 200 items"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(file, spoil(t, file, tt.old, tt.now))
			var bad *SyntaxError
			require.ErrorAs(t, err, &bad)
			assert.Contains(t, err.Error(), tt.want)
			assert.Positive(t, bad.Line)
		})
	}
}

func TestNoScorecardAtAll(t *testing.T) {
	for name, data := range map[string]string{"a.md": "", "b.json": "", "c": "{", "d.json": "[]", "e.md": "## Limitations\n", "f": "hello", "g.json": `{} {}`} {
		_, err := Read(name, []byte(data))
		var bad *SyntaxError
		require.ErrorAs(t, err, &bad, name)
		assert.Equal(t, name, bad.File)
	}
	_, err := Read("big.md", make([]byte, MaxSize+1))
	assert.ErrorContains(t, err, "more than the 4194304 bytes that a scorecard may have")
	_, err = Read("long.md", []byte("# Defense-in-Depth Score: "+strings.Repeat("x", MaxLineBytes)))
	assert.ErrorContains(t, err, "long.md:1: the line has more than 131072 bytes")
	_, err = (&Document{}).Write(cardtest.Heron())
	assert.ErrorContains(t, err, "was not made by Read")
}

// TestContradictions reads files whose figures disagree with their levels: they can
// be read, and the problems say both.
func TestContradictions(t *testing.T) {
	tests := []struct{ file, old, now, place, message string }{
		{"heron-dash.md", "## Score: 3.6", "## Score: 6.3", "score", "the card prints 6.3, its levels give 3.6"},
		{"heron-dash.md", "(Minimal)", "(Strong)", "band", "the card prints Strong, its score is Minimal"},
		{"heron-dash.md", "| L1 | 0.25 | — | **0.25** | High |\n| C2", "| L1 | 0.25 | — | **0.35** | High |\n| C2", "C1 score", "the card prints 0.35, its levels give 0.25"},
		{"heron-dash.md", "privilege | L1 | L1", "privilege | L1 | L2", "C1 C", "the table prints L2, the details L1"},
		{"heron-dash.md", "0.57 | G1 |", "0.57 | — |", "C4 cap", "the card prints none, its mechanisms give G1"},
		{"heron-dash.md", "### C1 Identity & least privilege — 0.25", "### C1 Identity & least privilege — 0.52", "C1", "its heading prints 0.52, the levels give 0.25"},
		{"heron-dash.md", "raw 0.10 → 0.10", "raw 0.10 → 0.20", "C2 default", "its line prints raw 0.10 → 0.20, the levels give 0.10 → 0.10"},
		{"heron-dash.md", "cap G1 → 0.50) ← counted", "cap G2 → 0.50) ← counted", "C4 alt", "the mechanism's line names cap G2, the cap line G1"},
		{"heron-dash.md", "→ 0.10) ← counted", "→ 0.10)", "", ""},
		{"heron-dash.md", "→ 0.25)\n  - **S L2", "→ 0.25) ← counted\n  - **S L2", "C4", "the default mechanism is marked as counted, the scores count the other"},
		{"heron-dash.md", "SA | SA | SA | SA | 1.00 | — | **1.00** (SA)", "L4 | L4 | L4 | L4 | 1.00 | — | **1.00**", "C7", "the table and the details disagree whether its surface is absent"},
		{"heron-dash.md", "| C3 | Tool & action scoping |", "C3 | Tool & action scoping |", "C3", "the table has no row for it"},
		{"heron.json", `"score": 3.6`, `"score": 6.3`, "score", "the card prints 6.3, its levels give 3.6"},
		{"heron.json", `"score": 0.25`, `"score": 0.35`, "C1 score", "the card prints 0.35, its levels give 0.25"},
		{"heron.json", `"max": 0.5`, `"max": 0.9`, "/criteria/1/mechanisms/1/cap", "prints 0.9, the maximum of G1 is 0.5"},
		{"heron.json", `"raw": 0.25`, `"raw": 0.3`, "/criteria/0/mechanisms/0", "prints raw 0.3 and score 0.25, the levels give 0.25 and 0.25"},
		{"heron.json", `"finding": "What S`, `"finding": "Who S`, "C1", "its parameters differ from those of the counted mechanism"},
		{"heron.json", `"counted": "alt"`, `"counted": "default"`, "C4 counted mechanism", "the card counts default, the scores count alt"},
	}
	for _, tt := range tests {
		t.Run(tt.file+" "+tt.now, func(t *testing.T) {
			data := spoil(t, tt.file, tt.old, tt.now)
			d, err := Read(tt.file, data)
			require.NoError(t, err)
			found := tt.place == ""
			for _, p := range d.Problems() {
				if p.Severity == scorecard.Error && p.Place == tt.place && p.Rule == scorecard.RuleFigures {
					found = true
					assert.Equal(t, tt.message, p.Message)
				}
			}
			assert.True(t, found, "%v", d.Problems())
			assert.Equal(t, tt.place != "", scorecard.HasErrors(d.Problems()))
			out, err := d.Write(d.Card)
			require.NoError(t, err)
			assert.Equal(t, string(data), string(out), "what is printed stays as long as nothing changes")
		})
	}
}

// TestWarnings reads files with something odd that is no contradiction of scores.
func TestWarnings(t *testing.T) {
	tests := []struct{ file, old, now, want string }{
		{"heron-dash.md", "agent/loop.py#L3)", "agent/loop.py#L4)", "C1 default S: the link of agent/loop.py:3 does not lead to that place at the pinned commit"},
		{"heron-dash.md", "blob/" + cardtest.HeronCommit + "/agent/loop.py#L3)", "blob/main/agent/loop.py#L3)", "C1 default S: the link of agent/loop.py:3 does not lead"},
		{"heron-dash.md", "](https://github.com/heron-agent/heron/blob/" + cardtest.HeronCommit + "/agent/loop.py#L3)", "](loop.py)", "C1 default S: the link of agent/loop.py:3 does not lead"},
		{"heron-dash.md", "— 0.25 (high)", "— 0.25 (low)", "C1: the heading prints confidence low, the ratings give high"},
		{"heron-dash.md", "+0.225 before caps", "+0.300 before caps", "improvement 1: the report prints +0.300 before caps, the levels give +0.225"},
		{"heron-dash.md", "- **Cap:** G1 — The runtime is named only in a commented line of the compose file.\n", "", ""},
		{"heron-dash.md", "- **Structural absence:** searched", "- **Structural absence:** Nothing is loaded. — searched", "kept as it is, not understood: Nothing is loaded."},
		{"heron.json", `"confidence": "medium",` + "\n          \"parameters\"", `"confidence": "high",` + "\n          \"parameters\"", "/criteria/8/mechanisms/0: prints confidence high, the ratings give medium"},
		{"heron.json", `"points": 0.075`, `"points": 0.1`, "/criteria/0/parameters/S: prints 0.1 points, the level gives 0.075"},
		{"heron.json", `"estimated_gain": 0.225`, `"estimated_gain": 0.3`, "/fixes/0: prints a gain of 0.3, the levels give 0.225"},
		{"heron.json", `agent/loop.py#L3"`, `agent/loop.py#L9"`, "/criteria/0/parameters/S/evidence/0: the address does not lead to agent/loop.py:3 at the pinned commit"},
	}
	for _, tt := range tests {
		t.Run(tt.file+" "+tt.now, func(t *testing.T) {
			data := spoil(t, tt.file, tt.old, tt.now)
			d, err := Read(tt.file, data)
			require.NoError(t, err)
			if tt.want == "" {
				assert.Empty(t, d.Warnings)
			} else {
				require.NotEmpty(t, d.Warnings)
				assert.Contains(t, d.Warnings[0].String(), tt.want)
				assert.Positive(t, d.Warnings[0].Line)
			}
			out, err := d.Write(d.Card)
			require.NoError(t, err)
			assert.Equal(t, string(data), string(out))
		})
	}
}

func TestCapFromTheTableWhenTheCapLineIsMissing(t *testing.T) {
	text := string(fixture(t, "heron-dash.md"))
	at := strings.Index(text, "- **Cap:** C5-WORSTCASE")
	end := at + strings.IndexByte(text[at:], '\n') + 1
	text = text[:at] + text[end:]
	d, err := Read("x.md", []byte(text))
	require.NoError(t, err)
	assert.Equal(t, []scorecard.Cap{{ID: "C5-WORSTCASE"}}, d.Card.ByID("C5").Mechanisms[0].Caps)
	require.Len(t, d.Warnings, 1)
	assert.Contains(t, d.Warnings[0].Message, "C5: no cap line; the cap is taken from the table")
	out, err := d.Write(d.Card)
	require.NoError(t, err)
	assert.Equal(t, text, string(out), "a line that the author left out stays out")
	c := d.Card.Clone()
	c.ByID("C5").Mechanisms[0].Caps[0].Reason = "Because."
	out, err = d.Write(c)
	require.NoError(t, err)
	assert.Contains(t, string(out), "- **Cap:** C5-WORSTCASE — Because.\n")
}

// TestCardsThatMarkdownCannotHold are refused instead of written as another card.
func TestCardsThatMarkdownCannotHold(t *testing.T) {
	tests := map[string]func(*scorecard.Card){
		"a finding that ends like evidence": func(c *scorecard.Card) {
			p := &c.Criteria[0].Mechanisms[0].Parameters[0]
			p.Finding, p.Evidence = "See — [a.py:1](https://x/blob/y/a.py#L1)", nil
		},
		"a summary with a list of ratings": func(c *scorecard.Card) { c.Criteria[0].Summary = "- **S L4:** all is well (verified)" },
		"a headline with a section":        func(c *scorecard.Card) { c.Headline = "a\n## Limitations\n- b" },
		"a file name with a bracket":       func(c *scorecard.Card) { c.Criteria[0].Mechanisms[0].Parameters[0].Evidence[0].File = "a]b.py" },
		"a scope with a backtick":          func(c *scorecard.Card) { c.Criteria[0].Mechanisms[0].Parameters[0].Evidence[1].Scope = "a`b" },
		"a leg that holds the next one":    func(c *scorecard.Card) { c.RuleOfTwo.UntrustedInput = "a · [B] sensitive data/systems: b" },
		"a criterion twice":                func(c *scorecard.Card) { c.Criteria[1] = c.Criteria[0].Clone() },
		"no limitation word":               func(c *scorecard.Card) { c.Limitations = []string{""} },
		"a commit with a backtick":         func(c *scorecard.Card) { c.PinnedCommit = "a`b" },
	}
	for name, do := range tests {
		t.Run(name, func(t *testing.T) {
			c := cardtest.Heron()
			do(c)
			_, err := WriteMarkdown(c, Dash)
			require.Error(t, err)
			assert.Contains(t, err.Error(), "write report:")
			_, d := readFixture(t, "heron-dash.md")
			_, err = d.Write(c)
			require.Error(t, err)
		})
	}
	c := cardtest.Heron()
	c.Headline = "a\xffb"
	_, err := WriteJSON(c)
	assert.ErrorContains(t, err, "write entry:")
}

func TestSyntaxErrorIsAnError(t *testing.T) {
	err := error(&SyntaxError{File: "a.md", Line: 3, Column: 7, Where: "C1 default S", Msg: "is odd", Fix: "mend it"})
	assert.EqualError(t, err, "a.md:3:7: C1 default S: is odd; mend it")
	var bad *SyntaxError
	assert.True(t, errors.As(err, &bad))
}
