package gitmirror

import (
	"context"
	"fmt"
)

// Change is one path that differs between two commits. A rename is two changes, D
// and A: git tells renames by likeness of whole files, evidence by the cited lines.
type Change struct {
	// Status is A added, M modified, D deleted or T type changed (for example a file
	// that became a symbolic link).
	Status byte
	Path   string // any bytes but NUL may occur
	// OldMode and NewMode are git's modes, such as 0o100644; 0 on the absent side.
	OldMode, NewMode uint32
	// OldOID and NewOID are empty on the absent side. Those of a submodule are
	// commits of another repository.
	OldOID, NewOID OID
}

// Modes of the entries of a tree.
const (
	ModeFile       uint32 = 0o100644
	ModeExecutable uint32 = 0o100755
	ModeSymlink    uint32 = 0o120000
	ModeSubmodule  uint32 = 0o160000
	ModeTree       uint32 = 0o040000
)

// maxChanges bounds the changes of one diff.
const maxChanges = 1_000_000

// DiffTree returns what differs between the trees of two commits, sorted by path. It
// reads no file, so that it works in a mirror without content, costs one process, and
// needs no prior Resolve: an unknown commit is a *RevError. A tree's id is as good as
// a commit's.
//
// Errors: ErrUnknownRev, ErrMissing for a tree that is not there, ErrTooLarge
// beyond a million changes.
func (r *Repo) DiffTree(ctx context.Context, base, head OID) ([]Change, error) {
	if err := checkOIDs(base, head); err != nil {
		return nil, fmt.Errorf("diff trees: %w", err)
	}
	out, err := r.objects.run(ctx, call{
		subcommand: "diff-tree",
		flags: []string{
			"-r", "-z", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--no-renames",
		},
		operands: []string{string(base), string(head)},
	})
	if err != nil {
		return nil, fmt.Errorf("diff %s and %s: %w", base.Short(), head.Short(), r.badCommit(err, base, head))
	}
	changes, err := parseRawDiff(out)
	if err != nil {
		return nil, fmt.Errorf("diff %s and %s: %w", base.Short(), head.Short(), err)
	}
	return changes, nil
}
