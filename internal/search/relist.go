package search

import (
	"context"
	"fmt"
)

// relist finds, for each root, the files that the search reads on one side alone,
// or with another content, by listing both sides. It serves where ignore files
// changed, which may let in and leave out files that did not.
func (d *differ) relist(ctx context.Context, before, after Source, was, is *layout) error {
	old, err := d.listed(ctx, before, was, d.was)
	if err != nil {
		return fmt.Errorf("before: %w", err)
	}
	now, err := d.listed(ctx, after, is, d.is)
	if err != nil {
		return fmt.Errorf("after: %w", err)
	}
	for i := range old {
		d.old = append(d.old, without(old[i], now[i])...)
		d.new = append(d.new, without(now[i], old[i])...)
	}
	return nil
}

// listed returns what the search reads in a tree, by roots.
func (d *differ) listed(ctx context.Context, src Source, l *layout, into *tally) ([][]job, error) {
	files, err := src.List(ctx, d.q.listPaths())
	if err != nil {
		return nil, fmt.Errorf("list the scope: %w", err)
	}
	f, err := d.q.newFilter(ctx, src, l, files)
	if err != nil {
		return nil, err
	}
	out := make([][]job, len(l.roots))
	for i, r := range l.roots {
		if out[i], err = f.work(ctx, nil, r, listing(files).under(r.path), into); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// without returns the jobs of a whose file, with the same content, b does not have.
func without(a, b []job) []job {
	type content struct{ path, oid string }
	has := make(map[content]bool, len(b))
	for _, j := range b {
		has[content{j.file.Path, j.file.OID}] = true
	}
	var out []job
	for _, j := range a {
		if !has[content{j.file.Path, j.file.OID}] {
			out = append(out, j)
		}
	}
	return out
}
