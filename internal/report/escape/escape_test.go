package escape_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/report/escape"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n":       "plain\ttext\n",
		"größe 漢字 emoji 🎉":    "größe 漢字 emoji 🎉",
		"a\u202eb":            "a⟨U+202E⟩b",
		"a\x1b[0m":            "a⟨U+001B⟩[0m",
		"a\rb":                "a⟨U+000D⟩b",
		"a\xffb":              "a⟨0xFF⟩b",
		"a\ufffdb":            "a\ufffdb",
		"a\u2028b":            "a⟨U+2028⟩b",
		"a\u00a0b":            "a⟨U+00A0⟩b",
		"\u2800":              "⟨U+2800⟩",
		"\u3164":              "⟨U+3164⟩",
		"a\U000e0041":         "a⟨U+E0041⟩",
		"e\u0301":             "e\u0301",
		"x" + marks(9) + "y":  "x" + marks(4) + "y",
		"\ue000 private":      "⟨U+E000⟩ private",
		"1\ufe0f\u20e3 keyed": "1⟨U+FE0F⟩\u20e3 keyed",
	} {
		assert.Equal(t, want, escape.Visible(in), "%q", in)
	}
}

func marks(n int) string { return strings.Repeat("\u0336", n) }

func TestLine(t *testing.T) {
	assert.Equal(t, "a b c d", escape.Line(" a\nb\r\n\r\nc \t d\n"))
	assert.Equal(t, "", escape.Line(" \n\t"))
}

func TestCodeLine(t *testing.T) {
	assert.Equal(t, "    a  b", escape.CodeLine("\ta  b \r\n"))
	assert.Equal(t, "a⟨U+000A⟩b⟨U+000D⟩c", escape.CodeLine("a\nb\rc"))
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöüß", 3, "äö…"}, {"äöü", 3, "äöü"},
		{"ab cd", 4, "ab…"}, {"abc", 0, ""}, {"abc", -1, ""}, {"abc", 1, "…"},
	} {
		assert.Equal(t, c.want, escape.Clip(c.in, c.n), "%q %d", c.in, c.n)
	}
	assert.Equal(t, "…bc/d.py", escape.ClipLeft("a/abc/d.py", 8))
	assert.Equal(t, "d.py", escape.ClipLeft("d.py", 4))
	assert.Equal(t, "", escape.ClipLeft("d.py", 0))
	assert.Equal(t, "abc", escape.ClipBytes("abc", 3))
	assert.Equal(t, "a…", escape.ClipBytes("aäöü", 5))
	assert.Equal(t, "", escape.ClipBytes("abcd", 2))
}

func TestClipProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "s"), rapid.IntRange(0, 20).Draw(t, "n")
		require.LessOrEqual(t, utf8.RuneCountInString(escape.Clip(s, n)), n)
		require.LessOrEqual(t, utf8.RuneCountInString(escape.ClipLeft(s, n)), n)
		require.LessOrEqual(t, len(escape.ClipBytes(s, n)), max(n, 0))
		require.True(t, utf8.ValidString(escape.ClipBytes(s, n)))
	})
}

func TestRepoURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://github.com/o/r":            "https://github.com/o/r",
		"https://github.com/o/r.git":        "https://github.com/o/r",
		"https://github.com/o/r/":           "https://github.com/o/r",
		"https://ghe.corp.example:8443/o/r": "https://ghe.corp.example:8443/o/r",
		"http://127.0.0.1:8080/o/r":         "http://127.0.0.1:8080/o/r",
		"http://localhost:1/o/r":            "http://localhost:1/o/r",
		"http://[::1]:1/o/r":                "http://[::1]:1/o/r",
		"http://github.com/o/r":             "",
		"javascript:alert(1)":               "",
		"https://user@github.com/o/r":       "",
		"https://github.com/o/r?x=1":        "",
		"https://github.com/o/r?":           "",
		"https://github.com/o/r#x":          "",
		"https://github.com/../r":           "",
		"https://github.com/o/%2e%2e":       "",
		"https://github.com/o/a)b":          "",
		"https://github.com":                "",
		"https://evil<x>.example/o/r":       "",
		"//github.com/o/r":                  "",
		"https:github.com/o/r":              "",
		"":                                  "",
		"https://github.com/o/r\n":          "",
	} {
		assert.Equal(t, want, escape.RepoURL(in), "%q", in)
	}
}

