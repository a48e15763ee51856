package report

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	xhtml "golang.org/x/net/html"
)

// github renders as GitHub does: tables, strikethrough, task lists, footnotes and
// links without markup, and raw HTML let through so that a leak shows.
var github = goldmark.New(
	goldmark.WithExtensions(extension.GFM, extension.Footnote),
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

// renderMarkdown renders Markdown and parses the HTML.
func renderMarkdown(t require.TestingT, markdown string) *xhtml.Node {
	var b bytes.Buffer
	require.NoError(t, github.Convert([]byte(markdown), &b))
	doc, err := xhtml.Parse(&b)
	require.NoError(t, err)
	return doc
}

// walkHTML visits every node and tells whether it stands in code.
func walkHTML(n *xhtml.Node, inCode bool, visit func(n *xhtml.Node, inCode bool)) {
	visit(n, inCode)
	inCode = inCode || n.Type == xhtml.ElementNode && (n.Data == "code" || n.Data == "pre")
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walkHTML(c, inCode, visit)
	}
}

// textOf returns the text below a node.
func textOf(n *xhtml.Node) string {
	var b strings.Builder
	walkHTML(n, false, func(n *xhtml.Node, _ bool) {
		if n.Type == xhtml.TextNode {
			b.WriteString(n.Data)
		}
	})
	return b.String()
}

// acted matches what GitHub turns into a link or a notification in plain text.
var acted = []*regexp.Regexp{
	regexp.MustCompile(`@[A-Za-z0-9]`),
	regexp.MustCompile(`#[0-9]`),
	regexp.MustCompile(`(?i)\bgh-[0-9]`),
	regexp.MustCompile(`://`),
	regexp.MustCompile(`(?i)\bwww\.[a-z]`),
	regexp.MustCompile(`\b[0-9a-f]{7,64}\b`),
	regexp.MustCompile(`:[a-z0-9_+-]+:`),
}

// inert fails when the document holds anything but the given elements, or text
// that GitHub would act on.
func inert(t require.TestingT, doc *xhtml.Node, allowed ...string) {
	allowed = append(allowed, "html", "head", "body", "p", "code")
	walkHTML(doc, false, func(n *xhtml.Node, inCode bool) {
		switch n.Type {
		case xhtml.ElementNode:
			require.Contains(t, allowed, n.Data, "element leaked")
		case xhtml.CommentNode, xhtml.DoctypeNode:
			require.Fail(t, "comment leaked: "+n.Data)
		case xhtml.TextNode:
			if !inCode {
				for _, re := range acted {
					require.NotRegexp(t, re, n.Data)
				}
			}
		}
	})
}
