package evidence

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// Bounds of the search for what a removed file became.
const (
	likelySuccessors = 4   // fetched ahead, the nearest names
	maxSuccessors    = 32  // read at most
	maxRivals        = 8   // removed files read to see whether one of them is nearer
	sameFile         = 0.5 // likeness from which a file is the continuation of another, as in git
)

// exactSuccessors lists the added files with the content of the removed one, the
// nearest in name alone, or several when they are equally near.
func (f *Follower) exactSuccessors(old search.File) []search.File {
	var same []search.File
	for _, c := range f.index.added {
		if c.OID == old.OID && continuable(old.Path, c.Path) && !f.nearerTwin(old, c) {
			same = append(same, c)
		}
	}
	same = nearest(same, old.Path, len(same))
	for i := 1; i < len(same); i++ {
		if near(old.Path, same[i].Path) != near(old.Path, same[0].Path) {
			return same[:i]
		}
	}
	return same
}

// nearerTwin reports whether another removed file with the same content is
// nearer in name to the added one, which then is that file's new name.
func (f *Follower) nearerTwin(old, added search.File) bool {
	return slices.ContainsFunc(f.twins(old), func(twin search.File) bool {
		a, b := near(old.Path, added.Path), near(twin.Path, added.Path)
		return slices.Compare(b[:], a[:]) > 0
	})
}

// twins lists the other removed files that have the content of this one.
func (f *Follower) twins(old search.File) []search.File {
	var out []search.File
	for _, r := range f.index.removed {
		if r.OID == old.OID && r.Path != old.Path {
			out = append(out, r)
		}
	}
	return out
}

// equallyNear returns a twin of the removed file that may as well have become the
// added one.
func (f *Follower) equallyNear(old, added search.File) (search.File, bool) {
	for _, twin := range f.twins(old) {
		if near(twin.Path, added.Path) == near(old.Path, added.Path) {
			return twin, true
		}
	}
	return search.File{}, false
}

// renamed makes the item of a citation whose whole file stands elsewhere, byte
// for byte.
func (f *Follower) renamed(e scorecard.Evidence, old search.File, found []search.File) outcome.Item {
	it := holds(e, outcome.Moved, found[0].Path, e.Lines)
	if twin, ok := f.equallyNear(old, found[0]); ok {
		it.State, it.Ambiguous = outcome.Edited, true
		it.Reason = fmt.Sprintf("%s and its copy %s were removed and %s was added: which of them it was cannot be told", e.File, twin.Path, found[0].Path)
	}
	if len(found) > 1 {
		it.State, it.Ambiguous = outcome.Edited, true
		it.Reason = fmt.Sprintf("%s was removed and stands whole in %s and in %s, equally near: which one took its place cannot be told",
			e.File, found[0].Path, found[1].Path)
	}
	return it
}

// successors lists the added files that may continue a removed one.
func (f *Follower) successors(p string) []search.File {
	var out []search.File
	for _, c := range f.index.added {
		if continuable(p, c.Path) {
			out = append(out, c)
		}
	}
	return nearest(out, p, maxSuccessors)
}

// successor finds the added file that continues the removed one: the most alike,
// when at least half of it is the same and no other removed file is more like it.
func (f *Follower) successor(ctx context.Context, base *document, old search.File) (*document, error) {
	if next, ok := f.next[old.Path]; ok {
		return next, nil
	}
	next, err := f.findSuccessor(ctx, base, old)
	if err == nil {
		f.next[old.Path] = next
	}
	return next, err
}

func (f *Follower) findSuccessor(ctx context.Context, base *document, old search.File) (*document, error) {
	candidates := f.successors(old.Path)
	docs, err := f.loadAll(ctx, candidates)
	if err != nil {
		return nil, err
	}
	best, most := (*document)(nil), 0.0
	for _, d := range docs {
		if share := likeness(base, d); share >= sameFile && share > most {
			best, most = d, share
		}
	}
	if best == nil {
		return nil, nil
	}
	from, err := f.origin(ctx, best)
	if err != nil || from == nil || from.Path != old.Path && f.ties[best.Path] != old.Path {
		return nil, err
	}
	return best, nil
}

// origin returns the removed file that an added one continues, or nil.
func (f *Follower) origin(ctx context.Context, added *document) (*document, error) {
	if from, ok := f.origins[added.Path]; ok {
		return from, nil
	}
	var rivals []search.File
	for _, r := range f.index.removed {
		if sameLanguage(r.Path, added.Path) || path.Base(r.Path) == path.Base(added.Path) {
			rivals = append(rivals, r)
		}
	}
	docs, err := f.loadAll(ctx, nearest(rivals, added.Path, maxRivals))
	if err != nil {
		return nil, err
	}
	var best *document
	most := 0.0
	for _, d := range docs { // the nearest in name first, and it wins a tie
		switch share := likeness(d, added); {
		case share >= sameFile && share > most:
			best, most = d, share
			delete(f.ties, added.Path)
		case best != nil && share == most && near(d.Path, added.Path) == near(best.Path, added.Path):
			f.ties[added.Path] = d.Path
		}
	}
	f.origins[added.Path] = best
	return best, nil
}

// loadAll reads the files in one round trip and returns those that are text.
func (f *Follower) loadAll(ctx context.Context, files []search.File) ([]*document, error) {
	want := oidSet{}
	for _, file := range files {
		want.add(file.OID)
	}
	if err := f.fetch(ctx, want); err != nil {
		return nil, fmt.Errorf("fetch what lines may have moved to: %w", err)
	}
	var out []*document
	for _, file := range files {
		d, err := f.loadCandidate(ctx, file)
		if err != nil {
			return nil, err
		}
		if !d.trouble.any() {
			out = append(out, d)
		}
	}
	return out, nil
}
