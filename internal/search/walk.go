package search

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// errStopped ends a walk for a reason that is noted elsewhere.
var errStopped = errors.New("the walk was stopped")

// walk counts all directories.
func (c *counter) walk(ctx context.Context) error {
	level, err := c.start(ctx)
	for len(level) > 0 && err == nil {
		err = c.expand(ctx, c.unknown(ctx, level))
		if c.whole {
			return err
		}
		level = c.take(ctx)
	}
	if err != nil || len(c.queue) == 0 && !c.unkept {
		return err
	}
	return c.evaluate(ctx)
}

// manyPending is how many directories may wait before fewer are looked into at a
// time.
const manyPending = 4096

// take makes places of the next directories, the deepest first.
func (c *counter) take(ctx context.Context) (level []*place) {
	most := dirsAtOnce
	if c.pending > manyPending {
		most = min(most, 8)
	}
	for len(level) < most && len(c.branches) > 0 {
		b := c.branches[len(c.branches)-1]
		if len(b.dirs) == 0 {
			c.refill(b)
		}
		if len(b.dirs) == 0 {
			c.branches = slices.Delete(c.branches, len(c.branches)-1, len(c.branches))
			c.done(ctx, b.of)
			continue
		}
		some := b.dirs[:min(len(b.dirs), most-len(level))]
		b.dirs = b.dirs[len(some):]
		c.pending -= len(some)
		for _, dir := range some {
			b.of.open++
			level = append(level, &place{root: b.of.root, dir: dir, up: b.of, above: b.above})
		}
	}
	return level
}

// refill finds the next directories of a branch.
func (c *counter) refill(b *branch) {
	for len(b.dirs) == 0 && b.next >= 0 {
		c.piece, b.next = b.rest.From(b.next, entriesAtOnce, c.piece[:0])
		b.dirs = directories(c.piece)
	}
	c.pending += len(b.dirs)
}

// directories returns the directories among entries, by themselves.
func directories(entries []File) (dirs []File) {
	for _, f := range entries {
		if f.Mode == ModeDir {
			dirs = append(dirs, f.alone())
		}
	}
	return dirs
}

// alone is the file without what else its listing holds in memory.
func (f File) alone() File {
	f.Path, f.OID = strings.Clone(f.Path), strings.Clone(f.OID)
	return f
}

// start returns the directories that are given to the search.
func (c *counter) start(ctx context.Context) ([]*place, error) {
	c.total.tally = &tally{q: c.q, keep: c.keep}
	if err := c.listRules(ctx); err != nil {
		return nil, err
	}
	var level []*place
	for i, r := range c.layout.roots {
		if !r.dir {
			c.unkept = true
			continue
		}
		dir, _, err := c.walker.Stat(ctx, r.path)
		if err != nil {
			return nil, fmt.Errorf("look at %q: %w", r.path, err)
		}
		if dir.Mode != ModeDir {
			c.unkept = true // a submodule, which is empty
			continue
		}
		level = append(level, &place{root: r, dir: dir, up: &c.total, above: c.circumstances(r), twice: c.ledTwice(i)})
	}
	return level, nil
}

// ledTwice reports whether another directory given leads to all that the i-th
// root leads to.
func (c *counter) ledTwice(i int) bool {
	path := c.layout.roots[i].path
	for j, other := range c.layout.roots {
		if other.dir && (below(path, other.path) && path != other.path || path == other.path && j < i) {
			return true
		}
	}
	return false
}

