package rubric

import (
	"regexp"
	"slices"
	"sync"
)

// WatchSpec says which changed files and lines may bear on a criterion although
// no evidence cites them. A match is a hint for a reader; it decides nothing.
type WatchSpec struct {
	Criterion string
	Paths     []string // doublestar globs over repository paths
	Sources   []string // regular expressions (RE2) over changed lines

	once     sync.Once
	patterns []*regexp.Regexp
}

// Watches returns the watch signals of the ten criteria in order. The slice is
// shared: do not change it.
func Watches() []*WatchSpec { return watches }

// Watch returns the watch signals of the criterion with the id.
func Watch(id string) (*WatchSpec, bool) {
	i := slices.IndexFunc(watches, func(w *WatchSpec) bool { return w.Criterion == id })
	if i < 0 {
		return nil, false
	}
	return watches[i], true
}

// Patterns returns Sources compiled, in the same order. They are compiled on the
// first call; tests make sure that all of them compile.
func (w *WatchSpec) Patterns() []*regexp.Regexp {
	w.once.Do(func() {
		w.patterns = make([]*regexp.Regexp, len(w.Sources))
		for i, s := range w.Sources {
			w.patterns[i] = regexp.MustCompile(s)
		}
	})
	return w.patterns
}
