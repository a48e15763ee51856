package evidence

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// maxListed bounds the new and the lost lines that an item lists.
const maxListed = 50

// queryKey identifies a search by its command and scope.
type queryKey struct{ command, scope string }

// parsed is a search command, read once.
type parsed struct {
	query   *search.Query
	err     error
	touched []string // changed paths that it reads
}

// searchKey identifies what the card says of a search.
type searchKey struct {
	queryKey
	hits int
}

// query reads the search of an item, once.
func (f *Follower) query(e scorecard.Evidence) *parsed {
	key := queryKey{e.Search, e.Scope}
	if p, ok := f.queries[key]; ok {
		return p
	}
	p := &parsed{}
	p.query, p.err = search.Parse(e.Search, e.Scope)
	if p.err == nil {
		p.touched = p.query.Touches(f.changes)
	}
	f.queries[key] = p
	return p
}

// wantSearch adds the blobs that following a search needs: both sides of the
// changed files that it reads.
func (f *Follower) wantSearch(want oidSet, e scorecard.Evidence) {
	p := f.query(e)
	for _, path := range p.touched {
		for _, side := range []map[string]search.File{f.index.old, f.index.new} {
			if file, ok := side[path]; ok && isRegular(file.Mode) {
				want.add(file.OID)
			}
		}
	}
}

// search follows a search. The recorded count is trusted for the base, unless the
// changed files alone show that it is wrong; what is computed is the difference
// that they make.
func (f *Follower) search(ctx context.Context, e scorecard.Evidence) (outcome.Item, error) {
	key := searchKey{queryKey{e.Search, e.Scope}, e.Hits}
	it, ok := f.searches[key]
	if !ok {
		var err error
		var refused *search.UnsupportedError
		it, err = f.searchOnce(ctx, e)
		switch {
		case errors.As(err, &refused):
			it = unverifiable(e, "the search is not evaluated: %s", refused)
		case unread(err):
			it = unverifiable(e, "a file in the scope cannot be read: %s", err)
		case err != nil:
			return it, fmt.Errorf("search %q in %q: %w", e.Search, e.Scope, err)
		}
		f.searches[key] = it
	}
	it.Before.Note, it.After.Note = e.Note, e.Note
	return it, nil
}

// unread reports whether the error is about one file that cannot be read, which
// makes a search unverifiable, and not about the infrastructure.
func unread(err error) bool {
	return errors.Is(err, ErrMissing) || errors.Is(err, ErrTooLarge)
}

func (f *Follower) searchOnce(ctx context.Context, e scorecard.Evidence) (outcome.Item, error) {
	p := f.query(e)
	if p.err != nil {
		return outcome.Item{}, p.err
	}
	if it, lost, err := f.scopeLost(ctx, e, p.query); lost || err != nil {
		return it, err
	}
	if path := f.handedOut(p.query.Scope()); path != "" {
		return f.recounted(ctx, e, e.Scope, "%s became a submodule: what stands there is in another repository", path)
	}
	if len(p.touched) == 0 {
		return found(e, outcome.Intact, e.Hits), nil
	}
	d, err := p.query.Delta(ctx, f.src.Old(), f.src.New(), f.changes, f.opts.Search...)
	if errors.Is(err, search.ErrNeedsFull) {
		return f.searchBoth(ctx, e, p.query)
	}
	if err != nil {
		return outcome.Item{}, err
	}
	if d.HitsBefore > e.Hits {
		return f.recounted(ctx, e, e.Scope, "the card records %s, the files that changed alone had %d at base", hits(e.Hits), d.HitsBefore)
	}
	added, lost, moved := d.New, d.Lost, d.Moved
	if !d.Truncated {
		added, lost, moved = relaidLines(added, lost, moved)
	}
	it := compared(e, e.Hits+d.HitsDelta, added, lost, moved)
	if !it.State.Holds() {
		return it, nil
	}
	return f.unseen(ctx, it, p, d)
}

// compared is the item of a search by what its lines have become.
func compared(e scorecard.Evidence, now int, added, lost []search.Match, moved bool) outcome.Item {
	switch {
	case len(added)+len(lost) > 0 || now != e.Hits:
		return differs(e, now, added, lost)
	case moved:
		return found(e, outcome.Moved, now)
	}
	return found(e, outcome.Intact, now)
}

