package search_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/search"
)

// benchTree has n source files of about 2 KB in directories of twenty.
func benchTree(n int) tree {
	body := strings.Repeat("def handler(request, response):\n    # the usual checks and nothing else\n    return response\n\n", 20)
	files := tree{".gitignore": "*.pyc\nbuild/\n__pycache__/\n", "pkg/.gitignore": "*.log\n"}
	for i := range n {
		files[fmt.Sprintf("pkg/m%d/s%d/file%d.py", i/400, i/20%20, i)] = body + fmt.Sprintf("# file %d\n", i)
	}
	return files
}

// sortedTree is a tree with its listing made once, so that a benchmark measures
// the search and not the stand-in for git.
type sortedTree struct {
	statTree
	files []search.File
}

func sorted(t testing.TB, files tree) sortedTree {
	all, err := files.List(context.Background(), []string{""})
	require.NoError(t, err)
	return sortedTree{statTree{files}, all}
}

func (s sortedTree) List(ctx context.Context, paths []string) ([]search.File, error) {
	for _, p := range paths {
		if p == "pkg" {
			return s.files, nil
		}
	}
	var out []search.File
	for _, p := range paths {
		if _, ok := s.tree[p]; ok {
			out = append(out, s.file(p))
		}
	}
	return out, nil
}

func BenchmarkRun(b *testing.B) {
	src := sorted(b, benchTree(10_000))
	size := 0
	for _, c := range src.tree {
		size += len(c)
	}
	for name, command := range map[string]string{
		"literal": "rg -n 'needle'", "alternation-i": "rg -n -i 'confirm|approv' -g '*.py'", "class": `rg -n '\w+\s*=\s*\d+'`, "word": `rg -n '\bneedle\b'`,
	} {
		b.Run(name, func(b *testing.B) {
			q, err := search.Parse(command, "pkg")
			require.NoError(b, err)
			b.SetBytes(int64(size))
			for b.Loop() {
				_, err := q.Run(context.Background(), src)
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkDelta(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("files=%d", n), func(b *testing.B) {
			before := benchTree(n)
			after := maps.Clone(before)
			for i := range 5 {
				after[fmt.Sprintf("pkg/m%d/s%d/file%d.py", i/400, i/20%20, i)] += "needle\n"
			}
			all := changes(before, after)
			q, err := search.Parse("rg -n 'needle' -g '*.py'", "pkg")
			require.NoError(b, err)
			was, is := sorted(b, before), sorted(b, after)
			for b.Loop() {
				d, err := q.Delta(context.Background(), was, is, all)
				require.NoError(b, err)
				require.Equal(b, 5, d.HitsDelta)
			}
		})
	}
}

func BenchmarkTouches(b *testing.B) {
	q, err := search.Parse("rg -n 'needle' -g '*.py'", "pkg")
	require.NoError(b, err)
	all := changes(benchTree(1), benchTree(200))
	for b.Loop() {
		q.Touches(all)
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		_, err := search.Parse("rg -n -i 'sha256|checksum|signature|digest' -g '*.py'", "pkg")
		require.NoError(b, err)
	}
}
