package command

import (
	"bytes"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/rescore-app/rescore/internal/lazy"
)

// maxParagraph bounds the paragraph in which a command is looked for, in bytes:
// reading what is inside a line (links, code spans) may take time in the square
// of its length.
const maxParagraph = 2048

// blocks splits a comment into paragraphs, quotes, lists and code, without
// reading what is inside the lines. That takes time in proportion to the length.
var blocks = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
})

// inlines reads what is inside the lines as well.
var inlines = sync.OnceValue(goldmark.DefaultParser)

// hasWord finds a line that may be a command: it begins with Word.
var hasWord = lazy.Regexp(`(?m)^/rescore(?:[ \t]|$)`)

// maxPrefix bounds how deep one line opens quotes and lists: reading takes time
// in the square of the depth. A longer run of such signs means the same for us
// when it is shortened.
const maxPrefix = 100

// deepPrefix is a run of more than maxPrefix signs that open quotes and lists.
var deepPrefix = lazy.Regexp(`(?m)^[> \t\d.)*+-]{100}[> \t\d.)*+-]+`)

// shallow shortens overlong runs at the beginning of lines.
func shallow(body string) string {
	return deepPrefix().ReplaceAllStringFunc(body, func(run string) string { return run[:maxPrefix] })
}

// firstLine returns what follows Word on the first line that begins with it, as
// the comment is rendered: in a paragraph of the comment itself, so not in a
// quote, a list, code, or HTML.
func firstLine(body string) (string, bool) {
	source := []byte(shallow(strings.ReplaceAll(body, "\r\n", "\n")))
	doc := blocks().Parse(text.NewReader(source))
	for block := doc.FirstChild(); block != nil; block = block.NextSibling() {
		if block.Kind() != ast.KindParagraph {
			continue
		}
		paragraph := content(block, source)
		if len(paragraph) > maxParagraph || !hasWord().Match(paragraph) {
			continue
		}
		if rest, ok := commandIn(paragraph); ok {
			return rest, true
		}
	}
	return "", false
}

// content returns a paragraph's lines without what indents them.
func content(paragraph ast.Node, source []byte) []byte {
	var b bytes.Buffer
	lines := paragraph.Lines()
	for i := range lines.Len() {
		seg := lines.At(i)
		b.Write(bytes.TrimLeft(seg.Value(source), " \t"))
	}
	return b.Bytes()
}

// commandIn returns what follows Word on the first line of the paragraph that
// begins with it.
func commandIn(paragraph []byte) (string, bool) {
	doc := inlines().Parse(text.NewReader(paragraph))
	block := doc.FirstChild()
	if block == nil || block.Kind() != ast.KindParagraph {
		return "", false // a definition of a link: nothing is shown
	}
	plain := plainStarts(block)
	start := 0
	for line := range strings.SplitAfterSeq(string(paragraph), "\n") {
		rest, ok := strings.CutPrefix(line, Word)
		if ok && plain[start] && (rest == "" || strings.ContainsRune(" \t\n", rune(rest[0]))) {
			return strings.TrimSpace(rest), true
		}
		start += len(line)
	}
	return "", false
}

// plainStarts returns the places at which a piece of plain text of the paragraph
// begins: text inside a code span, a link or emphasis is not the paragraph's own.
func plainStarts(paragraph ast.Node) map[int]bool {
	starts := map[int]bool{}
	for n := paragraph.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok {
			starts[t.Segment.Start] = true
		}
	}
	return starts
}