// rulesAround finds the ignore files in the paths of the search and above them.
func (q *Query) rulesAround(ctx context.Context, src Source) (rules []File, err error) {
	var paths []string
	for _, p := range q.paths {
		dirs := []string{p.path}
		if q.parentRules() {
			dirs = append(dirs, ancestors(p.path)...)
		}
		for _, dir := range dirs {
			for _, name := range q.ignoreKinds().names() {
				paths = append(paths, join(dir, name))
			}
		}
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	listed, err := src.List(ctx, paths)
	if err != nil {
		return nil, fmt.Errorf("list ignore files: %w", err)
	}
	for _, f := range listed {
		if _, exact := slices.BinarySearch(paths, f.Path); exact {
			rules = append(rules, f)
		}
	}
	return rules, nil
}

// listRules takes note of the ignore files in the paths of the search and above them.
func (c *counter) listRules(ctx context.Context) (err error) {
	c.rules = map[string]bool{}
	if c.above, err = c.q.rulesAround(ctx, c.src); err != nil {
		return err
	}
	for _, f := range c.above {
		c.meet(f)
		if f.regular() && !slices.ContainsFunc(c.layout.roots, func(r root) bool { return r.dir && r.covers(f.Path) }) {
			c.total.sum.ignoreFiles++
		}
	}
	return nil
}

// meet takes note of an ignore file.
func (c *counter) meet(f File) {
	if !c.rules[f.Path] {
		c.rules[f.Path] = true
		c.fresh = append(c.fresh, f)
	}
}

// circumstances is a digest of what decides in a root beside the search itself:
// how the paths of the search stand in the tree, and the ignore files above.
func (c *counter) circumstances(r root) string {
	bases := (&filter{q: c.q, layout: c.layout}).parentBases(r)
	d := newDigest("%q %t %t %q", r.path, c.layout.names, c.layout.mapped, bases)
	for _, f := range c.above {
		d.file(f)
	}
	return d.String()
}

// unknown takes in the places whose results are known and returns the others.
func (c *counter) unknown(ctx context.Context, level []*place) []*place {
	if c.cache == nil {
		for _, p := range level {
			p.tally = c.total.tally
		}
		return level
	}
	keys := make([]string, len(level))
	for i, p := range level {
		p.key = c.q.key + "/tree/" + newDigest("%s %q %s", p.above, p.dir.Path, p.dir.OID).String()
		keys[i] = p.key
	}
	var out []*place
	for i, value := range c.cache.Get(ctx, keys) {
		p := level[i]
		var known bool
		if p.sum, known = decodeSubtree(value); known {
			c.settle(p)
			c.done(ctx, p.up)
		} else {
			p.sum, p.tally = subtree{}, &tally{q: c.q}
			out = append(out, p)
		}
	}
	return out
}

// expand looks into the places.
func (c *counter) expand(ctx context.Context, level []*place) error {
	dirs := make([]File, len(level))
	for i, p := range level {
		p.open = 1
		dirs[i] = p.dir
	}
	var failed error
	grown := len(c.branches)
	err := c.walker.Dirs(ctx, dirs, func(i int, entries Listing) error {
		if failed = c.look(ctx, level[i], entries); failed != nil || c.whole {
			return errStopped
		}
		return ctx.Err()
	})
	slices.Reverse(c.branches[grown:]) // the first one next
	switch {
	case failed != nil || c.whole:
		return failed
	case err != nil:
		return fmt.Errorf("walk the scope: %w", err)
	}
	return nil
}

// look sorts the entries of a place: ignore files first, for they decide on the
// others; then files into the queue, a piece of the listing at a time.
func (c *counter) look(ctx context.Context, p *place, entries Listing) error {
	all, next := entries.From(0, entriesAtOnce, c.piece[:0])
	c.piece = all
	above := c.rulesIn(p, all, next, entries)
	b := &branch{of: p, above: above, next: -1}
	for {
		dirs := directories(all)
		if len(dirs) > 0 && next >= 0 {
			b.rest, b.next = entries, 0 // the listing is gone through again for them
		} else if b.rest == nil {
			b.dirs = append(b.dirs, dirs...)
		}
		if err := c.enqueue(ctx, p, all, len(all)-len(dirs)); err != nil || c.whole {
			return err
		}
		if next < 0 {
			break
		}
		all, next = entries.From(next, entriesAtOnce, all[:0])
		c.piece = all
	}
	if b.rest == nil && len(b.dirs) == 0 {
		c.done(ctx, p)
		return nil
	}
	c.pending += len(b.dirs)
	c.branches = append(c.branches, b)
	return nil
}

// rulesIn takes note of the ignore files in a place: in what is listed, and in what
// stands at next and after it. It returns what above is to the places in this one.
func (c *counter) rulesIn(p *place, listed []File, next int, entries Listing) (above string) {
	names := c.q.ignoreKinds().names()
	rules := newDigest("%s", p.above)
	above = p.above
	for {
		for _, f := range listed {
			if f.Mode == ModeDir || !slices.Contains(names, baseName(f.Path)) {
				continue
			}
			c.meet(f.alone())
			rules.file(f)
			above = rules.String()
			if f.regular() {
				p.sum.ignoreFiles++
			}
		}
		if next < 0 || len(names) == 0 {
			return above
		}
		listed, next = entries.From(next, entriesAtOnce, nil)
	}
}

// enqueue lets the files among the entries of a place wait for their evaluation.
func (c *counter) enqueue(ctx context.Context, p *place, entries []File, files int) error {
	for _, f := range entries {
		c.bytes += len(f.Path)
		c.whole = c.whole || len(f.Path) > maxPathBytes
		if f.Mode != ModeDir {
			c.queue = append(c.queue, f)
			c.queued += len(f.Path)
		}
	}
	c.entries += len(entries)
	if c.whole = c.whole || c.entries > maxCountedEntries || c.bytes > maxCountedBytes; c.whole || files == 0 {
		return nil
	}
	p.open++
	p.sum.entries += files
	c.runs = append(c.runs, run{p, files})
	if len(c.queue) < filesAtOnce && c.queued < bytesAtOnce {
		return nil
	}
	return c.evaluate(ctx)
}

// digester hashes what a result depends on.
type digester struct{ data []byte }

func newDigest(format string, args ...any) *digester {
	return &digester{fmt.Appendf(nil, format+"\n", args...)}
}

func (d *digester) file(f File) {
	d.data = fmt.Appendf(d.data, "%q %o %s\n", f.Path, f.Mode, f.OID)
}

func (d *digester) String() string {
	sum := sha256.Sum256(d.data)
	return hex.EncodeToString(sum[:])
}
