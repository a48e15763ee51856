package standin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// zeroSHA is git's "no object", as webhooks show it.
const zeroSHA = "0000000000000000000000000000000000000000"

// emptyTree is the id of the tree with nothing in it.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

var errNoObject = errors.New("no such git object")

// gitRunner runs the git of this machine with no configuration but our own.
type gitRunner struct {
	exe     string
	backend string // git-http-backend
}

func newGitRunner() (gitRunner, error) {
	exe, err := exec.LookPath("git")
	if err != nil {
		return gitRunner{}, fmt.Errorf("find git for the stand-in: %w; install git", err)
	}
	out, err := exec.Command(exe, "--exec-path").Output()
	if err != nil {
		return gitRunner{}, fmt.Errorf("ask git for its programs: %w", err)
	}
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		return gitRunner{}, fmt.Errorf("find git-http-backend: %w; install the whole of git", err)
	}
	return gitRunner{exe: exe, backend: backend}, nil
}

// gitEnv is all that git sees of the environment.
func gitEnv() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + os.DevNull, "XDG_CONFIG_HOME=" + os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_TERMINAL_PROMPT=0", "GIT_ATTR_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC",
		"GIT_AUTHOR_NAME=GitHub", "GIT_AUTHOR_EMAIL=noreply@github.com",
		"GIT_COMMITTER_NAME=GitHub", "GIT_COMMITTER_EMAIL=noreply@github.com",
	}
}

// gitDir is a bare repository on the disk.
type gitDir struct {
	runner gitRunner
	path   string
}

func (r gitRunner) dir(path string) gitDir { return gitDir{runner: r, path: path} }

// run runs git in the repository and returns its standard output.
func (d gitDir) run(ctx context.Context, args ...string) ([]byte, error) {
	return d.input(ctx, nil, nil, args...)
}

// text is run for output of one line.
func (d gitDir) text(ctx context.Context, args ...string) (string, error) {
	out, err := d.run(ctx, args...)
	return strings.TrimRight(string(out), "\n"), err
}

func (d gitDir) input(ctx context.Context, stdin []byte, env []string, args ...string) ([]byte, error) {
	all := append([]string{"--git-dir=" + d.path, "-c", "core.hooksPath=" + os.DevNull, "-c", "gc.auto=0", "-c", "diff.renameLimit=0"}, args...)
	cmd := exec.CommandContext(ctx, d.runner.exe, all...)
	cmd.Env = append(gitEnv(), env...)
	cmd.Stdin = bytes.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.Bytes(), fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return stdout.Bytes(), nil
}

// serverConfig is what GitHub's servers allow: partial clones, fetching any commit
// by its id, pushing over HTTP, but no push to refs/pull.
const serverConfig = `[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[http]
	receivepack = true
[receive]
	hideRefs = refs/pull
	denyDeleteCurrent = ignore
`

// initRepo makes the bare repository.
func (d gitDir) initRepo(ctx context.Context, defaultBranch string) error {
	if _, err := d.run(ctx, "init", "--quiet", "--bare", "--template=", "--initial-branch="+defaultBranch, d.path); err != nil {
		return err
	}
	config, err := os.OpenFile(filepath.Join(d.path, "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("configure repository: %w", err)
	}
	_, err = config.WriteString(serverConfig)
	return errors.Join(err, config.Close())
}

// commitOf resolves what GitHub calls a ref: a branch, a tag, "heads/x",
// "tags/x", or a full or abbreviated commit id. Revision syntax such as main~1 is
// not a ref. The error is errNoObject when nothing is there.
func (d gitDir) commitOf(ctx context.Context, ref string) (string, error) {
	if !plainRef(ref) {
		return "", errNoObject
	}
	tries := []string{"refs/heads/" + ref, "refs/tags/" + ref}
	if strings.HasPrefix(ref, "heads/") || strings.HasPrefix(ref, "tags/") || strings.HasPrefix(ref, "pull/") {
		tries = append(tries, "refs/"+ref)
	}
	if strings.HasPrefix(ref, "refs/") || ref == "HEAD" || isHex(ref) && len(ref) >= 7 {
		tries = append(tries, ref)
	}
	for _, name := range tries {
		if sha, err := d.text(ctx, "rev-parse", "--quiet", "--verify", "--end-of-options", name+"^{commit}"); err == nil {
			return sha, nil
		}
	}
	return "", errNoObject
}

// objectType returns "commit", "tree", "blob" or "tag" of a full or abbreviated id.
func (d gitDir) objectType(ctx context.Context, sha string) (string, error) {
	if !isHex(sha) {
		return "", errNoObject
	}
	kind, err := d.text(ctx, "cat-file", "-t", sha)
	if err != nil {
		return "", errNoObject
	}
	return kind, nil
}

// branchSHA returns the commit of a branch, or "" when there is no such branch.
func (d gitDir) branchSHA(ctx context.Context, branch string) string {
	sha, err := d.text(ctx, "rev-parse", "--quiet", "--verify", "refs/heads/"+branch+"^{commit}")
	if err != nil || !plainRef(branch) {
		return ""
	}
	return sha
}

// refsUnder returns the object of every ref whose name begins with prefix.
func (d gitDir) refsUnder(ctx context.Context, prefixes ...string) (map[string]string, error) {
	out, err := d.run(ctx, append([]string{"for-each-ref", "--format=%(objectname) %(refname)"}, prefixes...)...)
	if err != nil {
		return nil, err
	}
	refs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		sha, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		refs[name] = sha
	}
	return refs, nil
}

func (d gitDir) isAncestor(ctx context.Context, old, new string) bool {
	_, err := d.run(ctx, "merge-base", "--is-ancestor", old, new)
	return err == nil
}

// mergeBase returns "" when the histories have nothing in common.
func (d gitDir) mergeBase(ctx context.Context, a, b string) string {
	sha, err := d.text(ctx, "merge-base", a, b)
	if err != nil {
		return ""
	}
	return sha
}

func isHex(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return s != ""
}

// plainRef reports whether s can be part of a ref's name, by git's rules.
func plainRef(s string) bool {
	if s == "" || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "/") || strings.HasSuffix(s, "/") ||
		strings.Contains(s, "..") || strings.Contains(s, "@{") || strings.Contains(s, "//") || strings.HasSuffix(s, ".lock") {
		return false
	}
	for _, c := range []byte(s) {
		if c <= ' ' || c == 0x7f || strings.IndexByte("~^:?*[\\", c) >= 0 {
			return false
		}
	}
	return true
}
