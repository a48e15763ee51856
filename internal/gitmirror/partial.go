package gitmirror

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rescore-app/rescore/internal/lazy"
)

// maxConfigFile bounds how much of a repository's config is looked at.
const maxConfigFile = 8 << 20

// promisor matches the settings that make git fetch a missing object by itself.
var promisor = lazy.Regexp(`(?i)promisor|partialclone`)

// objectFormat matches the setting that names the hash of object ids.
var objectFormat = lazy.Regexp(`(?im)^\s*objectformat\s*=\s*"?([a-z0-9]+)"?\s*$`)

// isPartialClone reports whether git would go to the network for a missing object.
func isPartialClone(common string) (bool, error) {
	for _, name := range []string{"config", "config.worktree"} {
		data, err := readSmallFile(filepath.Join(common, name), maxConfigFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("read the repository's configuration: %w", err)
		}
		if promisor().Match(data) {
			return true, nil
		}
	}
	return false, nil
}

// objectView makes a temporary git directory that shows the objects of a partial
// clone without the setting that makes it one, so that a missing object is
// reported as missing. No setting on the command line takes a promisor remote away;
// GIT_NO_LAZY_FETCH, or denying all transports, makes git die in the middle of a
// batch at the first object that a promisor owes.
//
// The caller removes the directory.
func objectView(common string) (dir string, err error) {
	dir, err = os.MkdirTemp("", "rescore-view-")
	if err != nil {
		return "", fmt.Errorf("make a view of a partial clone: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("make a view of a partial clone: %w", err), os.RemoveAll(dir))
		}
	}()
	for _, sub := range []string{"refs", "objects"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			return "", err
		}
	}
	files := map[string]string{"HEAD": "ref: refs/heads/none\n", "config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"}
	config, err := readSmallFile(filepath.Join(common, "config"), maxConfigFile)
	if err != nil {
		return "", err
	}
	if m := objectFormat().FindSubmatch(config); m != nil {
		files["config"] = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = " + string(m[1]) + "\n"
	}
	shallow, err := readSmallFile(filepath.Join(common, "shallow"), maxConfigFile)
	switch {
	case err == nil:
		files["shallow"] = string(shallow)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// readSmallFile reads a regular file of at most limit bytes. Fifos and devices are
// refused, for a hostile clone may hold one in place of any file.
func readSmallFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%q: %w (%d bytes)", path, ErrTooLarge, limit)
	}
	return data, nil
}
