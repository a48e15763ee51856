package cardfile

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// words are pieces of prose that look like other parts of a report without being
// them.
var words = []string{
	"The tool", "reads files", "no gate", "a `code` span", "(nested (deeper))", "one; two", "— dash —", "Evidence: none", "key: value",
	"L0→L3", "→ 3 hits", "\"quoted\"", "it's", "[bracket]", "50%", "a|b", "**bold**", "(verified) once", "<tag>", "x:12", "ünïcödé", "日本語",
	"searched everywhere", "; [x]", "(C5)", "·", "# not a heading", "- not a list", "1. not a fix", "...",
}

// text draws prose that begins with a letter, as prose does.
func text(t *rapid.T, label string) string {
	n := rapid.IntRange(0, 5).Draw(t, label)
	parts := []string{rapid.SampledFrom([]string{"Some", "The", "Every", "ein", "No"}).Draw(t, label)}
	for range n {
		parts = append(parts, rapid.SampledFrom(words).Draw(t, label))
	}
	return strings.Join(parts, " ") + "."
}

// prose draws a text of several lines.
func prose(t *rapid.T, label string) string {
	lines := []string{text(t, label)}
	for range rapid.IntRange(0, 2).Draw(t, label) {
		lines = append(lines, rapid.SampledFrom([]string{"", text(t, label)}).Draw(t, label))
	}
	return strings.Join(append(lines, text(t, label)), "\n")
}

var files = []string{"main.py", "src/agent/loop.go", ".github/workflows/ci.yml", "pkg/__init__.py", "web/_app.tsx", "a b/c#d?.py", "x(y)/z[0].js", "日本/é.rs", "a:b/c:1"}

func lines(t *rapid.T) scorecard.LineRange {
	r := scorecard.LineRange{First: rapid.IntRange(1, 5000).Draw(t, "first")}
	r.Last = r.First + rapid.SampledFrom([]int{0, 0, 1, 7, 300}).Draw(t, "more")
	if r.First == r.Last && rapid.Bool().Draw(t, "long") {
		r.Form = scorecard.Long
	}
	return r
}

var commands = []string{
	`rg -n 'a|b\(' -g '*.py'`, `rg -n "class \w+\(Tool\)"`, `rg -n -i -S -e 'x' -e '--network' -e "y;z"`, `rg '^USER' Dockerfile`, `rg -c "it's (fine)"`,
}

func anEvidence(t *rapid.T, search bool) scorecard.Evidence {
	var e scorecard.Evidence
	if rapid.IntRange(0, 2).Draw(t, "noted") == 0 {
		e.Note = text(t, "note")
	}
	if search {
		e.Search = rapid.SampledFrom(commands).Draw(t, "command")
		e.Scope = rapid.SampledFrom([]string{".", "src", "src/ web", "a.py b/c.py d e"}).Draw(t, "scope")
		if e.Hits = rapid.IntRange(0, 12).Draw(t, "hits"); e.Hits > 0 && e.Note == "" {
			e.Note = "why"
		}
		return e
	}
	e.File, e.Lines = rapid.SampledFrom(files).Draw(t, "file"), lines(t)
	e.Contains = "quote " + text(t, "quote")
	return e
}

func someEvidence(t *rapid.T, search bool) []scorecard.Evidence {
	out := []scorecard.Evidence{anEvidence(t, search)}
	for range rapid.IntRange(0, 2).Draw(t, "items") {
		out = append(out, anEvidence(t, rapid.Bool().Draw(t, "search")))
	}
	return out
}

func aMechanism(t *rapid.T, kind scorecard.MechanismKind, label string) scorecard.Mechanism {
	m := scorecard.Mechanism{Kind: kind, Label: label}
	most := 4
	for i, id := range scorecard.ParameterIDs {
		p := scorecard.Parameter{ID: id, Status: scorecard.Verified, Finding: text(t, "finding")}
		limit := 4
		if id == scorecard.C || id == scorecard.D {
			limit = most
		}
		p.Level = scorecard.Level(rapid.IntRange(0, limit).Draw(t, "level"))
		p.SA = rapid.IntRange(0, 11).Draw(t, "SA") == 0
		p.Evidence = someEvidence(t, p.SA)
		if p.SA {
			p.Level = scorecard.MaxLevel
		} else {
			if p.Level <= 2 && rapid.IntRange(0, 3).Draw(t, "inferred") == 0 {
				p.Status = scorecard.Inferred
			}
			if p.Level < scorecard.MaxLevel {
				p.Gap = text(t, "gap")
			}
		}
		if id == scorecard.S {
			most = min(4, int(p.Level)+1)
		}
		m.Parameters[i] = p
	}
	return m
}

