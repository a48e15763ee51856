package gitmirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Mirrors keeps bare mirrors below one directory:
//
//	ROOT/3f/123456.git    the mirror of repository 123456 (0x3f = 123456 mod 256)
//	ROOT/3f/123456.use    locked shared by whoever reads it; its time is the last use
//	ROOT/3f/123456.write  locked by whoever fetches, repacks or replaces it
//	ROOT/trash/           what was moved aside
//
// Keys are GitHub's repository ids, which survive renames and transfers. A mirror is
// a cache: it may be deleted at any time nobody uses it. Several processes may share
// the directory.
type Mirrors struct {
	root string
	o    options
}

const (
	shards   = 256
	trashDir = "trash"
	dirMode  = 0o700
)

// mirrorConfig is the whole configuration of a mirror. It names no remote; see
// remoteName.
const mirrorConfig = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogAllRefUpdates = false\n"

// mirrorHead points nowhere: only refs/rescore is used.
const mirrorHead = "ref: refs/heads/none\n"

// OpenMirrors makes the directory if need be.
func OpenMirrors(root string, opts ...Option) (*Mirrors, error) {
	o, err := newOptions(opts)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("open mirrors %q: %w", root, err)
	}
	if err := os.MkdirAll(filepath.Join(abs, trashDir), dirMode); err != nil {
		return nil, fmt.Errorf("open mirrors: %w", err)
	}
	return &Mirrors{root: abs, o: o}, nil
}

// Mirror is one repository's mirror, in use until Close. Its commits and trees are
// read through the embedded Repo; file contents must be fetched first.
type Mirror struct {
	*Repo
	home  *Mirrors
	place place
	born  fs.FileInfo // the directory that is read, which may be replaced by another
	use   *fileLock
}

// place is where the files of one mirror lie.
type place struct{ dir, use, write string }

func (m *Mirrors) place(repoID int64) place {
	id := strconv.FormatInt(repoID, 10)
	base := filepath.Join(m.root, fmt.Sprintf("%02x", repoID%shards), id)
	return place{dir: base + ".git", use: base + ".use", write: base + ".write"}
}

// Get returns the mirror of a repository, which it creates when there is none. A
// mirror that looks damaged is moved aside and begun anew. The caller closes it.
func (m *Mirrors) Get(ctx context.Context, repoID int64) (*Mirror, error) {
	fail := func(err error) (*Mirror, error) {
		return nil, fmt.Errorf("mirror of repository %d: %w", repoID, err)
	}
	if repoID <= 0 {
		return fail(errors.New("a repository id is a positive number"))
	}
	p := m.place(repoID)
	if err := os.MkdirAll(filepath.Dir(p.dir), dirMode); err != nil {
		return fail(err)
	}
	use, err := lock(ctx, p.use, shared)
	if err != nil {
		return fail(err)
	}
	repo, err := m.ensure(ctx, p)
	if err != nil {
		return fail(errors.Join(err, use.Close()))
	}
	born, err := os.Stat(p.dir)
	if err != nil {
		return fail(errors.Join(err, repo.Close(), use.Close()))
	}
	return &Mirror{Repo: repo, home: m, place: p, born: born, use: use}, nil
}

func (m *Mirrors) ensure(ctx context.Context, p place) (*Repo, error) {
	now := m.o.now()
	if err := os.Chtimes(p.use, now, now); err != nil {
		return nil, err
	}
	if !healthy(p.dir) {
		write, err := lock(ctx, p.write, exclusive)
		if err != nil {
			return nil, err
		}
		defer write.Close()
		if !healthy(p.dir) { // nobody else has mended it meanwhile
			if err := m.replace(p); err != nil {
				return nil, err
			}
		}
	}
	return openGitDir(p.dir, m.o)
}

