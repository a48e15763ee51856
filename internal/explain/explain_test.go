package explain

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
	"github.com/rescore-app/rescore/rubric"
)

// wide is a width that breaks no line.
const wide = 10_000

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
		whole, err := Text(Topic{Criterion: h.ID}, nil, wide)
		require.NoError(t, err)
		for _, p := range scorecard.ParameterIDs {
			one, err := Text(Topic{Criterion: h.ID, Parameter: p}, nil, wide)
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
	text, err := Text(Topic{Criterion: "C1"}, nil, wide)
	require.NoError(t, err)
	assert.NotContains(t, text, "C10 counts only", "C10's rule is not C1's")
	s, err := Text(Topic{Criterion: "C4", Parameter: scorecard.S}, nil, wide)
	require.NoError(t, err)
	assert.Contains(t, s, "C4 S L3 embedded runtime")
	assert.NotContains(t, s, "C4 B, in-process sandbox")
}

func TestGain(t *testing.T) {
	card := cardtest.Heron()
	c9 := card.ByID("C9") // L2 L3 L2 L2, no cap
	assert.Equal(t, "gains 0.075 before caps, 0.075 in the criterion, total "+
		scorecard.Format1(card.Total())+" → "+scorecard.Format1(card.Total()+75), gain(card, c9, 0, scorecard.S, 3))
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
	text, err := Text(Topic{Criterion: "C4"}, card, wide)
	require.NoError(t, err)
	assert.Contains(t, text, "(alt, counted)")
	assert.Contains(t, text, "cap C4-HOSTROOT at most 0.25")
	absent, err := Text(Topic{Criterion: "C7"}, card, wide)
	require.NoError(t, err)
	assert.Contains(t, absent, "absent as a whole")
}

// A gain that is there can be seen in the totals.
func TestNoStepIsHidden(t *testing.T) {
	for want, totals := range map[string][2]int{
		"2.1 → 2.2":     {2100, 2175},
		"2.05 → 2.12":   {2050, 2125},
		"2.100 → 2.105": {2100, 2105},
		"3.0 → 3.1":     {3000, 3050},
		"2.110 → 2.112": {2110, 2112},
		"2.1 → 2.1":     {2075, 2075},
	} {
		assert.Equal(t, want, step(totals[0], totals[1]))
	}
}

func TestWhatIsMissingIsNotSaidTwice(t *testing.T) {
	card := cardtest.Heron()
	p := card.ByID("C9").Mechanisms[0].ByID(scorecard.S)
	spec, err := rubric.Criterion("C9")
	require.NoError(t, err)
	next := spec.Anchors["S"][p.Level+1]
	for gap, told := range map[string]bool{
		next: false, strings.ToLower(strings.TrimSuffix(next, ".")): false, next + " Twice.": true, "An identity.": true, "": false,
	} {
		p.Gap = gap
		text, err := Text(Topic{Criterion: "C9", Parameter: scorecard.S}, card, wide)
		require.NoError(t, err)
		assert.Equal(t, told, strings.Contains(text, "missing: "), gap)
		assert.Contains(t, text, "L3 asks: "+next)
	}
}

// Lines keep to the width but for evidence, which is not broken, and lose no word.
func TestLinesKeepToTheWidth(t *testing.T) {
	card := cardtest.Heron()
	for _, width := range []int{0, 40, 60, 120} {
		most := width
		if width == 0 {
			most = 80
		}
		for _, h := range rubric.Heads() {
			topic := Topic{Criterion: h.ID}
			text, err := Text(topic, card, width)
			require.NoError(t, err)
			for l := range strings.SplitSeq(text, "\n") {
				cited := strings.Contains(l, "/blob/") || strings.Contains(l, "rg -n")
				assert.True(t, cited || utf8.RuneCountInString(l) <= most, "%d: %q", width, l)
			}
			whole, err := Text(topic, card, wide)
			require.NoError(t, err)
			assert.Equal(t, strings.Fields(whole), strings.Fields(text))
		}
	}
}

func TestHitsAreCounted(t *testing.T) {
	e := scorecard.Evidence{Search: "rg x", Scope: "src", Hits: 1}
	assert.Equal(t, "rg x in src: 1 hit", evidence(cardtest.Heron(), e))
	e.Hits = 2
	assert.Equal(t, "rg x in src: 2 hits", evidence(cardtest.Heron(), e))
}
