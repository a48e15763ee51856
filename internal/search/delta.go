package search

import (
	"context"
	"fmt"
	"slices"
)

// maxDeltaLines bounds the matching lines of changed files on one side. With
// more the lines cannot be compared and the search is refused.
const maxDeltaLines = 100_000

// Delta evaluates the difference that changes make: the changes between the
// trees of before and after, all of them. It reads the changed files that the
// search reads, on the sides where they are, and the ignore files above them. Where
// an ignore file changed it lists both trees, too, and reads the files that only
// one side admits. Where the changes alone do not tell it returns ErrNeedsFull.
func (q *Query) Delta(ctx context.Context, before, after Source, changes []Change, opts ...Option) (Delta, error) {
	set := newSettings(opts)
	var touching []Change
	ruled := false
	for _, c := range changes {
		for _, f := range []*File{c.Old, c.New} {
			ruled = ruled || f != nil && q.mayRule(f.Path)
		}
		if q.concerns(c.Old) || q.concerns(c.New) {
			touching = append(touching, c)
		}
	}
	if len(touching) == 0 && !ruled {
		return Delta{}, nil
	}
	was, err := q.layoutOf(q.hintedStat(ctx, before, touching, oldSide))
	if err != nil {
		return Delta{}, fmt.Errorf("before: %w", err)
	}
	is, err := q.layoutOf(q.hintedStat(ctx, after, touching, newSide))
	if err != nil {
		return Delta{}, fmt.Errorf("after: %w", err)
	}
	if !was.equal(is) {
		return Delta{}, fmt.Errorf("the paths of the search changed: %w", ErrNeedsFull)
	}
	if !is.scopeExists {
		return Delta{}, nil
	}
	d := q.newDiffer(before, after, touching, set.cache)
	if ruled {
		d, err = d.relist(ctx, was, is)
	} else {
		err = d.jobs(ctx, was, is, touching)
	}
	if err != nil {
		return Delta{}, err
	}
	return d.compare(ctx)
}

// concerns reports whether a file stands at or below a path of the search, or
// where a directory above one would be.
func (q *Query) concerns(f *File) bool {
	return f != nil && slices.ContainsFunc(q.paths, func(p scopePath) bool {
		return f.Path == p.path || below(f.Path, p.path) || below(p.path, f.Path)
	})
}

func oldSide(c Change) *File { return c.Old }
func newSide(c Change) *File { return c.New }

// hintedStat answers from the changes of one side where they show what stands at
// a path, and asks the source otherwise.
func (q *Query) hintedStat(ctx context.Context, src Source, changes []Change, side func(Change) *File) statFunc {
	ask := statSource(ctx, src)
	return func(path string) (File, bool, error) {
		for _, c := range changes {
			switch f := side(c); {
			case f == nil:
			case f.Path == path:
				return *f, true, nil
			case below(f.Path, path):
				return File{Path: path, Mode: ModeDir}, true, nil
			}
		}
		return ask(path)
	}
}

// ancestorFilter makes a filter that knows the ignore files above the changed
// files. None of those files changed, so that either tree would do.
func (q *Query) ancestorFilter(ctx context.Context, src Source, l *layout, changes []Change) (*filter, error) {
	names := q.ignoreKinds().names()
	var paths []string
	if len(names) > 0 {
		dirs := map[string]bool{}
		for _, c := range changes {
			for _, f := range []*File{c.Old, c.New} {
				if q.concerns(f) {
					for _, dir := range ancestors(f.Path) {
						dirs[dir] = true
					}
				}
			}
		}
		for dir := range dirs {
			for _, name := range names {
				paths = append(paths, join(dir, name))
			}
		}
		slices.Sort(paths)
	}
	var files []File
	if len(paths) > 0 {
		listed, err := src.List(ctx, paths)
		if err != nil {
			return nil, fmt.Errorf("list ignore files: %w", err)
		}
		for _, f := range listed {
			if _, exact := slices.BinarySearch(paths, f.Path); exact {
				files = append(files, f)
			}
		}
	}
	return q.newFilter(ctx, src, l, files)
}

// differ evaluates files on both sides, some at a time where there are many.
type differ struct {
	q        *Query
	cache    Cache
	scan     *scanner
	old, new half
	changed  []Change
	touched  map[File]bool // either side of the changed files, and whether it is evaluated
}

// half is one side of a differ.
type half struct {
	src  Source
	jobs []job
	into *tally
}

