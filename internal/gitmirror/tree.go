package gitmirror

import (
	"context"
	"errors"
	"fmt"

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
func (t *Tree) Dirs(ctx context.Context, dirs []search.File, fn func(i int, entries []search.File) error) error {
	oids := make([]OID, len(dirs))
	for i, d := range dirs {
		oids[i] = OID(d.OID)
	}
	for from := 0; from < len(oids); from += batchNames {
		err := t.repo.readTrees(ctx, oids[from:min(from+batchNames, len(oids))], func(i int, raw []byte) error {
			entries, err := childrenOf(dirs[from+i], raw)
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

// childrenOf reads the tree object of a directory.
func childrenOf(dir search.File, raw []byte) ([]search.File, error) {
	prefix := ""
	if dir.Path != "" {
		prefix = dir.Path + "/"
	}
	var out []search.File
	err := eachEntry(raw, len(dir.OID)/2, func(e treeEntry) bool {
		out = append(out, search.File{Path: prefix + string(e.name), Mode: e.mode, OID: string(e.oid())})
		return true
	})
	return out, err
}

// Read implements search.Source: it calls fn for each file, in order, and stops at
// the first error. A file above the limit set by WithBlobLimit is an error that
// wraps search.ErrTooLarge, one that is not there an error that wraps ErrMissing.
func (t *Tree) Read(ctx context.Context, files []search.File, fn func(f search.File, data []byte) error) error {
	oids := make([]OID, len(files))
	for i, f := range files {
		oids[i] = OID(f.OID)
	}
	at := 0
	return t.repo.Blobs(ctx, oids, t.repo.blobLimit, func(_ OID, data []byte, err error) error {
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
