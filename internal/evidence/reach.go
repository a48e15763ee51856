package evidence

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// disabled says what, if anything, was put around lines that stand as they did
// and keeps them from being reached: a comment or a string that opens above them,
// a condition that is never met, a statement that leaves. It returns "" when
// nothing was.
//
// Lines that are equal do the same only in the same surroundings, and not all of
// those can be judged here. These few are the cheap ways to switch a control off
// without touching a cited line, and they can be told for certain. Lines that
// moved are judged by where they came to stand; for lines that stayed only what
// was added counts: where lines went, the lines around them changed, not these.
func (p *pair) disabled(c *cited, is scorecard.LineRange) string {
	was := c.Lines
	moved := !c.continues(p.new) || p.lineMap().ToNew(was.First) != is.First && p.plainMap().ToNew(was.First) != is.First
	if why := p.wrapped(was, is, moved); why != "" {
		return why
	}
	if n := p.new.never(is.First); n > 0 && p.old.never(was.First) == 0 && (moved || p.added(n)) {
		return fmt.Sprintf("the lines stand as they were, but under a condition that is never met, line %d", n)
	}
	if p.new.Continued(is.First) && !p.old.Continued(was.First) {
		return fmt.Sprintf("the lines stand as they were, but the line before them ends in a backslash and takes them in, line %d", is.First-1)
	}
	n := p.new.left(is.First)
	if n == 0 || p.old.left(was.First) > 0 {
		return ""
	}
	fresh := p.added(n) && p.gained(n) && !p.replaces(n, was.First)
	if passed := p.plainMap().ToOld(n) > was.First; c.continues(p.new) && !moved && !passed && !fresh {
		return ""
	}
	return fmt.Sprintf("the lines stand as they were, but a statement before them leaves, line %d", n)
}

// wrapped says whether the lines came to begin inside a comment or a string. A
// stray mark far off could make it look so; therefore either the lines moved, or
// the marks around them are new, or what opens above them lost the end that it
// had.
func (p *pair) wrapped(was, is scorecard.LineRange, moved bool) string {
	now, before := p.new.Inside(is.First), p.old.Inside(was.First)
	if now.Name == "" || now.Name == before.Name {
		return ""
	}
	if !moved && !p.added(now.First) && !p.added(now.Last) && !p.lostEnd(now.First) {
		return ""
	}
	return fmt.Sprintf("the lines stand as they were, but now inside %s, lines %d-%d", now.Name, now.First, now.Last)
}

// lostEnd reports whether what opens on the new line opened there before and
// ended on a line that went.
func (p *pair) lostEnd(first int) bool {
	was := p.lineMap().ToOld(first)
	if was == 0 {
		return false
	}
	e := p.old.Touching(was)
	return e.Name != "" && e.First == was && p.plainMap().ToNew(e.Last) == 0
}

// added reports whether the new line was added, and not only laid out anew.
func (p *pair) added(line int) bool {
	return p.lineMap().ToOld(line) == 0 && p.plainMap().ToOld(line) == 0 && !p.readKept(line)
}

// gained reports whether the new file has the line more often than the old one:
// one that only went past others was not added.
func (p *pair) gained(line int) bool {
	text := p.new.Plain().Line(line)
	return p.new.lineBag()[string(text)] > p.old.lineBag()[string(text)]
}

// replaces reports whether the added new line may be an old one in other words:
// one that went from between the last line before it that stayed and the old
// line next, and left its block as well.
func (p *pair) replaces(line, next int) bool {
	if p.stays == nil {
		p.findLeavers()
	}
	i, _ := slices.BinarySearch(p.leavers, int(p.stays[line-1])+1)
	return i < len(p.leavers) && p.leavers[i] < next
}

// findLeavers finds, once for all that is asked of the pair, the old lines that went and
// left their block or were never reached, and for each new line the old one that the last
// line up to it was which stayed.
func (p *pair) findLeavers() {
	m := p.plainMap()
	p.stays = make([]int32, m.New().Len()+1)
	for n := 1; n <= m.New().Len(); n++ {
		p.stays[n] = p.stays[n-1]
		if was := m.ToOld(n); was > 0 {
			p.stays[n] = int32(was)
		}
	}
	for n := 1; n <= m.Old().Len(); n++ {
		if old := m.Old().Line(n); m.ToNew(n) == 0 && (neverTrue().Match(old) || leaving().Match(old)) {
			p.leavers = append(p.leavers, n)
		}
	}
}

// lineAbove returns the nearest line before n that is not blank, and its number.
func lineAbove(t *linemap.Text, n int) ([]byte, int) {
	for n--; n >= 1; n-- {
		if len(bytes.TrimSpace(t.Line(n))) > 0 {
			return t.Line(n), n
		}
	}
	return nil, 0
}
