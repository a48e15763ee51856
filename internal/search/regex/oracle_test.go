package regex_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/search/regex"
	"github.com/rescore-app/rescore/internal/testenv"
)

// ripgrepLines returns the numbers of the lines of file that ripgrep matches; ok
// is false where it refuses the pattern.
func ripgrepLines(t *testing.T, rg, file string, args ...string) (lines []int, ok bool) {
	t.Helper()
	cmd := exec.Command(rg, append([]string{"--no-config", "--no-mmap", "-a", "-n"}, append(args, file)...)...)
	cmd.Env = testenv.GitEnv(t)
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		return nil, false
	}
	for l := range bytes.Lines(out) {
		n, err := strconv.Atoi(string(l[:bytes.IndexByte(l, ':')]))
		require.NoError(t, err)
		lines = append(lines, n)
	}
	return lines, true
}

// sameLines compares a pattern on a file with ripgrep.
func sameLines(t *testing.T, rg, file, pattern string, o regex.Options, flags ...string) (evaluated bool) {
	t.Helper()
	re, err := regex.Compile(pattern, o)
	if err != nil {
		return false
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	want, ok := ripgrepLines(t, rg, file, append(flags, "-e", pattern)...)
	if !assert.True(t, ok, "ripgrep refuses %q %q", flags, pattern) {
		return true
	}
	got := matchingLines(t, re, text)
	if len(got) == len(want) && assert.ObjectsAreEqual(want, got) {
		return true
	}
	differ := map[int]string{}
	for _, n := range got {
		differ[n] += "ours "
	}
	for _, n := range want {
		differ[n] += "ripgrep "
	}
	all := strings.SplitAfter(string(text), "\n")
	for n, who := range differ {
		if who != "ours ripgrep " {
			t.Errorf("%q %q: only %son line %d: %q", flags, pattern, who, n, all[n-1])
			break
		}
	}
	return true
}

// alikeBlocks are the inner parts of blocks of ideographs, syllables, private use
// and unassigned code points.
var alikeBlocks = [][2]rune{
	{0x3500, 0x4D00}, {0x4F00, 0x9F00}, {0xAD00, 0xD700}, {0xE100, 0xF800}, {0x17100, 0x18700}, {0x20100, 0x2A600},
	{0x2A800, 0x2B600}, {0x2B900, 0x2CE00}, {0x2CF00, 0x2EB00}, {0x2EC00, 0x2F700}, {0x2FB00, 0x2FF00}, {0x30100, 0x31200},
	{0x31500, 0x32200}, {0x32500, 0xDFF00}, {0xE0300, 0xEFF00}, {0xF0100, 0xFFF00}, {0x100100, 0x10FF00},
}

// everyCharacter writes a file with scalar values, each on the line of its
// number: all but the inner parts of large blocks whose members are alike.
func everyCharacter(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	for r := rune(1); r <= unicode.MaxRune; r++ {
		alike := slices.ContainsFunc(alikeBlocks, func(b [2]rune) bool { return b[0] <= r && r <= b[1] })
		if r != '\n' && r != '\r' && utf8.ValidRune(r) && !alike {
			b.WriteRune(r)
		}
		b.WriteByte('\n')
	}
	file := filepath.Join(t.TempDir(), "characters")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file
}

// Unicode's classes have the members they have for ripgrep, one for one.
func TestEveryCharacterEqualsRipgrep(t *testing.T) {
	rg := testenv.Ripgrep(t)
	file := everyCharacter(t)
	patterns := []string{
		`\w`, `\W`, `\d`, `\s`, `\S`, `.`, `\b`, `\B`, `(?-u:\B)`, `(?-u:\b)`, `(?-u:.)`, `(?-u:\W)`, `(?i)[a-z]`, `(?i)\p{Lu}`, `(?i)[^\p{Ll}]`, `(?i)ſ`,
		`\p{Cn}`, `\p{Other}`, `\p{Assigned}`, `\p{Alphabetic}`, `\p{Lowercase}`, `\p{Uppercase}`, `\p{L}`, `\p{Cased_Letter}`, `[\w--\d]`, `[[:punct:]é-ü]`,
	}
	for _, p := range patterns {
		assert.True(t, sameLines(t, rg, file, p, regex.Options{Lines: true}), p)
	}
	assert.True(t, sameLines(t, rg, file, "\\w", regex.Options{Lines: true, Word: true}, "-w"))
	assert.True(t, sameLines(t, rg, file, `[k-s]`, regex.Options{Lines: true, FoldCase: true}, "-i"))
}

// Every name of a class that is evaluated is one to ripgrep, with the same number
// of members.
func TestClassNamesEqualRipgrep(t *testing.T) {
	if testing.Short() {
		t.Skip("a process for each of 200 names")
	}
	rg := testenv.Ripgrep(t)
	names := map[string]bool{"Any": true, "ASCII": true, "alpha": true, "isLatin": true, "is_Greek": true, "white space": true, "WSpace": true, "AHex": true, "Hex": true, "Dash": true, "QMark": true, "gc=L": true, "sc=Grek": true, "script:Greek": true, "General_Category=Nd": true, "isc": true, "cf": true, "lc": true, "sc": true}
	for n := range unicode.Categories {
		names[n] = true
	}
	for n := range unicode.CategoryAliases {
		names[n] = true
	}
	for n := range unicode.Scripts {
		names[n] = true
	}
	file := everyCharacter(t)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	evaluated := 0
	for n := range names {
		re, err := regex.Compile(`\p{`+n+`}`, regex.Options{Lines: true})
		if err != nil {
			continue
		}
		evaluated++
		cmd := exec.Command(rg, "--no-config", "-a", "-c", "--include-zero", `\p{`+n+`}`, file)
		cmd.Env = testenv.GitEnv(t)
		out, _ := cmd.Output() // its status is 1 without a match
		assert.Equal(t, strings.TrimSpace(string(out)), strconv.Itoa(len(matchingLines(t, re, text))), n)
	}
	assert.Greater(t, evaluated, 200)
}

// Parts of random patterns and lines.
var (
	oracleAtoms = []string{
		"a", "b", "A", "é", "É", "ß", "K", ".", "[ab]", "[^a]", "[é-ü]", `[^\w]`, `\d`, `\w`, `\W`, `\s`, `\S`, "^", "$", `\b`, `\B`, "1", "_", "-", " ", "(?i:a)", "(?i:é)", "()", `(?-u:\xff)`,
		`(?-u:.)`, `(?-u:[^a])`, `(?-u:\b)`, `(?-u:\B)`, `(?-u:\w)`, `\p{L}`, `\P{L}`, `[[:alpha:]]`, `[[:^alpha:]]`, `[a-z&&[^b]]`, `[\w--a]`, `[a~~b]`, `\x61`, `\u{e9}`, `\.`, `\-`, `(?s:.)`, `(?x: a b )`, "\u212a", "ab", "foo",
	}
	oracleRepeats = []string{"", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,1}", "{2,}", "{0}"}
	oracleWords   = []string{"a", "b", "ab", "A", "é", "É", "ß", "K", "\u212a", "1", "_", "-", " ", ".", "\xff", "\xc3", "\xa9", "\xe2\x82", "foo", "\t", "\r", "日", "a\u0301"}
)

func oraclePattern(r *rand.Rand, depth int) string {
	var b strings.Builder
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	for range 1 + r.IntN(4) {
		if depth > 0 && r.IntN(5) == 0 {
			b.WriteString(pick([]string{"(", "(?:", "(?i:", "(?P<n" + pick([]string{"a", "b"}) + ">"}) + oraclePattern(r, depth-1))
			if r.IntN(2) == 0 {
				b.WriteString("|" + oraclePattern(r, depth-1))
			}
			b.WriteString(")")
		} else {
			b.WriteString(pick(oracleAtoms))
		}
		b.WriteString(pick(oracleRepeats))
	}
	if depth == 2 && r.IntN(6) == 0 {
		b.WriteString("|" + oraclePattern(r, 0))
	}
	return b.String()
}

// Random patterns match the lines they match for ripgrep, in text that is not
// all UTF-8.
func TestRandomPatternsEqualRipgrep(t *testing.T) {
	rg := testenv.Ripgrep(t)
	words := rand.New(rand.NewPCG(1, 1))
	var b bytes.Buffer
	for range 1500 {
		for range words.IntN(6) {
			b.WriteString(oracleWords[words.IntN(len(oracleWords))])
		}
		b.WriteByte('\n')
	}
	b.WriteString("ab") // no line feed at the end
	file := filepath.Join(t.TempDir(), "lines")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	evaluated, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		pattern := oraclePattern(r, 2)
		for _, v := range []struct {
			o    regex.Options
			flag []string
		}{
			{regex.Options{}, nil}, {regex.Options{FoldCase: true}, []string{"-i"}}, {regex.Options{SmartCase: true}, []string{"-S"}},
			{regex.Options{Word: true}, []string{"-w"}}, {regex.Options{ASCII: true}, []string{"--no-unicode"}}, {regex.Options{CRLF: true}, []string{"--crlf"}},
		} {
			if t.Failed() || v.o != (regex.Options{}) && r.IntN(4) > 0 {
				continue
			}
			v.o.Lines = true
			if sameLines(t, rg, file, pattern, v.o, v.flag...) {
				evaluated++
			} else {
				refused++
			}
		}
	})
	assert.Greater(t, 2*evaluated, refused, "a good part of the patterns is evaluated")
}
