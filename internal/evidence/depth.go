package evidence

import (
	"bytes"
	"slices"
)

// irregular marks a line whose indentation falls back to a level that none
// before it had: how deep it lies cannot be told.
const irregular = -1

// lineDepths tells for each line of the file that begins a statement how deep it
// lies, counted in steps by all lines before it.
func (d *document) lineDepths() map[int]int {
	if d.depths != nil {
		return d.depths
	}
	d.depths = map[int]int{}
	var levels []int
	for n := 1; n <= d.text.Len(); n++ {
		if len(d.plainText().Line(n)) == 0 || !d.begins(n) {
			continue
		}
		w := d.width(n)
		fell := false
		for len(levels) > 0 && levels[len(levels)-1] > w {
			levels, fell = levels[:len(levels)-1], true
		}
		odd := fell && (len(levels) == 0 || levels[len(levels)-1] != w)
		if len(levels) == 0 || levels[len(levels)-1] < w {
			levels = append(levels, w)
		}
		if d.depths[n] = len(levels); odd {
			d.depths[n] = irregular
		}
	}
	return d.depths
}

// sameDepths reports whether two runs of lines with the same words have the same
// shape by the depth of each line in its file. It settles what the runs alone
// cannot tell: a run that begins deep and falls back, indented by another unit.
func (p *pair) sameDepths(l *language, old, new layout) bool {
	if !l.ShapedIndent() || l.Prose() || !bytes.Equal(old.text, new.text) {
		return false
	}
	a, b := p.old.depthsOf(old), p.new.depthsOf(new)
	return len(a) > 0 && slices.Equal(a, b)
}

// depthsOf is the depth of each line of the run below the first of them; nil when
// it cannot be told.
func (d *document) depthsOf(run layout) []int {
	all := d.lineDepths()
	var out []int
	for _, p := range run.lines {
		if p.from > 0 && run.text[p.from-1] != hardBreak {
			continue
		}
		depth, starts := all[d.statement(p.line)]
		if !starts || depth == irregular {
			return nil
		}
		out = append(out, depth)
	}
	for i := len(out) - 1; i >= 0; i-- {
		out[i] -= out[0]
	}
	return out
}
