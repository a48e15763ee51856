package mutate

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/search"
)

// Names of the two commits of a pair.
const (
	baseCommit = "1111111111111111111111111111111111111111"
	headCommit = "2222222222222222222222222222222222222222"
)

// pair is a repository of two commits. It implements rescore.Repo.
type pair struct{ base, head Tree }

// Diff implements rescore.Repo.
func (p pair) Diff(_ context.Context, base, head string) ([]search.Change, error) {
	if base != baseCommit || head != headCommit {
		return nil, fmt.Errorf("no such commits: %s, %s", base, head)
	}
	paths := map[string]bool{}
	for path := range p.base.over {
		paths[path] = true
	}
	for path := range p.head.over {
		paths[path] = true
	}
	var out []search.Change
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		var c search.Change
		old, was := p.base.at(path)
		now, is := p.head.at(path)
		if was == is && old == now {
			continue
		}
		if was {
			c.Old = &old
		}
		if is {
			c.New = &now
		}
		out = append(out, c)
	}
	return out, nil
}

// Pair implements rescore.Repo.
func (p pair) Pair(_, _ string) evidence.Source { return p }

// At implements rescore.Repo.
func (p pair) At(commit string) evidence.SingleSource {
	if commit == baseCommit {
		return p.base
	}
	return p.head
}

// Stats implements rescore.Repo; nothing is counted here.
func (p pair) Stats() gitmirror.Stats { return gitmirror.Stats{} }

// Old implements evidence.Source.
func (p pair) Old() search.Source { return p.base }

// New implements evidence.Source.
func (p pair) New() search.Source { return p.head }

// Prefetch implements evidence.Source.
func (p pair) Prefetch(context.Context, []string) error { return nil }

// Blob implements evidence.Source.
func (p pair) Blob(ctx context.Context, oid string, limit int64) ([]byte, error) {
	data, err := p.find(ctx, oid)
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("blob %s: %w", oid, evidence.ErrTooLarge)
	}
	return data, err
}

func (p pair) find(ctx context.Context, oid string) ([]byte, error) {
	for _, t := range []Tree{p.head, p.base} {
		for _, e := range t.over {
			if e.file.OID == oid && e.file.Mode != 0 {
				return e.data, nil
			}
		}
	}
	for path := range p.head.over {
		if f, ok := p.base.base.byPath[path]; ok && f.OID == oid {
			return p.base.base.Content(ctx, f)
		}
	}
	return nil, fmt.Errorf("blob %s: %w", oid, evidence.ErrMissing)
}
