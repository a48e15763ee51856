package search

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/search/regex"
)

// Query is a search that can be evaluated. It is safe for concurrent use.
type Query struct {
	*Reach
	re      *regex.Regex
	form    form
	key     string // identity of the whole search
	fileKey string // identity of what decides the result of one file
}

// newQuery compiles the rest of a search.
func newQuery(r *Reach) (*Query, error) {
	q := &Query{Reach: r}
	var err error
	if q.form, err = q.o.form(); err != nil {
		return nil, err
	}
	pattern, ro := q.o.pattern()
	if q.re, err = regex.Compile(pattern, ro); err != nil {
		return nil, unsupported("", "%v", err)
	}
	return q, q.makeKeys(pattern, ro)
}

// pattern joins the patterns of the command the way ripgrep does.
func (o *options) pattern() (string, regex.Options) {
	parts := make([]string, len(o.patterns))
	for i, p := range o.patterns {
		if o.fixed {
			p = regex.EscapeLiteral(p)
		}
		if o.line {
			p = "^(?:" + p + ")$"
		}
		if p == "" {
			p = "(?:z{0})*" // ripgrep's stand-in for the empty pattern
		}
		parts[i] = p
	}
	return strings.Join(parts, "|"), regex.Options{
		FoldCase:  o.caseMode == caseFold,
		SmartCase: o.caseMode == caseSmart,
		ASCII:     o.ascii,
		DotAll:    o.multiline && o.dotAll,
		Lines:     !o.multiline,
		CRLF:      o.crlf,
		Word:      o.word,
		Each:      o.onlyMatching || o.vimgrep || o.countMatches || o.multiline && o.count,
	}
}

// identity is what results depend on, in a form that is the same for commands of
// the same meaning. File is what decides the result of a file, given whether it
// is named itself; the rest decides which files are searched.
type identity struct {
	Engine  string
	Pattern string
	Regex   regex.Options
	Invert  bool
	Max     int
	Form    form
	Files   *fileIdentity `json:",omitempty"`
}

type fileIdentity struct {
	Paths             []scopePathIdentity
	Globs             []string
	GlobFold          []string
	Types             []string
	Hidden            bool
	Ignores           ignoreKinds
	Parents           bool
	IgnoreFold        bool
	Depth             int
	Size              int64
	Mmap, NoMmap, One bool
	Names, NoNames    bool
}

type scopePathIdentity struct {
	Path             string // quoted, as it may be no UTF-8
	Dir, FromCommand bool
}

func (q *Query) makeKeys(pattern string, ro regex.Options) (err error) {
	o := q.o
	id := identity{Engine: EngineVersion, Pattern: pattern, Regex: ro, Invert: o.invert, Max: -1, Form: q.form}
	if o.hasMaxCount {
		id.Max = o.maxCount
	}
	if q.fileKey, err = digest(id); err != nil {
		return err
	}
	f := &fileIdentity{
		Types: q.types.Canonical(), Hidden: q.showHidden(), Ignores: q.ignoreKinds(), Parents: q.parentRules(),
		IgnoreFold: o.ignoreFold, Depth: -1, Size: -1, Mmap: o.mmap, NoMmap: o.noMmap, One: o.oneThread,
		Names: o.names || o.vimgrep, NoNames: o.noNames,
	}
	if o.globFold {
		f.GlobFold = slices.Concat(o.globs, o.iglobs)
	} else {
		f.Globs, f.GlobFold = o.globs, o.iglobs
	}
	if o.hasMaxDepth {
		f.Depth = o.maxDepth
	}
	if o.hasMaxSize {
		f.Size = o.maxSize
	}
	for _, p := range q.paths {
		f.Paths = append(f.Paths, scopePathIdentity{strconv.Quote(p.path), p.dirOnly, p.onCommand})
	}
	id.Files = f
	q.key, err = digest(id)
	return err
}

func digest(id identity) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(id); err != nil {
		return "", fmt.Errorf("identity of a search: %w", err)
	}
	return EngineVersion + ":" + hex.EncodeToString(h.Sum(nil)), nil
}

// Key is the identity of the search, equal for commands that mean the same. It
// includes EngineVersion.
func (q *Query) Key() string { return q.key }

// Scope returns the cleaned paths that must exist for the search to have a
// scope, each once: those of the scope, or where it is empty those of the
// command. The root is "".
func (r *Reach) Scope() []string { return slices.Clone(r.scope) }
