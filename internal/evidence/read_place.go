package evidence

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/syntax"
)

// bothRead reports whether the two documents can be compared by what they say.
func (p *pair) bothRead() bool {
	return p.old.Lang.HasReading() && syntax.Family(p.old.Path) == syntax.Family(p.new.Path) &&
		p.old.Text.Size()+p.new.Text.Size() <= maxRewrap && p.old.Reading() != nil && p.new.Reading() != nil
}

// sameReading reports whether both files say the same.
func (p *pair) sameReading() bool {
	if !p.bothRead() {
		return false
	}
	old, new := p.readLayouts(p.whole())
	return bytes.Equal(old.Text, new.Text)
}

// readAlike reports whether the new lines are where the old ones went by what they say.
func (p *pair) readAlike(was, is scorecard.LineRange) bool {
	found := p.placeRead(was.First, was.Last)
	return found.standing != standsNot && found.first == is.First && found.last == is.Last
}

// readKept reports whether the new line stands in what both files say before or behind
// all that they do not have in common.
func (p *pair) readKept(line int) bool {
	if !p.bothRead() {
		return false
	}
	old, new := p.readLayouts(p.whole())
	lo, hi := new.Span(line, line)
	before, behind := p.readCommon(old, new)
	return lo < hi && (hi <= before || lo >= len(new.Text)-behind)
}

// readCommon is how much both files begin and end with.
func (p *pair) readCommon(old, new syntax.Layout) (before, behind int) {
	if p.commonRead == nil {
		least := min(len(old.Text), len(new.Text))
		for before < least && old.Text[before] == new.Text[before] {
			before++
		}
		for behind < least && old.Text[len(old.Text)-1-behind] == new.Text[len(new.Text)-1-behind] {
			behind++
		}
		p.commonRead = &[2]int{before, behind}
	}
	return p.commonRead[0], p.commonRead[1]
}

// readMap maps lines that say the same.
func (p *pair) readMap() *linemap.Map {
	if p.readings == nil {
		p.readings = linemap.Diff(p.old.Reading(), p.new.Reading())
	}
	return p.readings
}

// readLayouts lays a stretch of both readings out, once for all the blocks in it.
func (p *pair) readLayouts(key stretch) (old, new syntax.Layout) {
	laid, ok := p.laidRead[key]
	if !ok {
		if p.laidRead == nil || len(p.laidRead) >= maxLaid {
			p.laidRead = map[stretch][2]syntax.Layout{}
		}
		laid = [2]syntax.Layout{p.old.ReadingLayout(key.from, key.to), p.new.ReadingLayout(key.start, key.end)}
		p.laidRead[key] = laid
	}
	return laid[0], laid[1]
}

// placeRead looks for lines that say what the cited ones do: in files that say the
// same, in what both begin or end with, or else once between the nearest lines around
// them that stayed.
func (p *pair) placeRead(first, last int) placement {
	key := [2]int{first, last}
	found, known := p.placedRead[key]
	if !known && p.bothRead() {
		if p.placedRead == nil {
			p.placedRead = map[[2]int]placement{}
		}
		found = p.findRead(first, last)
		p.placedRead[key] = found
	}
	return found
}

func (p *pair) findRead(first, last int) placement {
	old, new := p.readLayouts(p.whole())
	lo, hi := old.Span(first, last)
	if lo == hi {
		return placement{}
	}
	before, behind := p.readCommon(old, new)
	same := before == len(old.Text) && before == len(new.Text)
	if same || hi < before {
		return p.readAt(new, lo, hi)
	}
	if grown := len(new.Text) - len(old.Text); lo > len(old.Text)-behind {
		return p.readAt(new, lo+grown, hi+grown)
	}
	from, to, start, end := around(p.readMap(), first, last)
	if start > end {
		return placement{}
	}
	was, is := p.readLayouts(stretch{from: from, to: to, start: start, end: end})
	offset, shift := lo-was.OffsetIn(old), is.OffsetIn(new)
	block := was.Text[offset : offset+hi-lo]
	var found placement
	for _, n := range is.Lines {
		end := n.From + len(block)
		if !bytes.HasPrefix(is.Text[n.From:], block) || !is.EndsAt(end) || !syntax.SameEdges(old.Text, lo, hi, new.Text, shift+n.From, shift+end) {
			continue
		}
		if found.standing != standsNot {
			return placement{} // more than one place
		}
		found = p.readAt(is, n.From, end)
	}
	return found
}

// readAt is the placement of a part of what the new file says.
func (p *pair) readAt(l syntax.Layout, from, to int) placement {
	found := placement{standing: standsLaidOut}
	found.first, found.last = l.LinesAt(from, to)
	return found
}
