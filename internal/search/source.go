package search

import "context"

// Modes of tree entries, as git has them.
const (
	ModeDir       uint32 = 0o040000
	ModeFile      uint32 = 0o100644
	ModeExec      uint32 = 0o100755
	ModeSymlink   uint32 = 0o120000
	ModeSubmodule uint32 = 0o160000
)

// File is an entry of a tree that is not a tree itself.
type File struct {
	Path string // from the root, with slashes
	Mode uint32 // git's octal value, such as 0o100644
	OID  string
}

// regular reports whether the entry is a file with contents of its own.
func (f File) regular() bool { return f.Mode&0o170000 == 0o100000 }

// Source is one commit's tree.
type Source interface {
	// List returns every entry at or below the paths: files, symbolic links
	// and submodules, no trees; sorted by path, each once; nothing for paths
	// that do not exist. "" or "." is the root.
	List(ctx context.Context, paths []string) ([]File, error)
	// Read calls fn for each file with its content, in order. Content is only
	// valid during the call. It stops at the first error; a file over the size
	// limit is an error that wraps ErrTooLarge.
	Read(ctx context.Context, files []File, fn func(f File, data []byte) error) error
}

// Stater is an optional ability of a Source: to say what stands at one path
// without listing what is below it. Delta uses it to stay in proportion to the
// change.
type Stater interface {
	// Stat returns the entry at path; Mode is ModeDir for a tree.
	Stat(ctx context.Context, path string) (f File, found bool, err error)
}

// Walker is an optional ability of a Source: to read a tree directory by
// directory, with the ids that tell what is below each. Count needs it to keep
// results of subtrees, and no evaluation in full then holds the whole tree. Stat
// has to give the id of a directory, too.
type Walker interface {
	Stater
	// Dirs calls fn once for each of dirs, which came from Stat or Dirs, with
	// what stands right in it, in any order of directories. fn may use the source
	// and may keep the listing.
	Dirs(ctx context.Context, dirs []File, fn func(i int, entries Listing) error) error
}

// Listing is what stands right in one directory, in one order.
type Listing interface {
	// From appends to files at most so many entries, the first of them that at a
	// position, and returns all and the position of the next entry, or -1 when
	// there is none. The first entry stands at 0. Paths are from the root; Mode is
	// ModeDir for a tree.
	From(at, most int, files []File) (all []File, next int)
}

// Match is one line that the command prints. Where a file name that is printed
// holds line feeds it counts as more than one hit.
type Match struct {
	File string
	Line int    // from 1; 0 where the output form has none
	Text string // without the file name and the line number; see MaxTextBytes
}

// Result is what a search prints over one tree.
type Result struct {
	Hits        int     // exact, also when the matches are truncated; see Match
	Matches     []Match // sorted by file and line
	Truncated   bool    // there are more than MaxMatches
	ScopeExists bool    // some scope path exists; without one nothing is searched
	// Unread are files that the source could not give and that were taken to be
	// binary because their names are those of binary formats. They have no hits.
	Unread []string
}

// Change is a difference between two trees. Old is nil for an added file, New
// for a removed one; a renamed file has both, with their own paths.
type Change struct{ Old, New *File }

// Delta is the difference between the results over two trees.
type Delta struct {
	Lost, New []Match // lines by text that only one side has, at most MaxMatches each
	HitsDelta int     // exact
	// HitsBefore are the hits of the changed files before: the whole result before
	// had no fewer.
	HitsBefore int
	Moved      bool     // the same lines by text, but some at other places
	Truncated  bool     // Lost or New has more
	Read       []string // the changed paths that the search reads, sorted
	Unread     []string // as in Result, on either side
	Cut        []string // files after, of those read, whose search a NUL ended, sorted
}

// Cache keeps results by key. Keys name content alone, never a repository, so
// that one cache may serve all of them. Values are opaque; one that is damaged is
// recognised and computed again. Both methods must be safe for the use the caller
// makes of them, and neither may fail: what cannot be had is not there.
type Cache interface {
	// Get returns the values of the keys, in order; nil for what is not there.
	Get(ctx context.Context, keys []string) [][]byte
	// Put keeps a value. It must not be changed afterwards.
	Put(ctx context.Context, key string, val []byte)
}

// Option changes how a query is evaluated.
type Option func(*settings)

type settings struct{ cache Cache }

// WithCache lets Count keep results of directories by tree, and Delta those of
// large files by blob.
func WithCache(c Cache) Option { return func(s *settings) { s.cache = c } }

func newSettings(opts []Option) settings {
	var s settings
	for _, o := range opts {
		o(&s)
	}
	return s
}
