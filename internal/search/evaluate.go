package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// evaluation adds up the results of files. It keeps the first lines by path, as
// many as its scanner keeps of one file, and not many more on the way.
type evaluation struct {
	q         *Query
	scan      *scanner
	cache     Cache
	hits      int
	truncated bool   // there are more lines than are kept
	uncertain string // the first file whose result is
	grew      bool
	found     []found
	kept      int // lines in found
	unread    []string
}

// found are the printed lines of one file.
type found struct {
	path  string
	lines []line
}

// evaluate scans the files of jobs. A file that has several jobs is read once.
func (e *evaluation) evaluate(ctx context.Context, src Source, jobs []job) error {
	todo := map[string][]job{}
	var files, spare []File
	for _, j := range jobs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if res, ok := e.cached(j); ok {
			if err := e.take(j, res); err != nil {
				return err
			}
			continue
		}
		todo[j.file.Path] = append(todo[j.file.Path], j)
	}
	for _, js := range todo {
		if e.q.dispensable(js) {
			spare = append(spare, js[0].file)
		} else {
			files = append(files, js[0].file)
		}
	}
	scan := func(f File, data []byte) error {
		for _, j := range todo[f.Path] {
			if err := e.scanJob(ctx, j, data); err != nil {
				return fmt.Errorf("search %q: %w", f.Path, err)
			}
		}
		delete(todo, f.Path)
		return nil
	}
	return e.read(ctx, src, files, spare, scan)
}

// read reads the files, and of the spare ones those that can be had.
func (e *evaluation) read(ctx context.Context, src Source, files, spare []File, scan func(File, []byte) error) error {
	byPath := func(a, b File) int { return cmp.Compare(a.Path, b.Path) }
	slices.SortFunc(files, byPath)
	slices.SortFunc(spare, byPath)
	if len(files) > 0 {
		if err := src.Read(ctx, files, scan); err != nil {
			return fmt.Errorf("read the files: %w", err)
		}
	}
	if len(spare) == 0 {
		return nil
	}
	done := 0
	var failed error // of scan, not of the source
	err := src.Read(ctx, spare, func(f File, data []byte) error {
		failed = scan(f, data)
		done++
		return failed
	})
	if failed != nil || err == nil {
		return failed
	}
	// Which file was at fault the error does not tell: the rest one by one.
	if e.unread, err = readEach(ctx, src, spare[done:], scan); err != nil {
		return fmt.Errorf("read the files: %w", err)
	}
	return nil
}

func (e *evaluation) scanJob(ctx context.Context, j job, data []byte) error {
	var res fileResult
	if e.q.o.hasMaxSize && !j.at.explicit && int64(len(data)) > e.q.o.maxSize {
		res = fileResult{}
	} else {
		var err error
		if res, err = e.scan.file(ctx, data, j.at); err != nil {
			return err
		}
	}
	if e.cache != nil {
		putFile(e.cache, e.q.blobKey(j), res)
	}
	return e.take(j, res)
}

func (e *evaluation) cached(j job) (fileResult, bool) {
	if e.cache == nil {
		return fileResult{}, false
	}
	return cachedFile(e.cache, e.q.blobKey(j), e.scan.keep)
}

// take adds the result of a file.
func (e *evaluation) take(j job, res fileResult) error {
	e.grew = e.grew || res.grew
	if res.hits == 0 {
		return nil
	}
	path := j.file.Path
	height := 1
	if s := e.q.form.Summary; j.at.names || s == filesWith || s == filesWithout {
		var err error
		if height, err = printedHeight(path); err != nil {
			return err
		}
	}
	e.hits += res.hits * height
	e.truncated = e.truncated || res.truncated
	if res.uncertain && e.uncertain == "" {
		e.uncertain = path
	}
	if len(res.lines) > 0 {
		e.found = append(e.found, found{path, res.lines})
		if e.kept += len(res.lines); e.kept > 4*e.scan.keep {
			e.compact()
		}
	}
	return nil
}

// printedHeight is how many lines that are not blank a line of output takes that
// begins with the path: one for every line feed in it more.
func printedHeight(path string) (int, error) {
	parts := strings.Split(path, "\n")
	n := 0
	for i, part := range parts {
		if i == len(parts)-1 || strings.TrimSpace(part) != "" {
			n++
		} else if i == 0 {
			return 0, unsupported(strconv.Quote(path), "a file name that begins with a blank line")
		}
	}
	return n, nil
}

// compact sorts the files found and drops the lines past those that are kept.
func (e *evaluation) compact() {
	slices.SortStableFunc(e.found, func(a, b found) int { return cmp.Compare(a.path, b.path) })
	e.kept = 0
	for i := range e.found {
		f := &e.found[i]
		if room := e.scan.keep - e.kept; len(f.lines) > room {
			e.truncated = true
			f.lines = f.lines[:room]
		}
		e.kept += len(f.lines)
	}
	e.found = slices.DeleteFunc(e.found, func(f found) bool { return len(f.lines) == 0 })
}

// matches lists what was found, sorted.
func (e *evaluation) matches() []Match {
	var out []Match
	for _, f := range e.found {
		for _, l := range f.lines {
			m := Match{File: f.path, Line: l.number, Text: l.text}
			if s := e.q.form.Summary; s == filesWith || s == filesWithout {
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
