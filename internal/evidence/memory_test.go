package evidence_test

import (
	"context"
	"crypto/sha1"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// tree is a commit in memory: path to content. A content that begins with "mode "
// and an octal number has that mode instead of a regular file's.
type tree map[string]string

func (t tree) file(path string) search.File {
	f := search.File{Path: path, Mode: 0o100644, OID: fmt.Sprintf("%x", sha1.Sum([]byte(t[path])))}
	if mode, ok := strings.CutPrefix(t[path], "mode "); ok {
		_, _ = fmt.Sscanf(mode, "%o", &f.Mode)
	}
	return f
}

func (t tree) List(_ context.Context, paths []string) ([]search.File, error) {
	var out []search.File
	for _, p := range slices.Sorted(maps.Keys(t)) {
		if slices.ContainsFunc(paths, func(s string) bool { return s == "" || s == "." || p == s || strings.HasPrefix(p, s+"/") }) {
			out = append(out, t.file(p))
		}
	}
	return out, nil
}

func (t tree) Read(_ context.Context, files []search.File, fn func(search.File, []byte) error) error {
	for _, f := range files {
		if err := fn(f, []byte(t[f.Path])); err != nil {
			return err
		}
	}
	return nil
}

// source is a pair of trees that counts what is read of them.
type source struct {
	old, new tree
	blobs    map[string]string
	missing  map[string]bool
	reads    []string // ids, as they were read
	fetches  int
}

func newSource(old, new tree) *source {
	s := &source{old: old, new: new, blobs: map[string]string{}, missing: map[string]bool{}}
	for _, c := range s.changes() {
		if c.Old != nil {
			s.blobs[c.Old.OID] = old[c.Old.Path]
		}
		if c.New != nil {
			s.blobs[c.New.OID] = new[c.New.Path]
		}
	}
	return s
}

func (s *source) Old() search.Source { return s.old }
func (s *source) New() search.Source { return s.new }

func (s *source) Prefetch(context.Context, []string) error {
	s.fetches++
	return nil
}

func (s *source) Blob(_ context.Context, oid string, limit int64) ([]byte, error) {
	s.reads = append(s.reads, oid)
	content, ok := s.blobs[oid]
	switch {
	case !ok || s.missing[oid]:
		return nil, fmt.Errorf("blob %s: %w", oid, evidence.ErrMissing)
	case int64(len(content)) > limit:
		return nil, fmt.Errorf("blob %s: %w", oid, evidence.ErrTooLarge)
	}
	return []byte(content), nil
}

// changes lists what differs, as diff-tree without rename detection does.
func (s *source) changes() []search.Change {
	var out []search.Change
	paths := maps.Clone(s.old)
	maps.Copy(paths, s.new)
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		was, old := s.old[p]
		is, new := s.new[p]
		if old && new && was == is {
			continue
		}
		var c search.Change
		if old {
			f := s.old.file(p)
			c.Old = &f
		}
		if new {
			f := s.new.file(p)
			c.New = &f
		}
		out = append(out, c)
	}
	return out
}

func (s *source) follower() *evidence.Follower {
	return evidence.New(s, s.changes(), evidence.Options{})
}

// follow follows one item between two trees. Wherever it says that the item
// stands, the item must verify.
func follow(t require.TestingT, old, new tree, e scorecard.Evidence) outcome.Item {
	f := newSource(old, new).follower()
	require.NoError(t, f.Prefetch(context.Background(), []scorecard.Evidence{e}))
	it, err := f.Follow(context.Background(), e)
	require.NoError(t, err)
	require.Equal(t, e, it.Before)
	if it.State.Holds() {
		require.False(t, it.Ambiguous)
	} else {
		require.NotEmpty(t, it.Reason)
	}
	if it.State != outcome.Gone && it.State != outcome.Unverifiable {
		check, err := evidence.Verify(context.Background(), new, it.After)
		require.NoError(t, err)
		require.Equal(t, outcome.CheckOK, check.State, "%s, and does not verify at head: %+v: %+v", it.State, it.After, check)
	}
	return it
}

// change is a file before and after, and whether the cited lines hold.
type change struct {
	name, file, lines string
	base, head        string
	holds             bool
}

func (c change) check(t *testing.T) {
	t.Helper()
	it := follow(t, tree{c.file: c.base}, tree{c.file: c.head}, cite(t, c.file+":"+c.lines))
	assert.Equal(t, c.holds, it.State.Holds(), "%s: %s %s", c.name, it.State, it.Reason)
	if !c.holds {
		assert.Equal(t, outcome.Edited, it.State, "%s: %s", c.name, it.Reason)
	}
}

// cite makes a citation from "path:lines".
func cite(t require.TestingT, place string) scorecard.Evidence {
	file, lines, ok := strings.Cut(place, ":")
	require.True(t, ok)
	r, err := scorecard.ParseLines(lines)
	require.NoError(t, err)
	return scorecard.Evidence{File: file, Lines: r}
}

// block joins lines, each ended by LF.
func block(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// program is a file of n distinct lines, "stepK = load_sourceK(K)".
func program(n int) []string {
	var out []string
	for i := 1; i <= n; i++ {
		out = append(out, fmt.Sprintf("step%d = load_source%d(%d)", i, i, i*7))
	}
	return out
}

// splice replaces count lines from line at (1-based) by others.
func splice(lines []string, at, count int, with ...string) []string {
	out := slices.Clone(lines[:at-1])
	out = append(out, with...)
	return append(out, lines[at-1+count:]...)
}

func lines(text string) int { return strings.Count(text, "\n") }

// span writes n lines from the first on as a card does.
func span(first, n int) string {
	if n == 1 {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d-%d", first, first+n-1)
}
