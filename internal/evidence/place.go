package evidence

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/syntax"
)

// standing is how a cited block stands in a file at head.
type standing int

const (
	standsNot     standing = iota
	standsExact            // the same lines, byte for byte
	standsLaidOut          // the same but for layout
	standsBent             // the same words, but the shape of the indentation changed
)

// placement is where a cited block stands.
type placement struct {
	standing    standing
	first, last int
}

// place looks for the cited lines first to last where they would have gone by
// what surrounds them, or else for the one place where they stand.
func (p *pair) place(first, last int) placement {
	n := last - first + 1
	if p.sameLines() {
		return p.placeInLine(first, last)
	}
	if at, ok := p.lineKeeper().Keep(first, last); ok {
		return placement{standing: standsExact, first: at, last: at + n - 1}
	}
	if found := p.placeRead(first, last); found.standing != standsNot {
		if found.last-found.first == last-first && p.new.Text.Equal(found.first, p.old.Text, first, n) {
			found.standing = standsExact
		}
		return found
	}
	if p.onlyRelaid() {
		found := p.rewrappedIn(p.whole(), first, last, p.old.Lang)
		if at, ok := p.plainKeeper().Keep(first, last); ok && at <= found.first && found.last < at+n { // with the blank lines at its ends
			found = placement{standing: standsLaidOut, first: at, last: at + n - 1}
		}
		return found
	}
	if at, ok := p.plainKeeper().Keep(first, last); ok {
		found := placement{standing: standsLaidOut, first: at, last: at + n - 1}
		if !p.sameLayout(p.old.Lang, first, last, found.first, found.last) {
			found.standing = standsBent
			if only := p.onlyPlace(first, last); only.standing != standsNot {
				return only
			}
		}
		return found
	}
	for _, look := range []func(int, int, *syntax.Language) placement{p.rewrapped, p.besideAll} {
		if found := look(first, last, p.old.Lang); found.standing != standsNot {
			return found
		}
	}
	if found := p.onlyPlace(first, last); found.standing != standsNot {
		return found
	}
	found := p.rewrapped(first, last, p.old.Lang.Loose())
	if found.standing != standsNot {
		found.standing = standsBent
	}
	return found
}

// sameLayout compares old lines first..last with new lines at..end.
func (p *pair) sameLayout(l *syntax.Language, first, last, at, end int) bool {
	if syntax.Family(p.old.Path) != syntax.Family(p.new.Path) {
		return false
	}
	old, new := p.old.Layout(l, first, last), p.new.Layout(l, at, end)
	return l.SameLayout(old, new) || p.sameDepths(l, old, new)
}

// maxRewrap bounds the stretch, in bytes, in which moved line breaks are looked
// for.
const maxRewrap = 1 << 20

// rewrapped looks for the block with its line breaks elsewhere, in the stretch
// between the nearest lines around it that map, by the rules of a language.
func (p *pair) rewrapped(first, last int, l *syntax.Language) placement {
	from, to, start, end := around(p.plainMap(), first, last)
	if start > end || syntax.Family(p.old.Path) != syntax.Family(p.new.Path) ||
		len(p.old.Text.Lines(from, to))+len(p.new.Text.Lines(start, end)) > maxRewrap {
		return placement{}
	}
	return p.rewrappedIn(stretch{from, to, start, end, l.IsLoose()}, first, last, l)
}

// sameLines reports whether every line of the file is what it was, but for white space:
// then each stands where it stood, however many others are equal to it now.
func (p *pair) sameLines() bool {
	if p.linewise == nil {
		old, new := p.old.Plain(), p.new.Plain()
		same := old.Len() > 0 && old.Len() == new.Len() && old.Equal(1, new, 1, old.Len())
		p.linewise = &same
	}
	return *p.linewise
}

// placeInLine is the place of lines in a file whose lines are the same.
func (p *pair) placeInLine(first, last int) placement {
	found := placement{standing: standsLaidOut, first: first, last: last}
	switch {
	case p.new.Text.Equal(first, p.old.Text, first, last-first+1):
		found.standing = standsExact
	case p.sameLayout(p.old.Lang, first, last, first, last) || p.onlyRelaid():
	default:
		if read := p.placeRead(first, last); read.standing != standsNot {
			return read
		}
		found.standing = standsBent
	}
	return found
}

