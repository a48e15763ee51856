package evidence

// stretch is a run of old lines and a run of new ones, laid out by the rules of
// their language or, to find words again, by loose ones.
type stretch struct {
	from, to, start, end int
	loose                bool
}

// maxLaid bounds how many stretches a pair keeps laid out.
const maxLaid = 8

// layouts lays a stretch out on both sides, once for all the blocks in it.
func (p *pair) layouts(key stretch, l *language) (old, new layout) {
	laid, ok := p.laid[key]
	if !ok {
		if p.laid == nil || len(p.laid) >= maxLaid {
			p.laid = map[stretch][2]layout{}
		}
		laid = [2]layout{p.old.layoutOf(l, key.from, key.to), p.new.layoutOf(l, key.start, key.end)}
		p.laid[key] = laid
	}
	return laid[0], laid[1]
}

// commonPart returns where a part of the old text stands in the new one, when that
// part and what is next to it is in what both begin or both end with.
func commonPart(old, new layout, from, to int) (int, bool) {
	n := 0
	for n < min(len(old.text), len(new.text)) && old.text[n] == new.text[n] {
		n++
	}
	if to < n || to == n && n == len(old.text) && (n == len(new.text) || new.text[n] == hardBreak) {
		return from, true
	}
	m, grown := 0, len(new.text)-len(old.text)
	for m < min(len(old.text), len(new.text)) && old.text[len(old.text)-1-m] == new.text[len(new.text)-1-m] {
		m++
	}
	return from + grown, from > len(old.text)-m || from == 0 && m == len(old.text) && (grown == 0 || new.text[grown-1] == hardBreak)
}
