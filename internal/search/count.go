package search

import (
	"context"
	"fmt"
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
	return q.full(ctx, src, 0, newSettings(opts).cache)
}

// full evaluates the search over a tree, directory by directory where the source
// can do that, and lists up to keep matches. Results that list some are not kept.
func (q *Query) full(ctx context.Context, src Source, keep int, cache Cache) (Result, error) {
	w, ok := src.(Walker)
	if !ok {
		return q.run(ctx, src, keep)
	}
	layout, err := q.layoutOf(statSource(ctx, src))
	if err != nil || !layout.scopeExists {
		return Result{}, err
	}
	c := &counter{q: q, src: src, walker: w, cache: cache, layout: layout, keep: keep}
	if err := c.walk(ctx); err != nil {
		return Result{}, err
	}
	if c.whole {
		return q.run(ctx, src, keep)
	}
	return c.result()
}

// What is looked at in directories that are not known is bounded: with more the
// tree is evaluated as a whole, within the limits of its source.
const (
	maxCountedEntries = 500_000
	maxCountedBytes   = 128 << 20 // of their paths
)

// What is held at a time: directories that are looked into, entries of one of them,
// and files that wait to be evaluated. Tests make them small. So many files are
// fetched in one round trip where the source has to fetch.
var (
	dirsAtOnce    = 64
	entriesAtOnce = 1024
	filesAtOnce   = 4096
	bytesAtOnce   = 1 << 20 // of the paths of these
)

// counter counts over a tree by directories. It goes down into one before it goes
// on to the next, and lets go of those that are counted: what it holds does not grow
// with the tree.
type counter struct {
	q      *Query
	src    Source
	walker Walker
	cache  Cache
	layout *layout
	keep   int // matches to list; none with a cache

	total    place
	branches []*branch       // directories with others in them that are not looked into yet, the next one last
	pending  int             // directories that the branches hold
	rules    map[string]bool // ignore files by path
	above    []File          // the ignore files in the paths of the search and above them
	entries  int
	bytes    int
	unkept   bool // some path of the search is no directory, so that no result is kept of it
	whole    bool // the tree is too large, or too odd, to be counted by directories

	filter *filter
	scan   *scanner
	fresh  []File // ignore files that the filter has not read
	queue  []File // those to be evaluated
	queued int    // bytes of their paths
	runs   []run  // whose they are
	piece  []File // of a listing, used again
	jobs   []job  // used again
}

// place is a directory as a root of the search leads to it.
type place struct {
	root  root
	dir   File
	up    *place
	above string // digest of the circumstances and of the ignore files above
	key   string
	twice bool // another root leads to it, too
	sum   subtree
	tally *tally // of its files; the total's where no results are kept
	// open counts what has to be done before its sum is: directories in it, runs of
	// files in it, the looking into it.
	open int
}

// run is a stretch of the queue: files of one place.
type run struct {
	of    *place
	files int
}

// branch is a place in which there are directories that are not looked into yet.
type branch struct {
	of    *place
	above string  // as in the places to be made of them
	dirs  []File  // the next ones
	rest  Listing // where the others stand
	next  int     // from which position on; -1 for no others
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
	p.sum.uncertain = firstOf(p.sum.uncertain, s.uncertain)
	p.sum.grew = p.sum.grew || s.grew
	p.sum.ignoreFiles += s.ignoreFiles
	p.sum.entries += s.entries
}

// result is that of the whole search, once everything is counted.
func (c *counter) result() (Result, error) {
	s, t := c.total.sum, c.total.tally
	if s.ignoreFiles > maxIgnoreFiles {
		return Result{}, tooManyIgnoreFiles()
	}
	t.hits += s.hits
	t.grew = t.grew || s.grew
	t.uncertain = firstOf(t.uncertain, s.uncertain)
	return t.result()
}

// done takes note that one of the things that a place waited for is done. A place
// that waits for nothing more gives its sum to the one above.
func (c *counter) done(ctx context.Context, p *place) {
	for p != &c.total {
		if p.open--; p.open > 0 {
			return
		}
		if p.tally != c.total.tally {
			c.close(ctx, p)
		}
		c.settle(p)
		p = p.up
	}
}

// close adds up a place of which the result is kept.
func (c *counter) close(ctx context.Context, p *place) {
	p.add(subtree{hits: p.tally.hits, uncertain: p.tally.uncertain, grew: p.tally.grew})
	if len(p.tally.unread) == 0 {
		putSubtree(ctx, c.cache, p.key, p.sum)
	}
	p.up.tally.unread = append(p.up.tally.unread, p.tally.unread...)
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

// evaluate evaluates the files of the queue and lets go of them.
func (c *counter) evaluate(ctx context.Context) error {
	jobs, err := c.prepare(ctx)
	if err != nil {
		return err
	}
	at := 0
	for _, r := range c.runs {
		if jobs, err = c.filter.work(ctx, jobs, r.of.root, c.queue[at:at+r.files], r.of.tally); err != nil {
			return fmt.Errorf("count in %q: %w", r.of.dir.Path, err)
		}
		at += r.files
	}
	if err := (&evaluation{q: c.q, scan: c.scan}).evaluate(ctx, c.src, jobs); err != nil {
		return err
	}
	for _, r := range c.runs {
		c.done(ctx, r.of)
	}
	clear(c.queue)
	clear(c.runs)
	clear(jobs)
	c.queue, c.runs, c.jobs = c.queue[:0], c.runs[:0], jobs[:0]
	c.queued = 0
	return nil
}

// prepare lets the filter read the ignore files found since. The first time it
// returns the work on paths that are no directories.
func (c *counter) prepare(ctx context.Context) (jobs []job, err error) {
	fresh := c.fresh
	c.fresh = nil
	if c.filter != nil {
		return c.jobs, c.filter.learn(ctx, c.src, fresh)
	}
	c.scan = c.q.newScanner(ctx, c.keep)
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
