package syntax

import (
	"bytes"
	"slices"

	"github.com/rescore-app/rescore/internal/lazy"
)

// What holds lines of Markdown that are then no prose.
const (
	heldCode   = "code"
	heldMarkup = "a script, a style or text laid out before"
	heldMatter = "the front matter"
)

// Tags between which all is taken as it stands, whatever empty lines are in it.
var (
	opensVerbatim = lazy.Regexp(`^ {0,3}<(?i:script|style|pre|textarea)([\s>]|$)`)
	endsVerbatim  = lazy.Regexp(`</(?i:script|style|pre|textarea)>`)
)

// hold notes that lines from..to, counted from 0, stand in something.
func (p *proseReader) hold(name string, from, to int) {
	if p.held == nil {
		p.held = make([]string, len(p.lines))
	}
	for n := from; n < min(to, len(p.lines)); n++ {
		p.held[n] = name
	}
}

// Held lists what holds the lines, once for each run of them.
func (d *Document) Held(first, last int) []string {
	if !d.heldOnce {
		d.heldOnce = true
		if p, ok := proseOf(d.Text); ok {
			d.heldLines = p.held
		}
	}
	var out []string
	for n := max(1, first); n <= min(last, d.Text.Len()); n++ {
		if len(bytes.TrimSpace(d.Text.Line(n))) > 0 {
			name := ""
			if n <= len(d.heldLines) {
				name = d.heldLines[n-1]
			}
			out = append(out, name)
		}
	}
	return slices.Compact(out)
}