func aCriterion(t *rapid.T, h rubric.CriterionHead) scorecard.Criterion {
	c := scorecard.Criterion{ID: h.ID, Name: h.Name, OWASP: h.OWASP, Question: h.Question, Summary: prose(t, "summary"), Status: scorecard.StatusScored}
	if rapid.Bool().Draw(t, "noted") {
		c.Notes = text(t, "notes")
	}
	if h.AbsentWhen != "" && rapid.IntRange(0, 4).Draw(t, "absent") == 0 {
		c.Status, c.AbsenceEvidence = scorecard.StatusStructuralAbsence, someEvidence(t, true)
		return c
	}
	c.Mechanisms = []scorecard.Mechanism{aMechanism(t, scorecard.Default, defaultLabel)}
	reason := func() string { return text(t, "reason") }
	if pool := append([]string{"G1", "G2"}, h.Caps...); rapid.IntRange(0, 2).Draw(t, "capped") == 0 {
		c.Mechanisms[0].Caps = []scorecard.Cap{{ID: rapid.SampledFrom(pool).Draw(t, "cap"), Reason: reason()}}
	}
	if rapid.IntRange(0, 3).Draw(t, "alt") == 0 {
		alt := aMechanism(t, scorecard.Alt, "opt-in "+text(t, "label"))
		alt.Caps = []scorecard.Cap{{ID: "G1", Reason: reason()}}
		c.Mechanisms = append(c.Mechanisms, alt)
	}
	return c
}

// randomCard draws a card that is valid under the strict reading. A mechanism has
// at most one cap, which is what files hold.
func randomCard(t *rapid.T) *scorecard.Card {
	c := &scorecard.Card{
		SchemaVersion: scorecard.SchemaVersion, ScorecardVersion: rubric.Version,
		Name: "Agent " + text(t, "name"), RepoURL: "https://github.com/o/" + rapid.StringMatching(`[a-z][a-z0-9]{0,8}`).Draw(t, "repo"),
		Subpath:      rapid.SampledFrom([]string{"", "python", "pkg/agent"}).Draw(t, "subpath"),
		Description:  text(t, "description"),
		Category:     rapid.SampledFrom(scorecard.Categories).Draw(t, "category").ID,
		PinnedCommit: rapid.StringMatching(`[0-9a-f]{40}`).Draw(t, "commit"),
		Version:      rapid.SampledFrom([]string{"", "1.0", "v2 (no tag (at all))"}).Draw(t, "version"),
		ScoredDate:   fmt.Sprintf("2026-%02d-11", rapid.IntRange(1, 12).Draw(t, "month")), ScoredConfiguration: text(t, "configuration"),
		Headline:    prose(t, "headline"),
		RuleOfTwo:   scorecard.RuleOfTwo{UntrustedInput: text(t, "A"), SensitiveData: text(t, "B"), StateChangeOrEgress: text(t, "C"), SameSession: rapid.Bool().Draw(t, "same")},
		Limitations: []string{text(t, "limitation")},
	}
	c.ID = agentID(c.Name, c.RepoURL)
	for _, id := range scorecard.Capabilities {
		c.Profile = append(c.Profile, scorecard.Capability{ID: id, Value: rapid.SampledFrom([]string{"yes", "no", "opt_in"}).Draw(t, "capability")})
	}
	for _, h := range rubric.Heads() {
		c.Criteria = append(c.Criteria, aCriterion(t, h))
	}
	scorecard.Normalize(c)
	for i := range c.Criteria {
		for j := range c.Criteria[i].Mechanisms {
			if m := &c.Criteria[i].Mechanisms[j]; len(m.Caps) > 1 {
				limit, _, _ := m.EffectiveCap()
				if c.Criteria[i].ID == "C5" && m.Kind == scorecard.Default {
					limit = m.Caps[len(m.Caps)-1]
				}
				m.Caps = []scorecard.Cap{limit}
			}
		}
	}
	for _, id := range scorecard.OwedGaps(c) {
		c.CriticalGaps = append(c.CriticalGaps, scorecard.CriticalGap{Summary: text(t, "gap"), OWASP: []string{"ASI01", "T6"}[:rapid.IntRange(1, 2).Draw(t, "labels")],
			Criterion: id, Evidence: someEvidence(t, false)})
	}
	for range rapid.IntRange(0, 3).Draw(t, "fixes") {
		c.Fixes = append(c.Fixes, scorecard.Fix{Summary: text(t, "fix"), Criterion: "C2", Parameter: rapid.SampledFrom(scorecard.ParameterIDs[:]).Draw(t, "parameter"),
			From: 0, To: scorecard.Level(rapid.IntRange(1, 4).Draw(t, "to")), Playbook: rapid.SampledFrom([]string{"", "Playbook 5", "Playbook 3 step 1"}).Draw(t, "playbook")})
	}
	for range rapid.IntRange(0, 2).Draw(t, "log") {
		c.ReauditLog = append(c.ReauditLog, scorecard.LogEntry{Criterion: "C10", Parameter: scorecard.B, From: "L3", To: rapid.SampledFrom([]string{"L1", "SA"}).Draw(t, "to"), Reason: text(t, "reason")})
	}
	return c
}
