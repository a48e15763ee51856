package evidence

import (
	"context"
	"fmt"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// Options bound and tune a Follower. The zero value is the default.
type Options struct {
	// MaxFile is the size in bytes above which a file is not read; 0 is MaxFile.
	MaxFile int64
	// Search options are handed to every evaluation of a search, for example a
	// cache.
	Search []search.Option
}

// Follower finds the state of evidence items at head, given what differs between
// the trees at base and at head. It presumes that the items held at base. It
// keeps the files and line maps that it made, for this pair of trees, and is not
// safe for concurrent use.
type Follower struct {
	src            Source
	opts           Options
	changes        []search.Change
	index          *changeIndex
	documents      map[string]*document
	pairs          map[[2]*document]*pair
	origins        map[string]*document // by added path, see origin
	ties           map[string]string    // by added path, another removed file that it may as well continue
	next           map[string]*document // by removed path, see successor
	searches       map[searchKey]outcome.Item
	queries        map[queryKey]*parsed
	candidateBytes int64           // bytes read of files that lines may have moved to
	fetched        oidSet          // what was asked for already
	absent         map[string]bool // unchanged paths that are no files at head
	listed         map[string]bool // unchanged paths that were looked up
}

// New returns a Follower over the two trees of src and all that differs between
// them.
func New(src Source, changes []search.Change, opts Options) *Follower {
	if opts.MaxFile == 0 {
		opts.MaxFile = MaxFile
	}
	return &Follower{
		src: src, opts: opts, changes: changes, index: indexChanges(changes),
		documents: map[string]*document{}, pairs: map[[2]*document]*pair{}, origins: map[string]*document{},
		next: map[string]*document{}, ties: map[string]string{},
		searches: map[searchKey]outcome.Item{}, queries: map[queryKey]*parsed{},
		fetched: oidSet{}, absent: map[string]bool{}, listed: map[string]bool{},
	}
}

// Follow returns the state of the item at head and where it stands there. The
// error is one of the infrastructure (reading, context); whatever the trees hold
// ends in a state, with the reason in plain words where the item does not hold.
func (f *Follower) Follow(ctx context.Context, e scorecard.Evidence) (outcome.Item, error) {
	if err := ctx.Err(); err != nil {
		return outcome.Item{}, err
	}
	if e.IsSearch() {
		return f.search(ctx, e)
	}
	return f.citation(ctx, e)
}

// Token follows a path:lines reference, such as stands in a card's prose, in the
// same way as a citation without a quote.
func (f *Follower) Token(ctx context.Context, file string, lines scorecard.LineRange) (outcome.Item, error) {
	return f.Follow(ctx, scorecard.Evidence{File: file, Lines: lines})
}

// Prefetch makes everything readable, in one round trip, that the items surely
// need: both sides of cited files that changed, the files that those were most
// likely renamed to, and the changed files that searches read. It also looks up,
// in one listing, whether cited files that did not change exist at all.
func (f *Follower) Prefetch(ctx context.Context, items []scorecard.Evidence) error {
	want := oidSet{}
	var unchanged []string
	for _, e := range items {
		switch {
		case e.IsSearch():
			f.wantSearch(want, e)
		case f.index.touched(e.File):
			f.wantCitation(want, e.File)
		case !f.listed[e.File]:
			f.listed[e.File] = true
			unchanged = append(unchanged, e.File)
		}
	}
	if err := f.lookUp(ctx, unchanged); err != nil {
		return err
	}
	if err := f.fetch(ctx, want); err != nil {
		return fmt.Errorf("fetch what evidence rests on: %w", err)
	}
	return nil
}

// fetch makes blobs readable in one round trip, if any was not asked for before.
func (f *Follower) fetch(ctx context.Context, want oidSet) error {
	fresh := oidSet{}
	for oid := range want {
		if !f.fetched[oid] {
			fresh.add(oid)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	if err := f.src.Prefetch(ctx, fresh.sorted()); err != nil {
		return fmt.Errorf("%d files: %w", len(fresh), err)
	}
	f.fetched.add(fresh.sorted()...)
	return nil
}

// lookUp notes which of the unchanged paths are no regular files at head. A path
// that cannot be looked up at all, such as one that leaves the tree, is none.
func (f *Follower) lookUp(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	found, err := f.src.New().List(ctx, paths)
	if err != nil {
		return fmt.Errorf("list %d cited files at head: %w", len(paths), err)
	}
	for _, p := range paths {
		f.absent[p] = true
	}
	for _, file := range found {
		if isRegular(file.Mode) {
			delete(f.absent, file.Path)
		}
	}
	return nil
}

// wantCitation adds the blobs that following a citation of a changed file needs.
func (f *Follower) wantCitation(want oidSet, path string) {
	old, was := f.index.old[path]
	if !was || !isRegular(old.Mode) {
		return
	}
	now, is := f.index.new[path]
	if is && isRegular(now.Mode) {
		if now.OID != old.OID {
			want.add(old.OID, now.OID)
		}
		return
	}
	if len(f.exactSuccessors(old)) > 0 {
		return
	}
	want.add(old.OID)
	for _, c := range nearest(f.successors(path), path, likelySuccessors) {
		want.add(c.OID)
	}
}
