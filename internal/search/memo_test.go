package search

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseRemembers(t *testing.T) {
	a, err := Parse("rg -n 'memo'", "src")
	require.NoError(t, err)
	b, err := Parse("rg -n 'memo'", "src")
	require.NoError(t, err)
	assert.Same(t, a, b)
	other, err := Parse("rg -n 'memo'", "lib")
	require.NoError(t, err)
	assert.NotEqual(t, a.Key(), other.Key())
	for range 2 {
		_, err = Parse("rg -P x", "src")
		var refused *UnsupportedError
		require.ErrorAs(t, err, &refused)
	}
	for i := range 2 * maxRemembered {
		_, err := Parse(fmt.Sprintf("rg -F x%d", i), ".")
		require.NoError(t, err)
	}
	assert.LessOrEqual(t, len(remembered.parsed), maxRemembered)
}

// What a search may read is told without its pattern, which may even be none.
func TestParseReachLeavesThePatternAlone(t *testing.T) {
	changes := []Change{{New: &File{Path: "src/a.py"}}, {New: &File{Path: "src/a.md"}}, {New: &File{Path: "lib/a.py"}}}
	for _, pattern := range []string{"x", "x(", "x(?=y)"} {
		reach, err := ParseReach("rg -n '"+pattern+"' -g '*.py'", "src")
		require.NoError(t, err)
		assert.Equal(t, []string{"src/a.py"}, reach.Touches(changes))
		_, err = Parse("rg -n '"+pattern+"' -g '*.py'", "src")
		assert.Equal(t, pattern == "x", err == nil)
	}
	_, err := ParseReach("rg -P x", "src")
	var refused *UnsupportedError
	require.ErrorAs(t, err, &refused)
}

func BenchmarkParse(b *testing.B) {
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			_, _ = newEntry("rg -n -i 'confirm|approv' -g '*.py'", "src").query()
		}
	})
	b.Run("reach", func(b *testing.B) {
		for b.Loop() {
			_ = newEntry("rg -n -i 'confirm|approv' -g '*.py'", "src")
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			_, _ = Parse("rg -n -i 'confirm|approv' -g '*.py'", "src")
		}
	})
}
