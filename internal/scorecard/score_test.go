package scorecard_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	. "github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// rated makes a mechanism; level -1 is SA.
func rated(kind MechanismKind, levels [4]int, caps ...string) Mechanism {
	m := Mechanism{Kind: kind}
	for i, id := range ParameterIDs {
		p := Parameter{ID: id, Level: Level(levels[i]), Status: Verified}
		if levels[i] < 0 {
			p.Level, p.SA = MaxLevel, true
		}
		m.Parameters[i] = p
	}
	for _, id := range caps {
		m.Caps = append(m.Caps, Cap{ID: id})
	}
	return m
}

func scored(id string, mechanisms ...Mechanism) Criterion {
	return Criterion{ID: id, Status: StatusScored, Mechanisms: mechanisms}
}

func TestRaw(t *testing.T) {
	tests := []struct {
		levels [4]int
		raw    int
		two    string
	}{
		{[4]int{0, 0, 0, 0}, 0, "0.00"},
		{[4]int{1, 0, 0, 0}, 75, "0.07"},
		{[4]int{0, 1, 0, 0}, 75, "0.07"},
		{[4]int{0, 0, 1, 0}, 50, "0.05"},
		{[4]int{0, 0, 0, 1}, 50, "0.05"},
		{[4]int{1, 2, 2, 3}, 475, "0.47"},
		{[4]int{1, 0, 2, 2}, 275, "0.28"},
		{[4]int{2, 3, 2, 2}, 575, "0.57"},
		{[4]int{1, 0, 0, 1}, 125, "0.12"},
		{[4]int{2, 1, 2, 1}, 375, "0.38"},
		{[4]int{2, 1, 2, 2}, 425, "0.42"},
		{[4]int{4, 4, 4, 4}, 1000, "1.00"},
		{[4]int{-1, -1, -1, -1}, 1000, "1.00"},
		{[4]int{1, 2, -1, 3}, 575, "0.57"},
	}
	for _, tt := range tests {
		m := rated(Default, tt.levels)
		assert.Equal(t, tt.raw, m.Raw(), tt.levels)
		assert.Equal(t, tt.two, Format2(m.Raw()), tt.levels)
		sum := 0
		for _, id := range ParameterIDs {
			sum += m.Points(id)
		}
		assert.Equal(t, m.Raw(), sum)
	}
}

func TestEffectiveCapAndScore(t *testing.T) {
	full := [4]int{4, 4, 4, 4}
	tests := []struct {
		name   string
		levels [4]int
		caps   []string
		cap    string
		limit  int
		score  int
	}{
		{"no cap", full, nil, "", 0, 1000},
		{"G1 is half", full, []string{"G1"}, "G1", 500, 500},
		{"G2 is a quarter", full, []string{"G2"}, "G2", 250, 250},
		{"the lowest limits", full, []string{"G1", "C4-HOSTROOT"}, "C4-HOSTROOT", 250, 250},
		{"the lowest limits in any order", full, []string{"C4-HOSTROOT", "G1"}, "C4-HOSTROOT", 250, 250},
		{"the first of equals is shown", full, []string{"G2", "C2-SELFAPPROVE"}, "G2", 250, 250},
		{"caps never add up", full, []string{"G2", "C2-SELFAPPROVE", "C2-POWERBYPASS"}, "G2", 250, 250},
		{"a cap that does not bind is shown", [4]int{0, 0, 0, 0}, []string{"C5-WORSTCASE"}, "C5-WORSTCASE", 250, 0},
		{"a cap is a limit, not a score", [4]int{1, 1, 0, 0}, []string{"G1"}, "G1", 500, 150},
		{"an unknown cap is taken for a strict one", full, []string{"C1-NEW"}, "C1-NEW", 250, 250},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := rated(Default, tt.levels, tt.caps...)
			c, limit, ok := m.EffectiveCap()
			assert.Equal(t, tt.cap, c.ID)
			assert.Equal(t, tt.limit, limit)
			assert.Equal(t, len(tt.caps) > 0, ok)
			assert.Equal(t, tt.score, m.Score())
		})
	}
}

func TestEveryCapHasItsMaximum(t *testing.T) {
	for _, c := range rubric.Method().Caps {
		want := 250
		if c.ID == "G1" {
			want = 500
		}
		assert.Equal(t, want, rated(Default, [4]int{4, 4, 4, 4}, c.ID).Caps[0].Max(), c.ID)
	}
}

