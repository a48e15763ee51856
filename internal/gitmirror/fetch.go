package gitmirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rescore-app/rescore/internal/lazy"
)

// fetchFlags are those of every fetch: only what is asked for, nothing recorded
// beside it, no file contents unless they are asked for by id.
var fetchFlags = []string{
	"--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance",
	"--filter=" + filter, "--stdin",
}

// Fetch makes commits and references of the remote readable, with all their trees
// and all their history but no file contents. A want is a full commit id, or the
// full name of a reference such as refs/pull/7/head; what a reference gave is found
// at TrackingRef. Commits that are here already are not asked for, and when nothing
// is left to ask for, nothing is sent.
//
// History is not cut off. The merge base needs it; a shallow mirror would have to
// be deepened, round trip by round trip, and every later fetch into it costs the
// remote more. Commits and trees alone are a small part of most repositories, and
// after the first time a fetch brings only what is new. Mirrors.Sweep bounds what
// it may cost on disk.
//
// What was fetched is kept reachable from refs/rescore, which also tells the remote
// next time what is here.
//
// Errors: ErrUnknownRev when the remote lacks one of the wants (none is fetched
// then), ErrUnauthorized, ErrForbidden, ErrRemoteNotFound, ErrRedirected,
// ErrUnavailable, ErrRemoteURL. A damaged mirror is replaced and filled again.
func (m *Mirror) Fetch(ctx context.Context, remoteURL string, token Token, wants ...string) error {
	from, err := newRemote(remoteURL, token, m.home.o)
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	var refs []string
	var commits []OID
	for _, want := range wants {
		spec, err := refspec(want)
		switch {
		case err != nil:
			return fmt.Errorf("fetch from %s: %w", from.url, err)
		case isFullHex(want):
			commits = append(commits, OID(strings.ToLower(want)))
		default:
			refs = append(refs, spec)
		}
	}
	err = m.write(ctx, func() ([]string, error) {
		missing, err := m.Missing(ctx, commits)
		specs := slices.Clone(refs)
		for _, commit := range missing {
			specs = append(specs, "+"+string(commit)+":"+TrackingRef(string(commit)))
		}
		return specs, err
	}, from, nil)
	if err != nil {
		return fmt.Errorf("fetch from %s: %w", from.url, err)
	}
	return nil
}

// FetchBlobs makes file contents readable: all that are not here yet, in one round
// trip. It negotiates nothing, for a blob has no history to compare. Errors are
// those of Fetch.
func (m *Mirror) FetchBlobs(ctx context.Context, remoteURL string, token Token, oids []OID) error {
	from, err := newRemote(remoteURL, token, m.home.o)
	if err != nil {
		return fmt.Errorf("fetch blobs: %w", err)
	}
	noNegotiation := []setting{{"fetch.negotiationAlgorithm", "noop"}}
	err = m.write(ctx, func() ([]string, error) {
		missing, err := m.Missing(ctx, oids)
		return asStrings(missing), err
	}, from, noNegotiation)
	if err != nil {
		return fmt.Errorf("fetch blobs from %s: %w", from.url, err)
	}
	return nil
}

// write fetches what needed returns, under the write lock. It asks again once it
// has the lock, for the one who had it may have fetched the same.
func (m *Mirror) write(ctx context.Context, needed func() ([]string, error), from remote, extra []setting) error {
	specs, err := needed()
	if err == nil && len(specs) == 0 {
		return nil
	}
	if err != nil && !errors.Is(err, ErrCorrupt) {
		return err
	}
	write, err := lock(ctx, m.place.write, exclusive)
	if err != nil {
		return err
	}
	defer write.Close()
	try := func() error {
		specs, err := needed()
		if err != nil || len(specs) == 0 {
			return err
		}
		return m.fetch(ctx, specs, from, extra)
	}
	err = try()
	switch {
	case errors.Is(err, ErrCorrupt) && ctx.Err() == nil:
		if err := m.renew(); err != nil {
			return err
		}
		return try()
	case isLockLeftover(err):
		if err := m.removeLocks(); err != nil {
			return err
		}
		return try()
	}
	return err
}

// renew puts an empty mirror in the place of a damaged one.
func (m *Mirror) renew() (err error) {
	if err = m.home.replace(m.place); err != nil {
		return err
	}
	m.cat.restart()
	m.counters.damaged.Store(false)
	m.born, err = os.Stat(m.place.dir)
	return err
}

func (m *Mirror) fetch(ctx context.Context, specs []string, from remote, extra []setting) error {
	_, err := m.names.run(ctx, call{
		subcommand: "fetch", flags: fetchFlags, operands: []string{remoteName},
		stdin:    []byte(strings.Join(specs, "\n") + "\n"),
		settings: append(from.settings(), extra...), secrets: from.token,
		timeout: m.home.o.fetchTimeout, network: true,
	})
	return err
}

// lockLeftover are git's words for a lock file that exists.
var lockLeftover = lazy.Regexp(`Unable to create '.*\.lock': File exists|cannot lock ref`)

func isLockLeftover(err error) bool {
	var failed *GitError
	return errors.As(err, &failed) && lockLeftover().MatchString(failed.Stderr)
}

// lockAge is the age at which a lock file of git is a leftover. Whoever would hold
// it is excluded by the write lock, but for a git whose parent was killed; that one
// holds such a lock for milliseconds.
const lockAge = 10 * time.Second

// removeLocks deletes the lock files that a killed git left in the mirror.
func (m *Mirror) removeLocks() error {
	isLock := func(path string) bool { return strings.HasSuffix(path, ".lock") }
	if err := m.home.removeOld(m.place.dir, lockAge, isLock); err != nil {
		return fmt.Errorf("remove leftover locks: %w", err)
	}
	return nil
}

// removeOld deletes the files below dir that match and are older than age.
func (m *Mirrors) removeOld(dir string, age time.Duration, match func(path string) bool) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() || !match(path) {
			return err
		}
		info, err := e.Info()
		if err != nil || m.o.now().Sub(info.ModTime()) < age {
			return err
		}
		return os.Remove(path)
	})
}
