package plan

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// Plan says which criteria of a card a set of changes touches.
type Plan struct {
	// Touched holds, for each touched criterion, the changed paths that its
	// evidence reads, sorted. Criteria that are not touched are not in it.
	Touched map[string][]string
}

// ErrEmptyChange is returned for a change that names neither an old nor a new
// file.
var ErrEmptyChange = errors.New("a change names neither an old nor a new file")

// Make computes the plan. A rename may be one change with two different paths or
// a removal and an addition; both of its paths count. A search whose command cannot
// be read is taken to read everything in its scope. Each distinct search is
// looked at once, and cost grows with the number of changes plus that of items.
func Make(card *scorecard.Card, changes []search.Change) (*Plan, error) {
	changed := make(map[string]bool, len(changes))
	for i, c := range changes {
		if c.Old == nil && c.New == nil {
			return nil, fmt.Errorf("plan change %d of %d: %w", i+1, len(changes), ErrEmptyChange)
		}
		for _, f := range []*search.File{c.Old, c.New} {
			if f != nil {
				changed[f.Path] = true
			}
		}
	}
	p := &Plan{Touched: map[string][]string{}}
	if len(changed) == 0 {
		return p, nil
	}
	r := reader{changes: changes, changed: changed, searches: map[searchKey][]string{}}
	for i := range card.Criteria {
		c := &card.Criteria[i]
		hit := map[string]bool{}
		for e := range Evidence(card, c) {
			for _, path := range r.touching(e) {
				hit[path] = true
			}
		}
		if len(hit) > 0 {
			p.Touched[c.ID] = slices.Sorted(maps.Keys(hit))
		}
	}
	return p, nil
}

// reader answers which changed paths an item reads.
type reader struct {
	changes  []search.Change
	changed  map[string]bool
	sorted   []string // the changed paths, when first needed
	searches map[searchKey][]string
}

// searchKey identifies a search by its command and scope as written.
type searchKey struct{ search, scope string }

func (r *reader) touching(e scorecard.Evidence) []string {
	if !e.IsSearch() {
		if r.changed[e.File] {
			return []string{e.File}
		}
		return nil
	}
	key := searchKey{e.Search, e.Scope}
	paths, known := r.searches[key]
	if !known {
		paths = r.search(key)
		r.searches[key] = paths
	}
	return paths
}

func (r *reader) search(key searchKey) []string {
	reach, err := search.ParseReach(key.search, key.scope)
	if err == nil {
		return reach.Touches(r.changes)
	}
	if r.sorted == nil {
		r.sorted = slices.Sorted(maps.Keys(r.changed))
	}
	var out []string
	for _, p := range r.sorted {
		if inScope(p, key.scope) {
			out = append(out, p)
		}
	}
	return out
}

// inScope reports whether the path is, lies under, or stands above one of the scope
// paths, which spaces separate. An empty scope is the whole tree.
func inScope(p, scope string) bool {
	fields := strings.Fields(scope)
	for _, s := range fields {
		s = path.Clean(s)
		if s == "." || s == "/" || p == s || strings.HasPrefix(p, s+"/") || strings.HasPrefix(s, p+"/") {
			return true
		}
	}
	return len(fields) == 0
}
