package search

import (
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/search/ignore"
)

// Touches returns the changed paths that may alter the result, sorted: those that
// the scope, the globs, the types and the depth let pass, ignore files above or in
// the scope, what stands where a directory above the scope would be (a link or a
// submodule there leads the scope elsewhere), and what is removed where nothing
// else in a path of the search is known to be left. It goes by paths alone and
// reads nothing, so that a path that an ignore file leaves out is among them;
// Delta.Read tells those apart. Where ignore files are respected that goes for
// hidden files too, which an ignore file may include.
func (r *Reach) Touches(changes []Change) []string {
	var out []string
	for _, c := range changes {
		for _, f := range []*File{c.Old, c.New} {
			if f != nil && (r.mayRead(f.Path) || r.mayRule(f.Path)) {
				out = append(out, f.Path)
			}
		}
	}
	for _, p := range r.paths {
		out = append(out, r.mayExist(p.path, changes)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// mayExist returns the changes by which a directory of the search may have come to
// an end. Of several paths it returns those too by which one may have come to be:
// how many there are decides whether file names are printed.
func (r *Reach) mayExist(dir string, changes []Change) []string {
	var old, new []string
	for _, c := range changes {
		if c.Old != nil && below(c.Old.Path, dir) {
			old = append(old, c.Old.Path)
		}
		if c.New != nil && below(c.New.Path, dir) {
			new = append(new, c.New.Path)
		}
	}
	switch {
	case dir == "":
		return nil
	case len(new) == 0:
		return old
	case len(old) == 0 && len(r.paths) > 1:
		return new
	}
	return nil
}

// mayRead reports whether the search could read a file at the path, or could not
// because of it.
func (r *Reach) mayRead(path string) bool {
	for _, p := range r.paths {
		if path == p.path || below(p.path, path) || below(path, p.path) && r.mayWalkTo(p.path, path) {
			return true
		}
	}
	return false
}

// mayWalkTo is mayRead for a path below a directory of the search.
func (r *Reach) mayWalkTo(dir, path string) bool {
	if r.o.hasMaxDepth && strings.Count(relative(path, dir), "/")+1 > r.o.maxDepth {
		return false
	}
	for d := parent(path); d != dir; d = parent(d) {
		if !r.mayPass(d, true) {
			return false
		}
	}
	return r.mayPass(path, false)
}

// mayPass reports whether an entry may pass whatever the ignore files say.
func (r *Reach) mayPass(path string, isDir bool) bool {
	v := r.overrides.Override(path, isDir)
	if v == ignore.None {
		v = r.types.Match(path, isDir)
	}
	if v == ignore.None && ignore.Hidden(path) {
		return r.showHidden() || r.ignoreKinds().any()
	}
	return v != ignore.Ignore
}

// mayRule reports whether the path is an ignore file that may decide what the
// search reads.
func (r *Reach) mayRule(path string) bool {
	if !slices.Contains(r.ignoreKinds().names(), baseName(path)) {
		return false
	}
	dir := parent(path)
	for _, p := range r.paths {
		switch {
		case dir == p.path || below(dir, p.path):
			return true
		case below(p.path, dir) && r.parentRules():
			return true
		}
	}
	return false
}
