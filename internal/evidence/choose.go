package evidence

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// choose takes the best candidate, or says that two are equally good.
func (f *Follower) choose(ctx context.Context, c *cited, found []candidate) (outcome.Item, error) {
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.context, a.context), -cmp.Compare(a.own(), b.own()), slices.Compare(b.near[:], a.near[:]))
	})
	best := found[0]
	it := f.pair(c.base, best.target.doc).resettled(c, best.standing, best.lines(c))
	if len(found) > 1 && best.rank() == found[1].rank() {
		second := found[1]
		it.State, it.Ambiguous, it.Quote = outcome.Edited, true, c.quote()
		it.Reason = fmt.Sprintf("the cited lines went from their place and stand in %s:%s and in %s:%s, equally good: which one took their place cannot be told",
			best.target.doc.Path, best.lines(c), second.target.doc.Path, second.lines(c))
	}
	if best.target.own || !it.State.Holds() {
		return it, nil
	}
	rival, err := f.rival(ctx, c, best)
	if err != nil || rival == nil {
		return it, err
	}
	it.State, it.Ambiguous, it.Quote = outcome.Edited, true, c.quote()
	it.Reason = fmt.Sprintf("the cited lines went from their place, and %s lost the same lines: whose stand in %s:%s cannot be told",
		rival.Path, best.target.doc.Path, best.lines(c))
	return it, nil
}

// rival returns another file that lost the same block, at a place that fits the
// candidate's surroundings at least as well: its copy may be what came there.
func (f *Follower) rival(ctx context.Context, c *cited, k candidate) (*document, error) {
	var files []search.File
	for _, r := range f.index.removed {
		if r.Path != c.File && sameLanguage(r.Path, c.File) {
			files = append(files, r)
		}
	}
	for _, m := range f.index.modified {
		if m.Path != c.File && m.Path != k.target.doc.Path && sameLanguage(m.Path, c.File) {
			files = append(files, f.index.old[m.Path])
		}
	}
	docs, err := f.loadAll(ctx, nearest(files, c.File, maxRivals))
	if err != nil {
		return nil, err
	}
	n, mine := c.Lines.Count(), alongside(c.base, c.Lines.First, k.target.doc, k.first, c.Lines.Count())
	for _, d := range docs {
		places := d.Plain().Find(c.base.Plain(), c.Lines.First, c.Lines.Last, 1, maxOccurrences)
		if len(places) == 0 {
			continue
		}
		left := 0
		if now, ok := f.index.new[d.Path]; ok {
			heads, err := f.loadAll(ctx, []search.File{now})
			if err != nil {
				return nil, err
			}
			for _, h := range heads {
				left = len(h.Plain().Find(c.base.Plain(), c.Lines.First, c.Lines.Last, 1, maxOccurrences))
			}
		}
		for _, at := range places {
			if left < len(places) && alongside(d, at, k.target.doc, k.first, n) >= mine {
				return d, nil
			}
		}
	}
	return nil, nil
}

// alongside counts the lines right above and below n lines from first on that
// stand around the head's lines from at on as well.
func alongside(d *document, first int, head *document, at, n int) int {
	p, out := pair{old: d, new: head}, 0
	for _, step := range []int{-1, 1} {
		i, j := first-1, at-1
		if step > 0 {
			i, j = first+n, at+n
		}
		out += p.equalFrom(i, j, step, maxContext)
	}
	return out
}

// rank is what makes one candidate clearly better than another.
func (k candidate) rank() [3]int { return [3]int{k.context, k.own(), k.near[1]} }

func (k candidate) own() int {
	if k.target.own {
		return 1
	}
	return 0
}

func (k candidate) lines(c *cited) scorecard.LineRange { return c.Lines.At(k.first, c.Lines.Count()) }
