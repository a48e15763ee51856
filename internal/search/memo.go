package search

import "sync"

// Bounds of what is kept: a card holds some ten commands, a server those of its
// busiest repositories; a long command is nobody's everyday search.
const (
	maxRemembered      = 256
	maxRememberedBytes = 1 << 10 // of one command
)

// memo keeps parsed commands: a card is read on every push.
type memo struct {
	mu     sync.Mutex
	parsed map[[2]string]*entry
}

// entry is one command: what it may read at once, the whole of it when it is asked for.
type entry struct {
	reach *Reach
	err   error
	query func() (*Query, error)
}

func newEntry(command, scope string) *entry {
	e := &entry{}
	e.reach, e.err = parseReach(command, scope)
	e.query = sync.OnceValues(func() (*Query, error) {
		if e.err != nil {
			return nil, e.err
		}
		return newQuery(e.reach)
	})
	return e
}

var remembered = memo{parsed: map[[2]string]*entry{}}

// ParseReach reads of an rg command and the paths of its scope, separated by spaces,
// what the search may read. Its errors are *UnsupportedError.
func ParseReach(command, scope string) (*Reach, error) {
	e := remembered.entry(command, scope)
	return e.reach, e.err
}

// Parse reads an rg command and the paths of its scope, separated by spaces. Its
// errors are *UnsupportedError: they say what is not evaluated and why. Equal
// arguments may give the same Query.
func Parse(command, scope string) (*Query, error) {
	return remembered.entry(command, scope).query()
}

func (m *memo) entry(command, scope string) *entry {
	key := [2]string{command, scope}
	m.mu.Lock()
	e := m.parsed[key]
	m.mu.Unlock()
	if e != nil {
		return e
	}
	e = newEntry(command, scope)
	if len(command)+len(scope) > maxRememberedBytes {
		return e
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.parsed) >= maxRemembered {
		clear(m.parsed)
	}
	m.parsed[key] = e
	return e
}
