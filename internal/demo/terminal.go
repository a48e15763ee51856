package demo

import (
	"fmt"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/rescore-app/rescore/internal/lazy"
)

// markdown reads what GitHub reads of the Markdown that the app writes.
var markdown = sync.OnceValue(func() parser.Parser {
	return goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
})

var (
	summaryTag = lazy.Regexp(`(?s)<summary>(.*?)</summary>`)
	anyTag     = lazy.Regexp(`(?s)<!--.*?-->|</?[a-zA-Z][^>]*>`)
)

// terminalLines renders Markdown as lines for a terminal of the given width.
// Links show their text alone; of what GitHub folds only the summary is shown.
func terminalLines(source string, width int) [][]span {
	src := []byte(source)
	t := &terminal{src: src}
	return trim(t.blocks(markdown().Parse(text.NewReader(src)), width))
}

type terminal struct{ src []byte }

// blocks renders the children of a node, an empty line between two of them.
func (t *terminal) blocks(parent ast.Node, width int) [][]span {
	var out [][]span
	folded := 0 // how deep in <details>
	summaries := false
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		tags, _ := n.(*ast.HTMLBlock)
		inside := folded > 0
		if tags != nil {
			raw := t.rawHTML(tags)
			folded = max(0, folded+strings.Count(raw, "<details")-strings.Count(raw, "</details"))
		}
		if inside {
			continue
		}
		lines := t.block(n, width)
		if len(lines) == 0 {
			continue
		}
		if len(out) > 0 && (!summaries || folded == 0) {
			out = append(out, nil)
		}
		out, summaries = append(out, lines...), folded > 0
	}
	return out
}

func (t *terminal) block(n ast.Node, width int) [][]span {
	switch n := n.(type) {
	case *ast.Heading:
		return wrap(t.inline(n, bold), width)
	case *ast.Paragraph, *ast.TextBlock:
		return wrap(t.inline(n, plain), width)
	case *ast.List:
		return t.list(n, width)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return t.codeBlock(n, string(language(n, t.src)) == "diff")
	case *ast.ThematicBreak:
		return [][]span{{{strings.Repeat("─", width), faint}}}
	case *ast.HTMLBlock:
		return t.html(n, width)
	case *ast.Blockquote:
		return indent(t.blocks(n, width-2), "│ ")
	case *east.Table:
		return t.table(n, width)
	}
	return t.blocks(n, width)
}

func (t *terminal) list(n *ast.List, width int) [][]span {
	var out [][]span
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if n.IsOrdered() {
			mark = fmt.Sprintf("%d. ", number)
			number++
		}
		out = append(out, indent(t.blocks(item, width-len([]rune(mark))), mark)...)
	}
	return out
}

func language(n ast.Node, src []byte) []byte {
	if f, ok := n.(*ast.FencedCodeBlock); ok {
		return f.Language(src)
	}
	return nil
}

// codeBlock keeps its lines as they are; a diff is coloured.
func (t *terminal) codeBlock(n ast.Node, diff bool) [][]span {
	var out [][]span
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		line := strings.TrimRight(string(seg.Value(t.src)), "\n")
		look := code
		switch {
		case diff && strings.HasPrefix(line, "+"):
			look = good
		case diff && strings.HasPrefix(line, "-"):
			look = bad
		}
		out = append(out, []span{{"    " + line, look}})
	}
	return out
}

// html shows the summary of what GitHub folds, and the words of anything else.
func (t *terminal) html(n *ast.HTMLBlock, width int) [][]span {
	look, words := plain, t.rawHTML(n)
	if m := summaryTag().FindStringSubmatch(words); m != nil {
		look, words = faint, "▸ "+m[1]
	}
	words = strings.Join(strings.Fields(anyTag().ReplaceAllString(words, "")), " ")
	if words == "" {
		return nil
	}
	return wrap([]span{{words, look}}, width)
}

func (t *terminal) rawHTML(n *ast.HTMLBlock) string {
	var raw strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		raw.Write(seg.Value(t.src))
	}
	if n.HasClosure() {
		raw.Write(n.ClosureLine.Value(t.src))
	}
	return raw.String()
}

// inline renders the text of a node. Tags are left out, their text stays.
func (t *terminal) inline(parent ast.Node, base style) []span {
	var out []span
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			out = append(out, span{unescape(n.Segment.Value(t.src)), base})
			if n.SoftLineBreak() || n.HardLineBreak() {
				out = append(out, span{" ", base})
			}
		case *ast.String:
			out = append(out, span{string(n.Value), base})
		case *ast.CodeSpan:
			out = append(out, span{t.raw(n), base | code})
		case *ast.Emphasis:
			out = append(out, t.inline(n, base|bold)...)
		case *ast.AutoLink:
			out = append(out, span{string(n.Label(t.src)), base})
		case *ast.RawHTML:
		default:
			out = append(out, t.inline(n, base)...)
		}
	}
	return out
}

// raw is the text of a code span, in which nothing is escaped.
func (t *terminal) raw(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if s, ok := c.(*ast.Text); ok {
			b.Write(s.Segment.Value(t.src))
		}
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// trim drops empty lines at both ends.
func trim(lines [][]span) [][]span {
	for len(lines) > 0 && len(lines[0]) == 0 {
		lines = lines[1:]
	}
	for len(lines) > 0 && len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}
