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
	Lost, New []Match  // lines by text that only one side has, at most MaxMatches each
	HitsDelta int      // exact
	Moved     bool     // the same lines by text, but some at other places
	Truncated bool     // Lost or New has more
	Read      []string // the changed paths that the search reads, sorted
	Unread    []string // as in Result, on either side
}

// Cache keeps results by key. Values are opaque; a value that does not belong to
// its key is recognised and ignored. Both methods must be safe for the use the
// caller makes of them.
type Cache interface {
	Get(key string) ([]byte, bool)
	Put(key string, val []byte)
}

// Option changes how a query is evaluated.
type Option func(*settings)

type settings struct{ cache Cache }

// WithCache lets Run and Delta keep results of files by blob, and of whole
// searches by the listing of the tree.
func WithCache(c Cache) Option { return func(s *settings) { s.cache = c } }

func newSettings(opts []Option) settings {
	var s settings
	for _, o := range opts {
		o(&s)
	}
	return s
}
