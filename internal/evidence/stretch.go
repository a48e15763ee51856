package evidence

import "github.com/rescore-app/rescore/internal/syntax"

// stretch is a run of old lines and a run of new ones, laid out by the rules of
// their language or, to find words again, by loose ones.
type stretch struct {
	from, to, start, end int
	loose                bool
}

// maxLaid bounds how many stretches a pair keeps laid out.
const maxLaid = 8

// layouts lays a stretch out on both sides, once for all the blocks in it.
func (p *pair) layouts(key stretch, l *syntax.Language) (old, new syntax.Layout) {
	laid, ok := p.laid[key]
	if !ok {
		if p.laid == nil || len(p.laid) >= maxLaid {
			p.laid = map[stretch][2]syntax.Layout{}
		}
		laid = [2]syntax.Layout{p.old.Layout(l, key.from, key.to), p.new.Layout(l, key.start, key.end)}
		p.laid[key] = laid
	}
	return laid[0], laid[1]
}

// commonPart returns where a part of the old text stands in the new one, when that
// part and what is next to it is in what both begin or both end with.
func commonPart(old, new syntax.Layout, from, to int) (int, bool) {
	n := 0
	for n < min(len(old.Text), len(new.Text)) && old.Text[n] == new.Text[n] {
		n++
	}
	if to < n || to == n && n == len(old.Text) && (n == len(new.Text) || new.Text[n] == syntax.HardBreak) {
		return from, true
	}
	m, grown := 0, len(new.Text)-len(old.Text)
	for m < min(len(old.Text), len(new.Text)) && old.Text[len(old.Text)-1-m] == new.Text[len(new.Text)-1-m] {
		m++
	}
	return from + grown, from > len(old.Text)-m || from == 0 && m == len(old.Text) && (grown == 0 || new.Text[grown-1] == syntax.HardBreak)
}
