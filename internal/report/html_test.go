package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	xhtml "golang.org/x/net/html"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// pageElements are what our pages are made of, with the attributes they may have.
var pageElements = map[string][]string{
	"html": {"lang"}, "head": nil, "body": nil, "title": nil, "style": nil, "header": nil, "main": nil, "footer": nil,
	"meta": {"charset", "name", "content", "http-equiv"},
	"h1":   nil, "h2": nil, "h3": nil, "p": {"class"}, "ul": {"class", "aria-label"}, "li": nil, "dl": nil, "dt": nil, "dd": nil,
	"div": {"class"}, "span": {"class"}, "section": {"class", "id"}, "b": nil, "strong": {"class"}, "code": nil, "pre": nil, "br": nil,
	"a": {"href"}, "abbr": {"title"}, "details": nil, "summary": nil,
	"table": nil, "thead": nil, "tbody": nil, "tr": nil, "th": {"class"}, "td": {"class"},
	"svg": {"class", "viewBox", "preserveAspectRatio", "aria-hidden"}, "rect": {"width", "height"},
}

var (
	ownLink = regexp.MustCompile(`^(#C[0-9]+|https://github\.com/heron-labs/heron(/(tree|blob)/[0-9a-f]{40}(/[^.]|$)|$))`)
	unseen  = regexp.MustCompile(`[\x{202a}-\x{202e}\x{2066}-\x{2069}\x{200b}-\x{200f}\x{feff}]|[\x00-\x08\x0b-\x1f]`)
)

// checkPage fails when a page holds an element, an attribute, a link or a
// character that is not ours.
func checkPage(t *testing.T, data []byte) *xhtml.Node {
	t.Helper()
	doc, err := xhtml.Parse(bytes.NewReader(data))
	require.NoError(t, err)
	styles := 0
	walkHTML(doc, false, func(n *xhtml.Node, _ bool) {
		switch n.Type {
		case xhtml.CommentNode:
			require.Fail(t, "comment leaked", n.Data)
		case xhtml.TextNode:
			require.NotRegexp(t, unseen, n.Data)
		case xhtml.ElementNode:
			allowed, ok := pageElements[n.Data]
			require.True(t, ok, "element %q leaked", n.Data)
			for _, a := range n.Attr {
				require.Contains(t, allowed, a.Key, "attribute of %s", n.Data)
				if a.Key == "href" {
					require.Regexp(t, ownLink, a.Val)
				}
			}
			if n.Data == "style" {
				styles++
				sum := sha256.Sum256([]byte(n.FirstChild.Data))
				require.Contains(t, string(data), "style-src &#39;sha256-"+strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "+", "&#43;"))
			}
		}
	})
	require.Equal(t, 1, styles)
	return doc
}

func TestPages(t *testing.T) {
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			page, err := OutcomeHTML(make(), options())
			require.NoError(t, err)
			checkPage(t, page)
		})
	}
	page, err := CardHTML(heron())
	require.NoError(t, err)
	text := textOf(checkPage(t, page))
	for _, want := range []string{
		"Controls where a risk surface exists: 3.48 / 9.0 (39%); 1 criterion scored SA (surface absent).",
		`opt-in sandbox (executor="e2b")`, "(alt, raw 0.70, score 0.50, counted)", "Cap G1, at most 0.50: It is opt-in.",
		"Structural absence", "searched rg -n 'sqlite|memory' in agent: 0 hits", "There is no telemetry.",
		"searched rg -n 'confirm|approve' in agent: 2 hits (both are comments)", "C2 C L1 → L3, +0.150 before caps",
		"C9 S: L3 → L2. The log names no requester.", "The hosted edition was not read.", "in agent", "(1.4.0)",
		"The shell runs without anybody asked. (C2, ASI02)", "All in one session",
	} {
		assert.Contains(t, text, want)
	}
}

// fill sets every string below v that is not kept.
func fill(v reflect.Value, path string, with func(path string) (string, bool)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), path, with)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), path+"."+v.Type().Field(i).Name, with)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), path, with)
		}
	case reflect.String:
		if s, ok := with(path); ok {
			v.SetString(s)
		}
	}
}

// Every text of a card, hostile: the page stays ours and shows all of it.
func TestHostileCard(t *testing.T) {
	card := heron()
	n := 0
	keep := regexp.MustCompile(`\.(RepoURL|PinnedCommit|Status|Kind)$|\.Parameters\.ID$`)
	fill(reflect.ValueOf(card), "", func(path string) (string, bool) {
		if keep.MatchString(path) {
			return "", false
		}
		n++
		return fmt.Sprintf("%s unit%d", evil, n), true
	})
	require.Greater(t, n, 200)
	page, err := CardHTML(card)
	require.NoError(t, err)
	doc := checkPage(t, page)
	assert.Contains(t, textOf(doc), "<img src=x onerror=alert(1)>")
	assert.Contains(t, textOf(doc), "⟨U+202E⟩gnp.exe")
	for _, badge := range []func(*scorecard.Card) ([]byte, error){Badge, BadgeSVG} {
		data, err := badge(card)
		require.NoError(t, err)
		assert.NotContains(t, string(data), "evil")
	}
}

// An address that is none is text, and there are no permalinks.
func TestCardWithoutAddress(t *testing.T) {
	for _, repo := range []string{"javascript:alert(1)", "https://u:p@github.com/o/r", "http://evil.example/o/r", ""} {
		card := heron()
		card.RepoURL = repo
		page, err := CardHTML(card)
		require.NoError(t, err)
		walkHTML(checkPage(t, page), false, func(n *xhtml.Node, _ bool) {
			for _, a := range n.Attr {
				if a.Key == "href" {
					assert.True(t, strings.HasPrefix(a.Val, "#"), a.Val)
				}
			}
		})
	}
}

func TestHugePage(t *testing.T) {
	page, err := OutcomeHTML(huge(30), options())
	require.NoError(t, err)
	assert.Less(t, len(page), 30<<20)
}

// An empty card is no reason to fail.
func TestEmptyCard(t *testing.T) {
	page, err := CardHTML(&scorecard.Card{})
	require.NoError(t, err)
	checkPage(t, page)
}
