package regex_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/search/regex"
)

// lines returns the numbers of the lines that match.
func matchingLines(t require.TestingT, re *regex.Regex, text []byte) []int {

	var out []int
	s := re.NewScanner(nil)
	for pos, number := 0, 1; ; {
		start, end, ok := s.NextLine(text, pos)
		if !ok {
			return out
		}
		require.Greater(t, end, start)
		number += bytes.Count(text[pos:start], []byte{'\n'})
		out = append(out, number)
		number++
		pos = end
	}
}

func compile(t require.TestingT, pattern string, o regex.Options) *regex.Regex {

	re, err := regex.Compile(pattern, o)
	require.NoError(t, err, pattern)
	return re
}

func TestErrorsNamePlaceAndReason(t *testing.T) {
	for pattern, want := range map[string]string{
		`a(b`:              "character 2: unclosed group",
		`a)`:               "character 2: unopened group",
		`*a`:               "character 1: nothing to repeat",
		`a|*`:              "character 3: nothing to repeat",
		`(?i)*`:            "character 5: nothing to repeat",
		`a{2`:              "unclosed count",
		`a{,2}`:            "must be a number",
		`a{3,2}`:           "wrong way round",
		`a{99999}`:         "must be a number up to",
		`[a`:               "character 1: unclosed class",
		`[b-a]`:            "wrong way round",
		`[a-\d]`:           "a character at both ends",
		`[\b]`:             "an assertion in a class",
		`[a&&b]`:           "a class that nothing matches",
		`\1`:               "back-references",
		`\q`:               `unknown escape \q`,
		`\`:                "ends in a backslash",
		`\x{110000}`:       "invalid hexadecimal",
		`\xg0`:             "invalid hexadecimal",
		`\x{d800}`:         "invalid hexadecimal",
		`\p{Nonsense}`:     `"Nonsense" is not evaluated`,
		`\p{Sc}`:           "is not evaluated",
		`(?=a)`:            "look-around",
		`(?<!a)`:           "look-around",
		`(?<n>a)`:          "unknown flag",
		`(?P<1>a)`:         "invalid name",
		`(?P<n>a)(?P<n>b)`: "a name of its own",
		`(?ii)a`:           "given twice",
		`(?i-)a`:           "a minus without a flag",
		`(?z)`:             "unknown flag",
		`(?)`:              "nothing to repeat",
		`\n`:               `'\n' cannot match without -U`,
		`\A`:               "buffers",
		`(?-m)^a`:          "buffers",
		`(a*)+`:            "repeats what can be empty",
		`a++++`:            "in a row",
		`(?-u)é`:           "outside ASCII",
		`(?-u)\pL`:         "Unicode is off",
		"\xff":             "not valid UTF-8",
		strings.Repeat("(", 60) + strings.Repeat(")", 60): "levels of nesting",
		`(\w{1000}){1000}`:        "too large",
		strings.Repeat("a", 9999): "longer than",
	} {
		_, err := regex.Compile(pattern, regex.Options{Lines: true})
		var e *regex.Error
		if assert.ErrorAs(t, err, &e, "%.40s", pattern) {
			assert.Contains(t, err.Error(), want, "%.40s", pattern)
		}
	}
}

func TestLines(t *testing.T) {
	for _, tc := range []struct {
		pattern, text string
		o             regex.Options
		want          []int
	}{
		{`foo`, "foo\nbar\nxfoo", regex.Options{}, []int{1, 3}},
		{`^$`, "a\n\nb\n", regex.Options{}, []int{2}},
		{`^$`, "dead\nalive", regex.Options{}, nil},
		{`$`, "a\nb\n", regex.Options{}, []int{1, 2}},
		{``, "a\n\n", regex.Options{}, []int{1, 2}},
		{`FOO`, "foo\nFoo\nFOO\n", regex.Options{SmartCase: true}, []int{3}},
		{`foo`, "foo\nFoo\nFOO\n", regex.Options{SmartCase: true}, []int{1, 2, 3}},
		{`\w`, "-\n", regex.Options{SmartCase: true}, nil},
		{`k`, "K\n\u212a\n", regex.Options{FoldCase: true}, []int{1, 2}},
		{`.`, "\xff\n\xc3\n\xc3\xa9\n", regex.Options{}, []int{3}},
		{`[^a]`, "\xff\na\nb\n", regex.Options{}, []int{3}},
		{`(?-u:.)`, "\xff\n", regex.Options{}, []int{1}},
		{`.`, "\xff\n", regex.Options{ASCII: true}, []int{1}},
		{`\bé\b`, "é\nxé\né.\n", regex.Options{}, []int{1, 3}},
		{`\B`, "é\n", regex.Options{}, nil},
		{`(?-u:\B)`, "é\n", regex.Options{}, []int{1}},
		{`foo$`, "foo\r\nfoo\n", regex.Options{}, []int{2}},
		{`foo$`, "foo\r\nfoo\n", regex.Options{CRLF: true}, []int{1, 2}},
		{`foo`, "foo\nxfoo\nfoo-\néfoo\n\xfffoo\n", regex.Options{Word: true}, []int{1, 3}},
		{`[[:alpha:]&&[^b]]`, "a\nb\n1\n", regex.Options{}, []int{1}},
		{`[a-c--b]`, "a\nb\nc\n", regex.Options{}, []int{1, 3}},
		{`[a-c~~b-d]`, "a\nb\nc\nd\n", regex.Options{}, []int{1, 4}},
		{`[]a]`, "]\na\nb\n", regex.Options{}, []int{1, 2}},
		{`(?x) a b # c`, "ab\na b\n", regex.Options{}, []int{1}},
		{`(?i)a(?-i)b`, "Ab\nAB\n", regex.Options{}, []int{1}},
		{`a(?i)b|c`, "aB\nC\nA\n", regex.Options{}, []int{1, 2}},
		{`\x{e9}|\u00df|\xdf`, "é\nß\n", regex.Options{}, []int{1, 2}},
	} {
		tc.o.Lines = true
		assert.Equal(t, tc.want, matchingLines(t, compile(t, tc.pattern, tc.o), []byte(tc.text)), "%s in %q", tc.pattern, tc.text)
	}
}

