package search_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/testenv"
)

// What random trees and commands are made of.
var (
	somePaths = []string{
		"a.py", "b.py", "c.txt", "README.md", "Makefile", "foo.", ".hidden", ".env", "a b.py", "naïve.py", "UP.PY",
		"sub/a.py", "sub/b.js", "sub/c.txt", "sub/.env", "sub/foo", "sub/deep/x.py", "sub/deep/y.txt", "sub/deep/er/z.py",
		"sub/sub/a.py", "sub2/a.py", ".github/w.yml", "build/out.py", "x/y/z/w.rs", "x/y/b.py", "vendor/v.go", "dir.d/f.py",
	}
	someWords = []string{
		"foo", "Foo", "FOO", "bar", "foobar", "foo_bar", "baz9", "x", "é", "É", "ß", "ſ", "K", "ßfoo", "日本", "naïve",
		"-", ".", "(", "[a]", "$", "^", "\\", "\"", "'", "a.b", "foo-bar", "=", "\t", "  ", "\xff", "\xc3", "foo\xffbar", "\r", "0", "42", "_",
	}
	someRules = []string{
		"*.txt", "!c.txt", "/build", "build/", "sub/a.py", "sub/*.py", "/sub/sub", "**/deep", "deep/**", "sub/**", "!*.py", "*.{py,js}",
		"[ab].py", "[!a].py", "x/**/b.py", "a b.py", "# comment", "\\#x", "trailing.py  ", "foo.", "?.py", ".*", "!.hidden", "!.env", "*", "!*/",
		"sub", "/sub/deep/", "y.txt", "UP.py", "{a,b}.py", "**", "na\\ïve.py", "a}", "{a", "[", "sub/sub/a.py", "/*.py", "!/sub/a.py",
	}
	somePatterns = []string{
		"foo", "Foo", "bar|baz", "fo+", "f.o", "^foo", "foo$", "^$", "^", "$", "", "x*", `\bfoo\b`, `\Bo`, `\w+`, `\W`, `\d`, `\s+$`, "[a-c]", "[^a-z]",
		`(?i)FOO`, `(?i:f)oo`, "é", `\p{L}+`, `\pN`, `[[:upper:]]`, `foo|`, `(foo|bar)?`, `o{2}`, `o{1,}`, `(?:fo){1,2}o?`, `.`, `.*`, `.+`, `[\w&&[^o]]+`, `[a-z--o]+`,
		`\.`, `a\.b`, `\[a\]`, `\$`, `ſ`, `k`, `ss`, `(?-u:\xff)`, `(?-u:.)`, `(?s).`, `[^\x00-\x7f]`, `\x{e9}`, `foo.*bar`, `foo\s*`, `(?x) f o o # c`, `\t`, `\r`, `foo_`, `_`, `-`, `日`, `foo.bar`, `o\b`, `(a|b|)`,
	}
	someGlobs = []string{
		"*.py", "!*.py", "*.{py,js}", "sub/**", "!sub/**", "/a.py", "a.py", "sub", "!sub", "deep/", "**/deep/**", "*.PY", "[a-b].py", "!.git", "*", "!*.txt", "?.py", "**/a.py", "sub/*.py", ".*", "foo.", "x/*/b.py",
	}
	someFlags = []string{
		"-i", "-S", "-s", "-w", "-x", "-F", "-v", "-o", "-c", "--count-matches", "-l", "--files-without-match", "-U", "-U --multiline-dotall", "-a", "--binary", "-u", "-uu", "-uuu",
		"--hidden", "--no-ignore", "--no-ignore-dot", "--no-ignore-vcs", "--no-ignore-parent", "-m 1", "-m2", "--max-depth 1", "--max-depth=2", "--max-filesize 40", "-t py", "-T py", "-tjs", "-t all", "--type-add 'foo:*.txt' -t foo",
		"-n", "-N", "-H", "-I", "--column", "-b", "--trim", "--vimgrep", "--include-zero", "--crlf", "--no-unicode", "-E none", "-j1", "--sort path", "--mmap", "--no-mmap", "-M 10", "--ignore-file-case-insensitive", "--no-messages", "--color never", "--no-heading", "-0",
		"-ni", "-nS", "-uun", "-vc", "-nHi", "-ng'*.py'", "--glob='!*.js'", "-tpy -Tjs", "-im3", "--max-count=1", "-wc", "-ie foo", "--regexp=bar", "-ebaz", "-j 2", "-M900", "--no-hidden", "--ignore", "--no-fixed-strings", "--no-text", "--no-binary",
	}
	someScopes = []string{"", "", "sub", "sub", "sub/", "./sub", "a.py", "a.py b.py", "sub sub2", "sub/deep", "sub/deep sub", "missing", "missing a.py", "x/y x/y/b.py", ".", "sub/a.py", ".github", "sub a.py", "sub sub", "a.py/", "foo. c.txt", "build sub/sub"}
)

