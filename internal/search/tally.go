package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// tally adds up the results of files. It keeps the first lines by path, as many
// as keep says, and not many more on the way.
type tally struct {
	q         *Query
	keep      int
	hits      int
	truncated bool   // there are more lines than are kept
	uncertain string // the first file, by path, whose result is
	grew      bool
	found     []found
	kept      int // lines in found
	unread    []string
	cut       []string // the files whose search a NUL ended
}

// found are the printed lines of one file.
type found struct {
	path  string
	lines []line
}

// take adds the result of a file.
func (t *tally) take(j job, res fileResult) error {
	t.grew = t.grew || res.grew
	if res.cut {
		t.cut = append(t.cut, strings.Clone(j.file.Path))
	}
	if res.hits == 0 {
		return nil
	}
	path := j.file.Path
	height := 1
	s := t.q.form.Summary
	if alone := s == filesWith || s == filesWithout; j.at.names || alone {
		var err error
		if height, err = printedHeight(path, alone); err != nil {
			return err
		}
	}
	t.hits += res.hits * height
	t.truncated = t.truncated || res.truncated
	if res.uncertain {
		t.uncertain = firstOf(t.uncertain, strings.Clone(path))
	}
	if len(res.lines) > 0 {
		t.found = append(t.found, found{strings.Clone(path), res.lines}) // the listing is let go of
		if t.kept += len(res.lines); t.kept > 4*t.keep {
			t.compact()
		}
	}
	return nil
}

// firstOf is the first of two paths, of which "" is none: what is said of several
// files names the same one in whatever order they were read.
func firstOf(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// result is the result of a search over a tree with a scope.
func (t *tally) result() (Result, error) {
	if t.uncertain != "" && t.grew {
		return Result{}, unsupported(t.uncertain, "what ripgrep prints for it depends on which files a thread read before")
	}
	t.compact()
	return Result{Hits: t.hits, Matches: t.matches(), Truncated: t.truncated, ScopeExists: true, Unread: t.unread}, nil
}

// printedHeight is how many lines that are not blank a line of output takes that
// begins with the path: one for every line feed in it more. alone is for a line
// that is the path and nothing else.
func printedHeight(path string, alone bool) (int, error) {
	parts := strings.Split(path, "\n")
	n := 0
	for i, part := range parts {
		if i == len(parts)-1 && !alone || strings.TrimSpace(part) != "" {
			n++
		} else if i == 0 {
			return 0, unsupported(strconv.Quote(path), "a file name that begins with a blank line")
		}
	}
	return n, nil
}

// compact sorts the files found and drops the lines past those that are kept.
func (t *tally) compact() {
	slices.SortStableFunc(t.found, func(a, b found) int { return cmp.Compare(a.path, b.path) })
	t.kept = 0
	for i := range t.found {
		f := &t.found[i]
		if room := t.keep - t.kept; len(f.lines) > room {
			t.truncated = true
			f.lines = f.lines[:room]
		}
		t.kept += len(f.lines)
	}
	t.found = slices.DeleteFunc(t.found, func(f found) bool { return len(f.lines) == 0 })
	slices.Sort(t.unread)
	t.unread = slices.Compact(t.unread)
}

// matches lists what was found, sorted.
func (t *tally) matches() []Match {
	var out []Match
	for _, f := range t.found {
		for _, l := range f.lines {
			m := Match{File: f.path, Line: l.number, Text: l.text}
			if s := t.q.form.Summary; s == filesWith || s == filesWithout {
				m.Text = f.path
			}
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out
}