func TestMultiLine(t *testing.T) {
	for pattern, want := range map[string]bool{`a`: false, `\w+`: false, `a\nb`: true, `a$`: true, `\s`: true, `[^a]`: true, `.`: false, `(?s:.)`: true} {
		assert.Equal(t, want, compile(t, pattern, regex.Options{}).MultiLine(), pattern)
	}
	start, end, ok := compile(t, `b\na`, regex.Options{}).NewScanner(nil).Find([]byte("ab\nab\na"), 0)
	require.True(t, ok)
	assert.Equal(t, []int{1, 4}, []int{start, end})
}

// Compiled patterns stay within their bounds on texts made to be slow.
func TestHostilePatternsAreLinear(t *testing.T) {
	text := []byte(strings.Repeat("a", 20_000) + "\n")
	for _, pattern := range []string{`(a|a)*b`, `(a|aa)*b`, `a{0,100}b`, `a{50}{50}b`, `(x+x+)+y`, `\w{1,200}!`} {
		assert.Empty(t, matchingLines(t, compile(t, pattern, regex.Options{Lines: true}), text), pattern)
	}
}

// The automaton starts afresh when it grows too large and goes on.
func TestAutomatonIsBounded(t *testing.T) {
	var text []byte
	for i := range 40_000 {
		text = append(text, "ab"[i*i%7%2], "ab"[i/3%2])
	}
	text = append(text, "\nbab\n"...)
	re := compile(t, `[ab]*a[ab]{15}c|^bab$`, regex.Options{Lines: true})
	assert.Equal(t, []int{2}, matchingLines(t, re, text))
}

