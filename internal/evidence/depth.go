package evidence

import (
	"bytes"
	"slices"

	"github.com/rescore-app/rescore/internal/syntax"
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
	var levels syntax.Levels
	for n := 1; n <= d.Text.Len(); n++ {
		if len(d.Plain().Line(n)) == 0 || !d.Begins(n) {
			continue
		}
		depth, odd := levels.Enter(d.Width(n))
		if d.depths[n] = depth; odd {
			d.depths[n] = irregular
		}
	}
	return d.depths
}

// sameDepths reports whether two runs of lines with the same words have the same
// shape by the depth of each line in its file. It settles what the runs alone
// cannot tell: a run that begins deep and falls back, indented by another unit.
func (p *pair) sameDepths(l *syntax.Language, old, new syntax.Layout) bool {
	if !l.ShapedIndent() || l.Prose() || !bytes.Equal(old.Text, new.Text) {
		return false
	}
	a, b := p.old.depthsOf(old), p.new.depthsOf(new)
	return len(a) > 0 && slices.Equal(a, b)
}

// depthsOf is the depth of each line of the run below the first of them; nil when
// it cannot be told.
func (d *document) depthsOf(run syntax.Layout) []int {
	all := d.lineDepths()
	var out []int
	for _, p := range run.Lines {
		if p.From > 0 && run.Text[p.From-1] != syntax.HardBreak {
			continue
		}
		depth, starts := all[d.Statement(p.Line)]
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
