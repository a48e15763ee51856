package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/plan"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

func prosy(text string, cited ...string) *scorecard.Card {
	var items []scorecard.Evidence
	for _, p := range cited {
		items = append(items, citation(p))
	}
	c := card(map[string][]scorecard.Evidence{"C1": items})
	c.RuleOfTwo.UntrustedInput = text
	return c
}

func TestProseTokens(t *testing.T) {
	cited := []string{"pkg/module/tracing.py", "pkg/other/tracing.py", "pkg/env.py", "README.md", "docker/Dockerfile"}
	for text, want := range map[string][]string{
		"plain words, 12:30, v1:2":                                 nil,
		"Output re-enters the planner (pkg/env.py:169-176).":       {"pkg/env.py:169-176 -> pkg/env.py"},
		"see module/tracing.py:16":                                 {"module/tracing.py:16 -> pkg/module/tracing.py"},
		"env.py:7; README.md:1-1, and so on":                       {"env.py:7 -> pkg/env.py", "README.md:1-1 -> README.md"},
		"tracing.py:3":                                             {"tracing.py:3 -> several"},
		"unknown/file.go:9 and nothing.yaml:2":                     {"unknown/file.go:9 -> none", "nothing.yaml:2 -> none"},
		"image python:3.12-slim, python:3, postgres:15":            nil,
		"https://example.org:8080/x and //host.py:80 and /etc/x:1": nil,
		"127.0.0.1:8080 and localhost:80 and api.example.com:443":  nil,
		"docker/Dockerfile:3":                                      {"docker/Dockerfile:3 -> docker/Dockerfile"},
		"Dockerfile:3":                                             {"Dockerfile:3 -> docker/Dockerfile"},
		"./pkg/env.py:5":                                           {"./pkg/env.py:5 -> pkg/env.py"},
		"pkg/env.py:0 pkg/env.py:9-3":                              nil,
		"pkg/env.py:12abc pkg/env.py:1.5 pkg/env.py:99999999999":   nil,
		"`pkg/env.py:1`, [pkg/env.py:2](x), \"pkg/env.py:3\"":      {"pkg/env.py:1 -> pkg/env.py", "pkg/env.py:2 -> pkg/env.py", "pkg/env.py:3 -> pkg/env.py"},
		"renamed.py:4":                                             {"renamed.py:4 -> src/renamed.py"},
		"émigré/naïve.py:4":                                        {"émigré/naïve.py:4 -> none"},
	} {
		changes := []search.Change{{Old: file("src/renamed.py"), New: file("src/new.py")}, added("src/added.py")}
		var got []string
		for _, tok := range plan.ProseTokens(prosy(text, cited...), changes) {
			assert.Equal(t, "rule_of_two.untrusted_input", tok.Where)
			assert.Empty(t, tok.Criterion)
			to := tok.File
			switch {
			case to != "":
				assert.Empty(t, tok.Reason)
			case strings.Contains(tok.Reason, "may be any of 2 files"):
				to = "several"
			default:
				assert.Contains(t, tok.Reason, "no file that the card cites or that changed")
				to = "none"
			}
			got = append(got, tok.Text+" -> "+to)
		}
		assert.Equal(t, want, got, text)
	}
}

