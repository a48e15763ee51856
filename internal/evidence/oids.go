package evidence

import (
	"maps"
	"slices"
)

// oidSet is a set of object ids.
type oidSet map[string]bool

func (s oidSet) add(oids ...string) {
	for _, oid := range oids {
		s[oid] = true
	}
}

func (s oidSet) sorted() []string { return slices.Sorted(maps.Keys(s)) }
