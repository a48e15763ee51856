package evidence

import (
	"context"
	"fmt"
	"path"

	"github.com/rescore-app/rescore/internal/search"
)

// throughLink returns the directory of the path that is a symbolic link at base
// or at head, or "". What stands behind a link is not followed.
func (f *Follower) throughLink(ctx context.Context, p string) (string, error) {
	var above []string
	for d := path.Dir(p); d != "." && d != "/"; d = path.Dir(d) {
		if isLink(f.index.old[d]) || isLink(f.index.new[d]) {
			return d, nil
		}
		above = append(above, d)
	}
	if len(above) == 0 {
		return "", nil
	}
	found, err := f.src.New().List(ctx, above)
	if err != nil {
		return "", fmt.Errorf("list the directories of %q at head: %w", p, err)
	}
	links := map[string]bool{}
	for _, file := range found {
		links[file.Path] = isLink(file)
	}
	for _, d := range above {
		if links[d] {
			return d, nil
		}
	}
	return "", nil
}

func isLink(f search.File) bool { return f.Mode == search.ModeSymlink }
