package testenv

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Repo is a git work tree in a temporary directory, with a history that a test
// writes. The same calls give the same commit ids on every machine: author,
// dates and configuration are fixed, and nothing of the user's git is read.
// A failing step fails the test. It is not safe for concurrent use.
type Repo struct {
	t     testing.TB
	dir   string
	env   []string
	clock time.Time
}

// RepoOption changes how NewRepo makes a repository.
type RepoOption func(*repoOptions)

type repoOptions struct{ objectFormat string }

// WithSHA256 makes a repository whose object ids are SHA-256.
func WithSHA256() RepoOption {
	return func(o *repoOptions) { o.objectFormat = "sha256" }
}

// commitInterval separates the dates of consecutive commits.
const commitInterval = time.Minute

// firstCommit is the date of the first commit.
var firstCommit = time.Date(2024, time.January, 1, 12, 0, 0, 0, time.UTC)

// NewRepo makes an empty repository on branch main.
func NewRepo(t testing.TB, opts ...RepoOption) *Repo {
	t.Helper()
	o := repoOptions{objectFormat: "sha1"}
	for _, opt := range opts {
		opt(&o)
	}
	r := &Repo{t: t, dir: filepath.Join(t.TempDir(), "repo"), env: GitEnv(t), clock: firstCommit}
	r.must(os.MkdirAll(r.dir, 0o755))
	r.Git("init", "--quiet", "--template=", "--initial-branch=main", "--object-format="+o.objectFormat)
	return r
}

// GitEnv returns a process environment in which git reads no configuration of the
// user or the system, never prompts, and speaks English.
func GitEnv(t testing.TB) []string {
	t.Helper()
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + t.TempDir(),
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0",
		"LC_ALL=C",
		"TZ=UTC",
		"GIT_AUTHOR_NAME=Ada Example",
		"GIT_AUTHOR_EMAIL=ada@example.com",
		"GIT_COMMITTER_NAME=Ada Example",
		"GIT_COMMITTER_EMAIL=ada@example.com",
	}
}

// Dir returns the absolute path of the work tree.
func (r *Repo) Dir() string { return r.dir }

// Path returns the absolute path of a file of the work tree.
func (r *Repo) Path(path string) string { return filepath.Join(r.dir, filepath.FromSlash(path)) }

// Write puts content in a file, making its directories.
func (r *Repo) Write(path, content string) {
	r.t.Helper()
	full := r.Path(path)
	r.must(os.MkdirAll(filepath.Dir(full), 0o755))
	r.must(os.WriteFile(full, []byte(content), 0o644))
}

// Chmod sets or clears the executable bit of a file.
func (r *Repo) Chmod(path string, executable bool) {
	r.t.Helper()
	mode := os.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	r.must(os.Chmod(r.Path(path), mode))
}

// Remove deletes a file or a directory with all it holds.
func (r *Repo) Remove(path string) {
	r.t.Helper()
	if _, err := os.Lstat(r.Path(path)); err != nil {
		r.must(err)
	}
	r.must(os.RemoveAll(r.Path(path)))
}

// Move renames a file or a directory, making the directories of the new place.
func (r *Repo) Move(from, to string) {
	r.t.Helper()
	r.must(os.MkdirAll(filepath.Dir(r.Path(to)), 0o755))
	r.must(os.Rename(r.Path(from), r.Path(to)))
}

// Symlink makes path a symbolic link to target, which is stored as given.
func (r *Repo) Symlink(target, path string) {
	r.t.Helper()
	r.must(os.MkdirAll(filepath.Dir(r.Path(path)), 0o755))
	r.must(os.Symlink(target, r.Path(path)))
}

// Submodule records a submodule at path, at the given commit of another repository.
func (r *Repo) Submodule(path, commit string) {
	r.t.Helper()
	r.must(os.MkdirAll(r.Path(path), 0o755))
	r.Git("update-index", "--add", "--cacheinfo", "160000,"+commit+","+path)
}

// Commit records the whole work tree, ignored files included, and returns the
// full id of the commit. It may be empty.
func (r *Repo) Commit(message string) string {
	r.t.Helper()
	r.Git("add", "--all", "--force", "--", ".")
	r.Git("commit", "--quiet", "--allow-empty", "--allow-empty-message", "--no-verify", "-m", message)
	return r.Head()
}

// Merge merges a branch into the current one with a merge commit and returns its
// full id. A conflict fails the test.
func (r *Repo) Merge(branch, message string) string {
	r.t.Helper()
	r.Git("merge", "--quiet", "--no-ff", "--no-verify", "-m", message, branch)
	return r.Head()
}

// Branch makes a branch at the current commit and switches to it.
func (r *Repo) Branch(name string) {
	r.t.Helper()
	r.Git("checkout", "--quiet", "-b", name)
}

// Checkout switches to a branch or a commit.
func (r *Repo) Checkout(rev string) {
	r.t.Helper()
	r.Git("checkout", "--quiet", rev)
}

// Head returns the full id of the current commit.
func (r *Repo) Head() string {
	r.t.Helper()
	return r.Git("rev-parse", "--verify", "HEAD^{commit}")
}

// BareClone makes a bare clone in a directory of its own and returns its path.
func (r *Repo) BareClone() string {
	r.t.Helper()
	dir := filepath.Join(r.t.TempDir(), "clone.git")
	r.Git("clone", "--quiet", "--bare", "--template=", "--no-hardlinks", r.dir, dir)
	return dir
}

// Git runs git in the work tree and returns its standard output without the
// trailing newline. Commits made through it carry the next date of the history.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	return strings.TrimSuffix(string(r.GitInput(nil, args...)), "\n")
}

// GitInput runs git in the work tree with the given standard input and returns
// its standard output as it is.
func (r *Repo) GitInput(stdin []byte, args ...string) []byte {
	r.t.Helper()
	if len(args) > 0 && makesCommit(args[0]) {
		r.clock = r.clock.Add(commitInterval)
	}
	date := fmt.Sprintf("%d +0000", r.clock.Unix())
	pinned := []string{
		"-c", "core.autocrlf=false", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0",
		"-c", "commit.gpgSign=false", "-c", "protocol.file.allow=always", "-c", "advice.detachedHead=false",
	}
	cmd := exec.Command("git", append(pinned, args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(append([]string(nil), r.env...), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	cmd.Stdin = bytes.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.Bytes()
}

func makesCommit(command string) bool {
	switch command {
	case "commit", "merge", "cherry-pick", "revert", "commit-tree", "tag":
		return true
	}
	return false
}

func (r *Repo) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatalf("prepare repository: %v", err)
	}
}
