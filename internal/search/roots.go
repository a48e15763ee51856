package search

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// root is a path that ripgrep is given and that exists.
type root struct {
	path string
	dir  bool
	file File // when not dir
}

// covers reports whether the file at path is searched through the root, as far
// as the root alone can tell.
func (r root) covers(path string) bool {
	if r.dir {
		return below(path, r.path)
	}
	return path == r.path
}

// layout is how the paths of a search stand in one tree.
type layout struct {
	roots       []root
	scopeExists bool
	names       bool // ripgrep prints the file name before each line
	mapped      bool // ripgrep maps files into memory instead of reading them
}

func (l *layout) equal(m *layout) bool {
	return l.scopeExists == m.scopeExists && l.names == m.names && l.mapped == m.mapped &&
		slices.EqualFunc(l.roots, m.roots, func(a, b root) bool { return a.path == b.path && a.dir == b.dir })
}

// statFunc says what stands at a path.
type statFunc func(path string) (File, bool, error)

// layoutOf finds what the paths of the query are in a tree.
func (q *Query) layoutOf(stat statFunc) (*layout, error) {
	l := &layout{}
	arguments, allFiles := 0, true
	given := map[string]bool{}
	hasScope := q.hasScope()
	for _, p := range q.paths {
		f, found, err := statPath(p, stat)
		if err != nil {
			return nil, err
		}
		l.scopeExists = l.scopeExists || found && p.onCommand != hasScope
		if !p.onCommand && (!found || given[p.path]) {
			continue // a scope path that is not there, or is given already, is not added
		}
		given[p.path] = true
		arguments++
		dir := found && f.Mode == ModeDir
		allFiles = allFiles && found && !dir
		if found {
			l.roots = append(l.roots, root{path: p.path, dir: dir, file: f})
		}
	}
	l.names = !q.o.noNames && (q.o.names || q.o.vimgrep || arguments > 1 || len(l.roots) > 0 && l.roots[0].dir)
	const fewPaths = 10 // up to which ripgrep maps files that are all named
	l.mapped = q.o.mmap || !q.o.noMmap && allFiles && arguments <= fewPaths
	return l, nil
}

// Absent returns the paths of the scope that do not exist in a tree. ripgrep passes
// them over, and what it prints is silent about them. Where a path is or leads through
// a symbolic link that is not told: an *UnsupportedError.
func (r *Reach) Absent(ctx context.Context, src Source) ([]string, error) {
	stat := statSource(ctx, src)
	hasScope := r.hasScope()
	var out []string
	for _, p := range r.paths {
		if p.onCommand == hasScope {
			continue
		}
		_, found, err := statPath(p, stat)
		if err != nil {
			return nil, err
		}
		if !found && !slices.Contains(out, p.path) {
			out = append(out, p.path)
		}
	}
	return out, nil
}

// hasScope reports whether paths are given beside the command; otherwise those of the
// command are the scope.
func (r *Reach) hasScope() bool {
	return slices.ContainsFunc(r.paths, func(p scopePath) bool { return !p.onCommand })
}

// statPath looks at one path of the query. Symbolic links on the way are refused:
// ripgrep follows those that it is given.
func statPath(p scopePath, stat statFunc) (File, bool, error) {
	if p.path == "" {
		return File{Mode: ModeDir}, true, nil
	}
	f, found, err := stat(p.path)
	if err != nil {
		return f, false, fmt.Errorf("look at %q: %w", p.path, err)
	}
	if !found {
		for _, dir := range ancestors(p.path) {
			if dir == "" {
				break
			}
			if d, ok, err := stat(dir); err != nil {
				return f, false, fmt.Errorf("look at %q: %w", dir, err)
			} else if ok && d.Mode == ModeSymlink {
				return f, false, unsupported(p.path, "the path leads through a symbolic link")
			}
		}
		return f, false, nil
	}
	switch f.Mode {
	case ModeSymlink:
		return f, false, unsupported(p.path, "the path is a symbolic link")
	case ModeSubmodule: // an empty directory in a fresh clone
		f.Mode = ModeDir
	case ModeDir:
	default:
		if p.dirOnly {
			return f, false, nil // a file with a trailing slash is not there
		}
	}
	return f, true, nil
}

// listing is a sorted list of the files at and below some paths.
type listing []File

// stat answers from the listing, which must hold what is at and below path.
func (l listing) stat(path string) (File, bool, error) {
	i := sort.Search(len(l), func(i int) bool { return l[i].Path >= path })
	if i < len(l) && l[i].Path == path {
		return l[i], true, nil
	}
	prefix := path + "/"
	i = sort.Search(len(l), func(i int) bool { return l[i].Path >= prefix })
	if i < len(l) && strings.HasPrefix(l[i].Path, prefix) {
		return File{Path: path, Mode: ModeDir}, true, nil
	}
	return File{}, false, nil
}

// under returns the files of the listing that lie under dir.
func (l listing) under(dir string) listing {
	if dir == "" {
		return l
	}
	lo := sort.Search(len(l), func(i int) bool { return l[i].Path >= dir+"/" })
	hi := sort.Search(len(l), func(i int) bool { return l[i].Path >= dir+"0" }) // '0' follows '/'
	return l[lo:hi]
}

// statSource looks at a path by whatever the source can do.
func statSource(ctx context.Context, src Source) statFunc {
	if s, ok := src.(Stater); ok {
		return func(path string) (File, bool, error) { return s.Stat(ctx, path) }
	}
	return func(path string) (File, bool, error) {
		files, err := src.List(ctx, []string{path})
		if err != nil {
			return File{}, false, err
		}
		return listing(files).stat(path)
	}
}
