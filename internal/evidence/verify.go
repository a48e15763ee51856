package evidence

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// Check is the result of checking one item at one commit.
type Check struct {
	State    outcome.CheckState
	Expected string // what the card says, for a reader
	Got      string // what stands there, for a reader
	Hits     int    // of a search that was evaluated
}

// Verify checks one item at the commit that src reads.
func Verify(ctx context.Context, src SingleSource, e scorecard.Evidence, opts ...search.Option) (Check, error) {
	checks, err := VerifyAll(ctx, src, []scorecard.Evidence{e}, opts...)
	if err != nil {
		return Check{}, err
	}
	return checks[0], nil
}

// VerifyAll checks items at the commit that src reads and returns a check for
// each, in order. A citation holds when its file is a text file that has the
// lines and shows the quote in them, as written or with other white space; a
// search, when it has exactly the recorded hits. Each cited file is read once
// and each distinct search is run once. The error is one of the infrastructure.
func VerifyAll(ctx context.Context, src SingleSource, items []scorecard.Evidence, opts ...search.Option) ([]Check, error) {
	v := &verifier{src: src, opts: opts, files: map[string]search.File{}, texts: map[string]*sheet{}, results: map[queryKey]*ran{}}
	if err := v.list(ctx, items); err != nil {
		return nil, err
	}
	out := make([]Check, len(items))
	for i, e := range items {
		var err error
		if e.IsSearch() {
			out[i], err = v.search(ctx, e)
		} else {
			out[i], err = v.citation(ctx, e)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// verifier remembers what it read of one tree.
type verifier struct {
	src     SingleSource
	opts    []search.Option
	files   map[string]search.File // cited files that exist
	texts   map[string]*sheet
	results map[queryKey]*ran
}

// sheet is a cited file as far as it can be read.
type sheet struct {
	text    *linemap.Text
	trouble trouble
}

// ran is a search's result, or why there is none.
type ran struct {
	result search.Result
	absent []string // of several paths of the scope those that do not exist
	refuse error    // *search.UnsupportedError, or an error about one file that cannot be read
}

// list looks up all cited files at once.
func (v *verifier) list(ctx context.Context, items []scorecard.Evidence) error {
	paths := map[string]bool{}
	for _, e := range items {
		if !e.IsSearch() {
			paths[e.File] = true
		}
	}
	if len(paths) == 0 {
		return nil
	}
	found, err := v.src.List(ctx, slices.Sorted(maps.Keys(paths)))
	if err != nil {
		return fmt.Errorf("list %d cited files: %w", len(paths), err)
	}
	for _, f := range found {
		if paths[f.Path] {
			v.files[f.Path] = f
		}
	}
	return nil
}

func (v *verifier) citation(ctx context.Context, e scorecard.Evidence) (Check, error) {
	c := Check{Expected: "lines " + e.Lines.String(), State: outcome.CheckMissing}
	if e.Contains != "" {
		c.Expected += " with " + shorten(e.Contains)
	}
	s, err := v.read(ctx, e.File)
	if err != nil {
		return Check{}, err
	}
	switch {
	case s == nil:
		c.Got = "no such file"
	case s.trouble.any():
		c.Got = "the file is " + s.trouble.words
	case !s.text.Has(e.Lines.First, e.Lines.Last):
		c.Got = "the file has " + count(s.text.Len(), "line", "lines")
	case e.Contains != "" && !quoted(e.Contains, s.text.Lines(e.Lines.First, e.Lines.Last)):
		c.State, c.Got = outcome.CheckMismatch, elsewhere(s.text, e.Contains)
	default:
		c.State, c.Got = outcome.CheckOK, c.Expected
	}
	return c, nil
}

// elsewhere says where the quote stands instead, to help mend the card.
func elsewhere(t *linemap.Text, quote string) string {
	switch lines := linesWith(t, quote); len(lines) {
	case 0:
		return "the quote is nowhere in the file"
	case 1:
		return fmt.Sprintf("the quote stands in line %d", lines[0])
	default:
		return fmt.Sprintf("the quote stands in line %d and others", lines[0])
	}
}

// read returns the cited file, or nil when there is none.
func (v *verifier) read(ctx context.Context, path string) (*sheet, error) {
	if s, ok := v.texts[path]; ok {
		return s, nil
	}
	file, ok := v.files[path]
	if !ok {
		v.texts[path] = nil
		return nil, nil
	}
	s := &sheet{}
	v.texts[path] = s
	if !isRegular(file.Mode) {
		s.trouble = trouble{words: kind(file.Mode)}
		return s, nil
	}
	err := v.src.Read(ctx, []search.File{file}, func(_ search.File, data []byte) error {
		s.trouble = sniff(data)
		s.text = linemap.Split(slices.Clone(data))
		return nil
	})
	switch {
	case errors.Is(err, ErrMissing):
		s.trouble = trouble{words: "not to be had: its blob is missing from the repository", unknown: true}
	case errors.Is(err, ErrTooLarge):
		s.trouble = trouble{words: "too large to be read", unknown: true}
	case err != nil:
		return nil, fmt.Errorf("read %q: %w", path, err)
	}
	return s, nil
}

func (v *verifier) search(ctx context.Context, e scorecard.Evidence) (Check, error) {
	c := Check{Expected: count(e.Hits, "hit", "hits")}
	key := queryKey{e.Search, e.Scope}
	r, ok := v.results[key]
	if !ok {
		var err error
		if r, err = v.run(ctx, e); err != nil {
			return Check{}, fmt.Errorf("search %q in %q: %w", e.Search, e.Scope, err)
		}
		v.results[key] = r
	}
	c.Hits = r.result.Hits
	switch {
	case r.refuse != nil:
		c.State, c.Got = outcome.CheckUnrunnable, fmt.Sprintf("not evaluated: %s", r.refuse)
	case !r.result.ScopeExists:
		c.State, c.Got = outcome.CheckMissing, fmt.Sprintf("nothing at the scope %q", e.Scope)
	case len(r.absent) > 0:
		c.State, c.Got = outcome.CheckMismatch, fmt.Sprintf("%s, but nothing at %q, a path of the scope", count(r.result.Hits, "hit", "hits"), r.absent[0])
	default:
		c.State, c.Got = outcome.CheckOK, count(r.result.Hits, "hit", "hits")
		if r.result.Hits != e.Hits {
			c.State = outcome.CheckMismatch
		}
	}
	return c, nil
}

// run evaluates a search in full. That it is refused, or that a file cannot be
// read, is a result.
func (v *verifier) run(ctx context.Context, e scorecard.Evidence) (*ran, error) {
	r := &ran{}
	q, err := search.Parse(e.Search, e.Scope)
	if err == nil {
		r.result, err = q.Count(ctx, v.src, v.opts...)
	}
	if err == nil && len(q.Scope()) > 1 {
		r.absent, err = q.Absent(ctx, v.src)
	}
	if refused := new(search.UnsupportedError); errors.As(err, &refused) || unread(err) {
		r.refuse, err = err, nil
	}
	return r, err
}
