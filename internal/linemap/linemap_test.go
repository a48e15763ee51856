package linemap_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/linemap"
)

func text(lines ...string) *linemap.Text {
	return linemap.Split([]byte(strings.Join(lines, "\n") + "\n"))
}

func words(s string) *linemap.Text { return text(strings.Fields(s)...) }

// numbers lists where each old line went.
func numbers(m *linemap.Map) []int {
	out := []int{}
	for n := 1; n <= m.Old().Len(); n++ {
		out = append(out, m.ToNew(n))
	}
	return out
}

func TestSplit(t *testing.T) {
	for in, want := range map[string][]string{
		"":           {},
		"\n":         {""},
		"a":          {"a"},
		"a\n":        {"a"},
		"a\nb":       {"a", "b"},
		"a\r\nb\r\n": {"a\r", "b\r"},
		"a\rb\n":     {"a\rb"},
		"\n\na":      {"", "", "a"},
		"a\n\n":      {"a", ""},
	} {
		x := linemap.Split([]byte(in))
		got := []string{}
		for n := 1; n <= x.Len(); n++ {
			got = append(got, string(x.Line(n)))
		}
		assert.Equal(t, want, got, "%q", in)
	}
}

func TestTextRanges(t *testing.T) {
	x := words("a b c d b c")
	assert.Equal(t, "b\nc", string(x.Lines(2, 3)))
	assert.True(t, x.Has(1, 6))
	assert.False(t, x.Has(0, 1))
	assert.False(t, x.Has(3, 2))
	assert.False(t, x.Has(6, 7))
	assert.True(t, x.Equal(2, x, 5, 2))
	assert.False(t, x.Equal(5, x, 2, 3))
	assert.False(t, x.Equal(1, x, 1, 0))
	s := x.Slice(3, 5)
	assert.Equal(t, 3, s.Len())
	assert.Equal(t, "c\nd\nb", string(s.Lines(1, 3)))
	assert.Equal(t, []int{2}, s.Find(x, 4, 4, 1, 9))
	assert.Zero(t, x.Slice(2, 1).Len())
	assert.Equal(t, 12, x.Size())
	assert.Equal(t, 6, s.Size())
	assert.Zero(t, x.Slice(2, 1).Size())
}

func TestFind(t *testing.T) {
	x := words("ab b ab b b")
	for _, c := range []struct {
		block     string
		at, limit int
		want      []int
	}{
		{"b", 1, 9, []int{2, 4, 5}},
		{"b", 3, 9, []int{4, 5}},
		{"b", 1, 2, []int{2, 4}},
		{"b b", 1, 9, []int{4}},
		{"ab b", 1, 9, []int{1, 3}},
		{"a", 1, 9, nil},
		{"b", 6, 9, nil},
		{"b", 0, 9, nil},
	} {
		u := words(c.block)
		assert.Equal(t, c.want, x.Find(u, 1, u.Len(), c.at, c.limit), "%+v", c)
	}
	blank := text("a", "", "", "b")
	assert.Equal(t, []int{2, 3}, blank.Find(blank, 2, 2, 1, 9))
}

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []int
	}{
		{"equal", "a b c", "a b c", []int{1, 2, 3}},
		{"insert above", "a b c", "x y a b c", []int{3, 4, 5}},
		{"insert inside", "a b c", "a x b c", []int{1, 3, 4}},
		{"delete", "a b c", "a c", []int{1, 0, 2}},
		{"change", "a b c", "a x c", []int{1, 0, 3}},
		{"nothing alike", "a b", "x y z", []int{0, 0}},
		{"a copy below leaves the first the old one", "a b c", "a b a b c", []int{1, 2, 5}},
		{"first of equal neighbours stays", "a a b", "a b", []int{1, 0, 2}},
		{"slide past the common end", "x c a q", "y c a a q", []int{0, 2, 3, 5}},
		{"swap", "a b", "b a", []int{0, 1}},
	} {
		m := linemap.Diff(words(c.old), words(c.new))
		assert.Equal(t, c.want, numbers(m), c.name)
		assert.True(t, m.Shortest(), c.name)
	}
	assert.Zero(t, linemap.Diff(linemap.Split(nil), linemap.Split(nil)).ToNew(1))
}

func TestFinalNewlineIsNoChange(t *testing.T) {
	m := linemap.Diff(linemap.Split([]byte("a\nb")), linemap.Split([]byte("a\nb\n")))
	assert.Empty(t, m.Hunks())
	assert.Equal(t, []int{1, 2}, numbers(m))
}

func TestHunks(t *testing.T) {
	m := linemap.Diff(words("a b c d e"), words("a x y c e f"))
	assert.Equal(t, []linemap.Hunk{
		{OldFirst: 2, OldCount: 1, NewFirst: 2, NewCount: 2},
		{OldFirst: 4, OldCount: 1, NewFirst: 5, NewCount: 0},
		{OldFirst: 6, OldCount: 0, NewFirst: 6, NewCount: 1},
	}, m.Hunks())
}

func TestKeep(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		first, last    int
		want           int
	}{
		{"direct", "a b c", "x a b c", 2, 3, 3},
		{"an insertion that slides out of the block", "p a b q", "p a b x a b q", 2, 3, 2},
		{"an insertion that ends like the block", "p a b c q", "p x b a b c q", 2, 4, 4},
		{"the second of two adjacent copies, one deleted", "p a b a b q", "p a b q", 4, 5, 2},
		{"a line inserted inside", "p a b q", "p a x b q", 2, 3, 0},
		{"a copy that stood elsewhere before is not the block", "u a b v p a b q", "u a b v p q", 6, 7, 0},
		{"nor when it stood further down", "p a b q u a b v", "p q u a b v", 2, 3, 0},
		{"beyond the text", "a b", "a b", 2, 3, 0},
		{"all gone", "a b", "", 1, 2, 0},
	} {
		at, ok := linemap.Diff(words(c.old), words(c.new)).Keep(c.first, c.last)
		assert.Equal(t, c.want, at, c.name)
		assert.Equal(t, c.want > 0, ok, c.name)
	}
}

