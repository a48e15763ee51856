package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	xhtml "golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// elements are what our own Markdown makes.
var elements = []string{"h3", "ul", "li", "a", "strong", "sub", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre"}

// harmless renders Markdown and fails when it holds an element, a link or a text
// that is not ours.
func harmless(t require.TestingT, markdown string) *xhtml.Node {
	doc := renderMarkdown(t, markdown)
	inert(t, doc, elements...)
	walkHTML(doc, false, func(n *xhtml.Node, _ bool) {
		if n.Type != xhtml.ElementNode {
			return
		}
		for _, a := range n.Attr {
			switch {
			case n.Data == "a" && a.Key == "href":
				require.Regexp(t, `^https://github\.com/heron-labs/heron/blob/(`+baseAt+`|`+headAt+`)/.`, a.Val)
				require.NotRegexp(t, `/\.{0,2}(/|#|$)`, strings.TrimPrefix(a.Val, "https://"))
			case n.Data == "code" && a.Key == "class":
				require.Equal(t, "language-diff", a.Val)
			case n.Data == "th" || n.Data == "td" || n.Data == "ul":
				require.Fail(t, "attribute leaked", "%s %s", n.Data, a.Key)
			default:
				require.Fail(t, "attribute leaked", "%s %s", n.Data, a.Key)
			}
		}
	})
	return doc
}

func TestHostileTextDoesNothing(t *testing.T) {
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			opts := options()
			opts.Marker = "" // the one HTML comment that is meant
			harmless(t, Comment(make(), opts))
			check := Check(make(), opts)
			harmless(t, check.Summary)
			harmless(t, check.Text)
		})
	}
}

// Whatever a repository writes anywhere, the comment stays ours.
func TestAnyTextDoesNothing(t *testing.T) {
	piece := rapid.OneOf(
		rapid.SampledFrom(strings.Fields(evil)),
		rapid.StringOfN(rapid.RuneFrom([]rune("`*_[]()<>|\\#@!~:-+=.&;$/ \n1a\u200b\u202e")), 0, 20, -1),
		rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(piece, 1, 5).Draw(t, "pieces"), " ")
		o := review()
		c := criterion(o, "C4")
		for i := range c.Mechanisms[0].Parameters {
			p := &c.Mechanisms[0].Parameters[i]
			p.Before.Finding, p.Before.Gap = s, s
			for k := range p.Items {
				it := &p.Items[k]
				if it.Before.IsSearch() {
					it.Before.Search, it.Before.Scope, it.New = s, s, []outcome.Line{{File: s, Line: 1, Text: s}}
				} else if s != "" {
					it.Before.File, it.After.File, it.Quote = s, s, strings.Split(s, "\n")
				}
				it.Reason = s
			}
		}
		o.Log[0].Reason, o.Log[0].By, o.Reasons = s, s, []string{s}
		o.Watch[0].File, o.Watch[0].Signal, o.Prose[1].Before, o.Prose[1].Reason = s, s, s, s
		opts := options()
		opts.Marker = ""
		harmless(t, Comment(o, opts))
	})
}

func TestMarker(t *testing.T) {
	assert.Equal(t, "<!-- rescore:pr=7 -->", Marker("pr=7"))
	assert.Equal(t, "<!-- rescore:a__b:c -->", Marker("a--><b:c\n"))
	assert.True(t, strings.HasPrefix(Comment(quiet(), options()), "<!-- rescore:pr=7 -->\n\n### Rescore: 3.0, nothing"))
}

// huge is an outcome with n broken items a parameter, as long as they can be.
func huge(n int) *outcome.Outcome {
	o := quiet()
	o.Title = "3.0 → 0.0..3.0: all need review"
	o.Score.Low = 0
	long := strings.Repeat("<&|*_`", 400)
	o.Reasons = []string{long, long, long, long, long, long, long, long}
	for i := range o.Criteria {
		c := &o.Criteria[i]
		c.Verdict, c.CapBefore, c.CapAfter = outcome.NeedsReview, long, long+"2"
		for _, kind := range []scorecard.MechanismKind{scorecard.Default, scorecard.Alt} {
			m := outcome.Mechanism{Kind: kind}
			for _, id := range scorecard.ParameterIDs {
				var items []outcome.Item
				for k := range n {
					file := fmt.Sprintf("%s/%d.py", strings.Repeat("dir(%s)/", 50), k)
					it := item(outcome.Edited, cite(file, 1+i, 2+i), cite(file, 3+i, 4+i))
					it.Reason, it.Quote = long, []string{long, long}
					items = append(items, it)
				}
				p := rating(id, "L3", "L2?", "evidence", items...)
				p.Before.Finding = long
				m.Parameters = append(m.Parameters, p)
				o.Log = append(o.Log, outcome.LogEntry{Criterion: c.ID, Parameter: id, Mechanism: kind, From: "L3", To: "L2", By: long, Reason: long})
			}
			c.Mechanisms = append(c.Mechanisms, m)
		}
	}
	for i := range 500 {
		o.Watch = append(o.Watch, outcome.Watch{Criterion: "C1", File: fmt.Sprintf("w%d.py", i), Line: 1, Signal: long})
	}
	return o
}

