package rubric

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
	"regexp"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write figures.go from the YAML files")

// TestFiguresAreGenerated fails when figures.go and the YAML files disagree.
func TestFiguresAreGenerated(t *testing.T) {
	want := generateFigures(t)
	if *update {
		require.NoError(t, os.WriteFile("figures.go", want, 0o644))
	}
	got, err := os.ReadFile("figures.go")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run go generate ./rubric")
}

// parseChecked parses a criterion file and checks its watch signals as well.
func parseChecked(name string, data []byte) (*CriterionSpec, error) {
	c, err := parseCriterion(name, data)
	if err != nil {
		return nil, err
	}
	src := source{name, data}
	for i, glob := range c.Watch.Paths {
		if !doublestar.ValidatePattern(glob) {
			return nil, src.errorf(fmt.Sprintf("$.watch.paths[%d]", i), "%q is not a valid glob", glob)
		}
	}
	for i, pattern := range c.Watch.Sources {
		if _, err := regexp.Compile(pattern); err != nil {
			return nil, src.errorf(fmt.Sprintf("$.watch.patterns[%d]", i), "%v", err)
		}
	}
	return c, nil
}

func generateFigures(t *testing.T) []byte {
	t.Helper()
	m, version, err := parseMethod(methodFile, mustRead(methodFile))
	require.NoError(t, err)
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated from the YAML files by go generate; DO NOT EDIT.\n\npackage rubric\n\n")
	fmt.Fprintf(&b, "// Version is the version of the method.\nconst Version = %q\n\nvar method = MethodSpec{\n", version)
	fmt.Fprintf(&b, "Parameters: []ParameterSpec{\n")
	for _, p := range m.Parameters {
		fmt.Fprintf(&b, "{ID: %q, Name: %q, Weight: %d, PerLevel: %d},\n", p.ID, p.Name, p.Weight, p.PerLevel)
	}
	fmt.Fprintf(&b, "},\nBands: []Band{\n")
	for _, x := range m.Bands {
		fmt.Fprintf(&b, "{ID: %q, Label: %q, Color: %q, Floor: %d},\n", x.ID, x.Label, x.Color, x.Floor)
	}
	fmt.Fprintf(&b, "},\nCaps: []CapSpec{\n")
	for _, c := range m.Caps {
		fmt.Fprintf(&b, "{ID: %q, Max: %d, Criterion: %q, When: %q},\n", c.ID, c.Max, c.Criterion, c.When)
	}
	fmt.Fprintf(&b, "},\n}\n\nvar heads = []CriterionHead{\n")
	var specs []*CriterionSpec
	for n := 1; n <= len(criterionFiles); n++ {
		name := criterionFiles[fmt.Sprintf("C%d", n)]
		c, err := parseChecked(name, mustRead(name))
		require.NoError(t, err)
		specs = append(specs, c)
		fmt.Fprintf(&b, "{ID: %q, Number: %d, Name: %q, OWASP: %#v, Question: %q, Caps: %#v, AbsentWhen: %q},\n",
			c.ID, c.Number, c.Name, c.OWASP, c.Question, c.Caps, c.AbsentWhen)
	}
	fmt.Fprintf(&b, "}\n\nvar watches = []*WatchSpec{\n")
	for _, c := range specs {
		fmt.Fprintf(&b, "{\nCriterion: %q,\nPaths: []string{\n", c.ID)
		for _, p := range c.Watch.Paths {
			fmt.Fprintf(&b, "%q,\n", p)
		}
		fmt.Fprintf(&b, "},\nSources: []string{\n")
		for _, p := range c.Watch.Sources {
			fmt.Fprintf(&b, "%q,\n", p)
		}
		fmt.Fprintf(&b, "},\n},\n")
	}
	fmt.Fprintf(&b, "}\n")
	out, err := format.Source(b.Bytes())
	require.NoError(t, err)
	return out
}