func TestConfidence(t *testing.T) {
	want := []Confidence{High, Medium, Medium, Low, Low}
	for n, w := range want {
		m := rated(Default, [4]int{1, 1, 1, 1})
		for i := range n {
			m.Parameters[i].Status = Inferred
		}
		assert.Equal(t, w, m.Confidence(), "%d inferred", n)
	}
}

func TestCountedMechanism(t *testing.T) {
	low, high := [4]int{1, 1, 1, 1}, [4]int{2, 2, 0, 1}
	tests := []struct {
		name       string
		mechanisms []Mechanism
		kind       MechanismKind
		score      int
	}{
		{"one", []Mechanism{rated(Default, low)}, Default, 250},
		{"the higher", []Mechanism{rated(Default, low), rated(Alt, high, "G1")}, Alt, 350},
		{"the higher after caps", []Mechanism{rated(Default, high, "G2"), rated(Alt, low, "G1")}, Default, 250},
		{"the default on a tie", []Mechanism{rated(Default, low), rated(Alt, low, "G1")}, Default, 250},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := scored("C4", tt.mechanisms...)
			assert.Equal(t, tt.kind, c.Counted().Kind)
			assert.Equal(t, tt.score, c.Score())
		})
	}
}

func TestAnAbsentCriterionScoresItsPoint(t *testing.T) {
	c := Criterion{ID: "C7", Status: StatusStructuralAbsence, Mechanisms: []Mechanism{AbsentMechanism(nil)}}
	assert.Equal(t, 1000, c.Score())
	assert.Equal(t, High, c.Confidence())
	_, _, capped := c.EffectiveCap()
	assert.False(t, capped)
}

func TestTotalAndBand(t *testing.T) {
	tests := []struct {
		total int
		one   string
		band  string
	}{
		{0, "0.0", "Minimal"}, {2050, "2.1", "Minimal"}, {2049, "2.0", "Minimal"},
		{4949, "4.9", "Minimal"}, {4950, "5.0", "Moderate"}, {6949, "6.9", "Moderate"},
		{6950, "7.0", "Strong"}, {8449, "8.4", "Strong"}, {8450, "8.5", "Hardened"}, {10000, "10.0", "Hardened"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.one, Format1(tt.total))
		assert.Equal(t, tt.band, BandOf(tt.total).Label, tt.total)
	}
	card := Card{Criteria: []Criterion{scored("C1", rated(Default, [4]int{1, 2, 2, 3})), scored("C2", rated(Default, [4]int{2, 3, 2, 2}))}}
	assert.Equal(t, 1050, card.Total())
	assert.Equal(t, "1.1", Format1(card.Total()))
	assert.Equal(t, "weak", card.Band().ID)
}

func TestApplicable(t *testing.T) {
	absent := Criterion{ID: "C7", Status: StatusStructuralAbsence, Mechanisms: []Mechanism{AbsentMechanism(nil)}}
	partly := scored("C1", rated(Default, [4]int{0, 0, -1, 0}))
	tests := []struct {
		name     string
		criteria []Criterion
		want     Applicable
		line     string
	}{
		{"one absent", []Criterion{partly, absent}, Applicable{1, 1, 200, 20},
			"Controls where a risk surface exists: 0.20 / 1.0 (20%); 1 criterion scored SA (surface absent)."},
		{"two absent", []Criterion{partly, absent, absent}, Applicable{1, 2, 200, 20},
			"Controls where a risk surface exists: 0.20 / 1.0 (20%); 2 criteria scored SA (surface absent)."},
		{"all absent", []Criterion{absent}, Applicable{0, 1, 0, 0},
			"Controls where a risk surface exists: 0.00 / 0.0 (0%); 1 criterion scored SA (surface absent)."},
		{"the capped score counts", []Criterion{scored("C2", rated(Default, [4]int{4, 4, 4, 4}, "G2"))}, Applicable{1, 0, 250, 25},
			"Controls where a risk surface exists: 0.25 / 1.0 (25%); 0 criteria scored SA (surface absent)."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			card := Card{Criteria: tt.criteria}
			assert.Equal(t, tt.want, card.Applicable())
			assert.Equal(t, tt.line, card.Applicable().String())
		})
	}
}

