package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// heron is a card with one of everything: an optional mechanism that counts, an
// absent criterion, an absent parameter, caps, a gap, searches, notes.
func heron() *scorecard.Card {
	c := &scorecard.Card{
		SchemaVersion: "2.0", ScorecardVersion: "0.9", ID: "heron", Name: "Heron",
		RepoURL: "https://github.com/heron-labs/heron", Subpath: "agent",
		Description: "A small agent that sorts a mailbox.", Category: "ai_assistants",
		PinnedCommit: cardAt, Version: "1.4.0", ScoredDate: "2026-11-02",
		ScoredConfiguration: "heron run, shipped settings.",
		Headline:            "Heron asks before it sends a mail, and runs everything else unasked.",
		RuleOfTwo: scorecard.RuleOfTwo{UntrustedInput: "Yes: mails.", SensitiveData: "Yes: the mailbox.",
			StateChangeOrEgress: "Yes: it sends mails.", SameSession: true},
		Fixes: []scorecard.Fix{{Summary: "Gate the shell.", Criterion: "C2", Parameter: scorecard.C, From: 1, To: 3, Playbook: "4"}},
		ReauditLog: []scorecard.LogEntry{{Criterion: "C9", Parameter: scorecard.S, From: "L3", To: "L2",
			Reason: "The log names no requester."}},
		Limitations: []string{"The hosted edition was not read."},
	}
	for i, id := range scorecard.Capabilities {
		c.Profile = append(c.Profile, scorecard.Capability{ID: id, Value: []string{"yes", "no", "opt_in"}[i%3]})
	}
	for _, id := range []string{"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10"} {
		c.Criteria = append(c.Criteria, rated(id, scorecard.Default, "default configuration", "L1", "L2", "L2", "L1"))
	}
	c.ByID("C2").Mechanisms[0].Caps = []scorecard.Cap{{ID: "C2-POWERBYPASS", Reason: "The shell tool never meets the gate."}}
	c.ByID("C2").Notes = "The gate is a prompt on the terminal."
	alt := rated("C4", scorecard.Alt, `opt-in sandbox (executor="e2b")`, "L3", "L3", "L2", "L3")
	c.ByID("C4").Mechanisms = append(c.ByID("C4").Mechanisms, alt.Mechanisms...)
	c.ByID("C4").Mechanisms[1].Caps = []scorecard.Cap{{ID: "G1", Reason: "It is opt-in."}}
	*c.ByID("C8").Mechanisms[0].ByID(scorecard.D) = level(scorecard.D, "SA")
	c.ByID("C8").Mechanisms[0].ByID(scorecard.D).Finding = "There is no telemetry."
	c.ByID("C8").Mechanisms[0].ByID(scorecard.S).Status = scorecard.Inferred
	absent := c.ByID("C6")
	absent.Status = scorecard.StatusStructuralAbsence
	absent.AbsenceEvidence = []scorecard.Evidence{search("rg -n 'sqlite|memory'", "agent", 0)}
	absent.Mechanisms = []scorecard.Mechanism{{Kind: scorecard.Default, Label: "structural absence"}}
	c.CriticalGaps = []scorecard.CriticalGap{{Summary: "The shell runs without anybody asked.", OWASP: []string{"ASI02"},
		Criterion: "C2", Evidence: []scorecard.Evidence{cite("agent/shell.py", 10, 31)}}}
	return c
}

func rated(id string, kind scorecard.MechanismKind, label string, levels ...string) scorecard.Criterion {
	m := scorecard.Mechanism{Kind: kind, Label: label}
	for i, p := range scorecard.ParameterIDs {
		m.Parameters[i] = level(p, levels[i])
		m.Parameters[i].Finding = "What was found for " + string(p) + "."
		m.Parameters[i].Gap = "What is missing for " + string(p) + "."
		m.Parameters[i].Evidence = []scorecard.Evidence{cite("agent/"+id+".py", 10+i, 20+i)}
	}
	m.Parameters[0].Evidence = append(m.Parameters[0].Evidence, scorecard.Evidence{
		Search: "rg -n 'confirm|approve'", Scope: "agent", Hits: 2, Note: "both are comments"})
	return scorecard.Criterion{ID: id, Name: id + " as the card calls it", Status: scorecard.StatusScored,
		Question: "?", Summary: "How " + id + " does.", OWASP: []string{"ASI01"}, Mechanisms: []scorecard.Mechanism{m}}
}

func TestBadge(t *testing.T) {
	data, err := Badge(heron())
	require.NoError(t, err)
	golden(t, "badge.json", data)
	var got map[string]any
	require.NoError(t, json.Unmarshal(data, &got))
	assert.Equal(t, map[string]any{"schemaVersion": 1.0, "label": "defense in depth", "message": "4.5/10 Minimal", "color": "red"}, got)
}

func TestBadgeColors(t *testing.T) {
	for _, c := range []struct{ level, color, message string }{
		{"L4", "green", "9.5/10 Hardened"}, {"L3", "green", "7.8/10 Strong"}, {"L2", "yellow", "5.5/10 Moderate"}, {"L0", "red", "1.0/10 Minimal"},
	} {
		card := heron()
		for i := range card.Criteria {
			if !card.Criteria[i].Absent() {
				card.Criteria[i].Mechanisms = rated("x", scorecard.Default, "", c.level, c.level, c.level, c.level).Mechanisms
			}
		}
		if c.level == "L4" {
			card.Criteria[0].Mechanisms[0].Caps = []scorecard.Cap{{ID: "G1"}}
		}
		data, err := Badge(card)
		require.NoError(t, err)
		assert.Contains(t, string(data), `"color": "`+c.color+`"`)
		assert.Contains(t, string(data), `"message": "`+c.message+`"`)
	}
}

func TestBadgeSVG(t *testing.T) {
	data, err := BadgeSVG(heron())
	require.NoError(t, err)
	golden(t, "badge.svg", data)
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, "well-formed")
	}
	assert.Contains(t, string(data), "<title>defense in depth: 4.5/10 Minimal</title>")
	assert.Contains(t, string(data), `role="img"`)
}

func TestCardHTML(t *testing.T) {
	data, err := CardHTML(heron())
	require.NoError(t, err)
	golden(t, "card.html", data)
}
