package evidence

import (
	"context"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/search"
)

// Bounds of the search for lines that moved to another place.
const (
	maxTargets     = 32 // changed or added files looked into
	maxOccurrences = 16 // places of a block in one file
	maxContext     = 10 // lines before and after that are compared
	movedAlong     = 2  // telling neighbours that vouch for a block that says little
	wholeOf        = 10 // a file that lacks one line in so many is a whole copy
)

// target is a file at head that gained lines.
type target struct {
	doc  *document
	from *document // what it was at base; nil when all of it is new
	own  bool      // it continues the cited file itself
}

// candidate is a place in a target where the cited block stands whole.
type candidate struct {
	target   target
	first    int
	standing standing
	context  int // lines around it that moved along
	near     nearness
}

// relocated looks for the cited block among the lines that other places gained.
// own is the file at head that continues the cited one, or nil.
func (f *Follower) relocated(ctx context.Context, c *cited, own *document) (outcome.Item, bool, error) {
	c.own = own
	targets, err := f.targets(ctx, c, own)
	if err != nil {
		return outcome.Item{}, false, err
	}
	for _, s := range []standing{standsExact, standsLaidOut} {
		var found []candidate
		for _, t := range targets {
			cs, err := f.candidates(ctx, c, t, s)
			if err != nil {
				return outcome.Item{}, false, err
			}
			found = append(found, cs...)
		}
		if len(found) > 0 {
			it, err := f.choose(ctx, c, found)
			return it, true, err
		}
	}
	return f.partly(ctx, c, targets)
}

// targets are the files that gained lines: the cited file's own continuation,
// then added and modified files in its language, the nearest names first.
func (f *Follower) targets(ctx context.Context, c *cited, own *document) ([]target, error) {
	var files []search.File
	for _, list := range [][]search.File{f.index.added, f.index.modified} {
		for _, file := range list {
			if sameLanguage(c.File, file.Path) && !putAside(c.File, file.Path) && file.Path != c.File && (own == nil || file.Path != own.Path) {
				files = append(files, file)
			}
		}
	}
	docs, err := f.loadAll(ctx, nearest(files, c.File, maxTargets))
	if err != nil {
		return nil, err
	}
	var out []target
	if own != nil && !own.trouble.any() {
		out = append(out, target{doc: own, from: c.base, own: true})
	}
	for _, d := range docs {
		out = append(out, target{doc: d})
	}
	return out, nil
}

// settleOrigin finds out what the target was at base, once that matters. It
// reports false when that cannot be read: what the target gained is then unknown.
func (f *Follower) settleOrigin(ctx context.Context, c *cited, t target) (target, bool, error) {
	if t.own {
		return t, true, nil
	}
	old, modified := f.index.old[t.doc.Path]
	if !modified || !isRegular(old.Mode) {
		from, err := f.origin(ctx, t.doc)
		t.from, t.own = from, from == c.base
		return t, true, err
	}
	docs, err := f.loadAll(ctx, []search.File{old})
	if err != nil || len(docs) == 0 {
		return t, false, err
	}
	t.from = docs[0]
	return t, true, nil
}

// candidates lists the places in the target where the block stands whole, on
// lines that the target gained, and with enough to recognise it by.
func (f *Follower) candidates(ctx context.Context, c *cited, t target, s standing) ([]candidate, error) {
	first, last := c.Lines.First, c.Lines.Last
	var places []int
	if s == standsExact {
		places = t.doc.Text.Find(c.base.Text, first, last, 1, maxOccurrences)
	} else {
		places = t.doc.Plain().Find(c.base.Plain(), first, last, 1, maxOccurrences)
	}
	if len(places) == 0 {
		return nil, nil
	}
	t, known, err := f.settleOrigin(ctx, c, t)
	if err != nil || !known || (t.own || t.from == nil) && f.copied(c, t) {
		return nil, err
	}
	says := c.information()
	var out []candidate
	for _, at := range places {
		end := at + last - first
		if !f.gained(c, t, at, end) || s == standsLaidOut && !f.pair(c.base, t.doc).sameLayout(c.base.Lang, first, last, at, end) {
			continue
		}
		k := candidate{target: t, first: at, standing: s, near: near(c.File, t.doc.Path)}
		n := f.surroundings(c, first, last, t, at)
		if n.stayed >= movedAlong && n.stayed > n.vouched {
			continue // what surrounds it was copied, so it is a copy too
		}
		k.context = n.moved
		if says < distinctiveBlock && n.vouched < movedAlong || f.betterElsewhere(c, k) {
			continue
		}
		out = append(out, k)
	}
	return out, nil
}

