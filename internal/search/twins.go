package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// twins walks two trees at once, a directory on both sides before the next, so that
// what is held does not grow with the trees.
type twins struct {
	*differ
	sides    [2]*twin // before and after
	branches []*fork  // directories with others in them that are not looked into yet, the next one last
	entries  int
	bytes    int
}

// twin is one of the two trees.
type twin struct {
	*half
	walker Walker
	layout *layout
	filter *filter
	rules  map[string]bool // ignore files by path
	fresh  []File          // those that the filter has not read
}

// fork is a directory through a root on both sides; Mode is 0 on one where there is
// none.
type fork struct {
	root int
	dirs [2]File
	in   [2]Listing // what stands in it; nil where nothing does
	next *merger    // of the directories in it
}

// walk finds the files that one side alone searches, or with another content.
func (t *twins) walk(ctx context.Context) error {
	level, err := t.start(ctx)
	for len(level) > 0 && err == nil {
		if err = t.expand(ctx, level); err == nil {
			level = t.take()
		}
	}
	return err
}

// start returns the directories that are given to the search.
func (t *twins) start(ctx context.Context) ([]*fork, error) {
	level := make([]*fork, len(t.sides[0].layout.roots))
	for i := range level {
		level[i] = &fork{root: i}
	}
	for s, side := range t.sides {
		rules, err := t.q.rulesAround(ctx, side.src)
		if err != nil {
			return nil, err
		}
		side.rules = map[string]bool{}
		side.meet(rules)
		if side.filter, err = t.q.newFilter(ctx, side.src, side.layout, side.fresh); err != nil {
			return nil, err
		}
		side.fresh = nil
		for i, r := range side.layout.roots {
			if !r.dir {
				level[i].dirs[s] = r.file
			} else if level[i].dirs[s], _, err = side.walker.Stat(ctx, r.path); err != nil {
				return nil, fmt.Errorf("look at %q: %w", r.path, err)
			}
		}
	}
	return slices.DeleteFunc(level, t.named), nil
}

// named takes in a root that is no directory.
func (t *twins) named(f *fork) bool {
	if t.sides[0].layout.roots[f.root].dir {
		return f.dirs[0].Mode != ModeDir && f.dirs[1].Mode != ModeDir // submodules, which are empty
	}
	if f.dirs[0].OID != f.dirs[1].OID {
		for s, side := range t.sides {
			at := side.filter.circumstances(side.layout.roots[f.root])
			side.jobs = append(side.jobs, job{f.dirs[s], at, side.into})
		}
	}
	return true
}

// meet takes note of the ignore files among entries.
func (w *twin) meet(entries []File) {
	names := w.filterNames()
	for _, f := range entries {
		if f.Mode != ModeDir && slices.Contains(names, baseName(f.Path)) && !w.rules[f.Path] {
			f = f.alone()
			w.rules[f.Path] = true
			w.fresh = append(w.fresh, f)
		}
	}
}

func (w *twin) filterNames() []string { return w.into.q.ignoreKinds().names() }

