package search

import (
	"context"
	"errors"
	"fmt"
)

// relist finds, for each root, the files that the search reads on one side alone,
// or with another content. It serves where ignore files changed, which may let in
// and leave out files that did not. It returns the differ to go on with.
func (d *differ) relist(ctx context.Context, was, is *layout) (*differ, error) {
	before, ok := d.old.src.(Walker)
	after, both := d.new.src.(Walker)
	if ok && both {
		t := &twins{differ: d, sides: [2]*twin{{half: &d.old, walker: before, layout: was}, {half: &d.new, walker: after, layout: is}}}
		if err := t.walk(ctx); !errors.Is(err, errStopped) {
			return d, err
		}
		d = d.q.newDiffer(d.old.src, d.new.src, d.changed, d.cache) // too large, or too odd: within the limits of the source
	}
	old, err := d.listed(ctx, &d.old, was)
	if err != nil {
		return nil, fmt.Errorf("before: %w", err)
	}
	now, err := d.listed(ctx, &d.new, is)
	if err != nil {
		return nil, fmt.Errorf("after: %w", err)
	}
	for i := range old {
		d.old.jobs = append(d.old.jobs, without(old[i], now[i])...)
		d.new.jobs = append(d.new.jobs, without(now[i], old[i])...)
	}
	return d, nil
}

// listed returns what the search reads in a tree, by roots.
func (d *differ) listed(ctx context.Context, h *half, l *layout) ([][]job, error) {
	files, err := h.src.List(ctx, d.q.listPaths())
	if err != nil {
		return nil, fmt.Errorf("list the scope: %w", err)
	}
	f, err := d.q.newFilter(ctx, h.src, l, files)
	if err != nil {
		return nil, err
	}
	out := make([][]job, len(l.roots))
	for i, r := range l.roots {
		if out[i], err = f.work(ctx, nil, r, listing(files).under(r.path), h.into); err != nil {
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
