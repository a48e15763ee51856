package mutate

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/search"
)

// Base is a commit that mutants start from. Content is read when it is needed
// and kept. It is not safe for concurrent use.
type Base struct {
	files  []search.File // sorted by path
	byPath map[string]search.File
	source search.Source
	kept   map[string][]byte // by object id
}

// NewBase lists the source's tree.
func NewBase(ctx context.Context, source search.Source) (*Base, error) {
	files, err := source.List(ctx, []string{"."})
	if err != nil {
		return nil, fmt.Errorf("list the tree: %w", err)
	}
	b := &Base{files: files, byPath: map[string]search.File{}, source: source, kept: map[string][]byte{}}
	for _, f := range files {
		b.byPath[f.Path] = f
	}
	return b, nil
}

// Memory is a base of the given files.
func Memory(files map[string][]byte) *Base {
	b := &Base{byPath: map[string]search.File{}, kept: map[string][]byte{}}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		f := search.File{Path: p, Mode: search.ModeFile, OID: blobID(files[p])}
		b.files = append(b.files, f)
		b.byPath[p] = f
		b.kept[f.OID] = files[p]
	}
	return b
}

// Content returns what the file holds.
func (b *Base) Content(ctx context.Context, f search.File) ([]byte, error) {
	if data, ok := b.kept[f.OID]; ok {
		return data, nil
	}
	if b.source == nil {
		return nil, fmt.Errorf("%q has no content here", f.Path)
	}
	err := b.source.Read(ctx, []search.File{f}, func(_ search.File, data []byte) error {
		b.kept[f.OID] = slices.Clone(data)
		return nil
	})
	return b.kept[f.OID], err
}

// blobID is the id git gives to a blob, so that a file renamed as it is keeps the
// id that it has in a real repository.
func blobID(data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// Tree is a base with some files replaced, added or removed. Its methods that
// change it return another tree.
type Tree struct {
	base *Base
	over map[string]entry
}

// entry is a replaced file; a zero mode is a removed one.
type entry struct {
	file search.File
	data []byte
}

// Unchanged is the tree of the base itself.
func (b *Base) Unchanged() Tree { return Tree{base: b} }

// With writes a regular file.
func (t Tree) With(path string, data string) Tree {
	return t.set(path, search.ModeFile, blobID([]byte(data)), []byte(data))
}

// Link writes a symbolic link.
func (t Tree) Link(path, target string) Tree {
	return t.set(path, search.ModeSymlink, blobID([]byte(target)), []byte(target))
}

// Submodule puts another repository at the path.
func (t Tree) Submodule(path string) Tree {
	return t.set(path, search.ModeSubmodule, blobID([]byte("commit of "+path)), nil)
}

// Without removes a file.
func (t Tree) Without(path string) Tree { return t.set(path, 0, "", nil) }

func (t Tree) set(path string, mode uint32, oid string, data []byte) Tree {
	over := maps.Clone(t.over)
	if over == nil {
		over = map[string]entry{}
	}
	over[path] = entry{search.File{Path: path, Mode: mode, OID: oid}, data}
	return Tree{t.base, over}
}

// at returns the entry at a path.
func (t Tree) at(path string) (search.File, bool) {
	if e, ok := t.over[path]; ok {
		return e.file, e.file.Mode != 0
	}
	f, ok := t.base.byPath[path]
	return f, ok
}

// content returns a file's content.
func (t Tree) content(ctx context.Context, f search.File) ([]byte, error) {
	if e, ok := t.over[f.Path]; ok {
		return e.data, nil
	}
	return t.base.Content(ctx, f)
}

// List implements search.Source.
func (t Tree) List(_ context.Context, paths []string) ([]search.File, error) {
	wanted := func(p string) bool {
		return slices.ContainsFunc(paths, func(w string) bool {
			return w == "" || w == "." || p == w || strings.HasPrefix(p, w+"/")
		})
	}
	var out []search.File
	for _, f := range t.base.files {
		if _, replaced := t.over[f.Path]; !replaced && wanted(f.Path) {
			out = append(out, f)
		}
	}
	for p, e := range t.over {
		if e.file.Mode != 0 && wanted(p) {
			out = append(out, e.file)
		}
	}
	slices.SortFunc(out, func(a, b search.File) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

// Read implements search.Source.
func (t Tree) Read(ctx context.Context, files []search.File, fn func(search.File, []byte) error) error {
	for _, f := range files {
		data, err := t.content(ctx, f)
		if err != nil {
			return err
		}
		if err := fn(f, data); err != nil {
			return err
		}
	}
	return nil
}
