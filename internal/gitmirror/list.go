package gitmirror

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Entry is one path of a commit.
type Entry struct {
	Path string // slash-separated, relative to the root; any bytes but NUL may occur
	Mode uint32 // as git has it, such as 0o100644
	OID  OID    // for a submodule a commit of another repository
	Type string // "blob", "commit" for a submodule, "tree" from PathAt only
}

const (
	// maxListEntries bounds the entries, and the directories, of one listing.
	maxListEntries = 1_000_000
	// maxListBytes bounds the length of all their paths together.
	maxListBytes = 256 << 20
	// maxTreeDepth is the deepest nesting that is followed, as in git since 2.43.
	maxTreeDepth = 2048
)

// List returns every file, symbolic link and submodule at or below the paths,
// sorted by path, each once. "" or "." is the root. A path that names nothing, or
// leads out of the repository, adds nothing; one that ends with a slash names a
// directory only. Symbolic links are not followed.
//
// It reads tree objects through the long-lived process, and remembers them, so a
// few paths cost a few trees and no new process.
//
// Errors: ErrUnknownRev for the commit, ErrMissing for a tree that is not there,
// ErrTooLarge beyond the limits above, ErrCorrupt for a tree that is none.
func (r *Repo) List(ctx context.Context, commit OID, paths []string) ([]Entry, error) {
	entries, err := r.list(ctx, commit, paths)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", commit.Short(), err)
	}
	return entries, nil
}

func (r *Repo) list(ctx context.Context, commit OID, paths []string) ([]Entry, error) {
	want := newSelection(paths)
	if want == nil {
		return nil, nil
	}
	root, err := r.rootTree(ctx, commit)
	if err != nil {
		return nil, err
	}
	l := &lister{repo: r}
	level := []directory{{oid: root, want: want}}
	for depth := 0; len(level) > 0; depth++ {
		if depth > maxTreeDepth {
			return nil, fmt.Errorf("directories nested deeper than %d: %w", maxTreeDepth, ErrTooLarge)
		}
		if level, err = l.expand(ctx, level); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(l.found, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return l.found, nil
}

// PathAt returns the entry at exactly that path, a directory included; "" is the
// root. A path through a symbolic link or a submodule is ErrNotFound.
func (r *Repo) PathAt(ctx context.Context, commit OID, p string) (Entry, error) {
	fail := func(err error) (Entry, error) {
		return Entry{}, fmt.Errorf("look for %q in %s: %w", clip(p), commit.Short(), err)
	}
	names, ok := splitPath(p)
	if !ok {
		return fail(ErrNotFound)
	}
	root, err := r.rootTree(ctx, commit)
	if err != nil {
		return fail(err)
	}
	at := Entry{Mode: ModeTree, OID: root, Type: kindTree}
	for _, name := range names {
		if at.Type != kindTree {
			return fail(ErrNotFound)
		}
		var next Entry
		err := r.readTrees(ctx, []OID{at.OID}, func(_ int, raw []byte) error {
			return eachEntry(raw, len(at.OID)/2, func(e treeEntry) bool {
				if string(e.name) != name {
					return true
				}
				next = Entry{Path: path.Join(at.Path, name), Mode: e.mode, OID: e.oid(), Type: e.kind()}
				return false
			})
		})
		if err != nil {
			return fail(err)
		}
		if next.Type == "" {
			return fail(ErrNotFound)
		}
		at = next
	}
	if at.Type != kindTree && strings.HasSuffix(p, "/") {
		return fail(ErrNotFound)
	}
	return at, nil
}

// splitPath returns the names on the way to a path, or false when it leads out of
// the repository.
func splitPath(p string) (names []string, inside bool) {
	if strings.HasPrefix(p, "/") || strings.ContainsRune(p, 0) {
		return nil, false
	}
	clean := path.Clean(p)
	switch {
	case clean == ".":
		return nil, true
	case clean == "..", strings.HasPrefix(clean, "../"):
		return nil, false
	}
	return strings.Split(clean, "/"), true
}

// selection is a set of paths as a tree of names.
type selection struct {
	all     bool // everything at and below is wanted
	dirOnly bool // but only when it is a directory
	below   map[string]*selection
}

// newSelection returns nil when no path can name anything.
func newSelection(paths []string) *selection {
	root, any := &selection{}, false
	for _, p := range paths {
		names, inside := splitPath(p)
		if !inside {
			continue
		}
		any = true
		at := root
		for _, name := range names {
			if at.below == nil {
				at.below = map[string]*selection{}
			}
			next := at.below[name]
			if next == nil {
				next = &selection{}
				at.below[name] = next
			}
			at = next
		}
		dirOnly := strings.HasSuffix(p, "/")
		at.dirOnly = dirOnly && (!at.all || at.dirOnly)
		at.all = true
	}
	if !any {
		return nil
	}
	return root
}

// everything is the selection below a wanted directory.
var everything = &selection{all: true}

func (s *selection) child(name []byte) *selection {
	if s.all {
		return everything
	}
	return s.below[string(name)]
}

// directory is a tree object that waits to be read.
type directory struct {
	prefix string // its path with a final slash, or ""
	oid    OID
	want   *selection
}

// lister collects entries level by level, so that all trees of a level are read in
// one exchange.
type lister struct {
	repo        *Repo
	found       []Entry
	directories int
	pathBytes   int
}

func (l *lister) expand(ctx context.Context, level []directory) ([]directory, error) {
	var next []directory
	for chunk := range slices.Chunk(level, batchNames) {
		oids := make([]OID, len(chunk))
		for i, d := range chunk {
			oids[i] = d.oid
		}
		err := l.repo.readTrees(ctx, oids, func(i int, raw []byte) (err error) {
			next, err = l.visit(chunk[i], raw, next)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return next, nil
}

// visit sorts the entries of one directory into found and next.
func (l *lister) visit(d directory, raw []byte, next []directory) ([]directory, error) {
	var full error
	err := eachEntry(raw, len(d.oid)/2, func(e treeEntry) bool {
		want := d.want.child(e.name)
		if want == nil {
			return true
		}
		switch {
		case e.mode == ModeTree:
			l.directories++
			next = append(next, directory{prefix: d.prefix + string(e.name) + "/", oid: e.oid(), want: want})
		case want.all && !want.dirOnly:
			l.found = append(l.found, Entry{Path: d.prefix + string(e.name), Mode: e.mode, OID: e.oid(), Type: e.kind()})
		default:
			return true
		}
		l.pathBytes += len(d.prefix) + len(e.name)
		full = l.checkLimits()
		return full == nil
	})
	if err == nil {
		err = full
	}
	return next, err
}

func (l *lister) checkLimits() error {
	switch {
	case len(l.found) > maxListEntries, l.directories > maxListEntries:
		return fmt.Errorf("more than %d files or directories: %w", maxListEntries, ErrTooLarge)
	case l.pathBytes > maxListBytes:
		return fmt.Errorf("paths of more than %d bytes: %w", maxListBytes, ErrTooLarge)
	}
	return nil
}
