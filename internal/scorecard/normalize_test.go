package scorecard_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

func TestNormalizeLeavesAValidCardAlone(t *testing.T) {
	c := cardtest.Heron()
	assert.Empty(t, Normalize(c))
	assert.Equal(t, cardtest.Heron(), c)
}

func TestNormalizeMendsWhatFollowsFromTheLevels(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*Card)
		done  []string
	}{
		{"C5-WORSTCASE is added", func(c *Card) { mech(c, "C5", Default).Caps = nil }, []string{"C5 default: cap C5-WORSTCASE added automatically, B is L0"}},
		{"C5-WORSTCASE is removed", func(c *Card) { par(c, "C5", B).Level = 1 }, []string{"C5 default: cap C5-WORSTCASE removed automatically, B is not L0"}},
		{"it goes when B is absent", func(c *Card) { par(c, "C5", B).SA = true; par(c, "C5", B).Level = 4; addSearchOnly(par(c, "C5", B)) },
			[]string{"C5 default: cap C5-WORSTCASE removed automatically, B is not L0"}},
		{"an alt gets G1", func(c *Card) { mech(c, "C2", Alt).Caps = nil }, []string{"C2 alt: cap G1 added automatically, the mechanism is opt-in"}},
		{"SA is L4", func(c *Card) { par(c, "C10", D).Level = 1 }, nil},
		{"an absent criterion has its mechanism", func(c *Card) { c.ByID("C7").Mechanisms = nil }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := cardtest.Heron()
			tt.spoil(c)
			assert.Equal(t, tt.done, Normalize(c))
			for _, p := range Validate(c, Lenient) {
				assert.NotEqual(t, Error, p.Severity, "%v", p)
			}
			assert.Empty(t, Normalize(c), "a second time changes nothing")
		})
	}
}

func addSearchOnly(p *Parameter) { p.Evidence, p.Gap = p.Evidence[1:], "" }

func TestC5WorstCaseGoesToTheDefaultMechanismOnly(t *testing.T) {
	c := cardtest.Heron()
	k := c.ByID("C5")
	alt := k.Clone().Mechanisms[0]
	alt.Kind, alt.Caps = Alt, nil
	k.Mechanisms = append(k.Mechanisms, alt)
	Normalize(c)
	require.Len(t, k.Mechanisms[1].Caps, 1)
	assert.Equal(t, "G1", k.Mechanisms[1].Caps[0].ID)
}

func TestNormalizeKeepsOtherCaps(t *testing.T) {
	c := cardtest.Heron()
	m := mech(c, "C5", Default)
	m.Caps = []Cap{{ID: "G1", Reason: "r"}}
	Normalize(c)
	assert.Equal(t, []Cap{{ID: "G1", Reason: "r"}, {ID: "C5-WORSTCASE", Reason: WorstCaseReason}}, m.Caps)
	got, limit, _ := m.EffectiveCap()
	assert.Equal(t, "C5-WORSTCASE", got.ID)
	assert.Equal(t, 250, limit)
}

func TestOwedGaps(t *testing.T) {
	capped := func(id string) []Cap { return []Cap{{ID: id, Reason: "r"}} }
	tests := []struct {
		name string
		make func(*Card)
		want []string
	}{
		{"as shipped", func(*Card) {}, []string{"C4", "C5"}},
		{"B at L0 in C1", func(c *Card) { par(c, "C1", B).Level = 0 }, []string{"C1", "C4", "C5"}},
		{"B at L0 in C2 owes nothing", func(c *Card) { par(c, "C2", B).Level = 0 }, []string{"C4", "C5"}},
		{"B absent owes nothing", func(c *Card) { p := par(c, "C5", B); p.SA, p.Level = true, 4; mech(c, "C5", Default).Caps = nil }, []string{"C4"}},
		{"the default mechanism is read for B although an alt counts", func(c *Card) { mech(c, "C4", Default).Caps = nil }, []string{"C4", "C5"}},
		{"a criterion cap on a counted default", func(c *Card) { mech(c, "C6", Default).Caps = capped("C6-REPOCONFIG") }, []string{"C4", "C5", "C6"}},
		{"G1 owes nothing", func(c *Card) { mech(c, "C6", Default).Caps = capped("G1") }, []string{"C4", "C5"}},
		{"G2 on a counted default", func(c *Card) { mech(c, "C6", Default).Caps = capped("G2") }, []string{"C4", "C5", "C6"}},
		{"G2 on a default that does not count", func(c *Card) { mech(c, "C4", Default).Caps = capped("G2"); par(c, "C4", B).Level = 1 }, []string{"C4", "C5"}},
		{"a criterion cap on a default that does not count", func(c *Card) { par(c, "C4", B).Level = 1 }, []string{"C5"}},
		{"an absent criterion owes nothing", func(c *Card) {
			k := c.ByID("C4")
			k.Status, k.Mechanisms = StatusStructuralAbsence, []Mechanism{AbsentMechanism(nil)}
		}, []string{"C5"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := cardtest.Heron()
			tt.make(c)
			assert.Equal(t, tt.want, OwedGaps(c))
		})
	}
}