// copied reports whether a new file was made from the cited one as a copy of it, while
// the file goes on: it holds all or nearly all of the file, most of which stayed there.
func (f *Follower) copied(c *cited, t target) bool {
	if c.own == nil || c.own == t.doc || c.own.trouble.any() {
		return false
	}
	there, here := f.pair(c.base, t.doc).plainMap(), f.pair(c.base, c.own).plainMap()
	all, copies, both := 0, 0, 0
	for n := 1; n <= c.base.Text.Len(); n++ {
		if c.Lines.First <= n && n <= c.Lines.Last || len(c.base.Plain().Line(n)) == 0 {
			continue
		}
		if all++; there.ToNew(n) > 0 {
			copies++
			if here.ToNew(n) > 0 {
				both++
			}
		}
	}
	return copies*wholeOf >= all*(wholeOf-1) && 2*both > copies
}

// gained reports whether the lines at..end of the target are new there: none of
// those that say something stood in it at base, other than as the cited lines
// themselves. A copy that was there before is not the evidence. Where it is known
// that a copy is what stands in the cited lines' place, that place is no exception.
func (f *Follower) gained(c *cited, t target, at, end int) bool {
	if t.from == nil {
		return true
	}
	m := f.pair(t.from, t.doc).plainMap()
	told := false
	for n := at; n <= end; n++ {
		was := m.ToOld(n)
		kept := was > 0 && !(t.own && c.copy == nil && c.Lines.First <= was && was <= c.Lines.Last)
		if information(t.doc.Plain().Line(n)) < telling {
			told = told || !kept
			continue
		}
		if kept {
			return false
		}
		told = true
	}
	return told
}

// betterElsewhere reports whether another copy of the block in the cited file
// fits the candidate's surroundings better: then that copy is what moved there.
func (f *Follower) betterElsewhere(c *cited, k candidate) bool {
	for _, at := range c.base.Plain().Find(c.base.Plain(), c.Lines.First, c.Lines.Last, 1, maxOccurrences) {
		if at == c.Lines.First {
			continue
		}
		if f.surroundings(c, at, at+c.Lines.Count()-1, k.target, k.first).moved > k.context {
			return true
		}
	}
	return false
}

// neighbours counts lines around a block that stand around it in a target too.
type neighbours struct {
	moved   int // those that left their place, as the block did
	vouched int // of them, those that say something
	stayed  int // those that say something and still stand where they were
}

// surroundings compares what stands around the old lines first to last with what
// stands around the target's lines from at on, going outwards until one differs;
// blank lines are passed over.
func (f *Follower) surroundings(c *cited, first, last int, t target, at int) neighbours {
	a, b := c.base.Plain(), t.doc.Plain()
	var out neighbours
	walk := func(i, j, step int) {
		for range maxContext {
			for a.Has(i, i) && len(a.Line(i)) == 0 {
				i += step
			}
			for b.Has(j, j) && len(b.Line(j)) == 0 {
				j += step
			}
			if !a.Equal(i, b, j, 1) {
				return
			}
			tells := information(a.Line(i)) >= telling
			switch {
			case f.stayed(c, i, t, j):
				if tells {
					out.stayed++
				}
			default:
				out.moved++
				if tells {
					out.vouched++
				}
			}
			i, j = i+step, j+step
		}
	}
	walk(first-1, at-1, -1)
	walk(last+1, at+last-first+1, 1)
	return out
}

// stayed reports whether line i of the cited file still stands at its path, or in
// the file that continues it, elsewhere than at line j of the target.
func (f *Follower) stayed(c *cited, i int, t target, j int) bool {
	if c.own == nil || c.own.trouble.any() {
		return false
	}
	to := f.pair(c.base, c.own).plainMap().ToNew(i)
	return to > 0 && (c.own != t.doc || to != j)
}

// information is how much the cited block says, each distinct line once.
func (c *cited) information() int { return c.base.information(c.Lines.First, c.Lines.Last) }

// information is how much the lines say, each distinct one once.
func (d *document) information(first, last int) int {
	seen := map[string]bool{}
	n := 0
	for i := first; i <= last; i++ {
		line := d.Plain().Line(i)
		if !seen[string(line)] {
			seen[string(line)] = true
			n += information(line)
		}
	}
	return n
}