// genText draws a text over a small alphabet, so that lines repeat.
func genText(t *rapid.T, label string) *linemap.Text {
	return words(strings.Join(rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c d e f")), 0, 40).Draw(t, label), " ") + " ")
}

func checkMap(t require.TestingT, m *linemap.Map) {
	prev := 0
	for n := 1; n <= m.Old().Len(); n++ {
		to := m.ToNew(n)
		if to == 0 {
			continue
		}
		require.Greater(t, to, prev, "order")
		require.Equal(t, n, m.ToOld(to), "both ways")
		require.True(t, bytes.Equal(m.Old().Line(n), m.New().Line(to)), "equal content")
		prev = to
	}
	var rebuilt []string
	i := 1
	for _, h := range m.Hunks() {
		for ; i < h.OldFirst; i++ {
			rebuilt = append(rebuilt, string(m.Old().Line(i)))
		}
		require.Equal(t, len(rebuilt)+1, h.NewFirst)
		for j := range h.NewCount {
			require.Zero(t, m.ToOld(h.NewFirst+j))
			rebuilt = append(rebuilt, string(m.New().Line(h.NewFirst+j)))
		}
		i += h.OldCount
	}
	for ; i <= m.Old().Len(); i++ {
		rebuilt = append(rebuilt, string(m.Old().Line(i)))
	}
	require.Len(t, rebuilt, m.New().Len())
	for n, line := range rebuilt {
		require.Equal(t, string(m.New().Line(n+1)), line)
	}
}

// lcs is the length of a longest common subsequence, the slow and certain way.
func lcs(a, b *linemap.Text) int {
	row := make([]int, b.Len()+1)
	for i := 1; i <= a.Len(); i++ {
		diagonal := 0
		for j := 1; j <= b.Len(); j++ {
			above := row[j]
			if bytes.Equal(a.Line(i), b.Line(j)) {
				row[j] = diagonal + 1
			} else {
				row[j] = max(row[j], row[j-1])
			}
			diagonal = above
		}
	}
	return row[b.Len()]
}

func TestMapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genText(t, "old"), genText(t, "new")
		m := linemap.Diff(a, b)
		checkMap(t, m)
		deleted, added := m.Changed()
		assert.Equal(t, a.Len()+b.Len()-2*lcs(a, b), deleted+added, "shortest")
		checkMap(t, linemap.Anchored(a, b))
	})
}

// A block that Keep holds is there, whole, and an insertion around it never
// makes Keep lose it.
func TestKeepProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := genText(t, "old")
		if a.Len() == 0 {
			return
		}
		first := rapid.IntRange(1, a.Len()).Draw(t, "first")
		last := rapid.IntRange(first, a.Len()).Draw(t, "last")
		b := genText(t, "new")
		if at, ok := linemap.Diff(a, b).Keep(first, last); ok {
			assert.True(t, a.Equal(first, b, at, last-first+1))
		}
		above := rapid.IntRange(0, first-1).Draw(t, "above")
		below := rapid.IntRange(last, a.Len()).Draw(t, "below")
		var grown []string
		for n := 0; n <= a.Len(); n++ {
			if n > 0 {
				grown = append(grown, string(a.Line(n)))
			}
			if n == above || n == below {
				grown = append(grown, rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c z")), 0, 5).Draw(t, "inserted")...)
			}
		}
		_, ok := linemap.Diff(a, text(grown...)).Keep(first, last)
		assert.True(t, ok, "lines inserted outside the block")
	})
}

// gitChanged counts changed lines as git does.
func gitChanged(t require.TestingT, dir string, a, b []byte) int {
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), a, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b"), b, 0o600))
	cmd := exec.Command("git", "diff", "--no-index", "--minimal", "--numstat", "a", "b")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err == nil {
		return 0 // status 0: equal
	}
	var added, deleted int
	_, err = fmt.Sscanf(string(out), "%d\t%d", &added, &deleted)
	require.NoError(t, err, "%s", out)
	return added + deleted
}

func TestAsShortAsGitMinimal(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c d e")), 1, 60).Draw(t, "old")
		b := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c d e")), 1, 60).Draw(t, "new")
		x, y := []byte(strings.Join(a, "\n")+"\n"), []byte(strings.Join(b, "\n")+"\n")
		deleted, added := linemap.Diff(linemap.Split(x), linemap.Split(y)).Changed()
		assert.Equal(t, gitChanged(t, dir, x, y), deleted+added)
	})
}

func FuzzDiff(f *testing.F) {
	f.Add([]byte("a\nb\nc"), []byte("a\nc\r\n\n"), 1, 2)
	f.Add([]byte(""), []byte("\n"), 1, 1)
	f.Add([]byte("a\na\na\n"), []byte("a\na\n"), 2, 3)
	f.Fuzz(func(t *testing.T, a, b []byte, first, last int) {
		x, y := linemap.Split(a), linemap.Split(b)
		m := linemap.Diff(x, y)
		checkMap(t, m)
		checkMap(t, linemap.Anchored(x, y))
		if at, ok := m.Keep(first, last); ok {
			require.True(t, x.Equal(first, y, at, last-first+1))
		}
	})
}
