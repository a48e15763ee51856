package known_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/judge/known"
	"github.com/rescore-app/rescore/internal/policy"
)

// Every judge is found by its own name, has it alone, and a policy may choose it.
func TestEveryJudgeCanBeNamed(t *testing.T) {
	names := known.Names()
	require.Contains(t, names, known.Default)
	assert.Len(t, slices.Compact(slices.Clone(names)), len(names), "two judges of one name")
	for _, name := range names {
		j, ok := known.ByName(name)
		require.True(t, ok, name)
		assert.Equal(t, name, j.Name())
		_, err := policy.Parse("rescore.yml", []byte("version: 1\njudges: ["+name+"]\n"))
		assert.NoError(t, err, "a policy cannot name the judge")
	}
	_, ok := known.ByName("nobody")
	assert.False(t, ok)
}