func TestCommentIsCut(t *testing.T) {
	for _, n := range []int{0, 1, 5, 40} {
		o := huge(n)
		got := Comment(o, options())
		assert.LessOrEqual(t, len(got), MaxComment)
		assert.True(t, utf8.ValidString(got))
		assert.True(t, strings.HasPrefix(got, Marker("pr=7")+"\n\n### Rescore: 3.0 → 0.0..3.0: all need review\n"))
		for _, id := range []string{"C1", "C10"} {
			assert.Contains(t, got, "\n| "+id+" ", "the table stays whole")
		}
		assert.Regexp(t, `\nCut to fit: .*500 watch signals\. .rescore diff. on a clone shows the whole\.\n$`, got)
		opts := options()
		opts.Marker, opts.DetailsURL = "", "https://rescore.example/checks/7"
		assert.Contains(t, Comment(o, opts), "The whole is at https://rescore.example/checks/7.")
		opts.DetailsURL = ""
		harmless(t, Comment(o, opts))
	}
}

// Details go before what matters: with a little too much, only the last part
// loses lines.
func TestCutFromTheEnd(t *testing.T) {
	sections := []section{
		{head: "keep\n", keep: true},
		{head: "a\n", lines: []string{"1", "2"}, noun: "first"},
		{head: "b\n", lines: []string{strings.Repeat("x", 3000), strings.Repeat("y", 3000)}, noun: "second"},
	}
	whole := fit(append([]section{}, sections...), 8000, "W.")
	assert.NotContains(t, whole, "Cut to fit")
	cutOne := fit(append([]section{}, sections...), 6000, "W.")
	assert.Equal(t, whole[:strings.Index(whole, "yyy")]+"\n\nCut to fit: 1 second. W.\n", cutOne)
	cutAll := fit(append([]section{}, sections...), noteRoom+8, "W.")
	assert.Equal(t, "keep\n\n\nCut to fit: 2 firsts and 2 seconds. W.\n", cutAll)
}

// Links need a repository's address and whole commit ids.
func TestNoLinksWithoutAnAddress(t *testing.T) {
	o := review()
	for _, repo := range []string{"", "javascript:alert(1)", "https://evil.example/a/b/)[x](", "https://u@evil.example/a/b"} {
		o.Repo = repo
		assert.NotContains(t, Comment(o, options()), "](")
	}
	o.Repo, o.Head = "https://github.com/heron-labs/heron", "ccccccc"
	assert.NotContains(t, Comment(o, options()), "/blob/ccccccc")
	opts := options()
	opts.RepoURL = "http://127.0.0.1:4000/heron-labs/heron"
	assert.Contains(t, Comment(review(), opts), "](http://127.0.0.1:4000/heron-labs/heron/blob/"+headAt+"/heron/sandbox.py#L261-L290)")
	assert.NotContains(t, Comment(review(), opts), "https://github.com")
}

// The commands are named only where they work.
func TestCommands(t *testing.T) {
	opts := options()
	assert.Contains(t, Comment(review(), opts), "`/rescore C4` asks the configured judges again")
	opts.Commands = false
	assert.NotContains(t, Comment(review(), opts), "/rescore C4")
	assert.NotContains(t, Comment(reverified(), options()), "What to do")
}

// Items cited for several ratings are told once, with all of them.
func TestSharedEvidenceIsOneLine(t *testing.T) {
	got := Comment(review(), options())
	assert.Equal(t, 1, strings.Count(got, "3 of 23 cited lines changed."))
	assert.Contains(t, got, "Rests on it: C4 S, C4 B and C4 critical gap.")
}

func TestFindingsAreQuoted(t *testing.T) {
	o := review()
	p := &criterion(o, "C4").Mechanisms[0].Parameters[0]
	p.Before.Finding, p.Before.Gap = "a stock container", "drop capabilities"
	got := Comment(o, options())
	assert.Contains(t, got, "<summary>What the card says of these ratings (1)</summary>")
	assert.Contains(t, got, "- C4 S L3: A stock container. To reach the next level: Drop capabilities.")
}

// Notes of the app stand under the verdict as they are, and are cut last.
func TestNotes(t *testing.T) {
	opts := options()
	opts.Notes = []string{"Into `main`.", "The card would not be accepted:\n\n- a\n- b\n"}
	got := Comment(review(), opts)
	assert.Contains(t, got, "C4 needs review\n\nInto `main`.\n\nThe card would not be accepted:\n\n- a\n- b\n\n\n- C4 S needs review")
	assert.Contains(t, Check(review(), opts).Summary, "\n\nInto `main`.\n\n")
	opts.Notes = []string{strings.Repeat("x", 2*MaxComment), "kept"}
	got = Comment(review(), opts)
	assert.LessOrEqual(t, len(got), MaxComment)
	assert.Contains(t, got, "| C4 ")
	assert.NotContains(t, got, "No changes")
	assert.Contains(t, got, "2 notes")
}
