package evidence

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/syntax"
)

// changeIndex answers questions about what differs between the two trees.
type changeIndex struct {
	old, new map[string]search.File // entries that differ, by path
	added    []search.File          // regular files at paths that were none at base, by path
	removed  []search.File          // regular files at base whose path is none at head, by path
	modified []search.File          // regular files at head whose path was one at base, by path
}

// indexChanges builds the index. A rename counts as a removal and an addition.
func indexChanges(changes []search.Change) *changeIndex {
	x := &changeIndex{old: map[string]search.File{}, new: map[string]search.File{}}
	for _, c := range changes {
		if c.Old != nil {
			x.old[c.Old.Path] = *c.Old
		}
		if c.New != nil {
			x.new[c.New.Path] = *c.New
		}
	}
	for p, f := range x.new {
		if !isRegular(f.Mode) {
			continue
		}
		if was, ok := x.old[p]; ok && isRegular(was.Mode) {
			x.modified = append(x.modified, f)
		} else {
			x.added = append(x.added, f)
		}
	}
	for p, f := range x.old {
		if now, ok := x.new[p]; isRegular(f.Mode) && (!ok || !isRegular(now.Mode)) {
			x.removed = append(x.removed, f)
		}
	}
	for _, list := range [][]search.File{x.added, x.removed, x.modified} {
		slices.SortFunc(list, func(a, b search.File) int { return strings.Compare(a.Path, b.Path) })
	}
	return x
}

// touched reports whether anything changed at the path.
func (x *changeIndex) touched(p string) bool {
	_, was := x.old[p]
	_, is := x.new[p]
	return was || is
}

// nearness orders files by how near their path is to a given one: the same
// extension, then the same name, then equal trailing and leading directories.
type nearness [4]int

func near(a, b string) nearness {
	var n nearness
	if sameLanguage(a, b) {
		n[0] = 1
	}
	if path.Base(a) == path.Base(b) {
		n[1] = 1
	}
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	for n[2] < min(len(x), len(y)) && x[len(x)-1-n[2]] == y[len(y)-1-n[2]] {
		n[2]++
	}
	for n[3] < min(len(x), len(y)) && x[n[3]] == y[n[3]] {
		n[3]++
	}
	return n
}

// nearest returns at most limit of the files, the nearest to p first.
func nearest(files []search.File, p string, limit int) []search.File {
	type ranked struct {
		file search.File
		near nearness
	}
	list := make([]ranked, len(files))
	for i, f := range files {
		list[i] = ranked{f, near(p, f.Path)}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return slices.Compare(b.near[:], a.near[:]) })
	out := make([]search.File, 0, min(limit, len(list)))
	for _, r := range list[:min(limit, len(list))] {
		out = append(out, r.file)
	}
	return out
}

func sameLanguage(a, b string) bool { return cmp.Compare(syntax.Family(a), syntax.Family(b)) == 0 }
