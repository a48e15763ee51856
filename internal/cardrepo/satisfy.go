package cardrepo

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// extensions are tried in turn for a file whose lines a search shall hit.
var extensions = []string{".py", ".ts", ".js", ".go", ".rs", ".java", ".tsx", ".yaml", ".json", ".toml", ".md", ".txt", ".sh", ""}

// satisfy writes lines until every search has exactly its hits.
func (t tree) satisfy(items []scorecard.Evidence) error {
	queries := make([]*search.Query, len(items))
	for i, e := range items {
		q, err := search.Parse(e.Search, e.Scope)
		if err != nil {
			return fmt.Errorf("search %q in %q: %w", e.Search, e.Scope, err)
		}
		queries[i] = q
		t.makeScope(q)
	}
	for i, e := range items {
		hits, err := t.hits(queries[i])
		if err != nil {
			return err
		}
		if hits > e.Hits {
			return fmt.Errorf("search %q in %q: cited lines alone hit %d times, recorded are %d", e.Search, e.Scope, hits, e.Hits)
		}
		if hits < e.Hits {
			if err := t.add(i, items, queries, e.Hits-hits); err != nil {
				return err
			}
		}
	}
	return nil
}

// makeScope sees to it that the scope exists: a path with an extension, or one
// without a directory's look, becomes a file.
func (t tree) makeScope(q *search.Query) {
	for _, p := range q.Scope() {
		if p == "" || p == "." || t.exists(p) {
			continue
		}
		name := p
		if path.Ext(p) == "" && !strings.Contains(path.Base(p), "Dockerfile") {
			name = p + "/base.txt"
		}
		t[name] = []string{filler(name, 1)}
	}
}

func (t tree) exists(p string) bool {
	if _, ok := t[p]; ok {
		return true
	}
	return slices.ContainsFunc(t.paths(), func(f string) bool { return strings.HasPrefix(f, p+"/") })
}

func (t tree) hits(q *search.Query) (int, error) {
	res, err := q.Run(context.Background(), memory(t.files()))
	if err != nil {
		return 0, fmt.Errorf("count the hits of a generated tree: %w", err)
	}
	return res.Hits, nil
}

// add writes want lines that the i-th search hits and that change no search
// before it.
func (t tree) add(i int, items []scorecard.Evidence, queries []*search.Query, want int) error {
	for _, at := range t.homes(queries[i]) {
		for _, text := range samples(queries[i].Patterns()) {
			old, had := t[at]
			grown := slices.Clone(old)
			for n := range want {
				grown = append(grown, text+" "+filler(at, MaxLines+n)[:6])
			}
			t[at] = grown
			ok, err := t.agree(items[:i+1], queries[:i+1])
			if ok || err != nil {
				return err
			}
			if t[at] = old; !had {
				delete(t, at)
			}
		}
	}
	return fmt.Errorf("search %q in %q: no line was found that it hits without disturbing another search",
		items[i].Search, items[i].Scope)
}

// homes lists the files that lines may be added to, the likeliest first.
func (t tree) homes(q *search.Query) []string {
	var out []string
	for _, p := range q.Scope() {
		if _, isFile := t[p]; isFile {
			out = append(out, p)
			continue
		}
		for _, ext := range extensions {
			out = append(out, path.Join(p, "added"+ext))
		}
	}
	return out
}

func (t tree) agree(items []scorecard.Evidence, queries []*search.Query) (bool, error) {
	for i := len(items) - 1; i >= 0; i-- {
		hits, err := t.hits(queries[i])
		if err != nil || hits > items[i].Hits || i == len(items)-1 && hits != items[i].Hits {
			return false, err
		}
	}
	return true, nil
}

// memory is a tree held in memory.
type memory map[string][]byte

// List implements search.Source.
func (m memory) List(_ context.Context, paths []string) ([]search.File, error) {
	var out []search.File
	for p := range m {
		for _, want := range paths {
			if want == "" || want == "." || p == want || strings.HasPrefix(p, want+"/") {
				out = append(out, search.File{Path: p, Mode: search.ModeFile, OID: p})
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b search.File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// Read implements search.Source.
func (m memory) Read(_ context.Context, files []search.File, fn func(search.File, []byte) error) error {
	for _, f := range files {
		if err := fn(f, m[f.Path]); err != nil {
			return err
		}
	}
	return nil
}