func TestApplicablePercentRoundsHalfToEven(t *testing.T) {
	tests := []struct {
		levels  [4]int
		percent int
	}{
		{[4]int{1, 0, 0, 1}, 12}, // 12.5
		{[4]int{2, 1, 2, 1}, 38}, // 37.5
		{[4]int{1, 2, 2, 3}, 48}, // 47.5
		{[4]int{1, 0, 2, 2}, 28}, // 27.5
		{[4]int{1, 0, 0, 0}, 8},  // 7.5
	}
	for _, tt := range tests {
		card := Card{Criteria: []Criterion{scored("C1", rated(Default, tt.levels))}}
		assert.Equal(t, tt.percent, card.Applicable().Percent, tt.levels)
	}
}

func TestGain(t *testing.T) {
	tests := []struct {
		parameter ParameterID
		from, to  Level
		gain      int
	}{{S, 0, 3, 225}, {C, 1, 2, 75}, {D, 0, 4, 200}, {B, 2, 3, 50}, {B, 3, 2, -50}}
	for _, tt := range tests {
		assert.Equal(t, tt.gain, Fix{Parameter: tt.parameter, From: tt.from, To: tt.to}.Gain())
	}
}

func TestPermalink(t *testing.T) {
	const repo, commit = "https://github.com/a/b", "0123"
	tests := []struct {
		file  string
		lines LineRange
		want  string
	}{
		{"a/b.py", LineRange{First: 3, Last: 9}, "/blob/0123/a/b.py#L3-L9"},
		{"a.py", LineRange{First: 3, Last: 3}, "/blob/0123/a.py#L3"},
		{"a.py", LineRange{First: 3, Last: 3, Form: Long}, "/blob/0123/a.py#L3-L3"},
		{".env", LineRange{First: 1, Last: 1}, "/blob/0123/.env#L1"},
		{"a b/c#d?(e)%.py", LineRange{First: 1, Last: 1}, "/blob/0123/a%20b/c%23d%3F%28e%29%25.py#L1"},
		{"ü.md", LineRange{First: 1, Last: 1}, "/blob/0123/%C3%BC.md#L1"},
	}
	for _, tt := range tests {
		assert.Equal(t, repo+tt.want, Permalink(repo, commit, tt.file, tt.lines))
	}
}

func TestFormat3(t *testing.T) {
	assert.Equal(t, "0.225", Format3(225))
	assert.Equal(t, "-0.050", Format3(-50))
}

// TestArithmeticProperties states what holds for any card.
func TestArithmeticProperties(t *testing.T) {
	ids := []string{}
	for _, c := range rubric.Method().Caps {
		ids = append(ids, c.ID)
	}
	rapid.Check(t, func(t *rapid.T) {
		var levels [4]int
		for i := range levels {
			levels[i] = rapid.IntRange(-1, 4).Draw(t, "level")
		}
		caps := rapid.SliceOfN(rapid.SampledFrom(ids), 0, 3).Draw(t, "caps")
		m := rated(Default, levels, caps...)
		assert.LessOrEqual(t, m.Score(), m.Raw())
		for _, c := range m.Caps {
			assert.LessOrEqual(t, m.Score(), c.Max())
		}
		i := rapid.IntRange(0, 3).Draw(t, "parameter")
		if levels[i] >= 0 && levels[i] < 4 {
			up := levels
			up[i]++
			raised := rated(Default, up, caps...)
			assert.Greater(t, raised.Raw(), m.Raw(), "a level more is worth something")
			assert.GreaterOrEqual(t, raised.Score(), m.Score())
		}
		sum := 0.0
		for j, w := range []float64{.3, .3, .2, .2} {
			l := levels[j]
			if l < 0 {
				l = 4
			}
			sum += w * float64(l) / 4
		}
		assert.InDelta(t, sum*1000, float64(m.Raw()), 1e-6)
		total := rapid.IntRange(0, MaxTotal).Draw(t, "total")
		assert.Equal(t, int(math.Floor(float64(total)/100+0.5)), Tenths(total))
	})
}

func BenchmarkTotal(b *testing.B) {
	card := Card{}
	for range 10 {
		card.Criteria = append(card.Criteria, scored("C1", rated(Default, [4]int{1, 2, 2, 3}, "G1"), rated(Alt, [4]int{2, 2, 0, 3}, "G1")))
	}
	for b.Loop() {
		card.Total()
	}
}
