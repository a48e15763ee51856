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
	d := &differ{q: q, cache: set.cache, was: &tally{q: q, keep: maxDeltaLines}, is: &tally{q: q, keep: maxDeltaLines}}
	if !is.scopeExists {
		return Delta{}, nil
	}
	if ruled {
		err = d.relist(ctx, before, after, was, is)
	} else {
		err = d.jobs(ctx, after, was, is, touching)
	}
	if err != nil {
		return Delta{}, err
	}
	d.noteRead(touching)
	return d.compare(ctx, before, after)
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

// differ holds the files to evaluate on both sides.
type differ struct {
	q        *Query
	cache    Cache
	old, new []job
	was, is  *tally
	read     []string
}

// jobs finds, for each root, the changed files that are searched through it.
func (d *differ) jobs(ctx context.Context, after Source, was, is *layout, changes []Change) error {
	f, err := d.q.ancestorFilter(ctx, after, is, changes)
	if err != nil {
		return err
	}
	for i, r := range is.roots {
		at := circumstances{explicit: !r.dir, mapped: is.mapped, names: is.names}
		for _, c := range changes {
			for _, side := range []struct {
				file *File
				root root
				jobs *[]job
				into *tally
			}{{c.Old, was.roots[i], &d.old, d.was}, {c.New, r, &d.new, d.is}} {
				if side.file == nil || !side.file.regular() {
					continue
				}
				ok, err := f.admits(side.root, side.file.Path)
				if err != nil {
					return err
				}
				if ok {
					*side.jobs = append(*side.jobs, job{*side.file, at, side.into})
				}
			}
		}
	}
	return nil
}

// noteRead notes which of the changed files are evaluated, on either side.
func (d *differ) noteRead(changes []Change) {
	evaluated := map[File]bool{}
	for _, j := range slices.Concat(d.old, d.new) {
		evaluated[j.file] = true
	}
	for _, c := range changes {
		for _, f := range []*File{c.Old, c.New} {
			if f != nil && evaluated[*f] {
				d.read = append(d.read, f.Path)
			}
		}
	}
	slices.Sort(d.read)
	d.read = slices.Compact(d.read)
}

// compare evaluates both sides and pairs their lines.
func (d *differ) compare(ctx context.Context, before, after Source) (Delta, error) {
	e := &evaluation{q: d.q, scan: d.q.newScanner(ctx, maxDeltaLines), cache: d.cache}
	e.recall(ctx, d.old, d.new)
	for _, s := range []struct {
		src  Source
		jobs []job
		into *tally
	}{{before, d.old, d.was}, {after, d.new, d.is}} {
		if err := e.evaluate(ctx, s.src, s.jobs); err != nil {
			return Delta{}, err
		}
		s.into.compact()
		switch {
		case s.into.uncertain != "":
			return Delta{}, fmt.Errorf("%q depends on other files: %w", s.into.uncertain, ErrNeedsFull)
		case s.into.truncated:
			return Delta{}, unsupported("", "more than %d matching lines in the changed files", maxDeltaLines)
		}
	}
	lost, added, moved := pair(d.was.matches(), d.is.matches())
	out := Delta{
		HitsBefore: d.was.hits, HitsDelta: d.is.hits - d.was.hits,
		Moved: moved && len(lost)+len(added) == 0, Read: d.read,
	}
	out.Unread = slices.Concat(d.was.unread, d.is.unread)
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
