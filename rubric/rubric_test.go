package rubric

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryCriterionParses(t *testing.T) {
	for _, h := range Heads() {
		c, err := Criterion(h.ID)
		require.NoError(t, err)
		assert.Equal(t, h, c.CriterionHead)
		assert.Len(t, c.Anchors, 4)
	}
	_, err := Criterion("C11")
	assert.ErrorContains(t, err, `criterion "C11": want C1 to C10`)
}

func TestWatchPatternsCompile(t *testing.T) {
	require.Len(t, Watches(), len(Heads()))
	for _, w := range Watches() {
		assert.Len(t, w.Patterns(), len(w.Sources))
	}
	c4, ok := Watch("C4")
	require.True(t, ok)
	var hit bool
	for _, p := range c4.Patterns() {
		hit = hit || p.MatchString("    privileged: true")
	}
	assert.True(t, hit)
	_, ok = Watch("C0")
	assert.False(t, ok)
}

// TestCapsAndCriteriaNameEachOther keeps the two directions in step.
func TestCapsAndCriteriaNameEachOther(t *testing.T) {
	named := 0
	for _, h := range Heads() {
		for _, id := range h.Caps {
			c, ok := Method().Cap(id)
			require.True(t, ok, id)
			assert.Equal(t, h.ID, c.Criterion)
			named++
		}
	}
	general := 0
	for _, c := range Method().Caps {
		if c.Criterion == "" {
			general++
		}
	}
	assert.Equal(t, len(Method().Caps), named+general)
}

func TestRuleIDs(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		assert.False(t, seen[r.ID], r.ID)
		seen[r.ID] = true
	}
	r, ok := Rule("R-INFERRED-L2")
	require.True(t, ok)
	assert.Contains(t, r.Text, "inferred")
	_, ok = Rule("R-NONE")
	assert.False(t, ok)
}

func TestLookups(t *testing.T) {
	h, ok := Head("C10")
	require.True(t, ok)
	assert.Equal(t, 10, h.Number)
	_, ok = Head("C0")
	assert.False(t, ok)
	p, ok := Method().Parameter("D")
	require.True(t, ok)
	assert.Equal(t, 50, p.PerLevel)
	_, ok = Method().Parameter("X")
	assert.False(t, ok)
	_, ok = Method().Cap("G3")
	assert.False(t, ok)
	assert.Equal(t, "Minimal", Method().BandOf(-1).Label)
	data, err := File("c04-isolation.yaml")
	require.NoError(t, err)
	assert.Contains(t, string(data), "id: C4")
	_, err = File("c11.yaml")
	assert.Error(t, err)
}

// edit replaces one text of an embedded file, which must be there.
func edit(t *testing.T, file, old, now string) []byte {
	t.Helper()
	data := string(mustRead(file))
	require.Contains(t, data, old)
	return []byte(strings.Replace(data, old, now, 1))
}

func TestCriterionFilesAreParsedStrictly(t *testing.T) {
	const file = "c04-isolation.yaml"
	tests := []struct {
		name, old, now string
		want           string
	}{
		{"unknown key", "surface:", "surfaces:", `c04-isolation.yaml: [7:1] unknown field "surfaces"`},
		{"key twice", "surface:", "name: x\nsurface:", `mapping key "name" already defined`},
		{"anchor missing", "    - \"Filters alone: command", "    # - \"Filters alone: command", "c04-isolation.yaml:12: anchors.S: want 5 anchors, one a level from L0, got 4"},
		{"anchor empty", "    - \"Ships switched off, so G1 applies too.\"", "    - \"\"", "c04-isolation.yaml:24: anchors.D[0]: is missing or empty"},
		{"parameter missing", "  D:\n", "  E:\n", `unknown field "E"`},
		{"no surface", "surface: \"Anything", "surface: \"\" # \"Anything", "c04-isolation.yaml:7: surface: is missing or empty"},
		{"wrong file", "id: C4", "id: C5", `c04-isolation.yaml:3: id: "C5" does not belong in this file`},
		{"broken pattern", `'(?m)^\s*(?:USER`, `'(?m)^\s*(?:USER[`, "watch.patterns[12]: error parsing regexp"},
		{"pattern with a backreference", `'(?m)^\s*(?:USER`, `'(\w)\1(?:USER`, "invalid escape sequence"},
		{"broken glob", "'**/sandbox/**'", "'**/sandbox/[**'", `watch.paths[5]: "**/sandbox/[**" is not a valid glob`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseChecked(file, edit(t, file, tt.old, tt.now))
			require.Error(t, err)
			assert.Contains(t, err.Error(), tt.want)
			assert.True(t, strings.HasPrefix(err.Error(), file), err)
		})
	}
}

