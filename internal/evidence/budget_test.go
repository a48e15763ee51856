package evidence_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/outcome"
)

// letters makes n lines of one letter of a few.
func letters(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 3))
	var b strings.Builder
	for range n {
		b.WriteByte("abc"[r.IntN(3)])
		b.WriteByte('\n')
	}
	return b.String()
}

// numbered makes n long lines that begin in a word of their own.
func numbered(prefix string, n, words int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d", prefix, i)
		for w := range words {
			fmt.Fprintf(&b, " w%d", w)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Many citations of a hostile pair of files cost little more than a few.
func TestCostOfManyCitationsOfOnePair(t *testing.T) {
	if testing.Short() {
		t.Skip("hostile pairs are left out with -short")
	}
	for name, c := range map[string]struct {
		old, head string
		step, len int
	}{
		"one-letter lines":     {letters(1, 200_000), letters(2, 200_000), 1000, 3},
		"long lines":           {numbered("a", 480, 200), numbered("b", 480, 200), 10, 9},
		"lines nearly alike":   {numbered("a", 400, 12), numbered("b", 400, 12), 9, 8},
		"one line, many times": {strings.Repeat("}\n", 200_000), strings.Repeat("}\n", 199_000), 1000, 3},
	} {
		s := newSource(tree{"a.py": c.old}, tree{"a.py": c.head})
		f := s.follower()
		start := time.Now()
		states := map[outcome.State]int{}
		for i := range 40 {
			e := cite(t, "a.py:1")
			e.Lines = e.Lines.At(i*c.step+1, c.len)
			it, err := f.Follow(context.Background(), e)
			require.NoError(t, err)
			states[it.State]++
		}
		took := time.Since(start)
		t.Logf("%s: %v %v", name, took.Round(time.Millisecond), states)
		assert.Less(t, took, time.Minute, name)
	}
}