func TestDestination(t *testing.T) {
	const at = "https://github.com/o/r/blob/abc/"
	assert.Equal(t, at+"a%28b%29%5Bc%5D.py#L1", escape.Destination(at+"a(b)[c].py#L1", "a(b)[c].py"))
	assert.Equal(t, at+"a%C3%A4%E2%80%AE", escape.Destination(at+"aä\u202e", "aä\u202e"))
	for _, file := range []string{"", "/a", "a/", "a//b", "../a", "a/../b", "a/./b", ".", ".."} {
		assert.Empty(t, escape.Destination(at+file, file), "%q leaves the repository", file)
	}
	assert.Empty(t, escape.Destination(at+strings.Repeat("a", 3000), "a"), "too long")
}

// A destination always parses and keeps its host.
func TestDestinationStaysOnHost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := rapid.String().Draw(t, "file")
		got := escape.Destination("https://github.com/o/r/blob/abc/"+url.PathEscape(file), file)
		if got == "" {
			return
		}
		u, err := url.Parse(got)
		require.NoError(t, err)
		require.Equal(t, "github.com", u.Host)
		require.True(t, strings.HasPrefix(u.Path, "/o/r/blob/abc/"))
		require.NotContains(t, got, ")")
		require.NotContains(t, got, " ")
	})
}

func TestRelative(t *testing.T) {
	for in, want := range map[string]string{
		"a/b.py": "a/b.py", "a b/ä.py": "a%20b/%C3%A4.py", "a:b": "a%3Ab", "x?y#z%": "x%3Fy%23z%25",
		"../a": "", "/a": "", "a/../b": "", "": "", strings.Repeat("a", 3000): "",
	} {
		assert.Equal(t, want, escape.Relative(in), "%q", in)
	}
}

func TestSARIF(t *testing.T) {
	assert.Equal(t, `\[x\](y) {{0}} a\\b c`, escape.SARIF("[x](y) {0} a\\b\nc"))
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{
		"a": "`a`", "a`b": "``a`b``", "`a": "`` `a ``", "a``": "``` a`` ```", " a\nb ": "`a b`", "": "(empty)", "a|b": "`a|b`",
	} {
		assert.Equal(t, want, escape.Code(in), "%q", in)
	}
}

func TestMarkdown(t *testing.T) {
	const joint = "\u200b"
	for in, want := range map[string]string{
		"plain words, 3.0 and a/b.py:3": "plain words, 3.0 and a/b.py:3",
		"see `rg x` in `a`":             "see `rg x` in `a`",
		"an odd `":                      "an odd \\`",
		"- item":                        `\- item`,
		"1. item":                       `1\. item`,
		"2.5 points":                    "2.5 points",
		"a | b":                         "a &#124; b",
		"@x":                            "@" + joint + "x",
		"commit 0123456789":             "commit 012345" + joint + "6789",
		"":                              "",
	} {
		assert.Equal(t, want, escape.Markdown(in), "%q", in)
	}
}

// Outside a table a search with alternatives is a code span like any other.
func TestText(t *testing.T) {
	const search = "see `rg 'a|b'` in `src`, a | b"
	assert.Equal(t, "see `rg 'a|b'` in `src`, a &#124; b", escape.Text(search))
	assert.Equal(t, "see \\`rg 'a&#124;b'\\` in `src`, a &#124; b", escape.Markdown(search))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune("ab`@#: \\n-*<"))).Draw(t, "s")
		assert.Equal(t, escape.Markdown(s), escape.Text(s), "they differ by pipes alone")
	})
}

func TestFence(t *testing.T) {
	assert.Equal(t, "```diff\n+ a\n```", escape.Fence("diff", []string{"+ a"}))
	assert.Equal(t, "````\n```\n````", escape.Fence("", []string{"```"}))
	assert.Equal(t, "```\n```", escape.Fence("", nil))
}