// searchBoth evaluates the search in full on both sides, as is needed when a path
// of the search became another kind of path. The card's count then has to agree
// with the base: where it does not, the card is wrong and a change of count says
// nothing.
func (f *Follower) searchBoth(ctx context.Context, e scorecard.Evidence, q *search.Query) (outcome.Item, error) {
	before, err := q.Run(ctx, f.src.Old())
	if err != nil {
		return outcome.Item{}, fmt.Errorf("at base: %w", err)
	}
	after, err := q.Run(ctx, f.src.New())
	if err != nil {
		return outcome.Item{}, fmt.Errorf("at head: %w", err)
	}
	switch {
	case !after.ScopeExists:
		return gone(e, nil, "nothing is left at head of the scope %q", e.Scope), nil
	case before.Hits != e.Hits:
		return f.recounted(ctx, e, e.Scope, "the card records %s, the base commit has %d and head %d", hits(e.Hits), before.Hits, after.Hits)
	case before.Truncated || after.Truncated:
		if before.Hits == after.Hits {
			return unverifiable(e, "%s on either side, too many to tell whether they are the same lines", hits(after.Hits)), nil
		}
	}
	added, lost, moved := relaidLines(compare(before.Matches, after.Matches))
	return compared(e, after.Hits, added, lost, moved), nil
}

// scopeLost returns the item where a path of the scope is not there any more: what it
// held may stand elsewhere, unseen. That takes a look only for paths of which something
// was removed and nothing is known to stand.
func (f *Follower) scopeLost(ctx context.Context, e scorecard.Evidence, q *search.Query) (it outcome.Item, lost bool, err error) {
	scope := q.Scope()
	if !slices.ContainsFunc(scope, f.mayBeLost) {
		return it, false, nil
	}
	absent, err := q.Absent(ctx, f.src.New())
	if err != nil {
		return it, false, fmt.Errorf("look for the scope at head: %w", err)
	}
	if len(absent) == len(scope) {
		return gone(e, nil, "nothing is left at head of the scope %q", e.Scope), true, nil
	}
	for _, path := range absent {
		if f.mayBeLost(path) {
			it, err := f.recounted(ctx, e, without(e.Scope, absent), "nothing is left at head of %q, a path of the scope: what stood there may be elsewhere", path)
			return it, true, err
		}
	}
	return it, false, nil
}

// without is the scope less some of its paths.
func without(scope string, paths []string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(scope), func(p string) bool { return slices.Contains(paths, path.Clean(p)) }), " ")
}

// recounted is the item of a search that cannot be compared with what it found at base.
// What the new card records of it is what it finds at head, in the given scope.
func (f *Follower) recounted(ctx context.Context, e scorecard.Evidence, scope, format string, args ...any) (outcome.Item, error) {
	it := unverifiable(e, format, args...)
	it.After.Scope = scope
	q, err := search.Parse(it.After.Search, scope)
	if err != nil {
		return it, err
	}
	res, err := q.Run(ctx, f.src.New())
	if err != nil {
		return it, fmt.Errorf("at head: %w", err)
	}
	it.After.Hits = res.Hits
	return it, nil
}

// handedOut is a path of the scope that became a submodule, or "".
func (f *Follower) handedOut(scope []string) string {
	for _, path := range scope {
		now, is := f.index.new[path]
		was, old := f.index.old[path]
		if is && now.Mode&modeType == modeSubmodule && !(old && was.Mode&modeType == modeSubmodule) {
			return path
		}
	}
	return ""
}

// mayBeLost reports whether, as far as the changes tell, nothing is left of a path of
// a scope, of which something was there.
func (f *Follower) mayBeLost(path string) bool {
	removed := false
	for _, c := range f.changes {
		if c.New != nil && within(c.New.Path, path) {
			return false
		}
		removed = removed || c.Old != nil && within(c.Old.Path, path)
	}
	return removed
}

// within reports whether the path is, or lies under, a path of a scope.
func within(path, scope string) bool {
	return scope == "" || scope == "." || path == scope || strings.HasPrefix(path, scope+"/")
}

func found(e scorecard.Evidence, state outcome.State, hits int) outcome.Item {
	after := e
	after.Hits = hits
	return outcome.Item{Before: e, After: after, State: state}
}

func differs(e scorecard.Evidence, now int, added, lost []search.Match) outcome.Item {
	it := found(e, outcome.Edited, now)
	it.New, it.Lost = listed(added), listed(lost)
	it.Reason = fmt.Sprintf("%s, %d before", hits(now), e.Hits)
	if now == e.Hits {
		it.Reason = fmt.Sprintf("%s as before, but not the same lines", hits(now))
	}
	return it
}

func hits(n int) string { return count(n, "line matches", "lines match") }

func listed(matches []search.Match) []outcome.Line {
	var out []outcome.Line
	for _, m := range matches[:min(len(matches), maxListed)] {
		out = append(out, outcome.Line{File: m.File, Line: m.Line, Text: m.Text})
	}
	return out
}
