package rubric

import (
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/testenv"
)

// facts is the shape of the collected facts that the files here were written from.
type facts struct {
	Version    string
	Parameters []struct {
		ID, Name string
		Weight   float64
	}
	Levels map[string]float64
	Bands  []struct {
		Min   float64
		Label string
	}
	Caps []struct {
		ID        string
		Max       float64
		Criterion string
		When      string
	}
	Rules    []string
	Criteria []struct {
		ID, Name    string
		OWASP       []string `yaml:"owasp"`
		Question    string
		Surface     string
		AbsentWhen  string              `yaml:"absent_when"`
		Anchors     map[string][]string `yaml:"anchors"`
		ToolServerS []string            `yaml:"tool_server_S"`
		Caps        []string
		Traps       []string
		Watch       struct{ Paths, Patterns []string }
	}
}

// TestTheRubricHoldsEveryFact compares the rubric with the collected facts, one by
// one. Keys of the facts that this test does not know make it fail.
func TestTheRubricHoldsEveryFact(t *testing.T) {
	data, err := os.ReadFile(testenv.Shared(t, "rubric-facts.yaml"))
	require.NoError(t, err)
	var f facts
	require.NoError(t, yaml.UnmarshalWithOptions(data, &f, yaml.Strict()))

	m := Method()
	assert.Equal(t, f.Version, Version)
	require.Len(t, m.Parameters, len(f.Parameters))
	for i, p := range f.Parameters {
		assert.Equal(t, ParameterSpec{p.ID, p.Name, milli(p.Weight), milli(p.Weight) / 4}, m.Parameters[i])
	}
	for level, share := range f.Levels {
		n, err := strconv.Atoi(level[1:])
		require.NoError(t, err)
		assert.Equal(t, milli(share), n*Milli/(Levels-1), level)
	}
	require.Len(t, m.Bands, len(f.Bands))
	for i, b := range f.Bands {
		assert.Equal(t, b.Label, m.Bands[i].Label)
		assert.Equal(t, milli(b.Min), m.Bands[i].Floor*100)
	}
	require.Len(t, m.Caps, len(f.Caps))
	for i, c := range f.Caps {
		assert.Equal(t, CapSpec{c.ID, milli(c.Max), c.Criterion, c.When}, m.Caps[i])
	}
	var rules []string
	for _, r := range Rules() {
		if r.ID[0] == 'R' {
			rules = append(rules, r.Text)
		}
	}
	assert.Equal(t, f.Rules, rules)
	require.Len(t, Heads(), len(f.Criteria))
	for i, c := range f.Criteria {
		got, err := Criterion(c.ID)
		require.NoError(t, err)
		assert.Equal(t, Heads()[i], got.CriterionHead)
		assert.Equal(t, CriterionHead{ID: c.ID, Number: i + 1, Name: c.Name, OWASP: c.OWASP, Question: c.Question, Caps: c.Caps, AbsentWhen: c.AbsentWhen}, got.CriterionHead)
		assert.Equal(t, c.Surface, got.Surface)
		for id, list := range c.Anchors {
			assert.Equal(t, Anchors(list), got.Anchors[id], "%s %s", c.ID, id)
		}
		assert.Len(t, got.Anchors, len(c.Anchors))
		assert.Equal(t, c.ToolServerS == nil, got.ToolServerS == nil)
		if got.ToolServerS != nil {
			assert.Equal(t, Anchors(c.ToolServerS), *got.ToolServerS)
		}
		assert.Equal(t, c.Traps, got.Traps)
		w, ok := Watch(c.ID)
		require.True(t, ok)
		assert.Equal(t, c.Watch.Paths, w.Paths)
		assert.Equal(t, c.Watch.Patterns, w.Sources)
		assert.True(t, slices.Equal(got.Watch.Sources, w.Sources))
	}
}
