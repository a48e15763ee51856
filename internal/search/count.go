package search

import (
	"context"
	"fmt"
	"slices"
)

// Count is Run without the matches. With a cache, over a source that is a Walker,
// it reads the files of those directories alone that it has not counted before: a
// commit costs what differs from the ones that were counted.
//
// What counts in a directory depends on the search, on the directory's tree, on
// where it stands (globs and depth go by the path) and on the ignore files above.
// All of that is the key, so that no directory takes the count of another, by
// mistake or by somebody's design.
func (q *Query) Count(ctx context.Context, src Source, opts ...Option) (Result, error) {
	set := newSettings(opts)
	w, ok := src.(Walker)
	if !ok {
		return q.run(ctx, src, 0)
	}
	layout, err := q.layoutOf(statSource(ctx, src))
	if err != nil || !layout.scopeExists {
		return Result{}, err
	}
	c := &counter{q: q, src: src, walker: w, cache: set.cache, layout: layout}
	if err := c.walk(ctx); err != nil {
		return Result{}, err
	}
	if c.whole {
		return q.run(ctx, src, 0)
	}
	return c.count(ctx)
}

// maxCountedEntries bounds what is looked at in directories that are not known.
const maxCountedEntries = 500_000

// What is held at a time: directories that are looked into, and files in them that
// wait to be evaluated. Tests make them small.
var (
	dirsAtOnce  = 256
	filesAtOnce = 8192
)

// counter counts over a tree by directories.
type counter struct {
	q      *Query
	src    Source
	walker Walker
	cache  Cache
	layout *layout

	total   place
	open    []*place        // to be counted, parents before children
	rules   map[string]bool // ignore files by path
	above   []File          // the ignore files in the paths of the search and above them
	entries int
	unkept  bool // some path of the search is no directory, so that no result is kept of it
	whole   bool // the tree is too large, or too odd, to be counted by directories

	filter  *filter
	scan    *scanner
	fresh   []File // ignore files that the filter has not read
	done    int    // open places whose files are evaluated
	waiting int    // files in the others
}

// place is a directory as a root of the search leads to it.
type place struct {
	root  root
	dir   File
	up    *place
	above string // digest of the circumstances and of the ignore files above
	key   string
	twice bool   // another root leads to it, too
	files []File // right in it
	sum   subtree
	tally *tally // of its files
}

// subtree is what a search counts in a directory and below it.
type subtree struct {
	hits        int
	uncertain   string // as in tally
	grew        bool
	ignoreFiles int // that it holds
	entries     int // files, links and submodules that it holds
}

// add takes in what is below p.
func (p *place) add(s subtree) {
	p.sum.hits += s.hits
	if p.sum.uncertain == "" {
		p.sum.uncertain = s.uncertain
	}
	p.sum.grew = p.sum.grew || s.grew
	p.sum.ignoreFiles += s.ignoreFiles
	p.sum.entries += s.entries
}

// count evaluates the files of the open places and adds everything up.
func (c *counter) count(ctx context.Context) (Result, error) {
	if err := c.evaluate(ctx); err != nil {
		return Result{}, err
	}
	for _, p := range slices.Backward(c.open) {
		c.close(ctx, p)
		p.tally = nil
	}
	if c.whole {
		return c.q.run(ctx, c.src, 0)
	}
	s, t := c.total.sum, c.total.tally
	if s.ignoreFiles > maxIgnoreFiles {
		return Result{}, tooManyIgnoreFiles()
	}
	t.hits += s.hits
	t.grew = t.grew || s.grew
	if t.uncertain == "" {
		t.uncertain = s.uncertain
	}
	return t.result()
}

// close adds up a place whose places below are closed, and keeps the result.
func (c *counter) close(ctx context.Context, p *place) {
	p.add(subtree{hits: p.tally.hits, uncertain: p.tally.uncertain, grew: p.tally.grew})
	if c.cache != nil && len(p.tally.unread) == 0 {
		putSubtree(ctx, c.cache, p.key, p.sum)
	}
	p.up.tally.unread = append(p.up.tally.unread, p.tally.unread...)
	c.settle(p)
}

// settle gives the sum of a place to the one above. An ignore file that two roots
// lead to is one. A root of empty trees, which no checkout makes, is not there: how
// the paths of the search stand is then another.
func (c *counter) settle(p *place) {
	s := p.sum
	if p.up == &c.total && s.entries == 0 {
		c.whole = true
	}
	if p.twice {
		s.ignoreFiles = 0
	}
	p.up.add(s)
}

// evaluate evaluates the files of the open places that are not evaluated yet, and
// lets go of them: what is held at a time does not grow with the tree.
func (c *counter) evaluate(ctx context.Context) error {
	if len(c.open) == 0 && !c.unkept {
		return nil
	}
	jobs, err := c.prepare(ctx)
	if err != nil {
		return err
	}
	for _, p := range c.open[c.done:] {
		if jobs, err = c.filter.work(ctx, jobs, p.root, p.files, p.tally); err != nil {
			return fmt.Errorf("count in %q: %w", p.dir.Path, err)
		}
		p.files = nil
	}
	c.done, c.waiting = len(c.open), 0
	return (&evaluation{q: c.q, scan: c.scan}).evaluate(ctx, c.src, jobs)
}

// prepare lets the filter read the ignore files found since. The first time it
// returns the work on paths that are no directories.
func (c *counter) prepare(ctx context.Context) (jobs []job, err error) {
	fresh := c.fresh
	c.fresh = nil
	if c.filter != nil {
		return nil, c.filter.learn(ctx, c.src, fresh)
	}
	c.scan = c.q.newScanner(ctx, 0)
	if c.filter, err = c.q.newFilter(ctx, c.src, c.layout, fresh); err != nil {
		return nil, err
	}
	for _, r := range c.layout.roots {
		if !r.dir {
			if jobs, err = c.filter.work(ctx, jobs, r, nil, c.total.tally); err != nil {
				return nil, err
			}
		}
	}
	return jobs, nil
}
