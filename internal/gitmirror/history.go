package gitmirror

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
)

// maxHistory bounds how many commits a walk may return.
const maxHistory = 100_000

// MergeBase returns the best common ancestor of two commits, the first that git
// names when there are several.
//
// Errors: ErrNoMergeBase, which a shallow clone can cause; ErrUnknownRev.
func (r *Repo) MergeBase(ctx context.Context, a, b OID) (OID, error) {
	if err := checkOIDs(a, b); err != nil {
		return "", err
	}
	out, err := r.objects.run(ctx, call{subcommand: "merge-base", operands: []string{string(a), string(b)}})
	switch {
	case exitCode(err) == 1:
		return "", fmt.Errorf("merge base of %s and %s: %w%s", a.Short(), b.Short(), ErrNoMergeBase, r.shallowHint())
	case err != nil:
		return "", fmt.Errorf("merge base of %s and %s: %w", a.Short(), b.Short(), r.badCommit(err, a, b))
	}
	return ParseOID(string(bytes.TrimSpace(out)))
}

func (r *Repo) shallowHint() string {
	if r.shallow() {
		return " in this shallow clone; fetch the rest of its history with \"git fetch --unshallow\""
	}
	return ""
}

// FirstParents returns the way from one commit to the other along the first
// parents of the descendant, both ends included. Either may be the ancestor; the
// result always begins with from. When the ancestor came in through a merge, so
// that no first parent is it, the way steps from it to the first commit of the
// chain that does not descend to it.
//
// Errors: ErrUnrelated, ErrUnknownRev, ErrTooLarge beyond 100,000 commits.
func (r *Repo) FirstParents(ctx context.Context, from, to OID) ([]OID, error) {
	return r.walk(ctx, from, to, "--first-parent")
}

// Commits returns all commits that lie between the two, both ends included,
// parents before children when from is the ancestor and the other way round when
// it is the descendant. Errors are those of FirstParents.
func (r *Repo) Commits(ctx context.Context, from, to OID) ([]OID, error) {
	return r.walk(ctx, from, to, "--ancestry-path")
}

func (r *Repo) walk(ctx context.Context, from, to OID, flag string) ([]OID, error) {
	if err := checkOIDs(from, to); err != nil {
		return nil, err
	}
	fail := func(err error) ([]OID, error) {
		return nil, fmt.Errorf("history from %s to %s: %w", from.Short(), to.Short(), err)
	}
	forward, err := r.isAncestor(ctx, from, to)
	if err != nil {
		return fail(err)
	}
	old, young := from, to
	if !forward {
		if back, err := r.isAncestor(ctx, to, from); err != nil {
			return fail(err)
		} else if !back {
			return fail(fmt.Errorf("%w%s", ErrUnrelated, r.shallowHint()))
		}
		old, young = to, from
	}
	out, err := r.objects.run(ctx, call{
		subcommand: "rev-list",
		flags:      []string{"--topo-order", "--reverse", flag, "--max-count=" + strconv.Itoa(maxHistory+1)},
		operands:   []string{string(young), "^" + string(old)},
	})
	if err != nil {
		return fail(r.badCommit(err, from, to))
	}
	way := []OID{old}
	for line := range bytes.Lines(out) {
		oid, err := ParseOID(string(bytes.TrimSuffix(line, []byte("\n"))))
		if err != nil {
			return fail(err)
		}
		way = append(way, oid)
	}
	if len(way) > maxHistory+1 {
		return fail(fmt.Errorf("more than %d commits: %w", maxHistory, ErrTooLarge))
	}
	if !forward {
		slices.Reverse(way)
	}
	return way, nil
}

// isAncestor reports whether old can be reached from young. A commit is its own
// ancestor.
func (r *Repo) isAncestor(ctx context.Context, old, young OID) (bool, error) {
	_, err := r.objects.run(ctx, call{
		subcommand: "merge-base", flags: []string{"--is-ancestor"}, operands: []string{string(old), string(young)},
	})
	if exitCode(err) == 1 {
		return false, nil
	}
	if err != nil {
		return false, r.badCommit(err, old, young)
	}
	return true, nil
}

// IsAncestor reports whether old can be reached from young. A commit is its own
// ancestor.
func (r *Repo) IsAncestor(ctx context.Context, old, young OID) (bool, error) {
	if err := checkOIDs(old, young); err != nil {
		return false, err
	}
	yes, err := r.isAncestor(ctx, old, young)
	if err != nil {
		return false, fmt.Errorf("ask whether %s is an ancestor of %s: %w", old.Short(), young.Short(), err)
	}
	return yes, nil
}
