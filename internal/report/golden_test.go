package report

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/outcome"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with testdata/name, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run the tests with -update to write golden files")
	assert.Equal(t, string(want), string(got), "run with -update if the change is meant")
}

// options are those of a comment on a pull request.
func options() Options {
	return Options{Marker: Marker("pr=7"), CardPath: ".github/rescore/scorecard.json", Commands: true}
}

func TestGoldens(t *testing.T) {
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			o := make()
			golden(t, name+".comment.md", []byte(Comment(o, options())))
			golden(t, name+".txt", []byte(Text(o, 80, false)))
			golden(t, name+".json", JSON(o))
			page, err := OutcomeHTML(o, options())
			require.NoError(t, err)
			golden(t, name+".html", page)
			check, err := json.MarshalIndent(Check(o, options()), "", "  ")
			require.NoError(t, err)
			golden(t, name+".check.json", append(check, '\n'))
		})
	}
}

// Rendering the same outcome twice gives the same bytes: nothing depends on the
// order of a map.
func TestDeterministic(t *testing.T) {
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			a, b := make(), make()
			assert.Equal(t, Comment(a, options()), Comment(b, options()))
			assert.Equal(t, Text(a, 0, true), Text(b, 0, true))
			assert.Equal(t, string(JSON(a)), string(JSON(b)))
			assert.Equal(t, Check(a, options()), Check(b, options()))
		})
	}
}

// A title is not needed: the figures stand in.
func TestVerdictWithoutTitle(t *testing.T) {
	o := review()
	o.Title = ""
	assert.Contains(t, Comment(o, options()), "### Rescore: 3.0 → 2.6..3.0\n")
	assert.Equal(t, "3.0 → 2.6..3.0", Check(o, options()).Title)
	assert.Equal(t, "3.0", verdict(&outcome.Outcome{Score: outcome.Span{Before: 3000, Low: 3000, High: 3000}}))
}
