package linemap_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/linemap"
)

// unlike makes n lines drawn from a few, the worst for finding a shortest edit.
func unlike(seed uint64, n, kinds int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	for range n {
		fmt.Fprintf(&b, "line %d\n", r.IntN(kinds))
	}
	return b.Bytes()
}

// distinct makes n lines that differ from each other.
func distinct(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.Bytes()
}

// generous is far above what any of these take on a busy machine, and far below
// what an unbounded search would.
const generous = time.Minute

func within(t *testing.T, name string, work func()) {
	start := time.Now()
	work()
	took := time.Since(start)
	t.Logf("%s: %v", name, took.Round(time.Millisecond))
	assert.Less(t, took, generous, name)
}

func TestHugeInputsEndInBoundedTime(t *testing.T) {
	if testing.Short() {
		t.Skip("huge inputs are left out with -short")
	}
	million := distinct(1_000_000)
	within(t, "a line added to a million", func() {
		m := linemap.Diff(linemap.Split(million), linemap.Split(append([]byte("new\n"), million...)))
		assert.Equal(t, 500_001, m.ToNew(500_000))
		assert.True(t, m.Shortest())
	})
	within(t, "every tenth of a million edited", func() {
		edited := bytes.ReplaceAll(million, []byte("7\n"), []byte("seven\n"))
		m := linemap.Diff(linemap.Split(million), linemap.Split(edited))
		deleted, added := m.Changed()
		assert.Equal(t, 100_000, deleted)
		assert.Equal(t, 100_000, added)
		assert.True(t, m.Shortest())
	})
	for _, kinds := range []int{10, 1000, 50_000} {
		within(t, fmt.Sprintf("300,000 lines of %d kinds, in another order", kinds), func() {
			m := linemap.Diff(linemap.Split(unlike(1, 300_000, kinds)), linemap.Split(unlike(2, 300_000, kinds)))
			assert.False(t, m.Shortest())
			checkOrder(t, m)
			_, _ = m.Keep(1000, 1003)
			_, _ = m.Keep(1000, 1000)
		})
	}
	within(t, "a million equal lines against half as many", func() {
		blank := bytes.Repeat([]byte("\n"), 1_000_000)
		m := linemap.Diff(linemap.Split(blank), linemap.Split(blank[:500_000]))
		assert.Equal(t, 1, m.ToNew(1))
		_, _ = m.Keep(999_999, 1_000_000)
	})
	within(t, "lines that repeat in turn", func() {
		turn := bytes.Repeat([]byte("a\nb\n"), 200_000)
		m := linemap.Diff(linemap.Split(turn), linemap.Split(append([]byte("b\nx\n"), turn[2:]...)))
		checkOrder(t, m)
		_, _ = m.Keep(3, 6)
	})
	within(t, "a line of 50 MB", func() {
		long := bytes.Repeat([]byte("0123456789"), 5_000_000)
		m := linemap.Diff(linemap.Split(long), linemap.Split(append([]byte("new\n"), long...)))
		assert.Equal(t, 2, m.ToNew(1))
	})
}

// checkOrder is what checkMap checks of single lines, for large maps.
func checkOrder(t *testing.T, m *linemap.Map) {
	prev := 0
	for n := 1; n <= m.Old().Len(); n++ {
		to := m.ToNew(n)
		if to == 0 {
			continue
		}
		if to <= prev || m.ToOld(to) != n || !bytes.Equal(m.Old().Line(n), m.New().Line(to)) {
			t.Fatalf("old line %d is mapped falsely to %d", n, to)
		}
		prev = to
	}
}

// Beyond the budget the map still finds what anchors show.
func TestAnchorsBeyondTheBudget(t *testing.T) {
	a, b := unlike(1, 200_000, 3), unlike(2, 200_000, 3)
	mark := []byte("a line that stands once\n")
	m := linemap.Diff(linemap.Split(bytes.Join([][]byte{a, mark, a}, nil)), linemap.Split(bytes.Join([][]byte{b, mark, b}, nil)))
	assert.False(t, m.Shortest())
	assert.Equal(t, 200_001, m.ToNew(200_001))
	checkOrder(t, m)
}

func BenchmarkDiff(b *testing.B) {
	lines := strings.Split(string(distinct(2000)), "\n")
	old := []byte(strings.Join(lines, "\n"))
	for _, edits := range []int{1, 20, 200} {
		changed := append([]string(nil), lines...)
		for i := range edits {
			changed[i*len(changed)/edits] = fmt.Sprintf("edited %d", i)
		}
		head := []byte("added\n" + strings.Join(changed, "\n"))
		b.Run(fmt.Sprintf("2000 lines, %d edited", edits), func(b *testing.B) {
			b.SetBytes(int64(len(old)))
			for b.Loop() {
				linemap.Diff(linemap.Split(old), linemap.Split(head))
			}
		})
	}
}
