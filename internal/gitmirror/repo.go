package gitmirror

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
)

// DefaultBlobLimit is the size above which Tree.Read reports a file as too large,
// in bytes.
const DefaultBlobLimit = 32 << 20

// Repo reads one repository. It is safe for concurrent use. Nothing runs before
// the first question, and a question about two full ids costs one process.
type Repo struct {
	dir       string // the git directory, where names of commits are looked up
	common    string // the directory that holds its objects: dir, but for a linked work tree
	names     *executor
	objects   *executor
	view      string // temporary directory behind objects, or ""
	cat       *catFile
	trees     *treeCache
	spare     atomic.Pointer[shelf] // used again; nil while somebody reads
	blobLimit int64
	counters  counters
}

// Stats counts what a Repo cost since it was opened.
type Stats struct {
	BlobsRead    int64 // file contents read
	BytesRead    int64 // their size in bytes
	GitProcesses int64 // git processes started
}

type counters struct {
	blobs, bytes, processes atomic.Int64
	damaged                 atomic.Bool // git, or a tree that is not there, said so
}

// Open opens the repository at dir: a work tree, a directory inside one, a bare
// repository or a linked work tree. It starts no process and reads nothing of the
// repository's configuration but whether it is a partial clone.
//
// The owner of the files does not matter: git's own guard against repositories of
// other users protects from their configuration, which is not in force here.
//
// Errors: fs.ErrNotExist, ErrNotRepository, ErrNoGit.
func Open(ctx context.Context, dir string, opts ...Option) (*Repo, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("repository %q: %w", dir, err)
	}
	o, err := newOptions(opts)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("repository %q: %w", dir, err)
	}
	gitDir, err := discover(abs)
	if err != nil {
		return nil, fmt.Errorf("repository %q: %w", dir, err)
	}
	r, err := openGitDir(gitDir, o)
	if err != nil {
		return nil, fmt.Errorf("repository %q: %w", dir, err)
	}
	return r, nil
}

// openGitDir opens a directory that is known to be a git directory.
func openGitDir(gitDir string, o options) (*Repo, error) {
	common, err := commonDir(gitDir)
	if err != nil {
		return nil, err
	}
	r := &Repo{dir: gitDir, common: common, trees: newTreeCache(), blobLimit: o.blobLimit}
	r.names = newExecutor(o.git, gitDir, "", o.timeout, &r.counters)
	r.objects = r.names
	partial, err := isPartialClone(common)
	if err != nil {
		return nil, err
	}
	if partial {
		if r.view, err = objectView(common); err != nil {
			return nil, err
		}
		r.objects = newExecutor(o.git, r.view, filepath.Join(common, "objects"), o.timeout, &r.counters)
	}
	r.cat = newCatFile(r.objects)
	return r, nil
}

// Dir returns the git directory.
func (r *Repo) Dir() string { return r.dir }

// Stats returns the cost so far.
func (r *Repo) Stats() Stats {
	return Stats{
		BlobsRead:    r.counters.blobs.Load(),
		BytesRead:    r.counters.bytes.Load(),
		GitProcesses: r.counters.processes.Load(),
	}
}

// Close ends the long-lived process. Reading objects after it is ErrClosed. It may
// be called again.
func (r *Repo) Close() error {
	r.cat.close()
	if r.view == "" {
		return nil
	}
	return os.RemoveAll(r.view)
}

// shallow reports whether history is cut off.
func (r *Repo) shallow() bool {
	info, err := os.Stat(filepath.Join(r.common, "shallow"))
	return err == nil && info.Size() > 0
}
