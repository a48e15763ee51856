package standin

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// lookup finds a repository and the person who acts on it.
func (g *GitHub) lookup(user, repo string) (*account, *repository, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	by, err := g.world.account(user)
	if err != nil {
		return nil, nil, err
	}
	r, err := g.world.repo(repo)
	return by, r, err
}

// Push brings commit rev of the git directory at from (a work tree or a bare
// repository) and sets a branch to it, forced where needed, as a person's
// "git push" would: push, check_suite and pull_request events follow. It returns
// the full commit id. Nothing happens when the branch is there already.
func (g *GitHub) Push(ctx context.Context, user, repo, branch, from, rev string) (string, error) {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return "", err
	}
	sha, objects, err := g.git.lookInto(ctx, from, rev)
	if err != nil {
		return "", err
	}
	if err := r.dir.bring(ctx, g.git.dir(filepath.Dir(objects)), sha); err != nil {
		return "", fmt.Errorf("push %s to %s: %w", rev, repo, err)
	}
	return sha, g.moveBranch(ctx, by, r, branch, sha)
}

// SetBranch sets a branch to a commit that the repository holds, making it when
// needed, with the events of a push.
func (g *GitHub) SetBranch(ctx context.Context, user, repo, branch, sha string) error {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return err
	}
	return g.moveBranch(ctx, by, r, branch, sha)
}

// DeleteBranch deletes a branch; open pull requests from it close.
func (g *GitHub) DeleteBranch(ctx context.Context, user, repo, branch string) error {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return err
	}
	return g.moveBranch(ctx, by, r, branch, "")
}

// moveBranch sets a branch, or deletes it for an empty sha.
func (g *GitHub) moveBranch(ctx context.Context, by *account, r *repository, branch, sha string) error {
	if !plainRef(branch) {
		return fmt.Errorf("move branch %q: it is no valid name of a branch", branch)
	}
	g.refs.Lock()
	defer g.refs.Unlock()
	_, err := g.watched(ctx, r, by, func() error {
		args := []string{"update-ref", headsPrefix + branch, sha}
		if sha == "" {
			args = []string{"update-ref", "-d", headsPrefix + branch}
		}
		_, err := r.dir.run(ctx, args...)
		return err
	})
	if err != nil {
		return fmt.Errorf("move branch %q: %w", branch, err)
	}
	return nil
}

// File is one change of Commit: new content, or Delete.
type File struct {
	Path       string
	Content    string
	Executable bool
	Symlink    bool // Content is the target
	Delete     bool
}

// Commit makes a commit on a branch from what it holds and the given changes, and
// pushes it. A branch that is not there starts from the default branch. It
// returns the full commit id.
func (g *GitHub) Commit(ctx context.Context, user, repo, branch, message string, files ...File) (string, error) {
	by, r, err := g.lookup(user, repo)
	if err != nil {
		return "", err
	}
	parent := r.dir.branchSHA(ctx, branch)
	if parent == "" {
		parent = r.dir.branchSHA(ctx, g.mainBranch(r))
	}
	sha, err := r.dir.commit(ctx, by, parent, message, g.now().Unix(), files)
	if err != nil {
		return "", fmt.Errorf("commit to %s of %s: %w", branch, repo, err)
	}
	return sha, g.moveBranch(ctx, by, r, branch, sha)
}

// commit writes a commit with git fast-import, on a parent or, with "", as a root.
func (d gitDir) commit(ctx context.Context, by *account, parent, message string, at int64, files []File) (string, error) {
	const scratch = "refs/standin/commit"
	var in strings.Builder
	fmt.Fprintf(&in, "feature done\ncommit %s\nmark :1\ncommitter %s <%s> %d +0000\ndata %d\n%s\n", scratch, by.login, by.noreply(), at, len(message), message)
	if parent != "" {
		fmt.Fprintf(&in, "from %s\n", parent)
	}
	for _, f := range files {
		path := strconv.Quote(f.Path)
		mode := map[[2]bool]string{{true, false}: "100755", {false, true}: modeSymlink}[[2]bool{f.Executable, f.Symlink}]
		if mode == "" {
			mode = "100644"
		}
		if f.Delete {
			fmt.Fprintf(&in, "D %s\n", path)
			continue
		}
		fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, path, len(f.Content), f.Content)
	}
	in.WriteString("get-mark :1\ndone\n")
	out, err := d.input(ctx, []byte(in.String()), nil, "fast-import", "--quiet", "--force")
	if err != nil {
		return "", err
	}
	if _, err := d.run(ctx, "update-ref", "-d", scratch); err != nil {
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}
