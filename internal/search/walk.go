package search

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
)

// errTooWide stops a walk that has seen maxCountedEntries.
var errTooWide = errors.New("too many entries to be counted by directories")

// walk finds the directories that are to be counted, level by level.
func (c *counter) walk(ctx context.Context) error {
	level, err := c.start(ctx)
	for len(level) > 0 && err == nil && !c.whole {
		level, err = c.descend(ctx, c.unknown(ctx, level))
	}
	return err
}

// descend looks into the places of a level, some at a time, and returns the
// directories in them.
func (c *counter) descend(ctx context.Context, level []*place) (next []*place, err error) {
	for some := range slices.Chunk(level, dirsAtOnce) {
		below, err := c.expand(ctx, some)
		if err != nil || c.whole {
			return nil, err
		}
		next = append(next, below...)
		if c.waiting >= filesAtOnce {
			if err := c.evaluate(ctx); err != nil {
				return nil, err
			}
		}
	}
	return next, nil
}

// start returns the directories that are given to the search.
func (c *counter) start(ctx context.Context) ([]*place, error) {
	c.total.tally = &tally{q: c.q}
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

// listRules finds the ignore files in the paths of the search and above them.
func (c *counter) listRules(ctx context.Context) error {
	var paths []string
	for _, p := range c.q.paths {
		dirs := []string{p.path}
		if c.q.parentRules() {
			dirs = append(dirs, ancestors(p.path)...)
		}
		for _, dir := range dirs {
			for _, name := range c.q.ignoreKinds().names() {
				paths = append(paths, join(dir, name))
			}
		}
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	listed, err := c.src.List(ctx, paths)
	if err != nil {
		return fmt.Errorf("list ignore files: %w", err)
	}
	c.rules = map[string]bool{}
	for _, f := range listed {
		if _, exact := slices.BinarySearch(paths, f.Path); !exact {
			continue
		}
		c.above = append(c.above, f)
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
			p.tally = &tally{q: c.q}
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
		} else {
			p.sum, p.tally = subtree{}, &tally{q: c.q}
			out = append(out, p)
		}
	}
	return out
}

// expand looks into the places and returns the directories in them.
func (c *counter) expand(ctx context.Context, level []*place) ([]*place, error) {
	c.open = append(c.open, level...)
	dirs := make([]File, len(level))
	for i, p := range level {
		dirs[i] = p.dir
	}
	below := make([][]*place, len(level))
	err := c.walker.Dirs(ctx, dirs, func(i int, entries []File) error {
		if c.entries += len(entries); c.entries > maxCountedEntries {
			return errTooWide
		}
		below[i] = c.look(level[i], entries)
		return ctx.Err()
	})
	if errors.Is(err, errTooWide) {
		c.whole = true
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("walk the scope: %w", err)
	}
	return slices.Concat(below...), nil
}

// look sorts the entries of a place.
func (c *counter) look(p *place, entries []File) []*place {
	names := c.q.ignoreKinds().names()
	rules := newDigest("%s", p.above)
	above := p.above
	var dirs []File
	for _, f := range entries {
		switch {
		case len(f.Path) > maxPathBytes:
			c.whole = true
		case f.Mode == ModeDir:
			dirs = append(dirs, f)
			continue
		case slices.Contains(names, baseName(f.Path)):
			c.meet(f)
			rules.file(f)
			above = rules.String()
			if f.regular() {
				p.sum.ignoreFiles++
			}
		}
		p.files = append(p.files, f)
		p.sum.entries++
		c.waiting++
	}
	out := make([]*place, len(dirs))
	for i, d := range dirs {
		out[i] = &place{root: p.root, dir: d, up: p, above: above}
	}
	return out
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