// onlyRelaid reports whether the two files differ in layout and spelling alone, as a
// formatter leaves them.
func (p *pair) onlyRelaid() bool {
	if p.relaidWhole == nil {
		same := p.sameReading()
		if p.relayable() {
			a, b := p.layouts(p.whole(), p.old.Lang)
			same = p.old.Lang.SameLayout(a, b) || p.sameDepths(p.old.Lang, a, b)
		}
		p.relaidWhole = &same
	}
	return *p.relaidWhole
}

// relayable reports whether the files can be compared as a whole.
func (p *pair) relayable() bool {
	old, new := p.old.Text, p.new.Text
	return p.old.Lang.HasSpelling() && syntax.Family(p.old.Path) == syntax.Family(p.new.Path) && old.Len() > 0 && new.Len() > 0 && old.Size()+new.Size() <= maxRewrap
}

// whole is the stretch of all lines.
func (p *pair) whole() stretch {
	return stretch{1, p.old.Text.Len(), 1, p.new.Text.Len(), false}
}

// besideAll looks for the block before or behind all that the files do not have in
// common, whatever lines it begins and ends in the midst of.
func (p *pair) besideAll(first, last int, l *syntax.Language) placement {
	if !p.relayable() {
		return placement{}
	}
	old, new := p.layouts(p.whole(), l)
	lo, hi := old.Span(first, last)
	from, ok := commonPart(old, new, lo, hi)
	if lo == hi || !ok || !l.SameIndent(old.Indents(lo, hi), new.Indents(from, from+hi-lo)) {
		return placement{}
	}
	found := placement{standing: standsLaidOut}
	found.first, found.last = new.LinesAt(from, from+hi-lo)
	found.last = p.new.silent(found.last)
	return found
}

// rewrappedIn looks for the block with its line breaks elsewhere in the stretch.
func (p *pair) rewrappedIn(s stretch, first, last int, l *syntax.Language) placement {
	old, new := p.layouts(s, l)
	lo, hi := old.Span(first, last)
	if lo == hi {
		return placement{}
	}
	var found placement
	if l.SameLayout(old, new) || p.sameDepths(l, old, new) {
		found.standing = standsLaidOut
		found.first, found.last = new.LinesAt(lo, hi)
		found.last = p.new.silent(found.last)
		return found
	}
	block := old.Text[lo:hi]
	for _, n := range new.Lines {
		if !bytes.HasPrefix(new.Text[n.From:], block) || !new.EndsAt(n.From+len(block)) {
			continue
		}
		c := placement{standing: standsLaidOut}
		c.first, c.last = new.LinesAt(n.From, n.From+len(block))
		c.last = p.new.silent(c.last)
		if !p.sameLayout(l, first, last, c.first, c.last) {
			continue
		}
		if found.standing != standsNot {
			return placement{} // more than one place
		}
		found = c
	}
	return found
}

// silent is the last line from the given one on that only ends what the spelling
// leaves out, such as parentheses around what stands before it.
func (d *document) silent(line int) int {
	for line > 0 && line < d.Text.Len() && len(d.Plain().Line(line+1)) == 0 && len(bytes.TrimSpace(d.Text.Line(line+1))) > 0 {
		line++
	}
	return line
}

// around widens the block to the stretch between the nearest lines around it
// that map, and returns it on both sides; start > end when nothing is left of it
// on the new side.
func around(m *linemap.Map, first, last int) (from, to, start, end int) {
	from, to, start, end = first, last, 1, m.New().Len()
	for ; from > 1; from-- {
		if at := m.ToNew(from - 1); at > 0 {
			start = at + 1
			break
		}
	}
	for ; to < m.Old().Len(); to++ {
		if at := m.ToNew(to + 1); at > 0 {
			end = at - 1
			break
		}
	}
	return from, to, start, end
}
