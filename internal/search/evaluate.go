package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// evaluation scans files and gives their results to the tallies of the jobs.
type evaluation struct {
	q     *Query
	scan  *scanner
	cache Cache // of results by blob; may be nil
	known map[string]fileResult
}

// evaluate scans the files of jobs, which it sorts. A file that has several jobs is
// read once.
func (e *evaluation) evaluate(ctx context.Context, src Source, jobs []job) error {
	todo, err := e.unknown(ctx, jobs)
	if err != nil {
		return err
	}
	byPath := func(a, b job) int { return cmp.Compare(a.file.Path, b.file.Path) }
	if !slices.IsSortedFunc(todo, byPath) {
		slices.SortStableFunc(todo, byPath)
	}
	of := func(path string) []job {
		from, _ := slices.BinarySearchFunc(todo, path, func(j job, path string) int { return cmp.Compare(j.file.Path, path) })
		return sameFile(todo[from:])
	}
	var spare []File
	files := make([]File, 0, len(todo))
	for rest := todo; len(rest) > 0; {
		js := sameFile(rest)
		rest = rest[len(js):]
		if e.q.dispensable(js) {
			spare = append(spare, js[0].file)
		} else {
			files = append(files, js[0].file)
		}
	}
	unread, err := read(ctx, src, files, spare, func(f File, data []byte) error {
		for _, j := range of(f.Path) {
			if err := e.scanJob(ctx, j, data); err != nil {
				return fmt.Errorf("search %q: %w", f.Path, err)
			}
		}
		return nil
	})
	for _, path := range unread {
		for _, j := range of(path) {
			j.into.unread = append(j.into.unread, strings.Clone(path))
		}
	}
	return err
}

// sameFile returns the jobs at the start that are about one file.
func sameFile(jobs []job) []job {
	n := 1
	for n < len(jobs) && jobs[n].file.Path == jobs[0].file.Path {
		n++
	}
	return jobs[:n]
}

// unknown takes in the results that are known and returns the other jobs.
func (e *evaluation) unknown(ctx context.Context, jobs []job) (todo []job, err error) {
	if e.cache == nil {
		return jobs, ctx.Err()
	}
	for _, j := range jobs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if res, ok := e.known[e.q.blobKey(j)]; !ok {
			todo = append(todo, j)
		} else if err := j.into.take(j, res); err != nil {
			return nil, err
		}
	}
	return todo, nil
}

// read reads the files, and of the spare ones those that can be had; unread are
// the others. Both are sorted.
func read(ctx context.Context, src Source, files, spare []File, scan func(File, []byte) error) (unread []string, err error) {
	if len(files) > 0 {
		if err := src.Read(ctx, files, scan); err != nil {
			return nil, fmt.Errorf("read the files: %w", err)
		}
	}
	if len(spare) == 0 {
		return nil, nil
	}
	done := 0
	var failed error // of scan, not of the source
	err = src.Read(ctx, spare, func(f File, data []byte) error {
		failed = scan(f, data)
		done++
		return failed
	})
	if failed != nil || err == nil {
		return nil, failed
	}
	// Which file was at fault the error does not tell: the rest one by one.
	if unread, err = readEach(ctx, src, spare[done:], scan); err != nil {
		return nil, fmt.Errorf("read the files: %w", err)
	}
	return unread, nil
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
	if e.cache != nil && len(data) >= minCachedBlob {
		putFile(ctx, e.cache, e.q.blobKey(j), res)
	}
	return j.into.take(j, res)
}
