package demo

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// githubHTML renders Markdown as GitHub does before it sanitises: tags pass.
var githubHTML = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

// sanitizer keeps what GitHub keeps of what the app writes.
var sanitizer = func() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.AllowElements("details", "summary", "sub")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[a-z]+$`)).OnElements("code")
	p.RequireNoFollowOnLinks(false)
	return p
}()

// permalink matches the address of lines of a file at a commit.
var permalink = regexp.MustCompile(`href="https?://[^/"]+/[^/"]+/[^/"]+/blob/([0-9a-f]{40})/([^"#?]+)(?:#L(\d+)(?:-L(\d+))?)?"`)

// pageHTML renders a comment, or a check's text, for the local page. Links to
// lines of the repository lead to the page's own view of them: the repository
// exists nowhere else.
func pageHTML(source string) (template.HTML, error) {
	var b bytes.Buffer
	if err := githubHTML.Convert([]byte(source), &b); err != nil {
		return "", fmt.Errorf("render Markdown: %w", err)
	}
	clean := permalink.ReplaceAllStringFunc(sanitizer.Sanitize(b.String()), func(link string) string {
		m := permalink.FindStringSubmatch(link)
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
