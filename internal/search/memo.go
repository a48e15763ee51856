package search

import "sync"

// Bounds of what is kept: a card holds some ten commands, a server those of its
// busiest repositories; a long command is nobody's everyday search.
const (
	maxRemembered      = 256
	maxRememberedBytes = 1 << 10 // of one command
)

// memo keeps parsed commands: a card is read on every push, and compiling its
// patterns is most of what a push that touches nothing costs.
type memo struct {
	mu     sync.Mutex
	parsed map[[2]string]result
}

type result struct {
	query *Query
	err   error
}

var remembered = memo{parsed: map[[2]string]result{}}

// Parse reads an rg command and the paths of its scope, separated by spaces. Its
// errors are *UnsupportedError: they say what is not evaluated and why. Equal
// arguments may give the same Query.
func Parse(command, scope string) (*Query, error) {
	key := [2]string{command, scope}
	remembered.mu.Lock()
	r, ok := remembered.parsed[key]
	remembered.mu.Unlock()
	if ok {
		return r.query, r.err
	}
	r.query, r.err = parse(command, scope)
	if len(command)+len(scope) > maxRememberedBytes {
		return r.query, r.err
	}
	remembered.mu.Lock()
	defer remembered.mu.Unlock()
	if len(remembered.parsed) >= maxRemembered {
		clear(remembered.parsed)
	}
	remembered.parsed[key] = r
	return r.query, r.err
}