// healthy makes the tests that cost no process. They find what a crash, a full disk
// or a stray hand leaves behind; damage inside a pack is found by git when it reads.
func healthy(dir string) bool {
	for name, want := range map[string]string{"config": mirrorConfig, "HEAD": mirrorHead} {
		got, err := readSmallFile(filepath.Join(dir, name), int64(len(want)))
		if err != nil || string(got) != want {
			return false
		}
	}
	if !looksLikeGitDir(dir) {
		return false
	}
	packs, err := packFiles(dir)
	if err != nil {
		return false
	}
	for _, pack := range packs {
		for _, ext := range []string{".pack", ".idx", ".promisor"} {
			info, err := os.Stat(pack + ext)
			if err != nil || (info.Size() == 0 && ext != ".promisor") {
				return false
			}
		}
	}
	return true
}

// packFiles returns the packs of a mirror, without their extension.
func packFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "objects", "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var packs []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".idx"); ok && strings.HasPrefix(name, "pack-") {
			packs = append(packs, filepath.Join(dir, "objects", "pack", name))
		}
	}
	return packs, nil
}

// replace moves what is at p aside and puts an empty mirror there. The caller holds
// the write lock. The new one appears in one step, complete.
func (m *Mirrors) replace(p place) error {
	fresh, err := os.MkdirTemp(filepath.Join(m.root, trashDir), "new-")
	if err != nil {
		return fmt.Errorf("create mirror: %w", err)
	}
	if err := errors.Join(layOut(fresh), m.moveAside(p)); err != nil {
		return errors.Join(fmt.Errorf("create mirror: %w", err), os.RemoveAll(fresh))
	}
	if err := os.Rename(fresh, p.dir); err != nil {
		return fmt.Errorf("create mirror: %w", err)
	}
	return nil
}

// layOut makes an empty bare repository, as gitrepository-layout(5) describes it.
func layOut(dir string) error {
	for _, sub := range []string{"objects/info", "objects/pack", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), dirMode); err != nil {
			return err
		}
	}
	for name, content := range map[string]string{"config": mirrorConfig, "HEAD": mirrorHead} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// moveAside takes a mirror out of use and keeps it for a while in the trash.
func (m *Mirrors) moveAside(p place) error {
	aside, err := os.MkdirTemp(filepath.Join(m.root, trashDir), filepath.Base(p.dir)+"-")
	if err != nil {
		return fmt.Errorf("move mirror aside: %w", err)
	}
	now := m.o.now()
	err = os.Rename(p.dir, filepath.Join(aside, filepath.Base(p.dir)))
	if errors.Is(err, fs.ErrNotExist) {
		return os.Remove(aside)
	}
	if err == nil {
		err = os.Chtimes(aside, now, now)
	}
	if err != nil {
		return fmt.Errorf("move mirror aside: %w", err)
	}
	return nil
}

// Discard takes the mirror out of use. The next Get begins a new one. This handle,
// and others on the same mirror, can only be closed.
func (m *Mirror) Discard(ctx context.Context) error {
	write, err := lock(ctx, m.place.write, exclusive)
	if err != nil {
		return fmt.Errorf("discard mirror: %w", err)
	}
	defer write.Close()
	return m.discard()
}

// discard moves the mirror aside unless another has taken its place already. The
// caller holds the write lock.
func (m *Mirror) discard() error {
	now, err := os.Stat(m.place.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("discard mirror: %w", err)
	}
	if !os.SameFile(m.born, now) {
		return nil
	}
	return m.home.moveAside(m.place)
}

// Close ends the use of the mirror. One that turned out to be damaged while it was
// read is discarded, so that the next attempt begins anew.
func (m *Mirror) Close() error {
	err := m.Repo.Close()
	if m.counters.damaged.Load() {
		// Whoever holds the lock is fetching and will find the damage, or has mended it.
		write, lockErr := tryLock(m.place.write, exclusive)
		err = errors.Join(err, lockErr)
		if write != nil {
			err = errors.Join(err, m.discard(), write.Close())
		}
	}
	return errors.Join(err, m.use.Close())
}

// age returns how long ago the mirror was last asked for.
func (m *Mirrors) age(p place) (time.Duration, error) {
	info, err := os.Stat(p.use)
	if err != nil {
		return 0, err
	}
	return m.o.now().Sub(info.ModTime()), nil
}
