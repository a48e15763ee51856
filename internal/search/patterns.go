package search

import "slices"

// Patterns returns the regular expressions (or, with -F, the texts) of the
// command, as written.
func (q *Query) Patterns() []string { return slices.Clone(q.o.patterns) }
