package mutate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/cardrepo"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// Bounds of what is tried for one search.
const (
	maxMatches = 12 // matching lines that are removed or altered, one by one
	maxHomes   = 24 // files looked into for one that a line can be added to
)

// searching is one search with what it prints at the base.
type searching struct {
	e      scorecard.Evidence
	tree   Tree
	query  *search.Query
	result search.Result
	reads  []string // files that it may read
	sample string   // a line that it prints
	home   string   // a file in which it would print it
}

// newSearching runs the search at the base and finds a line and a place that it
// would print it from; home is "" where there is none.
func newSearching(ctx context.Context, t Tree, e scorecard.Evidence) (*searching, error) {
	q, err := search.Parse(e.Search, e.Scope)
	if err != nil {
		return nil, fmt.Errorf("search %q in %q: %w", e.Search, e.Scope, err)
	}
	s := &searching{e: e, tree: t, query: q}
	if s.result, err = q.Run(ctx, t); err != nil {
		return nil, fmt.Errorf("search %q in %q: %w", e.Search, e.Scope, err)
	}
	files, err := t.List(ctx, q.Scope())
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.Mode == search.ModeFile && len(q.Touches([]search.Change{{Old: &f, New: &f}})) > 0 {
			s.reads = append(s.reads, f.Path)
		}
	}
	return s, s.findHome(ctx)
}

// findHome tries matching lines and files until the search prints one more.
func (s *searching) findHome(ctx context.Context) error {
	var homes, samples []string
	for _, m := range s.result.Matches {
		if !slices.Contains(homes, m.File) {
			homes, samples = append(homes, m.File), append(samples, m.Text)
		}
	}
	homes = append(homes, s.reads...)
	samples = append(samples, cardrepo.Samples(s.query)...)
	for _, home := range homes[:min(len(homes), maxHomes)] {
		for _, sample := range samples[:min(len(samples), maxHomes)] {
			head, err := s.grow(ctx, home, sample)
			if err != nil {
				return err
			}
			res, err := s.query.Run(ctx, head)
			if err != nil {
				return err
			}
			if res.Hits > s.result.Hits {
				s.home, s.sample = home, sample
				return nil
			}
		}
	}
	return nil
}

func (s *searching) text(ctx context.Context, p string) (string, error) {
	f, ok := s.tree.at(p)
	if !ok {
		return "", nil
	}
	data, err := s.tree.content(ctx, f)
	return string(data), err
}

// grow adds a line at the end of a file, or makes the file.
func (s *searching) grow(ctx context.Context, p, line string) (Tree, error) {
	text, err := s.text(ctx, p)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return s.tree.With(p, text+line+"\n"), err
}

// mutants makes every kind of change to what the search reads; it needs a home.
// Which of them matter is for the search itself to say, but for those that hide a line
// from it.
func (s *searching) mutants(ctx context.Context) ([]mutant, error) {
	var out []mutant
	add := func(kind string, holds bool, head Tree) {
		out = append(out, mutant{kind: kind, head: head, holds: holds})
	}
	dir := path.Dir(s.home)
	unrelated := join([]string{"zq = 1", "zq = 2"})
	add("search: unrelated file added in scope", true, s.tree.With(path.Join(dir, "added_"+path.Base(s.home)), unrelated))
	add("search: file outside the scope added", true, s.tree.With("outside/of/scope"+path.Ext(s.home), s.sample+"\n"))
	add("search: file that the globs leave out added", true, s.tree.With(path.Join(dir, "left.zzz"), s.sample+"\n"))
	grown, err := s.grow(ctx, s.home, "zq = 3")
	if err != nil {
		return nil, err
	}
	add("search: a line that does not match added", true, grown)
	if grown, err = s.grow(ctx, s.home, s.sample); err != nil {
		return nil, err
	}
	add("search: a matching line added", false, grown)
	add("search: a file with a matching line added", false, s.tree.With(path.Join(dir, "added_"+path.Base(s.home)), s.sample+"\n"))
	hidden, err := s.hidden(ctx, path.Join(dir, "added_"+path.Base(s.home)))
	if err != nil {
		return nil, err
	}
	lost, err := s.lost(ctx)
	if err != nil {
		return nil, err
	}
	matched, err := s.matched(ctx)
	return slices.Concat(out, hidden, lost, matched), err
}

// hidden adds a file of code with a matching line, and what hides that from the search.
func (s *searching) hidden(ctx context.Context, file string) ([]mutant, error) {
	if !freeIndent[path.Ext(file)] && path.Ext(file) != ".py" {
		return nil, nil
	}
	open := s.tree.With(file, s.sample+"\n")
	if res, err := s.query.Run(ctx, open); err != nil || res.Hits == s.result.Hits {
		return nil, err
	}
	return []mutant{
		{kind: "search: a matching line added, and an ignore file that hides it", off: true, head: open.With(path.Join(path.Dir(file), ".rgignore"), path.Base(file)+"\n")},
		{kind: "search: a matching line added behind a NUL", off: true, head: s.tree.With(file, "zq = 4\x00\n"+s.sample+"\n")},
	}, nil
}

// lost takes the scope away: all of it, and each of several paths alone.
func (s *searching) lost(ctx context.Context) ([]mutant, error) {
	scope := s.query.Scope()
	kinds := map[string][][]string{"search: scope removed": {scope}}
	if len(scope) > 1 {
		kinds["search: a path of the scope removed"] = slices.Collect(slices.Chunk(scope, 1))
	}
	var out []mutant
	for kind, all := range kinds {
		for _, paths := range all {
			left := s.tree
			files, err := s.tree.List(ctx, paths)
			if err != nil {
				return nil, err
			}
			for _, f := range files {
				left = left.Without(f.Path)
			}
			out = append(out, mutant{kind: kind, head: left})
		}
	}
	return out, nil
}

// matched changes files that have matching lines.
func (s *searching) matched(ctx context.Context) ([]mutant, error) {
	var out []mutant
	add := func(kind string, holds bool, head Tree) {
		out = append(out, mutant{kind: kind, head: head, holds: holds})
	}
	seen := map[string]bool{}
	for _, m := range s.result.Matches[:min(len(s.result.Matches), maxMatches)] {
		text, err := s.text(ctx, m.File)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if m.Line >= 1 && m.Line <= len(lines) {
			line := lines[m.Line-1]
			add("search: a matching line removed", false, s.tree.With(m.File, join(splice(lines, m.Line, 1))))
			add("search: a matching line altered", false, s.tree.With(m.File, join(splice(lines, m.Line, 1, line+" altered"))))
			add("search: a matching line moved in its file", true, s.tree.With(m.File, join(append(splice(lines, m.Line, 1), line))))
		}
		if seen[m.File] {
			continue
		}
		seen[m.File] = true
		dir, name := path.Split(m.File)
		add("search: lines shifted", true, s.tree.With(m.File, "\n\n"+text))
		add("search: all line ends changed", true, s.tree.With(m.File, otherLineEnds(text)))
		if !freeIndent[path.Ext(m.File)] && path.Ext(m.File) != ".py" {
			continue
		}
		add("search: all lines indented", true, s.tree.With(m.File, "    "+strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ")+"\n"))
		add("search: matching file renamed inside the scope", true, s.tree.Without(m.File).With(dir+"renamed_"+name, text))
		add("search: matching file removed", false, s.tree.Without(m.File))
		add("search: matching file ignored", false, s.tree.With(dir+".gitignore", name+"\n"))
	}
	return out, nil
}