func TestListsMustNotBeEmpty(t *testing.T) {
	_, err := parseCriterion("c04-isolation.yaml", edit(t, "c04-isolation.yaml", "owasp: [ASI05, T11, LLM05]", "owasp: []"))
	assert.ErrorContains(t, err, "c04-isolation.yaml:5: owasp: is missing or empty")
}

func TestMethodFileIsParsedStrictly(t *testing.T) {
	tests := []struct{ name, old, now, want string }{
		{"unknown key", "bands:", "band:", "unknown field"},
		{"weight that does not split", "weight: 0.30", "weight: 0.301", "method.yaml:10: parameters[0].weight: 0.301 cannot be split"},
		{"weights that miss one", "weight: 0.20}\n  - {id: B", "weight: 0.40}\n  - {id: B", "the weights add up to 1.2, want 1"},
		{"parameters out of order", "{id: C, name", "{id: X, name", "want S, C, D, B in this order"},
		{"level missing", ", L4: 1.0", "", "want 5 levels, got 4"},
		{"level of another value", "L1: 0.25", "L1: 0.3", "L1: want 0.25"},
		{"bands out of order", "min: 7.0", "min: 9.0", "bands go from the highest floor down"},
		{"no lowest band", "min: 0.0", "min: 1.0", "the last band must start at 0"},
		{"band without a label", "label: Strong", `label: ""`, "bands[1].label: is missing or empty"},
		{"cap of no criterion", "criterion: C8", "criterion: C12", `no criterion "C12"`},
		{"cap twice", "id: G2", "id: G1", "G1 is listed twice"},
		{"cap without a limit", "max: 0.50", "max: 1.50", "1.5 is not between 0 and 1"},
		{"cap without a condition", "id: G2\n    max: 0.25\n    when: \"", "id: G2\n    max: 0.25\n    when: \"\" # ", "caps[1].when: is missing or empty"},
		{"no version", `version: "0.9"`, `version: ""`, "version: is missing or empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := parseMethod(methodFile, edit(t, methodFile, tt.old, tt.now))
			require.Error(t, err)
			assert.Contains(t, err.Error(), tt.want)
		})
	}
}

func TestRulesFileIsParsedStrictly(t *testing.T) {
	tests := []struct{ name, old, now, want string }{
		{"unknown key", "settled:", "settle:", "unknown field"},
		{"twice", "id: R-TOTAL", "id: R-SCORE", `"R-SCORE" must begin with R- and be there once`},
		{"another prefix", "id: Q-BAND", "id: R-BAND", `"R-BAND" must begin with Q- and be there once`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseRules(rulesFile, edit(t, rulesFile, tt.old, tt.now))
			require.Error(t, err)
			assert.Contains(t, err.Error(), tt.want)
		})
	}
	_, err := parseRules(rulesFile, []byte("rules:\n  - {id: R-X, text: \" \"}\n"))
	assert.ErrorContains(t, err, "rules.yaml:2: rules[0].id: R-X has no text")
}

// FuzzCriterionFile reads anything; what parses is complete.
func FuzzCriterionFile(f *testing.F) {
	f.Add(mustRead("c03-scoping.yaml"))
	f.Add([]byte("id: C4\nanchors: {S: [a, b, c, d, e]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseCriterion("c03-scoping.yaml", data)
		if err != nil {
			return
		}
		require.Equal(t, 3, c.Number)
		require.Len(t, c.Anchors, 4)
		for _, a := range c.Anchors {
			require.NotContains(t, a, "")
		}
	})
}

// BenchmarkFirstUse is what a process pays that only adds up a card.
func BenchmarkFirstUse(b *testing.B) {
	for b.Loop() {
		m := Method()
		if _, ok := m.Cap("C8-MODELSECRETS"); !ok || m.BandOf(30).ID == "" {
			b.Fatal("no figures")
		}
		if _, ok := Head("C10"); !ok {
			b.Fatal("no head")
		}
	}
}

// BenchmarkParseCriterion is what asking for one criterion's anchors costs once.
func BenchmarkParseCriterion(b *testing.B) {
	for b.Loop() {
		if _, err := parseCriterion("c04-isolation.yaml", mustRead("c04-isolation.yaml")); err != nil {
			b.Fatal(err)
		}
	}
}
