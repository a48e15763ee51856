package evidence

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

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

// Names that nothing loads. A file that gets one was put aside, not moved.
var (
	deadEndings = strings.Fields(`.bak .backup .orig .old .disabled .off .unused .deprecated .inactive .save .rej .tmp .txt
		.example .sample .dist .template .tmpl .tpl ~ _`)
	deadParts       = strings.Fields(`disabled off unused deprecated inactive bak backup orig old example sample`) // between dots
	deadDirectories = strings.Fields(`attic archive archived disabled deprecated`)
)

// putAside reports whether a file of the new name no longer does what one of the
// old name did.
func putAside(old, new string) bool { return dead(new) && !dead(old) }

// dead reports whether the name, or a directory in it, is one that nothing loads.
func dead(p string) bool {
	p = strings.ToLower(p)
	base := path.Base(p)
	parts := strings.Split(base, ".")
	return family(p) == "prose" ||
		slices.ContainsFunc(deadEndings, func(end string) bool { return strings.HasSuffix(base, end) }) ||
		slices.ContainsFunc(parts[1:], func(part string) bool { return slices.Contains(deadParts, part) }) ||
		slices.ContainsFunc(strings.Split(path.Dir(p), "/"), func(d string) bool { return slices.Contains(deadDirectories, d) })
}

// continuable reports whether a file of the new name may do what one of the old
// name did: it belongs to the same program, and something loads it.
func continuable(old, new string) bool {
	return (sameLanguage(old, new) || path.Base(old) == path.Base(new)) && !putAside(old, new)
}

// asideOf returns the first added file that holds the removed one whole under a
// name that does not continue it.
func (f *Follower) asideOf(old search.File) (search.File, bool) {
	for _, c := range f.index.added {
		if c.OID == old.OID && !continuable(old.Path, c.Path) {
			return c, true
		}
	}
	return search.File{}, false
}

// exactSuccessors lists the added files with the content of the removed one, the
// nearest in name alone, or several when they are equally near.
func (f *Follower) exactSuccessors(old search.File) []search.File {
	var same []search.File
	for _, c := range f.index.added {
		if c.OID == old.OID && continuable(old.Path, c.Path) {
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

// renamed makes the item of a citation whose whole file stands elsewhere, byte
// for byte.
func (f *Follower) renamed(e scorecard.Evidence, found []search.File) outcome.Item {
	it := holds(e, outcome.Moved, found[0].Path, e.Lines)
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
	if err != nil || from == nil || from.path != old.Path {
		return nil, err
	}
	return best, nil
}

// origin returns the removed file that an added one continues, or nil.
func (f *Follower) origin(ctx context.Context, added *document) (*document, error) {
	if from, ok := f.origins[added.path]; ok {
		return from, nil
	}
	var rivals []search.File
	for _, r := range f.index.removed {
		if sameLanguage(r.Path, added.path) || path.Base(r.Path) == path.Base(added.path) {
			rivals = append(rivals, r)
		}
	}
	docs, err := f.loadAll(ctx, nearest(rivals, added.path, maxRivals))
	if err != nil {
		return nil, err
	}
	var best *document
	most := 0.0
	for _, d := range docs { // the nearest in name first, and it wins a tie
		if share := likeness(d, added); share >= sameFile && share > most {
			best, most = d, share
		}
	}
	f.origins[added.path] = best
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
