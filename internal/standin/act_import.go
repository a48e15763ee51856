package standin

import (
	"context"
	"fmt"
)

// Import feeds a stream to `git fast-import` in a repository, as one push of every
// branch and tag that it sets, and the events of a push follow. Unlike Commit it
// keeps the authors and the dates of the stream, so the ids of the commits are
// known beforehand.
func (g *GitHub) Import(ctx context.Context, user, repo string, stream []byte) error {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return err
	}
	g.refs.Lock()
	defer g.refs.Unlock()
	_, err = g.watched(ctx, r, by, func() error {
		_, err := r.dir.input(ctx, stream, nil, "fast-import", "--quiet", "--force")
		return err
	})
	if err != nil {
		return fmt.Errorf("import into %s: %w", repo, err)
	}
	return nil
}
