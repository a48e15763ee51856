package search

import "github.com/rescore-app/rescore/internal/search/ignore"

// Reach is what a search may read: its paths, globs, types and depth. It is safe for
// concurrent use. Of a change that is out of reach nobody needs to know what the
// search looks for, so that the patterns are left alone.
type Reach struct {
	o         *options
	overrides *ignore.Rules
	types     *ignore.Types
	paths     []scopePath
	scope     []string
}

// parseReach is ParseReach without its memory.
func parseReach(command, scope string) (*Reach, error) {
	words, err := splitWords(command)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || words[0] != "rg" {
		return nil, unsupported("", "the command must begin with rg")
	}
	r := &Reach{}
	if r.o, err = parseFlags(words[1:]); err != nil {
		return nil, err
	}
	if r.paths, r.scope, err = scopePaths(r.o.paths, scope); err != nil {
		return nil, err
	}
	return r, r.compileFilters()
}

func (r *Reach) compileFilters() error {
	r.overrides = &ignore.Rules{}
	for _, g := range r.o.globs {
		if err := r.overrides.AddOverride(g, r.o.globFold); err != nil {
			return unsupported("--glob", "%v", err)
		}
	}
	for _, g := range r.o.iglobs {
		if err := r.overrides.AddOverride(g, true); err != nil {
			return unsupported("--iglob", "%v", err)
		}
	}
	var err error
	if r.types, err = ignore.NewTypes(r.o.types); err != nil {
		return unsupported("--type", "%v", err)
	}
	return nil
}