func (q *Query) newDiffer(before, after Source, changed []Change, cache Cache) *differ {
	d := &differ{q: q, cache: cache, changed: changed, touched: map[File]bool{}}
	for _, c := range changed {
		for _, f := range []*File{c.Old, c.New} {
			if f != nil {
				d.touched[*f] = false
			}
		}
	}
	d.old = half{src: before, into: &tally{q: q, keep: maxDeltaLines}}
	d.new = half{src: after, into: &tally{q: q, keep: maxDeltaLines}}
	return d
}

// jobs finds, for each root, the changed files that are searched through it.
func (d *differ) jobs(ctx context.Context, was, is *layout, changes []Change) error {
	f, err := d.q.ancestorFilter(ctx, d.new.src, is, changes)
	if err != nil {
		return err
	}
	for i, r := range is.roots {
		at := circumstances{explicit: !r.dir, mapped: is.mapped, names: is.names}
		for _, c := range changes {
			for _, side := range []struct {
				file *File
				root root
				half *half
			}{{c.Old, was.roots[i], &d.old}, {c.New, r, &d.new}} {
				if side.file == nil || !side.file.regular() {
					continue
				}
				ok, err := f.admits(side.root, side.file.Path)
				if err != nil {
					return err
				}
				if ok {
					side.half.jobs = append(side.half.jobs, job{*side.file, at, side.half.into})
				}
			}
		}
	}
	return nil
}

// evaluate evaluates the files that wait on both sides.
func (d *differ) evaluate(ctx context.Context) error {
	if d.scan == nil {
		d.scan = d.q.newScanner(ctx, maxDeltaLines)
	}
	e := &evaluation{q: d.q, scan: d.scan, cache: d.cache}
	e.recall(ctx, d.old.jobs, d.new.jobs)
	for _, h := range []*half{&d.old, &d.new} {
		for _, j := range h.jobs {
			if _, changed := d.touched[j.file]; changed {
				d.touched[j.file] = true
			}
		}
	}
	for _, h := range []*half{&d.old, &d.new} {
		if err := e.evaluate(ctx, h.src, h.jobs); err != nil {
			return err
		}
		h.jobs = h.jobs[:0]
		h.into.compact()
		switch {
		case h.into.uncertain != "":
			return fmt.Errorf("%q depends on other files: %w", h.into.uncertain, ErrNeedsFull)
		case h.into.truncated:
			return unsupported("", "more than %d matching lines in the changed files", maxDeltaLines)
		}
	}
	return nil
}

// read lists which of the changed files are evaluated, on either side.
func (d *differ) read() (paths []string) {
	for _, c := range d.changed {
		for _, f := range []*File{c.Old, c.New} {
			if f != nil && d.touched[*f] {
				paths = append(paths, f.Path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// compare evaluates what waits and pairs the lines of both sides.
func (d *differ) compare(ctx context.Context) (Delta, error) {
	if err := d.evaluate(ctx); err != nil {
		return Delta{}, err
	}
	was, is := d.old.into, d.new.into
	lost, added, moved := pair(was.matches(), is.matches())
	out := Delta{
		HitsBefore: was.hits, HitsDelta: is.hits - was.hits,
		Moved: moved && len(lost)+len(added) == 0, Read: d.read(),
	}
	out.Cut = slices.Sorted(slices.Values(is.cut))
	out.Unread = slices.Concat(was.unread, is.unread)
	slices.Sort(out.Unread)
	out.Unread = slices.Compact(out.Unread)
	out.Truncated = len(lost) > MaxMatches || len(added) > MaxMatches
	out.Lost = lost[:min(len(lost), MaxMatches)]
	out.New = added[:min(len(added), MaxMatches)]
	return out, nil
}

// pair takes away matches that both sides have: first those at the same place,
// then those of the same text elsewhere, which moved. What is left is returned.
func pair(before, after []Match) (lost, added []Match, moved bool) {
	same := map[Match]int{}
	for _, m := range before {
		same[m]++
	}
	texts := map[string]int{}
	var rest []Match
	for _, m := range after {
		if same[m] > 0 {
			same[m]--
			continue
		}
		rest = append(rest, m)
		texts[m.Text]++
	}
	for _, m := range before {
		if same[m] == 0 {
			continue
		}
		same[m]--
		if texts[m.Text] > 0 {
			texts[m.Text]--
			moved = true
			continue
		}
		lost = append(lost, m)
	}
	// Of equal texts the last ones are new.
	for _, m := range slices.Backward(rest) {
		if texts[m.Text] > 0 {
			texts[m.Text]--
			added = append(added, m)
		}
	}
	slices.Reverse(added)
	return lost, added, moved
}
