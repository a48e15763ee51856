package gitmirror_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/testenv"
)

// large makes a repository of n files in directories of fifty, with a second commit
// that changes five of them, quickly.
func large(t testing.TB, n int) (src *testenv.Repo, base, head gitmirror.OID) {
	t.Helper()
	src = testenv.NewRepo(t)
	var in strings.Builder
	header := func(mark int, from string) {
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 1\nc\n%s", mark, 1700000000+mark, from)
	}
	file := func(i int, content string) {
		fmt.Fprintf(&in, "M 100644 inline d%d/e%d/f%d.py\ndata %d\n%s\n", i/2500, i/50, i, len(content), content)
	}
	header(1, "")
	for i := range n {
		file(i, fmt.Sprintf("# file %d\n%s", i, strings.Repeat("print('hello')\n", 40)))
	}
	header(2, "from :1\n")
	for i := range 5 {
		file(i*n/5, fmt.Sprintf("# changed %d\n", i))
	}
	src.GitInput([]byte(in.String()), "fast-import", "--quiet")
	return src, oid(src.Git("rev-parse", "main~1")), oid(src.Git("rev-parse", "main"))
}

func BenchmarkDiffTree(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		src, base, head := large(b, n)
		run := func(name string, base gitmirror.OID) {
			b.Run(fmt.Sprintf("files=%d/%s", n, name), func(b *testing.B) {
				r := open(b, src.Dir())
				for b.Loop() {
					_, err := r.DiffTree(b.Context(), base, head)
					require.NoError(b, err)
				}
			})
		}
		run("five changed", base)
		run("all added", gitmirror.EmptyTree)
		b.Run(fmt.Sprintf("files=%d/git itself, five changed", n), func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, exec.Command("git", "--git-dir="+src.Dir()+"/.git", "diff-tree", "-r", "-z", "-M", string(base), string(head)).Run())
			}
		})
	}
}

func BenchmarkBlobs(b *testing.B) {
	src, _, head := large(b, 10_000)
	r := open(b, src.Dir())
	entries, err := r.List(b.Context(), head, []string{""})
	require.NoError(b, err)
	ids := make([]gitmirror.OID, len(entries))
	for i, e := range entries {
		ids[i] = e.OID
	}
	for _, n := range []int{1, 100, 10_000} {
		b.Run(fmt.Sprintf("blobs=%d", n), func(b *testing.B) {
			before := r.Stats().BytesRead
			for b.Loop() {
				require.NoError(b, r.Blobs(b.Context(), ids[:n], 1<<20, func(_ gitmirror.OID, _ []byte, err error) error { return err }))
			}
			b.SetBytes((r.Stats().BytesRead - before) / int64(b.N))
		})
	}
}

func BenchmarkList(b *testing.B) {
	src, _, head := large(b, 10_000)
	for name, paths := range map[string][]string{
		"root": {""}, "three ignore files": {".gitignore", "d1/.gitignore", "d1/e60/.gitignore"},
	} {
		b.Run(name, func(b *testing.B) {
			r := open(b, src.Dir())
			for b.Loop() {
				_, err := r.List(b.Context(), head, paths)
				require.NoError(b, err)
			}
		})
	}
}
