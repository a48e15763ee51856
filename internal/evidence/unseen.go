package evidence

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/syntax"
)

// unseen says so when lines that match were added where the search does not look: in
// what an ignore file that changed keeps from it, or behind a NUL in a file of code.
// Otherwise the item is as it was.
func (f *Follower) unseen(ctx context.Context, it outcome.Item, p *parsed, d search.Delta) (outcome.Item, error) {
	rules, flags := f.ruling(p), ""
	if rules != "" {
		flags += " --no-ignore"
	}
	cut := slices.DeleteFunc(slices.Clone(d.Cut), func(path string) bool { return !syntax.Known(path) })
	if len(cut) > 0 {
		flags += " --text"
	}
	if flags == "" {
		return it, nil
	}
	wide, err := search.Parse("rg"+flags+strings.TrimPrefix(it.Before.Search, "rg"), it.Before.Scope)
	if err != nil {
		return it, nil //nolint:nilerr // no command that is evaluated: then nothing can be told
	}
	all, err := wide.Delta(ctx, f.src.Old(), f.src.New(), f.changes)
	if refused := new(search.UnsupportedError); errors.As(err, &refused) || errors.Is(err, search.ErrNeedsFull) || unread(err) {
		return it, nil
	}
	if err != nil {
		return it, fmt.Errorf("look where the search does not: %w", err)
	}
	lines := slices.DeleteFunc(all.New, func(m search.Match) bool {
		return slices.Contains(d.New, m) || slices.Contains(d.Cut, m.File) && !slices.Contains(cut, m.File)
	})
	if len(lines) == 0 {
		return it, nil
	}
	why := "a NUL in the file ends the search"
	if !slices.Contains(cut, lines[0].File) {
		why = rules + ", which changed, keeps the search from the file"
	}
	out := differs(it.Before, it.After.Hits, lines, nil)
	out.Reason = fmt.Sprintf("%s as before, but a line that matches was added at %s:%d, where %s", hits(it.After.Hits), lines[0].File, lines[0].Line, why)
	return out, nil
}

// ruling is a changed ignore file that the search reads, or "".
func (f *Follower) ruling(p *parsed) string {
	for _, touched := range p.touched {
		if slices.Contains([]string{".rgignore", ".ignore", ".gitignore"}, path.Base(touched)) {
			return touched
		}
	}
	return ""
}
