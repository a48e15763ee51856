package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// evaluation scans files and gives their results to the tallies of the jobs.
type evaluation struct {
	q     *Query
	scan  *scanner
	cache Cache // of results by blob; may be nil
	known map[string]fileResult
}

// evaluate scans the files of jobs. A file that has several jobs is read once.
func (e *evaluation) evaluate(ctx context.Context, src Source, jobs []job) error {
	todo := map[string][]job{}
	var files, spare []File
	for _, j := range jobs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.cache != nil {
			if res, ok := e.known[e.q.blobKey(j)]; ok {
				if err := j.into.take(j, res); err != nil {
					return err
				}
				continue
			}
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
	unread, err := read(ctx, src, files, spare, scan)
	for _, path := range unread {
		for _, j := range todo[path] {
			j.into.unread = append(j.into.unread, path)
		}
	}
	return err
}

// read reads the files, and of the spare ones those that can be had; unread are
// the others.
func read(ctx context.Context, src Source, files, spare []File, scan func(File, []byte) error) (unread []string, err error) {
	byPath := func(a, b File) int { return cmp.Compare(a.Path, b.Path) }
	slices.SortFunc(files, byPath)
	slices.SortFunc(spare, byPath)
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
