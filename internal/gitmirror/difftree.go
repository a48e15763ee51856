package gitmirror

import (
	"context"
	"fmt"
	"strconv"
)

// Change is one path that differs between two commits.
type Change struct {
	// Status is A added, M modified, D deleted, R renamed, T type changed (for
	// example a file that became a symbolic link).
	Status byte
	// OldPath and NewPath are equal but for a rename, where both are set and
	// differ; OldPath is empty for A, NewPath for D. Any bytes but NUL may occur.
	OldPath, NewPath string
	// OldMode and NewMode are git's modes, such as 0o100644; 0 on the absent side.
	OldMode, NewMode uint32
	// OldOID and NewOID are empty on the absent side. Those of a submodule are
	// commits of another repository.
	OldOID, NewOID OID
	// Score is the similarity of a rename in percent, else 0.
	Score int
}

// Modes of the entries of a tree.
const (
	ModeFile       uint32 = 0o100644
	ModeExecutable uint32 = 0o100755
	ModeSymlink    uint32 = 0o120000
	ModeSubmodule  uint32 = 0o160000
	ModeTree       uint32 = 0o040000
)

// RenameMode says how far DiffTree looks for renames.
type RenameMode int

const (
	// RenamesOff reports a rename as D and A.
	RenamesOff RenameMode = iota
	// RenamesExact pairs files of equal content. It compares ids and reads no blob,
	// so it works in a mirror without content.
	RenamesExact
	// RenamesSimilar pairs files that are alike by half, as git does by default. It
	// reads blobs, and fails with ErrMissing where one is not there.
	RenamesSimilar
)

// DiffOptions are the choices of DiffTree. The zero value looks for no renames.
type DiffOptions struct {
	Renames RenameMode
}

const (
	// renameLimit is the number of files on each side up to which similar files are
	// looked for; git's own default since 2.34. Above it only exact renames are found.
	renameLimit = 1000
	// maxChanges bounds the changes of one diff.
	maxChanges = 1_000_000
)

// DiffTree returns what differs between the trees of two commits, sorted by path
// (NewPath, or OldPath of a deletion). It costs one process and needs no prior
// Resolve: an unknown commit is a *RevError. A tree's id is as good as a commit's.
//
// Errors: ErrUnknownRev, ErrMissing for a tree that is not there, ErrTooLarge
// beyond a million changes.
func (r *Repo) DiffTree(ctx context.Context, base, head OID, opts DiffOptions) ([]Change, error) {
	if err := checkOIDs(base, head); err != nil {
		return nil, fmt.Errorf("diff trees: %w", err)
	}
	flags := []string{
		"-r", "-z", "--raw", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none",
	}
	switch opts.Renames {
	case RenamesExact:
		flags = append(flags, "-M100%")
	case RenamesSimilar:
		flags = append(flags, "-M50%", "-l"+strconv.Itoa(renameLimit))
	default:
		flags = append(flags, "--no-renames")
	}
	out, err := r.objects.run(ctx, call{subcommand: "diff-tree", flags: flags, operands: []string{string(base), string(head)}})
	if err != nil {
		return nil, fmt.Errorf("diff %s and %s: %w", base.Short(), head.Short(), r.badCommit(err, base, head))
	}
	changes, err := parseRawDiff(out)
	if err != nil {
		return nil, fmt.Errorf("diff %s and %s: %w", base.Short(), head.Short(), err)
	}
	return changes, nil
}
