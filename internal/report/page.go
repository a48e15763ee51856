package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"sync"

	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/scorecard"
)

//go:embed html
var pages embed.FS

// stylesheet is the one style of all pages. The page's policy names its hash, so
// that nothing else of a page can style it.
var stylesheet = sync.OnceValue(func() string {
	data, err := pages.ReadFile("html/style.css")
	if err != nil {
		panic("report: read the embedded style: " + err.Error())
	}
	return string(data)
})

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(pages, "html/*.tmpl"))
})

// page is what every page starts with.
type page struct {
	Title  string
	Style  template.CSS // our own stylesheet
	Policy string
}

// newPage makes the head of a page that loads nothing and runs nothing.
func newPage(title string) page {
	css := stylesheet()
	sum := sha256.Sum256([]byte(css))
	return page{
		Title: title,
		Style: template.CSS(css), //nolint:gosec // embedded, not of a repository
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'; base-uri 'none'; form-action 'none'",
	}
}

// execute renders a page.
func execute(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("render page: %w", err)
	}
	return b.Bytes(), nil
}

// span is a piece of prose; the parts in single backticks are code.
type span struct {
	Text string
	Code bool
}

// spans makes visible one-line prose of s.
func spans(s string) []span {
	s = escape.Line(s)
	parts := strings.Split(s, "`")
	if s == "" {
		return nil
	}
	if len(parts)%2 == 0 { // a backtick without its partner
		return []span{{Text: s}}
	}
	var out []span
	for i, p := range parts {
		if p != "" {
			out = append(out, span{p, i%2 == 1})
		}
	}
	return out
}

// placeHTML is a cited place or a commit, with its link where there is one.
type placeHTML struct {
	Text, URL string
}

// barHTML is a bar of a thousand parts.
type barHTML struct {
	Milli int
	Color string
}

// evidenceHTML is one evidence item of a card.
type evidenceHTML struct {
	Place                         placeHTML
	Search, Scope, Hits, Contains string
	Note                          []span
}

func evidenceOf(items []scorecard.Evidence, l linker) []evidenceHTML {
	var out []evidenceHTML
	for _, e := range items {
		h := evidenceHTML{Note: spans(e.Note), Contains: escape.Line(e.Contains)}
		if e.IsSearch() {
			h.Search, h.Scope, h.Hits = escape.Line(e.Search), escape.Line(e.Scope), plural(e.Hits, "hit")
		} else {
			h.Place = placeHTML{escape.Line(e.File) + ":" + e.Lines.String(), l.lines(e)}
		}
		out = append(out, h)
	}
	return out
}

// words makes a readable name of an id: "network_egress" is "network egress".
func words(id string) string {
	if id == "opt_in" {
		return "opt-in"
	}
	return strings.ReplaceAll(escape.Line(id), "_", " ")
}

// points2 prints a criterion's figure.
func points2(milli int) string { return scorecard.Format2(milli) }

// levelClass is the level as it is printed, which also names its colour.
func levelClass(p scorecard.Parameter) string {
	if p.SA {
		return "SA"
	}
	return "L" + strconv.Itoa(int(min(max(p.Level, 0), scorecard.MaxLevel)))
}
