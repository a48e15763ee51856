package gitmirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultBlobLimit is the size above which Tree.Read reports a file as too large,
// in bytes.
const DefaultBlobLimit = 32 << 20

// Repo reads one repository. It is safe for concurrent use. Nothing runs before
// the first question, and a question about two full ids costs one process.
type Repo struct {
	dir       string // the git directory, where names of commits are looked up
	common    string // the directory that holds objects and shallow
	names     *executor
	objects   *executor
	view      string // temporary directory behind objects, or ""
	cat       *catFile
	trees     *treeCache
	blobLimit int64
	counters  counters
	closeOnce sync.Once
	closeErr  error
}

// Stats counts what a Repo cost since it was opened.
type Stats struct {
	BlobsRead    int64 // file contents read
	BytesRead    int64 // their size in bytes
	GitProcesses int64 // git processes started
}

type counters struct{ blobs, bytes, processes atomic.Int64 }

// Option changes how a repository is opened.
type Option func(*options)

type options struct {
	git          string
	timeout      time.Duration
	fetchTimeout time.Duration
	blobLimit    int64
	insecureHTTP bool
	localRemotes bool
	now          func() time.Time
}

// WithGit names the git executable. The default is the one on the PATH.
func WithGit(path string) Option { return func(o *options) { o.git = path } }

// WithTimeout bounds one local git process, or one exchange with the long-lived
// one. The default is two minutes.
func WithTimeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// WithBlobLimit sets the size above which Tree.Read reports a file as too large.
func WithBlobLimit(bytes int64) Option { return func(o *options) { o.blobLimit = bytes } }

func newOptions(opts []Option) (options, error) {
	o := options{
		git: "git", timeout: defaultTimeout, fetchTimeout: defaultFetchTimeout,
		blobLimit: DefaultBlobLimit, now: time.Now,
	}
	for _, opt := range opts {
		opt(&o)
	}
	path, err := exec.LookPath(o.git)
	if err != nil {
		return o, fmt.Errorf("%w (looked for %q)", ErrNoGit, o.git)
	}
	o.git = path
	return o, nil
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
	r.names = newExecutor(o.git, gitDir, "", o.timeout, &r.counters.processes)
	r.objects = r.names
	partial, err := isPartialClone(common)
	if err != nil {
		return nil, err
	}
	if partial {
		if r.view, err = objectView(common); err != nil {
			return nil, err
		}
		r.objects = newExecutor(o.git, r.view, filepath.Join(common, "objects"), o.timeout, &r.counters.processes)
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

// Close ends the long-lived process. Calls after it fail with ErrClosed.
func (r *Repo) Close() error {
	r.closeOnce.Do(func() {
		r.closeErr = r.cat.close()
		if r.view != "" {
			r.closeErr = errors.Join(r.closeErr, os.RemoveAll(r.view))
		}
	})
	return r.closeErr
}

// shallow reports whether history is cut off.
func (r *Repo) shallow() bool {
	info, err := os.Stat(filepath.Join(r.common, "shallow"))
	return err == nil && info.Size() > 0
}

// discover finds the git directory for dir, looking upward like git does.
func discover(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%w: it is a file; name the directory that holds .git, or a bare repository", ErrNotRepository)
	}
	for at := dir; ; {
		if found, err := gitDirAt(at); found != "" || err != nil {
			return found, err
		}
		parent := filepath.Dir(at)
		if parent == at {
			return "", fmt.Errorf("%w (nor is any directory above it); name a clone or a bare repository", ErrNotRepository)
		}
		at = parent
	}
}

// gitDirAt returns the git directory that dir is or holds, or "".
func gitDirAt(dir string) (string, error) {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Stat(dotGit)
	switch {
	case err == nil && info.IsDir() && looksLikeGitDir(dotGit):
		return dotGit, nil
	case err == nil && info.Mode().IsRegular():
		return readGitFile(dotGit)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if looksLikeGitDir(dir) {
		return dir, nil
	}
	return "", nil
}

// maxPointerFile bounds the one-line files that point to another directory.
const maxPointerFile = 4 << 10

// readGitFile follows the .git file of a linked work tree or a submodule.
func readGitFile(path string) (string, error) {
	line, err := readPointer(path)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(line, "gitdir: ")
	if !ok {
		return "", fmt.Errorf("%w: the file %q does not begin with \"gitdir: \"", ErrNotRepository, path)
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	if !looksLikeGitDir(target) {
		return "", fmt.Errorf("%w: %q points to %q, which is none", ErrNotRepository, path, target)
	}
	return target, nil
}

// looksLikeGitDir makes the same test as git: HEAD, objects and refs, the latter
// two possibly in the directory that commondir names.
func looksLikeGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common, err := commonDir(dir)
	if err != nil {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// commonDir returns the directory with objects and config: gitDir itself, or the
// main one of a linked work tree.
func commonDir(gitDir string) (string, error) {
	line, err := readPointer(filepath.Join(gitDir, "commondir"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return gitDir, nil
	case err != nil:
		return "", err
	case filepath.IsAbs(line):
		return line, nil
	}
	return filepath.Join(gitDir, line), nil
}

func readPointer(path string) (string, error) {
	data, err := readSmallFile(path, maxPointerFile)
	return strings.TrimRight(string(data), "\r\n"), err
}
