package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	xhtml "golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/report/escape"
)

// joint is what package escape puts into whatever GitHub would act on.
const joint = "\u200b"

// shown is what a reader of s sees: s on one line, without the backticks of code
// spans and without joints.
func shown(s string) string { return squeeze(escape.Line(s)) }

func squeeze(s string) string {
	return strings.NewReplacer("`", "", joint, "", " ", "", "\n", "").Replace(s)
}

func checkEscapes(t require.TestingT, s string) {
	for _, context := range []struct {
		before, after string
		elements      []string
	}{
		{"", "", nil},
		{"- ", "", []string{"ul", "li"}},
		{"- word: ", " (word)\n- b", []string{"ul", "li"}},
		{"### word: ", "\n\nword", []string{"h3"}},
		{"word\n", "", nil},
		{"| a | b |\n|---|---|\n| ", " | x |", []string{"table", "thead", "tbody", "tr", "th", "td"}},
	} {
		cell := strings.HasPrefix(context.before, "|")
		if !cell {
			doc := renderMarkdown(t, context.before+escape.Text(s)+context.after)
			inert(t, doc, context.elements...)
			require.Contains(t, squeeze(textOf(doc)), shown(s), "text lost in context %q", context.before)
		}
		doc := renderMarkdown(t, context.before+escape.Markdown(s)+context.after)
		inert(t, doc, context.elements...)
		require.Contains(t, squeeze(textOf(doc)), shown(s), "text lost in context %q", context.before)
		if cell {
			cells := 0
			walkHTML(doc, false, func(n *xhtml.Node, _ bool) {
				if n.Data == "td" {
					cells++
				}
			})
			require.Equal(t, 2, cells, "a pipe ended the cell")
		}
	}
	doc := renderMarkdown(t, "- "+escape.Code(s)+" word\n\nafter")
	inert(t, doc, "ul", "li")
	require.Contains(t, squeeze(textOf(doc)), shown(s))
	checkFence(t, s)
}

// checkFence renders a fenced block in the middle of a folded part.
func checkFence(t require.TestingT, s string) {
	const open, closed = "<details><summary>x</summary>\n\n", "\n\n</details>\n\nafter"
	lines := strings.Split(s, "\n")
	doc := renderMarkdown(t, open+escape.Fence("diff", lines)+closed)
	inert(t, doc, "details", "summary", "pre")
	var want []string
	for _, l := range lines {
		want = append(want, escape.CodeLine(l))
	}
	found := false
	walkHTML(doc, false, func(n *xhtml.Node, _ bool) {
		if n.Type == xhtml.ElementNode && n.Data == "code" {
			found = true
			require.Equal(t, strings.Join(want, "\n"), strings.TrimSuffix(textOf(n), "\n"))
		}
	})
	require.True(t, found, "no code block")
}

