package ignore

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Types selects files by named lists of globs, ripgrep's -t and -T. The zero
// value selects nothing and lets every file pass.
type Types struct {
	selected, negated []*Glob
	hasSelected       bool
	names             []string // canonical form, for keys
}

// TypeFlags are the type flags of a command, each in the order given.
type TypeFlags struct {
	Clear    []string // --type-clear
	Add      []string // --type-add
	Select   []string // -t
	Deselect []string // -T
}

// NewTypes evaluates type flags the way ripgrep does: first all that clear, then
// all that add, then the selections.
func NewTypes(f TypeFlags) (*Types, error) {
	defs := defaultTypes
	if len(f.Clear)+len(f.Add) > 0 {
		defs = maps.Clone(defs)
	}
	for _, name := range f.Clear {
		delete(defs, name)
	}
	for _, spec := range f.Add {
		if err := addType(defs, spec); err != nil {
			return nil, err
		}
	}
	t := &Types{hasSelected: len(f.Select) > 0}
	var err error
	if t.selected, err = t.globs(defs, "+", f.Select); err != nil {
		return nil, err
	}
	if t.negated, err = t.globs(defs, "-", f.Deselect); err != nil {
		return nil, err
	}
	slices.Sort(t.names)
	t.names = slices.Compact(t.names)
	return t, nil
}

// addType evaluates one --type-add: "name:glob" or "name:include:other,names".
func addType(defs map[string][]string, spec string) error {
	parts := strings.Split(spec, ":")
	name := parts[0]
	letters := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	if name == "" || name == "all" || strings.ContainsFunc(name, letters) {
		return fmt.Errorf("invalid type definition %q: a name has letters and numbers only", spec)
	}
	switch {
	case len(parts) == 2 && parts[1] != "":
		defs[name] = append(slices.Clone(defs[name]), parts[1])
		return nil
	case len(parts) == 3 && parts[1] == "include" && parts[2] != "":
		var globs []string
		for _, other := range strings.Split(parts[2], ",") {
			known, ok := defs[other]
			if !ok {
				return fmt.Errorf("invalid type definition %q: there is no type %q", spec, other)
			}
			globs = append(globs, known...)
		}
		defs[name] = append(slices.Clone(defs[name]), globs...)
		return nil
	}
	return fmt.Errorf("invalid type definition %q: want name:glob or name:include:names", spec)
}

// globs compiles the globs of the named types.
func (t *Types) globs(defs map[string][]string, sign string, names []string) ([]*Glob, error) {
	var out []*Glob
	for _, name := range names {
		all := []string{name}
		if name == "all" {
			all = slices.Sorted(maps.Keys(defs))
		}
		for _, n := range all {
			globs, ok := defs[n]
			if !ok {
				return nil, fmt.Errorf("unrecognized file type: %q", n)
			}
			for _, glob := range globs {
				g, err := ParseGlob(glob, false)
				if err != nil {
					return nil, fmt.Errorf("type %q: %w", n, err)
				}
				out = append(out, g)
				t.names = append(t.names, sign+glob)
			}
		}
	}
	if len(out) > MaxRules {
		return nil, errors.New("too many globs in the selected types")
	}
	return out, nil
}

// Canonical returns what the selection comes down to, sorted: the same for equal
// selections. It is nil where there is none.
func (t *Types) Canonical() []string { return t.names }

// Empty reports whether there is no selection.
func (t *Types) Empty() bool { return t == nil || !t.hasSelected && len(t.negated) == 0 }

// Match returns the verdict on a file, by its name. Directories have none.
func (t *Types) Match(path string, isDir bool) Verdict {
	if isDir || t.Empty() {
		return None
	}
	name := FileName(path)
	matches := func(g *Glob) bool { return g.Match(name) }
	switch {
	case name != "" && slices.ContainsFunc(t.negated, matches):
		return Ignore
	case name != "" && slices.ContainsFunc(t.selected, matches):
		return Include
	case t.hasSelected:
		return Ignore
	}
	return None
}

// FileName is the last component of a path, or "" for a path that ends in a dot,
// in which ripgrep finds none.
func FileName(path string) string {
	if strings.HasSuffix(path, ".") {
		return ""
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// Hidden reports whether ripgrep counts the path as hidden by its name.
func Hidden(path string) bool { return strings.HasPrefix(FileName(path), ".") }
