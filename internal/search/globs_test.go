package search_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/testenv"
)

// Paths that globs stumble over, with and without each other's prefixes.
var globPaths = []string{
	"a", "b", "ab", "A", "a.b", "a.", "b..", ".a", ".b.", "-", "a b", "é", "ab é.b", "{a,b}", "[a]", "!a", "#a", "a\\b", "a\nb", "a\n.b",
	"d/a", "d/b", "d/d/a", "d/d/d/b", "d/a.b", "d/.a", "d/a.", "d\n/a/b", "e/a/b", "e/é/a", "e.b/a", "e./a", ".f/a", "d/e./b", "\xff/a", "\xffb",
}

var globParts = []string{
	"a", "b", "d", "e", "A", ".", "*", "**", "/", "?", "[ab]", "[!a]", "[^b-d]", "[]a]", "[a-]", "{a,b}", "{a,}", "{,}", "{", "}", ",", "\\", "\\*",
	"!", "#", " ", "é", "-", "[é]", "[!é]", "**/", "/**", "/**/", "a.b", "*.", "*.b", "d/", "\n",
}

func (g gen) glob() string {
	var b strings.Builder
	for range 1 + g.IntN(4) {
		b.WriteString(pickOne(g, globParts))
	}
	return b.String()
}

// Random -g flags and ignore files leave the files that ripgrep leaves.
func TestRandomGlobsEqualRipgrep(t *testing.T) {
	files := tree{}
	for _, p := range globPaths {
		files[p] = "x\n"
	}
	repo := testenv.NewRepo(t)
	o := newOracle(t, repo.Dir())
	evaluated, refused := 0, 0
	failed := ""
	rapid.Check(t, func(r *rapid.T) {
		if failed != "" {
			return
		}
		g := newGen(rapid.Uint64().Draw(r, "seed"))
		emptyDir(t, repo.Dir())
		ruled := tree{}
		for p, c := range files {
			ruled[p] = c
		}
		for _, name := range []string{".gitignore", "d/.gitignore", "d/.ignore", ".rgignore"} {
			if g.IntN(3) == 0 {
				ruled[name] = g.glob() + "\n" + g.glob() + "\n"
			}
		}
		writeTree(t, repo.Dir(), ruled)
		for range 6 {
			command := "rg -c x"
			for range g.IntN(3) {
				glob := strings.ReplaceAll(g.glob(), "\n", "")
				command += fmt.Sprintf(" %s '%s'", pickOne(g, []string{"-g", "-g", "--iglob", "--glob-case-insensitive -g"}), glob)
			}
			if g.IntN(3) == 0 {
				command += " " + pickOne(g, []string{"--hidden -g '!.git'", "-u", "--no-ignore-parent", "--ignore-file-case-insensitive", "-t py", "--type-add 'q:*.b' -tq", "--type-add 'q:a*' -Tq"})
			}
			scope := pickOne(g, []string{"", "", "d", "d/d", "d e", "e d/d .f", "d/a d"})
			switch why := countDiffers(t, o, ruled, command, scope); {
			case why == "":
				evaluated++
			case strings.HasPrefix(why, "refused: "):
				refused++
			default:
				failed = fmt.Sprintf("%s | %s\n%s\nrules: %q %q %q %q", command, scope, why, ruled[".gitignore"], ruled["d/.gitignore"], ruled["d/.ignore"], ruled[".rgignore"])
				return
			}
		}
	})
	require.Empty(t, failed)
	t.Logf("evaluated %d, refused %d", evaluated, refused)
	assert.Greater(t, evaluated, refused, "most globs are evaluated")
}
