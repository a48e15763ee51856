package rescore

import (
	"context"
	"errors"
	"fmt"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/search"
)

// Fetcher makes blobs readable in one round trip.
type Fetcher func(ctx context.Context, oids []gitmirror.OID) error

// Local is a clone whose objects are all at hand.
func Local(repo *gitmirror.Repo) Repo { return gitRepo{repo: repo} }

// Mirrored is a mirror without blobs; fetch brings the ones that are needed.
func Mirrored(repo *gitmirror.Repo, fetch Fetcher) Repo { return gitRepo{repo: repo, fetch: fetch} }

// gitRepo reads through gitmirror.
type gitRepo struct {
	repo  *gitmirror.Repo
	fetch Fetcher
}

// Stats implements Repo.
func (g gitRepo) Stats() gitmirror.Stats { return g.repo.Stats() }

// Diff implements Repo.
func (g gitRepo) Diff(ctx context.Context, base, head string) ([]search.Change, error) {
	changes, err := g.repo.DiffTree(ctx, gitmirror.OID(base), gitmirror.OID(head))
	if err != nil {
		return nil, err
	}
	out := make([]search.Change, len(changes))
	for i, c := range changes {
		if !c.OldOID.IsZero() {
			out[i].Old = &search.File{Path: c.Path, Mode: c.OldMode, OID: string(c.OldOID)}
		}
		if !c.NewOID.IsZero() {
			out[i].New = &search.File{Path: c.Path, Mode: c.NewMode, OID: string(c.NewOID)}
		}
	}
	return out, nil
}

// At implements Repo.
func (g gitRepo) At(commit string) evidence.SingleSource {
	return tree{Tree: g.repo.At(gitmirror.OID(commit)), repo: g}
}

// Pair implements Repo.
func (g gitRepo) Pair(base, head string) evidence.Source {
	return pair{gitRepo: g, base: base, head: head}
}

func (g gitRepo) prefetch(ctx context.Context, oids []gitmirror.OID) error {
	if g.fetch == nil || len(oids) == 0 {
		return nil
	}
	missing, err := g.repo.Missing(ctx, oids)
	if err != nil || len(missing) == 0 {
		return err
	}
	return g.fetch(ctx, missing)
}

// tree is the tree of one commit whose blobs may first have to be fetched.
type tree struct {
	*gitmirror.Tree
	repo gitRepo
}

// Read implements search.Source. A file that the repository lacks is an error
// that wraps evidence.ErrMissing.
func (t tree) Read(ctx context.Context, files []search.File, fn func(search.File, []byte) error) error {
	oids := make([]gitmirror.OID, len(files))
	for i, f := range files {
		oids[i] = gitmirror.OID(f.OID)
	}
	if err := t.repo.prefetch(ctx, oids); err != nil {
		return fmt.Errorf("fetch %d files: %w", len(files), err)
	}
	err := t.Tree.Read(ctx, files, fn)
	if errors.Is(err, gitmirror.ErrMissing) {
		return fmt.Errorf("%w: %w", evidence.ErrMissing, err)
	}
	return err
}

// pair is both trees of one step.
type pair struct {
	gitRepo
	base, head string
}

// Prefetch implements evidence.Source.
func (p pair) Prefetch(ctx context.Context, oids []string) error {
	ids := make([]gitmirror.OID, len(oids))
	for i, o := range oids {
		ids[i] = gitmirror.OID(o)
	}
	return p.prefetch(ctx, ids)
}

// Blob implements evidence.Source.
func (p pair) Blob(ctx context.Context, oid string, limit int64) ([]byte, error) {
	if err := p.Prefetch(ctx, []string{oid}); err != nil {
		return nil, err
	}
	data, err := p.repo.Blob(ctx, gitmirror.OID(oid), limit)
	switch {
	case errors.Is(err, gitmirror.ErrMissing):
		return nil, fmt.Errorf("%w: %w", evidence.ErrMissing, err)
	case errors.Is(err, gitmirror.ErrTooLarge):
		return nil, fmt.Errorf("%w: %w", evidence.ErrTooLarge, err)
	}
	return data, err
}

// Old implements evidence.Source.
func (p pair) Old() search.Source { return p.At(p.base) }

// New implements evidence.Source.
func (p pair) New() search.Source { return p.At(p.head) }
