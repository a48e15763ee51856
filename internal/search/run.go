package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Run evaluates the search over a tree. Besides errors of the source it returns
// an *UnsupportedError where the tree holds something that is not evaluated.
func (q *Query) Run(ctx context.Context, src Source) (Result, error) {
	return q.full(ctx, src, MaxMatches, nil)
}

// Lines is Run for who wants more of the lines than a result holds: up to most.
func (q *Query) Lines(ctx context.Context, src Source, most int) (Result, error) {
	return q.full(ctx, src, most, nil)
}

// run lists the whole scope at once, reads it, and lists up to keep matches. It is
// for sources, and trees, that full cannot walk.
func (q *Query) run(ctx context.Context, src Source, keep int) (Result, error) {
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
	f, err := q.newFilter(ctx, src, layout, list)
	if err != nil {
		return Result{}, err
	}
	total := &tally{q: q, keep: keep}
	var work []job
	for _, r := range layout.roots {
		if work, err = f.work(ctx, work, r, list.under(r.path), total); err != nil {
			return Result{}, err
		}
	}
	e := &evaluation{q: q, scan: q.newScanner(ctx, keep)}
	if err := e.evaluate(ctx, src, work); err != nil {
		return Result{}, err
	}
	return total.result()
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
// found through, and where its result goes.
type job struct {
	file File
	at   circumstances
	into *tally
}

// work adds the files that are searched through root r to jobs: of a directory
// those among files, which are below it.
func (f *filter) work(ctx context.Context, jobs []job, r root, files []File, into *tally) ([]job, error) {
	at := f.circumstances(r)
	if !r.dir {
		return append(jobs, job{r.file, at, into}), nil
	}
	for _, file := range files {
		ok, err := f.searches(ctx, r, file)
		if err != nil {
			return nil, err
		}
		if ok {
			jobs = append(jobs, job{file, at, into})
		}
	}
	return jobs, nil
}

// circumstances are those of the files that are searched through root r.
func (f *filter) circumstances(r root) circumstances {
	return circumstances{explicit: !r.dir, mapped: f.layout.mapped, names: f.layout.names}
}

// searches reports whether a file below root r is searched.
func (f *filter) searches(ctx context.Context, r root, file File) (bool, error) {
	if !file.regular() {
		return false, nil
	}
	if len(file.Path) > maxPathBytes {
		return false, unsupported(file.Path[:64]+"...", "a path that cannot be checked out, longer than %d bytes", maxPathBytes)
	}
	ok, err := f.admits(r, file.Path)
	return ok, cmp.Or(err, ctx.Err())
}
