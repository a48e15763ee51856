package evidence

import (
	"context"
	"errors"

	"github.com/rescore-app/rescore/internal/search"
)

// Source reads the two trees that a Follower compares.
type Source interface {
	// Prefetch makes the blobs readable in one round trip; on a clone that holds
	// everything it does nothing. Ids may repeat.
	Prefetch(ctx context.Context, oids []string) error
	// Blob returns the content of a blob of at most limit bytes. Errors that wrap
	// ErrMissing or ErrTooLarge are about that blob; all others are failures of
	// the infrastructure.
	Blob(ctx context.Context, oid string, limit int64) ([]byte, error)
	// Old and New read the trees at base and at head.
	Old() search.Source
	New() search.Source
}

// SingleSource reads one tree.
type SingleSource = search.Source

// Sentinels that a Source's errors wrap.
var (
	// ErrMissing: the object is named by a tree and not to be had.
	ErrMissing = errors.New("blob is not to be had")
	// ErrTooLarge: the object is larger than the limit given.
	ErrTooLarge = search.ErrTooLarge
)

// MaxFile is the size, in bytes, above which a file is not read for a citation.
const MaxFile = 32 << 20

// Git's modes of a tree entry.
const (
	modeType      = 0o170000
	modeRegular   = 0o100000
	modeSymlink   = 0o120000
	modeSubmodule = 0o160000
)

// isRegular tells files with content of their own from symbolic links,
// submodules and directories.
func isRegular(mode uint32) bool { return mode&modeType == modeRegular }

// kind names what an entry is that is not a regular file.
func kind(mode uint32) string {
	switch mode & modeType {
	case modeSymlink:
		return "a symbolic link"
	case modeSubmodule:
		return "a submodule"
	default:
		return "not a regular file"
	}
}
