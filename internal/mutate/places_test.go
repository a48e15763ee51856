package mutate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/mutate"
	"github.com/rescore-app/rescore/internal/plan"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func TestPlaces(t *testing.T) {
	files := map[string][]byte{"src/short.py": []byte("x = 1\n"), "src/a.bin": {0, 1}, "tests/test_a.py": nil}
	for i := range 6 {
		var b strings.Builder
		for n := range 40 {
			fmt.Fprintf(&b, "setting_%d_%d = guarded(step=%d)\n", i, n, n*n)
		}
		files[fmt.Sprintf("src/m%d.py", i)] = []byte(b.String())
		files["tests/test_a.py"] = []byte(b.String())
		files["src/m.rs"] = []byte(b.String())
	}
	ctx, base := context.Background(), mutate.Memory(files)
	draw := func(seed uint64) []scorecard.Evidence {
		card, err := mutate.Places(ctx, base, 10, seed, []string{".py"})
		require.NoError(t, err)
		var out []scorecard.Evidence
		for i := range card.Criteria {
			for e := range plan.Evidence(card, &card.Criteria[i]) {
				out = append(out, e)
			}
		}
		return out
	}
	places := draw(1)
	assert.Len(t, places, 10)
	for _, e := range places {
		assert.Regexp(t, `^src/m\d\.py$`, e.File)
		assert.LessOrEqual(t, e.Lines.Last, 40)
	}
	assert.Equal(t, places, draw(1))
	assert.NotEqual(t, places, draw(2))
	_, err := mutate.Places(ctx, base, 10, 1, []string{".kt"})
	require.ErrorContains(t, err, "ends in .kt")

	card, err := mutate.Places(ctx, base, 4, 1, []string{".py"})
	require.NoError(t, err)
	r, err := mutate.Run(ctx, engine(t), base, card)
	require.NoError(t, err)
	assert.Equal(t, 4, r.Citations)
	assert.Empty(t, r.Skipped)
	assert.Zero(t, r.Total().Faults())
}
