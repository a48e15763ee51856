package evidence

import (
	"context"
	"fmt"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// partly looks for a part of the cited block among the lines that the targets
// gained: a block that was split, or moved and edited. It never holds.
func (f *Follower) partly(ctx context.Context, c *cited, targets []target) (outcome.Item, bool, error) {
	telltale, all := c.telltale()
	if len(telltale) < 2 {
		return outcome.Item{}, false, nil
	}
	var best part
	for _, t := range targets {
		w := window(t.doc, telltale, 2*c.Lines.Count())
		if w.weight <= best.weight || float64(w.weight) < alikeBlock*float64(all) || w.distinct < 2 {
			continue
		}
		t, known, err := f.settleOrigin(ctx, c, t)
		if err != nil {
			return outcome.Item{}, false, err
		}
		if known && f.gained(c, t, w.first, w.last) {
			w.doc = t.doc
			best = w
		}
	}
	if best.doc == nil {
		return outcome.Item{}, false, nil
	}
	lines := scorecard.LineRange{First: best.first, Last: best.last, Form: c.Lines.Form}
	reason := fmt.Sprintf("the cited lines went from their place, and %d of them stand in %s", best.distinct, best.doc.Path)
	return edited(c, best.doc, lines, reason), true, nil
}

// telltale maps the cited lines that say something to how much they say.
func (c *cited) telltale() (lines map[string]int, all int) {
	lines = map[string]int{}
	for n := c.Lines.First; n <= c.Lines.Last; n++ {
		line := c.base.Plain().Line(n)
		if info := information(line); info >= telling && lines[string(line)] == 0 {
			lines[string(line)] = info
			all += info
		}
	}
	return lines, all
}

// part is a stretch of a file that holds some of the cited lines.
type part struct {
	doc         *document
	first, last int
	distinct    int // cited lines in it
	weight      int
}

// window finds the stretch of at most span lines that holds the most of the
// given lines, each counted once.
func window(d *document, lines map[string]int, span int) part {
	type hit struct {
		at   int
		line string
	}
	var hits []hit
	inside := map[string]int{}
	var best, cur part
	t := d.Plain()
	for n := 1; n <= t.Len(); n++ {
		info, ok := lines[string(t.Line(n))]
		if !ok {
			continue
		}
		h := hit{n, string(t.Line(n))}
		hits = append(hits, h)
		if inside[h.line]++; inside[h.line] == 1 {
			cur.weight += info
			cur.distinct++
		}
		for n-hits[0].at >= span {
			out := hits[0]
			hits = hits[1:]
			if inside[out.line]--; inside[out.line] == 0 {
				cur.weight -= lines[out.line]
				cur.distinct--
			}
		}
		if cur.weight > best.weight {
			best = cur
			best.first, best.last = hits[0].at, n
		}
	}
	return best
}