// genPattern draws a pattern whose meaning the standard library shares on ASCII
// text.
func genPattern() *rapid.Generator[string] {
	atom := rapid.SampledFrom([]string{"a", "b", "c", ".", "[ab]", "[^a]", `\d`, `\w`, `\W`, `\s`, "^", "$", `\b`, `\B`, "1", "_", "-", " ", "(?i:a)", "(?:)"})
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			part := atom.Draw(t, "atom")
			if n := rapid.IntRange(0, 5).Draw(t, "group"); n == 0 {
				part = "(" + part + "|" + atom.Draw(t, "other") + atom.Draw(t, "more") + ")"
			}
			b.WriteString(part + rapid.SampledFrom([]string{"", "", "", "*", "+", "?", "*?", "+?", "{2}", "{1,2}"}).Draw(t, "repeat"))
			if rapid.IntRange(0, 7).Draw(t, "alternative") == 0 {
				b.WriteByte('|')
			}
		}
		return b.String()
	})
}

// The standard library agrees about lines, and about single matches.
func TestAgreesWithStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := genPattern().Draw(t, "pattern")
		text := rapid.StringOfN(rapid.SampledFrom([]rune("abcABC1_- \n")), 0, 40, -1).Draw(t, "text")
		re, err := regex.Compile(pattern, regex.Options{Lines: true})
		if err != nil {
			t.Skip(err)
		}
		std := regexp.MustCompile("(?m)" + pattern)
		var want []int
		for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			if text != "" && std.MatchString(line) {
				want = append(want, i+1)
			}
		}
		if got := matchingLines(t, re, []byte(text)); !assert.Equal(t, want, got, "%s in %q", pattern, text) {
			t.FailNow()
		}
		line, _, _ := strings.Cut(text, "\n")
		var first []int
		if start, end, ok := re.NewScanner(nil).Find([]byte(line), 0); ok {
			first = []int{start, end}
		}
		if !assert.Equal(t, std.FindStringIndex(line), first, "%s in %q", pattern, line) {
			t.FailNow()
		}
	})
}

func TestEscapeLiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[ -~é日]{1,12}`).Draw(t, "text")
		re := compile(t, "^"+regex.EscapeLiteral(s)+"$", regex.Options{Lines: true})
		assert.Equal(t, []int{2}, matchingLines(t, re, []byte("x"+s+"\n"+s+"\n"+s+"x\n")))
	})
}

// Package regex takes its characters from the standard library's tables and puts
// back those of ripgrep 13. A newer standard library needs another difference.
func TestUnicodeVersion(t *testing.T) {
	assert.Equal(t, "15.0.0", unicode.Version, "compare property.go with ripgrep's tables again")
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{`a(b|c)*`, `[a-z&&[^b]]`, `\p{L}\b`, `(?x) a # b`, `(?i-u:\xff)`, `a{2,3}?`, `[[:alpha:]--x]`, `(?P<n>a)`} {
		f.Add(s, "some text\nab\xff\n")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		for _, o := range []regex.Options{{Lines: true}, {FoldCase: true}, {Lines: true, Word: true, SmartCase: true}, {Lines: true, ASCII: true, Each: true}} {
			re, err := regex.Compile(pattern, o)
			if err != nil {
				continue
			}
			s := re.NewScanner(nil)
			if !re.MultiLine() {
				for pos := 0; ; {
					start, end, ok := s.NextLine([]byte(text), pos)
					if !ok {
						break
					}
					if start < pos || end <= start || end > len(text) {
						t.Fatalf("%q in %q: line %d..%d after %d", pattern, text, start, end, pos)
					}
					pos = end
				}
			}
			if start, end, ok := s.Find([]byte(text), 0); ok && (start < 0 || end < start || end > len(text)) {
				t.Fatalf("%q in %q: match %d..%d", pattern, text, start, end)
			}
		}
	})
}
