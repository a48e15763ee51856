package gitmirror

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/search"
)

// Tree is one commit of a Repo as the search engine reads it.
type Tree struct {
	repo   *Repo
	commit OID
}

var (
	_ search.Source = (*Tree)(nil)
	_ search.Walker = (*Tree)(nil)
)

// At binds a commit. Whether there is one shows when it is read.
func (r *Repo) At(commit OID) *Tree { return &Tree{repo: r, commit: commit} }

// Commit returns the commit that the tree belongs to.
func (t *Tree) Commit() OID { return t.commit }

// List implements search.Source; see Repo.List.
func (t *Tree) List(ctx context.Context, paths []string) ([]search.File, error) {
	entries, err := t.repo.List(ctx, t.commit, paths)
	if err != nil {
		return nil, err
	}
	files := make([]search.File, len(entries))
	for i, e := range entries {
		files[i] = e.file()
	}
	return files, nil
}

// Stat implements search.Stater; see Repo.PathAt.
func (t *Tree) Stat(ctx context.Context, path string) (f search.File, found bool, err error) {
	entry, err := t.repo.PathAt(ctx, t.commit, path)
	switch {
	case errors.Is(err, ErrNotFound):
		return search.File{}, false, nil
	case err != nil:
		return search.File{}, false, err
	}
	return entry.file(), true, nil
}

// Dirs implements search.Walker. Trees that are not there are an error that wraps
// ErrMissing.
func (t *Tree) Dirs(ctx context.Context, dirs []search.File, fn func(i int, entries search.Listing) error) error {
	oids := make([]OID, len(dirs))
	for i, d := range dirs {
		oids[i] = OID(d.OID)
	}
	for from := 0; from < len(oids); from += batchNames {
		err := t.repo.readTrees(ctx, oids[from:min(from+batchNames, len(oids))], func(i int, raw []byte) error {
			entries, err := newListing(dirs[from+i], raw)
			if err != nil {
				return err
			}
			return fn(from+i, entries)
		})
		if err != nil {
			return fmt.Errorf("read %d directories of %s: %w", len(dirs), t.commit.Short(), err)
		}
	}
	return nil
}

// listing is a tree object as search.Listing has it. Positions are byte offsets.
type listing struct {
	prefix string // path of the directory, with a slash, or ""
	idLen  int    // of a binary id
	raw    []byte
}

// newListing checks the tree object of a directory.
func newListing(dir search.File, raw []byte) (*listing, error) {
	l := &listing{idLen: len(dir.OID) / 2, raw: raw}
	if dir.Path != "" {
		l.prefix = dir.Path + "/"
	}
	return l, eachEntry(raw, l.idLen, func(treeEntry) bool { return true })
}

// From implements search.Listing. The strings of the files are pieces of one, for
// there are as many as files.
func (l *listing) From(at, most int, files []search.File) (all []search.File, next int) {
	n, size, next := 0, 0, -1
	l.each(at, func(e treeEntry) bool {
		if n == most {
			next = at + e.at
			return false
		}
		n++
		size += len(l.prefix) + len(e.name) + 2*l.idLen
		return true
	})
	var text strings.Builder
	text.Grow(size) // so that it never moves
	files = slices.Grow(files, n)
	l.each(at, func(e treeEntry) bool {
		if n == 0 {
			return false
		}
		n--
		path := text.Len()
		text.WriteString(l.prefix)
		text.Write(e.name)
		id := text.Len()
		var hexed [2 * maxIDLen]byte
		text.Write(hex.AppendEncode(hexed[:0], e.id))
		files = append(files, search.File{Path: text.String()[path:id], Mode: e.mode, OID: text.String()[id:]})
		return true
	})
	return files, next
}

// each calls fn for the entries from a position on until it returns false.
// newListing has found no error in them.
func (l *listing) each(at int, fn func(treeEntry) bool) { _ = eachEntry(l.raw[at:], l.idLen, fn) }

// Read implements search.Source: it calls fn for each file, in order, and stops at
// the first error. The content is valid during the call alone. A file above the limit set by WithBlobLimit is an error that
// wraps search.ErrTooLarge, one that is not there an error that wraps ErrMissing.
func (t *Tree) Read(ctx context.Context, files []search.File, fn func(f search.File, data []byte) error) error {
	oids := make([]OID, len(files))
	for i, f := range files {
		oids[i] = OID(f.OID)
	}
	at := 0
	on := t.repo.takeShelf()
	defer t.repo.giveBack(on)
	return t.repo.eachBlob(ctx, oids, t.repo.blobLimit, on, func(_ OID, data []byte, err error) error {
		f := files[at]
		at++
		switch {
		case errors.Is(err, ErrTooLarge):
			return fmt.Errorf("read %q: %w: %w", clip(f.Path), search.ErrTooLarge, err)
		case err != nil:
			return fmt.Errorf("read %q: %w", clip(f.Path), err)
		}
		return fn(f, data)
	})
}

func (e Entry) file() search.File {
	return search.File{Path: e.Path, Mode: e.Mode, OID: string(e.OID)}
}