// gen makes random trees and commands; equal seeds make equal ones.
type gen struct{ *rand.Rand }

func newGen(seed uint64) gen { return gen{rand.New(rand.NewPCG(seed, 13))} }

func pickOne[T any](g gen, from []T) T { return from[g.IntN(len(from))] }

// content makes the content of a file.
func (g gen) content() string {
	var b strings.Builder
	n := g.IntN(7)
	for i := range n {
		for range g.IntN(5) {
			b.WriteString(pickOne(g, someWords))
			if g.IntN(2) == 0 {
				b.WriteByte(' ')
			}
		}
		switch end := g.IntN(13); {
		case end == 0:
			b.WriteString("\r\n")
		case end == 1:
			b.WriteString("\x00\n")
		case end == 2 && i == n-1: // no line feed at the end
		default:
			b.WriteByte('\n')
		}
	}
	switch text := b.String(); g.IntN(25) {
	case 0:
		return "\xef\xbb\xbf" + text
	case 1:
		return utf16Text(text, false)
	case 2:
		return utf16Text(text, true)
	case 3:
		return strings.Repeat("filler line\n", 6000) + text // over the size of a buffer
	case 4:
		return text + strings.Repeat("long ", 15000) + "foo\n" + text
	default:
		return text
	}
}

// utf16Text encodes a text in UTF-16 with a mark.
func utf16Text(text string, big bool) string {
	out := []byte{0xFF, 0xFE}
	if big {
		out = []byte{0xFE, 0xFF}
	}
	for _, r := range text {
		if r > 0xFFFF {
			continue
		}
		if big {
			out = append(out, byte(r>>8), byte(r))
		} else {
			out = append(out, byte(r), byte(r>>8))
		}
	}
	return string(out)
}

func (g gen) tree() tree {
	files := tree{}
	for range 3 + g.IntN(10) {
		files[pickOne(g, somePaths)] = g.content()
	}
	if _, ok := files["sub/foo"]; ok && g.IntN(2) == 0 {
		delete(files, "sub/foo")
	}
	for range g.IntN(4) {
		dir := pickOne(g, []string{"", "", "sub/", "sub/deep/", "x/"})
		name := pickOne(g, []string{".gitignore", ".gitignore", ".ignore", ".rgignore"})
		files[dir+name] = g.rules()
	}
	return files
}

// longest is the length of the longest content.
func (t tree) longest() int {
	n := 0
	for _, content := range t {
		n = max(n, len(content))
	}
	return n
}

func (g gen) rules() string {
	var b strings.Builder
	for range 1 + g.IntN(4) {
		b.WriteString(pickOne(g, someRules) + "\n")
	}
	return b.String()
}

func (g gen) command() string {
	words := []string{"rg"}
	for range g.IntN(5) {
		words = append(words, pickOne(g, someFlags))
	}
	for range g.IntN(3) {
		words = append(words, pickOne(g, []string{"-g", "-g", "--iglob"})+" '"+pickOne(g, someGlobs)+"'")
	}
	n := 1 + max(0, g.IntN(5)-2)
	for range n {
		p := pickOne(g, somePatterns)
		switch {
		case n > 1 || g.IntN(3) == 0:
			words = append(words, "-e '"+p+"'")
		case strings.HasPrefix(p, "-"):
			words = append(words, "-- '"+p+"'")
		default:
			words = append(words, "'"+p+"'")
		}
	}
	if rest := words[1:]; g.IntN(2) == 0 && !strings.Contains(words[len(words)-1], "-- ") {
		g.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	}
	return strings.Join(words, " ")
}

