package gitmirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SweepPolicy bounds what mirrors cost. A zero field sets no bound.
type SweepPolicy struct {
	MaxAge   time.Duration // delete mirrors that nobody asked for since
	MaxBytes int64         // then delete the longest unused until all fit
	MaxPacks int           // repack those that remain and have more packs
	// Drop names mirrors to delete whatever their age; nil names none.
	Drop func(repoID int64) bool
}

// SweepReport tells what Sweep did.
type SweepReport struct {
	Mirrors  int   // left
	Bytes    int64 // on disk, of those left
	Removed  int
	Repacked int
	InUse    int // passed over, though they were to be deleted
}

const (
	// trashAge is how long a damaged mirror is kept for whoever wants to look at it,
	// and half-written objects, for somebody may still write them.
	trashAge = 24 * time.Hour
	// maxTrackingRefs bounds the references of a mirror, which are sent to the
	// remote with every fetch.
	maxTrackingRefs = 1000
)

// Sweep keeps the mirrors within the policy. Mirrors in use are never deleted. It
// goes on past the failure of one mirror and returns all errors together.
func (m *Mirrors) Sweep(ctx context.Context, policy SweepPolicy) (SweepReport, error) {
	var report SweepReport
	err := m.emptyTrash()
	all, listErr := m.inventory()
	err = errors.Join(err, listErr)
	var total int64
	for _, one := range all {
		total += one.bytes
	}
	for _, one := range all { // longest unused first
		if ctx.Err() != nil {
			return report, errors.Join(err, context.Cause(ctx))
		}
		unwanted := policy.Drop != nil && policy.Drop(one.id) || policy.MaxAge > 0 && one.age > policy.MaxAge
		tooMuch := policy.MaxBytes > 0 && total > policy.MaxBytes
		if unwanted || tooMuch {
			removed, removeErr := m.remove(one.place)
			err = errors.Join(err, removeErr)
			if removed {
				report.Removed++
				total -= one.bytes
				continue
			}
			report.InUse++
		}
		report.Mirrors++
		err = errors.Join(err, m.removeOld(filepath.Join(one.place.dir, "objects"), trashAge, isTemporary))
		repacked, repackErr := m.repackAt(ctx, one.place, policy.MaxPacks)
		err = errors.Join(err, repackErr)
		if repacked {
			report.Repacked++
		}
	}
	report.Bytes = total
	return report, err
}

// isTemporary recognises the half-written objects that a killed git leaves.
func isTemporary(path string) bool { return strings.HasPrefix(filepath.Base(path), "tmp_") }

// stocked is one mirror on disk.
type stocked struct {
	id    int64
	place place
	age   time.Duration
	bytes int64
}

// inventory lists the mirrors, longest unused first.
func (m *Mirrors) inventory() ([]stocked, error) {
	dirs, err := filepath.Glob(filepath.Join(m.root, "[0-9a-f][0-9a-f]", "*.git"))
	if err != nil {
		return nil, fmt.Errorf("list mirrors: %w", err)
	}
	var all []stocked
	var errs error
	for _, dir := range dirs {
		id, err := strconv.ParseInt(strings.TrimSuffix(filepath.Base(dir), ".git"), 10, 64)
		if err != nil {
			continue // not ours
		}
		one := stocked{id: id, place: m.place(id)}
		if one.age, err = m.age(one.place); err == nil {
			one.bytes, err = diskUsage(dir)
		}
		if err != nil {
			errs = errors.Join(errs, fmt.Errorf("mirror of repository %d: %w", id, err))
			continue
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b stocked) int { return cmp.Compare(b.age, a.age) })
	return all, errs
}

// diskUsage sums file sizes. Files that vanish meanwhile do not matter.
func diskUsage(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				total += info.Size()
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return total, err
}

// remove deletes a mirror unless somebody uses it.
func (m *Mirrors) remove(p place) (bool, error) {
	use, err := tryLock(p.use, exclusive)
	if use == nil || err != nil {
		return false, err
	}
	grave, err := os.MkdirTemp(filepath.Join(m.root, trashDir), "old-")
	if err == nil {
		err = os.Rename(p.dir, filepath.Join(grave, "mirror.git"))
	}
	if err = errors.Join(err, use.Close()); err != nil {
		return false, fmt.Errorf("remove mirror: %w", err)
	}
	if err := os.RemoveAll(grave); err != nil {
		return true, fmt.Errorf("remove mirror: %w", err)
	}
	return true, nil
}

// emptyTrash deletes what has been in the trash for trashAge.
func (m *Mirrors) emptyTrash() error {
	dir := filepath.Join(m.root, trashDir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("empty trash: %w", err)
	}
	var errs error
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another process empties it too
		}
		if err == nil && m.o.now().Sub(info.ModTime()) > trashAge {
			err = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
		errs = errors.Join(errs, err)
	}
	return errs
}

// repackAt repacks a mirror with more than maxPacks packs, unless somebody writes
// to it at the moment. Readers are not disturbed.
func (m *Mirrors) repackAt(ctx context.Context, p place, maxPacks int) (bool, error) {
	packs, err := packFiles(p.dir)
	if err != nil || maxPacks <= 0 || len(packs) <= maxPacks {
		return false, err
	}
	write, err := tryLock(p.write, exclusive)
	if write == nil || err != nil {
		return false, err
	}
	defer write.Close()
	x := newExecutor(m.o.git, p.dir, "", m.o.fetchTimeout, new(counters))
	if err := tidy(ctx, x); err != nil {
		return false, fmt.Errorf("repack %q: %w", p.dir, err)
	}
	return true, nil
}

// tidy makes one pack of all, forgets the oldest tips, packs the references and
// writes the commit graph that speeds up merge bases. No object is lost: git keeps
// everything that came from a promisor.
func tidy(ctx context.Context, x *executor) error {
	for _, c := range []call{
		{subcommand: "repack", flags: []string{"-a", "-d", "--quiet"}},
		{subcommand: "pack-refs", flags: []string{"--all"}},
		{subcommand: "commit-graph", flags: []string{"write", "--reachable", "--no-progress"}},
	} {
		c.settings = promisorSettings()
		if c.subcommand == "pack-refs" {
			if err := forgetTips(ctx, x); err != nil {
				return err
			}
		}
		if _, err := x.run(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// forgetTips deletes all but the newest maxTrackingRefs references.
func forgetTips(ctx context.Context, x *executor) error {
	out, err := x.run(ctx, call{
		subcommand: "for-each-ref",
		flags:      []string{"--sort=-committerdate", "--format=delete %(refname)"},
		operands:   []string{strings.TrimSuffix(trackingPrefix, "/")},
	})
	if err != nil {
		return err
	}
	lines := strings.SplitAfter(string(out), "\n")
	if len(lines) <= maxTrackingRefs+1 { // the last one is empty
		return nil
	}
	_, err = x.run(ctx, call{
		subcommand: "update-ref", flags: []string{"--no-deref", "--stdin"},
		stdin: []byte(strings.Join(lines[maxTrackingRefs:], "")),
	})
	return err
}
