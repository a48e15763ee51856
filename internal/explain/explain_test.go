package explain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
	"github.com/rescore-app/rescore/rubric"
)

func TestParseTopic(t *testing.T) {
	for in, want := range map[string]Topic{
		"C4": {Criterion: "C4"}, "c4.s": {Criterion: "C4", Parameter: scorecard.S}, "C10.B": {Criterion: "C10", Parameter: scorecard.B},
	} {
		got, err := ParseTopic(in)
		require.NoError(t, err, in)
		assert.Equal(t, want, got)
	}
	for _, in := range []string{"", "C0", "C11", "C4.X", "C4.", "S", "4.S"} {
		_, err := ParseTopic(in)
		assert.ErrorContains(t, err, in)
	}
}

func TestEveryTopicIsExplained(t *testing.T) {
	for _, h := range rubric.Heads() {
		c, err := rubric.Criterion(h.ID)
		require.NoError(t, err)
		whole, err := Text(Topic{Criterion: h.ID}, nil)
		require.NoError(t, err)
		for _, p := range scorecard.ParameterIDs {
			one, err := Text(Topic{Criterion: h.ID, Parameter: p}, nil)
			require.NoError(t, err)
			for _, anchor := range c.Anchors[string(p)] {
				assert.Contains(t, whole, anchor)
				assert.Contains(t, one, anchor)
			}
		}
		for _, k := range c.Caps {
			assert.Contains(t, whole, k)
		}
		for _, trap := range c.Traps {
			assert.Contains(t, whole, trap)
		}
	}
}

func TestOnlyItsOwnRules(t *testing.T) {
	text, err := Text(Topic{Criterion: "C1"}, nil)
	require.NoError(t, err)
	assert.NotContains(t, text, "C10 counts only", "C10's rule is not C1's")
	s, err := Text(Topic{Criterion: "C4", Parameter: scorecard.S}, nil)
	require.NoError(t, err)
	assert.Contains(t, s, "C4 S L3 embedded runtime")
	assert.NotContains(t, s, "C4 B, in-process sandbox")
}

func TestGain(t *testing.T) {
	card := cardtest.Heron()
	c9 := card.ByID("C9") // L2 L3 L2 L2, no cap
	assert.Equal(t, "gains 0.075 before caps, 0.075 in the criterion, total "+
		scorecard.Format1(card.Total())+" -> "+scorecard.Format1(card.Total()+75), gain(card, c9, 0, scorecard.S, 3))
	assert.True(t, strings.HasPrefix(gain(card, c9, 0, scorecard.C, 4), "not before S"), "C stands at most one above S")
	c4 := card.ByID("C4") // default capped by C4-HOSTROOT, the alt counts
	assert.Contains(t, gain(card, c4, 0, scorecard.S, 3), "(the other mechanism counts)")
	c5 := card.ByID("C5") // B at L0 keeps the cap
	c5.Mechanisms[0].Parameters[0].Level = 3
	c5.Mechanisms[0].Parameters[1].Level = 1
	assert.Contains(t, gain(card, c5, 0, scorecard.C, 2), "(the cap still holds it)")
}

func TestCardIsShown(t *testing.T) {
	card := cardtest.Heron()
	text, err := Text(Topic{Criterion: "C4"}, card)
	require.NoError(t, err)
	assert.Contains(t, text, "(alt, counted)")
	assert.Contains(t, text, "cap C4-HOSTROOT at most 0.25")
	absent, err := Text(Topic{Criterion: "C7"}, card)
	require.NoError(t, err)
	assert.Contains(t, absent, "absent as a whole")
}
