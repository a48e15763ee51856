package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Run evaluates the search over a tree. Besides errors of the source it returns
// an *UnsupportedError where the tree holds something that is not evaluated.
func (q *Query) Run(ctx context.Context, src Source, opts ...Option) (Result, error) {
	set := newSettings(opts)
	files, err := src.List(ctx, q.listPaths())
	if err != nil {
		return Result{}, fmt.Errorf("list the scope: %w", err)
	}
	list := listing(files)
	layout, err := q.layoutOf(q.listedStat(ctx, src, list))
	if err != nil {
		return Result{}, err
	}
	res := Result{ScopeExists: layout.scopeExists}
	if !res.ScopeExists {
		return res, nil // ripgrep is not run at all
	}
	treeKey := ""
	if set.cache != nil {
		treeKey = q.treeKey(list)
		if res, ok := cachedResult(set.cache, treeKey); ok {
			return res, nil
		}
	}
	f, err := q.newFilter(ctx, src, layout, list)
	if err != nil {
		return Result{}, err
	}
	work, err := f.work(ctx, list)
	if err != nil {
		return Result{}, err
	}
	e := &evaluation{q: q, scan: q.newScanner(ctx, MaxMatches), cache: set.cache}
	if err := e.evaluate(ctx, src, work); err != nil {
		return Result{}, err
	}
	if e.uncertain != "" && e.grew {
		return Result{}, unsupported(e.uncertain, "what ripgrep prints for it depends on which files a thread read before")
	}
	e.compact()
	res.Hits, res.Matches, res.Truncated = e.hits, e.matches(), e.truncated
	if res.Unread = e.unread; set.cache != nil && len(res.Unread) == 0 {
		putResult(set.cache, treeKey, res)
	}
	return res, nil
}

// listPaths are the paths whose entries an evaluation in full needs: those of the
// search, and the ignore files above them.
func (q *Query) listPaths() []string {
	var out []string
	for _, p := range q.paths {
		out = append(out, p.path)
		if !q.parentRules() {
			continue
		}
		for _, dir := range ancestors(p.path) {
			for _, name := range q.ignoreKinds().names() {
				out = append(out, join(dir, name))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// listedStat answers for the paths of the query from the listing, and asks the
// source for what is above them.
func (q *Query) listedStat(ctx context.Context, src Source, list listing) statFunc {
	ask := statSource(ctx, src)
	return func(path string) (File, bool, error) {
		for _, p := range q.paths {
			if path == p.path || below(path, p.path) {
				return list.stat(path)
			}
		}
		return ask(path)
	}
}

// job is one file to evaluate, under the circumstances of the root that it was
// found through.
type job struct {
	file File
	at   circumstances
}

// work lists the files that are searched, once for each root that leads to them.
func (f *filter) work(ctx context.Context, list listing) ([]job, error) {
	var out []job
	for _, r := range f.layout.roots {
		at := circumstances{explicit: !r.dir, mapped: f.layout.mapped, names: f.layout.names}
		if !r.dir {
			out = append(out, job{r.file, at})
			continue
		}
		for _, file := range list.under(r.path) {
			if !file.regular() {
				continue
			}
			if len(file.Path) > maxPathBytes {
				return nil, unsupported(file.Path[:64]+"...", "a path that cannot be checked out, longer than %d bytes", maxPathBytes)
			}
			ok, err := f.admits(r, file.Path)
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return nil, err
			}
			if ok {
				out = append(out, job{file, at})
			}
		}
	}
	return out, nil
}
