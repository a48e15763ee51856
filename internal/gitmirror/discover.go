package gitmirror

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

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
