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
	_ search.Stater = (*Tree)(nil)
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