// kinds is one hostile text for each kind of thing that must not happen.
var kinds = map[string]string{
	"mention":            "see @octocat and @org/team-a",
	"mention at start":   "@octocat",
	"entity mention":     "&#64;octocat",
	"issue":              "fixes #12, o/r#3, GH-4 gh-5",
	"commit":             "bbbbbbb2f90059fb17999d3095db4240e98f9552 and abc1234",
	"url":                "https://evil.example/a?b=c&d ftp://evil.example",
	"www":                "www.evil.example WWW.evil.example",
	"mail":               "a.b@evil.example mailto:a@evil.example",
	"html":               `<img src=x onerror="alert(1)"> <b>bold</b> </details> <details open>`,
	"comment":            "<!-- hidden --> and -->",
	"entities":           "&lt;b&gt; &amp; &#60;",
	"link":               "[text](https://evil.example) ![i](//evil.example/x.png) [r]: https://evil.example",
	"angle link":         "<https://evil.example> <a@evil.example>",
	"reference":          "[a][b] [^1]",
	"emphasis":           "*a* **b** _c_ __d__ ~~e~~ ***f*** snake_case_name",
	"code":               "a `b` c `d",
	"double code":        "``a`` ` `b` `` ` ``",
	"fence":              "```\nx\n```",
	"tilde fence":        "~~~\nx\n~~~",
	"pipe":               "a | b | c \\| d",
	"pipe in code":       "`a | b` \\`|`",
	"heading":            "# head",
	"list":               "- item",
	"plus list":          "+ item",
	"numbered":           "1. item",
	"numbered alone":     "1)",
	"quote":              "> quote",
	"rule":               "---",
	"setext":             "===",
	"delimiter row":      ":---|---",
	"task":               "[ ] task [x] done",
	"math":               "$x^2$ $`y`$",
	"emoji":              ":tada: a.py:10:+1:",
	"escape at the end":  `ends with a backslash \`,
	"escapes":            `\* \_ \\ \<b>`,
	"bidi":               "abc\u202egnp.exe\u202c \u2066x\u2069",
	"zero width":         "a\u200bb\u200d\ufeffc\u2060\u00ad",
	"tags":               "a\U000e0041\U000e0042b",
	"control":            "a\x00b\x1b[31mred\x1b[0m\x07\x7f",
	"separators":         "a\u2028b\u2029c\u0085d",
	"line breaks":        "a\nb\r\nc\rd\n\n\n# e",
	"spaces":             "a\u00a0b\u3000c\u2003d",
	"not UTF-8":          "a\xff\xfe\xc3",
	"indent":             "        code",
	"tab":                "\tcode",
	"hard break":         "a  \nb",
	"directive":          "::error file=x::y",
	"empty":              "",
	"blank":              "  \n\t ",
	"half of a mention":  "@",
	"scheme cut in half": "http:/" + "/",
	"definition":         "[x]: /url 'title'",
	"strikethrough":      "~a~ ~~b~~",
	"alert":              "[!WARNING]",
}

func TestKinds(t *testing.T) {
	for name, s := range kinds {
		t.Run(name, func(t *testing.T) { checkEscapes(t, s) })
	}
}

// Kinds side by side: each after, before and around several others.
func TestKindsTogether(t *testing.T) {
	const partners = 6
	all := sortedKinds()
	for i, a := range all {
		for k := range partners {
			b := all[(i*partners+k*k+k)%len(all)]
			checkEscapes(t, a+b)
			checkEscapes(t, b+" "+a)
		}
	}
}

func sortedKinds() []string {
	var all []string
	for _, s := range kinds {
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

func TestAnyText(t *testing.T) {
	piece := rapid.OneOf(
		rapid.SampledFrom(sortedKinds()),
		rapid.StringOfN(rapid.RuneFrom([]rune("`*_[]()<>|\\#@!~:-+=.&;$/ \n1aZ\u200b\u202e")), 0, 12, -1),
		rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		checkEscapes(t, strings.Join(rapid.SliceOfN(piece, 1, 4).Draw(t, "pieces"), ""))
	})
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range kinds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 2000 {
			checkEscapes(t, s)
		}
	})
}

// A link shows its text and leads nowhere but where we say.
func TestLink(t *testing.T) {
	for name, s := range kinds {
		t.Run(name, func(t *testing.T) {
			to := escape.Destination("https://github.com/o/r/blob/abc/x.py#L1", "x.py")
			doc := renderMarkdown(t, "- "+escape.Link(s, to)+" word")
			inert(t, doc, "ul", "li", "a")
			links := 0
			walkHTML(doc, false, func(n *xhtml.Node, _ bool) {
				if n.Data == "a" && n.Type == xhtml.ElementNode {
					links++
					assert.Equal(t, []xhtml.Attribute{{Key: "href", Val: to}}, n.Attr)
				}
			})
			assert.Equal(t, 1, links)
		})
	}
	assert.Equal(t, "`x`", escape.Link("x", ""))
}