func TestProseTokensLookEverywhere(t *testing.T) {
	c := prosy("a.py:1", "a.py")
	c.Headline, c.RuleOfTwo.SensitiveData, c.RuleOfTwo.StateChangeOrEgress = "a.py:2", "a.py:3", "a.py:4"
	c.CriticalGaps = []scorecard.CriticalGap{{Summary: "a.py:5", Criterion: "C5"}}
	c.Fixes = []scorecard.Fix{{Summary: "a.py:6", Criterion: "C2"}}
	c.Limitations = []string{"", "a.py:7"}
	c.ReauditLog = []scorecard.LogEntry{{Reason: "a.py:99 is history"}}
	cr := &c.Criteria[3]
	cr.Summary, cr.Notes = "a.py:8", "a.py:9"
	cr.Mechanisms[0].Parameters[0].Finding, cr.Mechanisms[0].Parameters[1].Gap = "a.py:10", "a.py:11"
	cr.Mechanisms[0].Caps = []scorecard.Cap{{ID: "G1", Reason: "a.py:12"}}
	cr.Mechanisms = append(cr.Mechanisms, scorecard.Mechanism{Kind: scorecard.Alt})
	cr.Mechanisms[1].Parameters[0] = scorecard.Parameter{ID: scorecard.S, Finding: "a.py:13"}
	got := map[string]string{}
	for _, tok := range plan.ProseTokens(c, nil) {
		got[tok.Where] = tok.Criterion + " " + tok.Text
	}
	assert.Equal(t, map[string]string{
		"headline": " a.py:2", "critical_gaps.1.summary": "C5 a.py:5", "C4.summary": "C4 a.py:8", "C4.S.finding": "C4 a.py:10",
		"C4.C.gap": "C4 a.py:11", "C4.cap": "C4 a.py:12", "C4.alt.S.finding": "C4 a.py:13", "C4.notes": "C4 a.py:9",
		"rule_of_two.untrusted_input": " a.py:1", "rule_of_two.sensitive_data": " a.py:3", "rule_of_two.state_change_or_egress": " a.py:4",
		"fixes.1.summary": " a.py:6", "limitations.2": " a.py:7",
	}, got)
}

func TestRewriteProse(t *testing.T) {
	before := prosy("first (tracing.py:16), then pkg/env.py:5-9 and pkg/env.py:5-9; host:80 stays", "pkg/module/tracing.py", "pkg/env.py")
	tokens := plan.ProseTokens(before, nil)
	require.Len(t, tokens, 3)
	c := before.Clone()
	c.ReauditLog = []scorecard.LogEntry{{Reason: "pkg/env.py:5-9"}}
	moved := map[string]string{
		tokens[0].Text: tokens[0].At("pkg/module/tracing.py", scorecard.LineRange{First: 20, Last: 20}),
		tokens[1].Text: tokens[1].At("lib/env.py", scorecard.LineRange{First: 6, Last: 10}),
	}
	plan.RewriteProse(c, func(where, token string) (string, bool) {
		assert.Equal(t, "rule_of_two.untrusted_input", where)
		with, ok := moved[token]
		return with, ok
	})
	assert.Equal(t, "first (tracing.py:20), then lib/env.py:6-10 and lib/env.py:6-10; host:80 stays", c.RuleOfTwo.UntrustedInput)
	assert.Equal(t, "pkg/env.py:5-9", c.ReauditLog[0].Reason)
	assert.Contains(t, before.RuleOfTwo.UntrustedInput, "tracing.py:16", "the original is not changed")
	assert.Equal(t, "pkg/env.py", tokens[1].Evidence().File)
}

// Rewriting with what stands there changes nothing, whatever the text.
func TestRewriteProseProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("ab/.:-019 \né("))).Draw(t, "text")
		c := prosy(text)
		plan.RewriteProse(c, func(_, token string) (string, bool) { return token, true })
		assert.Equal(t, text, c.RuleOfTwo.UntrustedInput)
	})
}

func FuzzProseTokens(f *testing.F) {
	for _, s := range []string{"a.py:1-2", "x (pkg/a.py:5), https://h:80", "é.py:3", "a:b:1", ":1", "a.py:1-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := prosy(text, "a.py", "pkg/a.py")
		for _, tok := range plan.ProseTokens(c, nil) {
			require.Contains(t, text, tok.Text)
			require.Positive(t, tok.Lines.Count())
			require.NotEqual(t, tok.File == "", tok.Reason == "")
		}
		plan.RewriteProse(c, func(_, token string) (string, bool) { return token, true })
		require.Equal(t, text, c.RuleOfTwo.UntrustedInput)
	})
}