// expand looks into directories: their ignore files first, for they decide on the
// others.
func (t *twins) expand(ctx context.Context, level []*fork) error {
	for s, side := range t.sides {
		if err := side.list(ctx, level, s); err != nil {
			return err
		}
	}
	for _, f := range level {
		if err := t.compareIn(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// list lists the directories on one side and learns the ignore files in them.
func (w *twin) list(ctx context.Context, level []*fork, s int) error {
	var dirs []File
	var of []*fork
	for _, f := range level {
		if f.dirs[s].Mode == ModeDir {
			dirs, of = append(dirs, f.dirs[s]), append(of, f)
		}
	}
	err := w.walker.Dirs(ctx, dirs, func(i int, entries Listing) error {
		of[i].in[s] = entries
		var piece []File
		for at := 0; at >= 0; {
			piece, at = entries.From(at, entriesAtOnce, piece[:0])
			w.meet(piece)
		}
		return ctx.Err()
	})
	if err != nil {
		return fmt.Errorf("walk the scope: %w", err)
	}
	fresh := w.fresh
	w.fresh = nil
	return w.filter.learn(ctx, w.src, fresh)
}

// compareIn compares what the search reads right in a directory.
func (t *twins) compareIn(ctx context.Context, f *fork) error {
	dirs := false
	m := newMerger(f.in, entriesAtOnce)
	for {
		pair, ok := m.pull()
		if !ok {
			break
		}
		for _, file := range pair {
			t.entries++
			t.bytes += len(file.Path)
			dirs = dirs || file.Mode == ModeDir
		}
		if t.entries > 2*maxCountedEntries || t.bytes > 2*maxCountedBytes {
			return errStopped
		}
		if err := t.differing(ctx, f.root, pair); err != nil {
			return err
		}
	}
	if dirs {
		f.next = newMerger(f.in, dirsAtOnce)
		t.branches = append(t.branches, f)
	}
	f.in = [2]Listing{}
	return nil
}

// differing lets a file wait on the sides that search it, unless both do, with one
// content.
func (t *twins) differing(ctx context.Context, root int, pair [2]File) error {
	var searched [2]bool
	for s, side := range t.sides {
		var err error
		if searched[s], err = side.filter.searches(ctx, side.layout.roots[root], pair[s]); err != nil {
			return err
		}
	}
	if searched[0] && searched[1] && pair[0].OID == pair[1].OID {
		return nil
	}
	for s, side := range t.sides {
		if searched[s] {
			at := side.filter.circumstances(side.layout.roots[root])
			side.jobs = append(side.jobs, job{pair[s], at, side.into})
		}
	}
	if len(t.old.jobs)+len(t.new.jobs) < filesAtOnce {
		return nil
	}
	return t.evaluate(ctx)
}

// take returns the next directories, the deepest first.
func (t *twins) take() (level []*fork) {
	for len(level) < dirsAtOnce && len(t.branches) > 0 {
		f := t.branches[len(t.branches)-1]
		pair, ok := f.next.pull()
		if !ok {
			t.branches = slices.Delete(t.branches, len(t.branches)-1, len(t.branches))
			continue
		}
		below := &fork{root: f.root}
		for s := range pair {
			if pair[s].Mode == ModeDir {
				below.dirs[s] = pair[s].alone()
			}
		}
		if below.dirs[0].Mode == ModeDir || below.dirs[1].Mode == ModeDir {
			level = append(level, below)
		}
	}
	return level
}

// merger goes through two listings at once, in git's order, and pairs what has the
// same name and is a directory, or none, on both sides.
type merger struct {
	most  int
	in    [2]Listing
	piece [2][]File
	next  [2]int
}

func newMerger(in [2]Listing, most int) *merger { return &merger{most: most, in: in} }

// pull returns the next pair; what only one side has is alone in it.
func (m *merger) pull() (pair [2]File, ok bool) {
	a, isA := m.first(0)
	b, isB := m.first(1)
	if !isA && !isB {
		return pair, false
	}
	order := cmp.Compare(gitOrder(a), gitOrder(b))
	if isA && (!isB || order <= 0) {
		pair[0], m.piece[0] = a, m.piece[0][1:]
	}
	if isB && (!isA || order >= 0) {
		pair[1], m.piece[1] = b, m.piece[1][1:]
	}
	return pair, true
}

// first is the next entry of a side.
func (m *merger) first(s int) (File, bool) {
	for len(m.piece[s]) == 0 {
		if m.in[s] == nil || m.next[s] < 0 {
			return File{}, false
		}
		m.piece[s], m.next[s] = m.in[s].From(m.next[s], m.most, nil)
	}
	return m.piece[s][0], true
}

// gitOrder is what git sorts the entries of a directory by.
func gitOrder(f File) string {
	if f.Mode == ModeDir {
		return f.Path + "/"
	}
	return f.Path
}
