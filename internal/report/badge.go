package report

import (
	"bytes"
	"fmt"
	"html/template"
	"sync"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// badgeLabel stands on the left of a badge.
const badgeLabel = "defense in depth"

// badgeColors maps the colours of the method's bands to those of shields.io and
// to a colour on which white text has a contrast of at least 4.5 to 1.
var badgeColors = map[string]struct{ shields, fill string }{
	"green": {"green", "#1a7f37"},
	"amber": {"yellow", "#8a6100"},
	"red":   {"red", "#c11f2a"},
}

// badgeOf returns what a badge of the card says, and its colours.
func badgeOf(card *scorecard.Card) (message, shields, fill string) {
	band := card.Band()
	colors, ok := badgeColors[band.Color]
	if !ok {
		colors.shields, colors.fill = "lightgrey", "#57606a"
	}
	return scorecard.Format1(card.Total()) + "/10 " + band.Label, colors.shields, colors.fill
}

// Badge returns the card's badge in the JSON form of a shields.io endpoint.
func Badge(card *scorecard.Card) ([]byte, error) {
	message, color, _ := badgeOf(card)
	return encode(struct {
		Schema  int    `json:"schemaVersion"`
		Label   string `json:"label"`
		Message string `json:"message"`
		Color   string `json:"color"`
	}{1, badgeLabel, message, color}, "  "), nil
}

// Measures of the drawn badge, in pixels.
const (
	badgeHeight  = 20
	badgePadding = 6
)

// badgeText is one half of the drawn badge. textLength makes the text as wide as
// it was estimated, whatever font there is.
type badgeText struct {
	Text  string
	Width int // of the half
	Text0 int // middle of the text
	Len   int // width of the text
	X     int // left edge of the half
	Fill  string
}

var badgeTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("badge").Parse(badgeSource))
})

const badgeSource = `<svg xmlns="http://www.w3.org/2000/svg" width="{{.Width}}" height="{{.Height}}" viewBox="0 0 {{.Width}} {{.Height}}" role="img" aria-label="{{.Title}}">
<title>{{.Title}}</title>
<clipPath id="r"><rect width="{{.Width}}" height="{{.Height}}" rx="3"/></clipPath>
<g clip-path="url(#r)">{{range .Halves}}
<rect x="{{.X}}" width="{{.Width}}" height="{{$.Height}}" fill="{{.Fill}}"/>{{end}}
</g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle">{{range .Halves}}
<text x="{{.Text0}}" y="14" textLength="{{.Len}}" lengthAdjust="spacingAndGlyphs">{{.Text}}</text>{{end}}
</g>
</svg>
`

// BadgeSVG returns the card's badge as a drawing that needs nothing else.
func BadgeSVG(card *scorecard.Card) ([]byte, error) {
	message, _, fill := badgeOf(card)
	halves := []badgeText{{Text: badgeLabel, Fill: "#3d444d"}, {Text: message, Fill: fill}}
	width := 0
	for i := range halves {
		h := &halves[i]
		h.X, h.Len = width, textWidth(h.Text)
		h.Width = h.Len + 2*badgePadding
		h.Text0 = h.X + h.Width/2
		width += h.Width
	}
	var b bytes.Buffer
	err := badgeTemplate().Execute(&b, struct {
		Width, Height int
		Title         string
		Halves        []badgeText
	}{width, badgeHeight, badgeLabel + ": " + message, halves})
	if err != nil {
		return nil, fmt.Errorf("draw badge: %w", err)
	}
	return b.Bytes(), nil
}

// textWidth estimates how wide s is in Verdana at 11 pixels, in pixels.
func textWidth(s string) int {
	tenths := 0
	for _, r := range s {
		switch {
		case r == ' ' || r == '.' || r == 'i' || r == 'l' || r == 'j':
			tenths += 37
		case r == 'f' || r == 't' || r == 'r':
			tenths += 44
		case r == 'm' || r == 'w' || r == 'M' || r == 'W':
			tenths += 102
		case 'A' <= r && r <= 'Z':
			tenths += 76
		default:
			tenths += 67
		}
	}
	return (tenths + 9) / 10
}