// emptyDir removes everything but .git.
func emptyDir(t testing.TB, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() != ".git" {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
}

// Random commands over random trees print what ripgrep prints, or are refused.
func TestRandomCommandsEqualRipgrep(t *testing.T) {
	repo := testenv.NewRepo(t)
	o := newOracle(t, repo.Dir())
	evaluated, refused := 0, map[string]int{}
	failed := ""
	rapid.Check(t, func(r *rapid.T) {
		if failed != "" {
			return
		}
		g := newGen(rapid.Uint64().Draw(r, "seed"))
		files := g.tree()
		emptyDir(t, repo.Dir())
		writeTree(t, repo.Dir(), files)
		for range 8 {
			command, scope := g.command(), pickOne(g, someScopes)
			if strings.Contains(command, "--vimgrep") && files.longest() > 10_000 {
				continue // it prints the whole line for each match in it
			}
			why := differs(t, o, files, command, scope)
			switch reason, isRefusal := strings.CutPrefix(why, "refused: "); {
			case why == "":
				evaluated++
			case isRefusal:
				refused[reason]++
			default:
				// A seed cannot be shrunk; the tree can.
				small := smallest(t, o, files, command, scope)
				failed = fmt.Sprintf("%s | %s\n%s\ntree: %s", command, scope, differs(t, o, small, command, scope), show(small))
				return
			}
		}
	})
	require.Empty(t, failed)
	all := evaluated
	for _, n := range refused {
		all += n
	}
	t.Logf("evaluated %d of %d searches, refused for %d reasons: %v", evaluated, all, len(refused), refused)
	assert.Greater(t, 4*evaluated, all, "nearly everything was refused")
}

// smallest takes files and lines out of a tree as long as the search differs, and
// leaves the checkout at what is left.
func smallest(t testing.TB, o *oracle, files tree, command, scope string) tree {
	fails := func(c tree) bool {
		emptyDir(t, o.dir)
		writeTree(t, o.dir, c)
		why := differs(t, o, c, command, scope)
		return why != "" && !strings.HasPrefix(why, "refused: ")
	}
	for again := true; again; {
		again = false
		for p := range maps.Clone(files) {
			c := maps.Clone(files)
			delete(c, p)
			if fails(c) {
				files, again = c, true
				continue
			}
			lines := strings.SplitAfter(files[p], "\n")
			for i := 0; len(lines) < 40 && i < len(lines); i++ {
				c := maps.Clone(files)
				c[p] = strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")
				if c[p] != files[p] && fails(c) {
					files, again = c, true
					break
				}
			}
		}
	}
	fails(files)
	return files
}

// differs compares a search with ripgrep: "" when equal, "refused: ..." when it is
// not evaluated, else the difference.
func differs(t testing.TB, o *oracle, files search.Source, command, scope string) string {
	got, want, why := both(t, o, files, command, scope)
	if why != "" {
		return why
	}
	return differingLines(got, want, command)
}

// countDiffers is differs for counts alone.
func countDiffers(t testing.TB, o *oracle, files search.Source, command, scope string) string {
	_, _, why := both(t, o, files, command, scope)
	return why
}

// both evaluates a search here and there and compares the counts.
func both(t testing.TB, o *oracle, files search.Source, command, scope string) (got search.Result, want []string, why string) {
	q, err := search.Parse(command, scope)
	if err != nil {
		return got, nil, "refused: " + err.Error()
	}
	if got, err = q.Run(t.Context(), files); err != nil {
		return got, nil, "refused: " + err.Error()
	}
	out, ok, fatal := o.run(t, command, scope)
	want = nonBlank(out)
	switch {
	case fatal:
		why = "ripgrep fails on it"
	case ok != got.ScopeExists && scope != "": // else the paths of the command are the scope
		why = fmt.Sprintf("scope exists: ripgrep %t, ours %t", ok, got.ScopeExists)
	case len(want) != got.Hits:
		why = fmt.Sprintf("ripgrep %d: %.2000q\nours %d: %.2000s", len(want), want, got.Hits, fmt.Sprintf("%+v", got.Matches))
	}
	return got, want, why
}

// differingLines compares the text of the lines, where both are complete.
func differingLines(got search.Result, want []string, command string) string {
	if got.Truncated || strings.Contains(command, "-0") || strings.Contains(command, "-M") {
		return ""
	}
	var texts []string
	for _, m := range got.Matches {
		texts = append(texts, strings.TrimRight(m.Text, "\r"))
	}
	for _, w := range want {
		w = strings.TrimRight(w, "\r") // --crlf adds one where there is no line feed
		i := -1
		for k, text := range texts {
			fits := strings.HasSuffix(w, text) ||
				len(w) > search.MaxTextBytes && strings.Contains(text, search.CutMark) ||
				text == "binary file matches" && strings.Contains(w, "binary file")
			if fits && (i < 0 || len(text) > len(texts[i])) {
				i = k
			}
		}
		if i < 0 {
			return fmt.Sprintf("ripgrep prints %.300q, ours: %.2000q", w, texts)
		}
		texts = slices.Delete(texts, i, i+1)
	}
	return ""
}

func show(files tree) string {
	var b strings.Builder
	for p, c := range files {
		fmt.Fprintf(&b, "\n%s: %.300q (%d)", p, c, len(c))
	}
	return b.String()
}
