package lint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

var now = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

func rules(ps []scorecard.Problem) map[string]int {
	out := map[string]int{}
	for _, p := range ps {
		out[p.Rule]++
	}
	return out
}

// sound is Heron without what lint would remark on.
func sound() *scorecard.Card {
	c := cardtest.Heron()
	c.RuleOfTwo = scorecard.RuleOfTwo{UntrustedInput: "agent/loop.py:3", SensitiveData: "notes", StateChangeOrEgress: "scripts"}
	n := 0
	each(c, func(place string, p *scorecard.Parameter) {
		n++
		p.Finding = "What " + place + " rests on."
	})
	return c
}

func TestNothingToSay(t *testing.T) {
	assert.Empty(t, Card(sound(), &outcome.Verification{}, now))
}

func TestEachRule(t *testing.T) {
	for rule, spoil := range map[string]func(*scorecard.Card){
		RuleToken:   func(c *scorecard.Card) { c.RuleOfTwo.SensitiveData = "keys (src/nowhere.py:3)" },
		RuleUncited: func(c *scorecard.Card) { c.RuleOfTwo.SensitiveData = "keys (agent/loop.py:900)" },
		RuleRepeated: func(c *scorecard.Card) {
			ps := &c.ByID("C9").Mechanisms[0].Parameters
			ps[1].Finding = ps[0].Finding
		},
		RuleFiller:    func(c *scorecard.Card) { c.ByID("C9").Mechanisms[0].Parameters[0].Finding = "(to be written)" },
		RuleWide:      func(c *scorecard.Card) { c.ByID("C9").Mechanisms[0].Parameters[0].Evidence[0].Lines.Last += 200 },
		RuleDate:      func(c *scorecard.Card) { c.ScoredDate = "2031-01-01" },
		RuleUnfounded: func(c *scorecard.Card) { c.ByID("C9").Mechanisms[0].Parameters[3].Evidence[1].Note = "" },
		"R-ABOVE-S":   func(c *scorecard.Card) { c.ByID("C9").Mechanisms[0].Parameters[0].Level = 0 },
	} {
		c := sound()
		spoil(c)
		assert.Contains(t, rules(Card(c, nil, now)), rule, rule)
	}
}

// A finding that says nothing is told once, however often it stands there.
func TestAFillerIsNoRepetition(t *testing.T) {
	c := sound()
	ps := &c.ByID("C9").Mechanisms[0].Parameters
	ps[0].Finding, ps[1].Finding = "(to be written)", "(to be written)"
	assert.Equal(t, map[string]int{RuleFiller: 2}, rules(Card(c, nil, now)))
}

func TestFailedChecksComeFirst(t *testing.T) {
	c := sound()
	c.ScoredDate = "2031-01-01"
	v := &outcome.Verification{Commit: cardtest.HeronCommit, Items: []outcome.VerifyItem{{
		Criterion: "C9", Mechanism: scorecard.Default, Parameter: scorecard.S, Place: "S evidence 1",
		Evidence: c.ByID("C9").Mechanisms[0].Parameters[0].Evidence[0], Expected: "lines 3", Got: "no such file", State: outcome.CheckMissing,
	}}}
	ps := Card(c, v, now)
	assert.Equal(t, RuleEvidence, ps[0].Rule)
	assert.Equal(t, scorecard.Error, ps[0].Severity)
	assert.Contains(t, ps[0].String(), "C9 default S evidence 1")
	assert.Contains(t, ps[0].String(), "no such file")
}

func TestStandsIn(t *testing.T) {
	for _, text := range []string{"", "Later.", "(to be written)", "(to be written)."} {
		assert.True(t, standsIn(text), text)
	}
	for _, text := range []string{"Every call asks first.", "(In short) it asks first.", "(a) asks first; (b) logs it (twice)"} {
		assert.False(t, standsIn(text), text)
	}
}

// What lint says is about a card at rest, and counts as people do.
func TestWordsOfLint(t *testing.T) {
	c := sound()
	c.RuleOfTwo.SensitiveData = "keys (src/nowhere.py:3)"
	e := &c.ByID("C9").Mechanisms[0].Parameters[3].Evidence[1]
	for hits, want := range map[int]string{1: "1 hit and no note", 2: "2 hits and no note"} {
		e.Hits, e.Note = hits, ""
		said := map[string]string{}
		for _, p := range Card(c, nil, now) {
			said[p.Rule] = p.Message
		}
		assert.Equal(t, want, said[RuleUnfounded])
		assert.Equal(t, `"src/nowhere.py" is no file that the card cites`, said[RuleToken])
	}
}

// The second score of a report is a sentence: lint says which.
func TestSecondScore(t *testing.T) {
	told := func(c *scorecard.Card, printed string) (message, fix string) {
		c.Printed = &scorecard.Printed{Total: scorecard.Format1(c.Total()), Applicable: printed}
		for _, p := range Card(c, nil, now) {
			if p.Rule == scorecard.RuleFigures {
				return p.Message, p.Fix
			}
		}
		return "", ""
	}
	const wrong = "Controls where a risk surface exists: 9.00 / 9.0 (100%); 1 criterion scored SA (surface absent)."
	c := sound()
	message, fix := told(c, wrong)
	assert.Equal(t, "the line under the table is not what the levels give", message)
	assert.Equal(t, "write "+c.Applicable().String(), fix)
	message, _ = told(c, c.Applicable().String())
	assert.Empty(t, message)
	message, fix = told(c, `{"count": 9, "score": 9.00, "max": 9.0, "percent": 100}`)
	assert.Contains(t, message, `the card prints {"count": 9`)
	assert.Empty(t, fix)
	absent := c.ByID("C7")
	absent.Status, absent.AbsenceEvidence, absent.Mechanisms = scorecard.StatusScored, nil, c.ByID("C1").Clone().Mechanisms
	_, fix = told(c, wrong)
	assert.Equal(t, "remove it", fix)
}
