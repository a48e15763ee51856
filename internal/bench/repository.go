package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Repository is a generated repository with three commits: Base, and two that
// follow it directly. Quiet changes one file that no evidence reads, Five five
// files, four of them cited.
type Repository struct {
	Dir               string // work tree, checked out at Five
	Files             int
	Base, Quiet, Five string
}

const (
	filesPerDir  = 50 // of one directory
	dirsPerPart  = 20 // of one part of the tree
	linesPerFile = 40
	citedFiles   = 40 // in agent/, one for each parameter
	quietFile    = "docs/notes.md"
)

// citedFile names the n-th cited file.
func citedFile(n int) string { return fmt.Sprintf("agent/control_%02d.py", n) }

// otherFile names the n-th file that is not cited.
func otherFile(n int) string {
	dir := n / filesPerDir
	return fmt.Sprintf("src/part%03d/dir%03d/file%03d.py", dir/dirsPerPart, dir%dirsPerPart, n%filesPerDir)
}

// line is the n-th line of a file; no two files share one.
func line(file string, n int) string {
	return fmt.Sprintf("value_%d = compute(%q, step=%d)", n, file, n*n)
}

func content(file string) string {
	var b strings.Builder
	for n := 1; n <= linesPerFile; n++ {
		b.WriteString(line(file, n) + "\n")
	}
	return b.String()
}

// Generate writes a repository of the given number of files below dir.
func Generate(ctx context.Context, dir string, files int) (*Repository, error) {
	r := &Repository{Dir: dir, Files: files}
	if err := r.git(ctx, nil, "init", "--quiet", "--template=", "--initial-branch=main", dir); err != nil {
		return nil, err
	}
	if err := r.git(ctx, stream(files), "-C", dir, "fast-import", "--quiet", "--date-format=raw"); err != nil {
		return nil, err
	}
	for ref, to := range map[string]*string{"base": &r.Base, "quiet": &r.Quiet, "five": &r.Five} {
		id, err := r.output(ctx, "-C", dir, "rev-parse", "--verify", "refs/heads/"+ref)
		if err != nil {
			return nil, err
		}
		*to = id
	}
	return r, r.git(ctx, nil, "-C", dir, "-c", "advice.detachedHead=false", "checkout", "--quiet", "--force", "--detach", r.Five)
}

// stream is the history in the form that git fast-import reads.
func stream(files int) *bytes.Buffer {
	var b bytes.Buffer
	commit := func(ref, from string) {
		fmt.Fprintf(&b, "commit refs/heads/%s\ncommitter Ada Example <ada@example.com> 1700000000 +0000\ndata <<EOT\n%s\nEOT\n", ref, ref)
		if from != "" {
			fmt.Fprintf(&b, "from refs/heads/%s\n", from)
		}
	}
	write := func(path, text string) {
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
	}
	commit("base", "")
	write(quietFile, "# Notes\n")
	for n := range citedFiles {
		write(citedFile(n), content(citedFile(n)))
	}
	for n := range files - citedFiles - 1 {
		write(otherFile(n), content(otherFile(n)))
	}
	commit("quiet", "base")
	write(quietFile, "# Notes\n\nOne more.\n")
	commit("five", "base")
	for n := range 3 { // shifted
		write(citedFile(n), "# a remark\n"+content(citedFile(n)))
	}
	edited := strings.Replace(content(citedFile(3)), line(citedFile(3), citedFirst), "value = None", 1)
	write(citedFile(3), edited)
	write(otherFile(7), "# a remark\n"+content(otherFile(7)))
	return &b
}

// environment keeps git from reading anybody's configuration.
func environment() []string {
	return append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C")
}

func (r *Repository) git(ctx context.Context, stdin *bytes.Buffer, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Env = environment()
	if stdin != nil {
		cmd.Stdin = stdin
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(out))
	}
	return nil
}

func (r *Repository) output(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Env = environment()
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
