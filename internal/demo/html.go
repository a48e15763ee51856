package demo

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/rescore-app/rescore/internal/lazy"
)

// githubHTML renders Markdown as GitHub shows it: of raw HTML only what keptTag
// matches passes, and addresses that could run something are left empty.
var githubHTML = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(rawHTML{}, beforeDefault))))
})

// beforeDefault ranks a renderer before goldmark's own, which has 1000.
const beforeDefault = 500

var (
	// keptTag matches the tags that pass: those of what the app writes, without
	// attributes.
	keptTag = lazy.Regexp(`^</?(details|summary|sub|b|code|br)>$`)
	// tagLike matches all that a browser could take for a tag or a comment, closed
	// or not. What is left between two matches holds no "<".
	tagLike = lazy.Regexp(`(?s)<!--.*?-->|<[^>]*>?`)
)

// rawHTML renders the HTML in Markdown: kept tags, and the text between tags.
type rawHTML struct{}

func (rawHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return ast.WalkContinue, writeKept(w, (&terminal{src: source}).rawHTML(n.(*ast.HTMLBlock)))
	})
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkSkipChildren, writeKept(w, string(n.(*ast.RawHTML).Segments.Value(source)))
	})
}

func writeKept(w util.BufWriter, raw string) error {
	_, err := w.WriteString(tagLike().ReplaceAllStringFunc(raw, func(tag string) string {
		if keptTag().MatchString(tag) {
			return tag
		}
		return ""
	}))
	return err
}

// permalink matches the address of lines of a file at a commit.
var permalink = lazy.Regexp(`href="https?://[^/"]+/[^/"]+/[^/"]+/blob/([0-9a-f]{40})/([^"#?]+)(?:#L(\d+)(?:-L(\d+))?)?"`)

// link matches a whole link; links do not nest.
var link = lazy.Regexp(`(?s)<a href="([^"]*)"[^>]*>(.*?)</a>`)

// keptLink returns the link, or its text alone when its address is not one of the
// web, of mail, or on the page.
func keptLink(tag string) string {
	m := link().FindStringSubmatch(tag)
	u, err := url.Parse(html.UnescapeString(m[1]))
	if err == nil && m[1] != "" && !strings.HasPrefix(m[1], "//") && slices.Contains([]string{"", "http", "https", "mailto"}, u.Scheme) {
		return tag
	}
	return m[2]
}

// pageHTML renders a comment, or a check's text, for the local page. Links to
// lines of the repository lead to the page's own view of them: the repository
// exists nowhere else.
func pageHTML(source string) (template.HTML, error) {
	var b bytes.Buffer
	if err := githubHTML().Convert([]byte(source), &b); err != nil {
		return "", fmt.Errorf("render Markdown: %w", err)
	}
	kept := link().ReplaceAllStringFunc(b.String(), keptLink)
	clean := permalink().ReplaceAllStringFunc(kept, func(address string) string {
		m := permalink().FindStringSubmatch(address)
		target := "/source/" + m[1] + "/" + m[2]
		if m[3] != "" {
			last := m[4]
			if last == "" {
				last = m[3]
			}
			target += "?from=" + m[3] + "&amp;to=" + last + "#L" + m[3]
		}
		return `href="` + target + `"`
	})
	return template.HTML(clean), nil
}
