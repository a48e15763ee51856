package ignore

import (
	"slices"
	"strings"
)

// Match reports whether the glob matches the whole of path. Its time is linear
// in the length of the path times that of the glob.
func (g *Glob) Match(path string) bool {
	// globset finds no name, and so no extension, in a path that ends in a dot.
	named := g.strategy == byBasename || g.strategy == byExtension
	if named && strings.HasSuffix(path, ".") {
		return false
	}
	switch {
	case g.strategy == byBasename:
		return path[strings.LastIndexByte(path, '/')+1:] == g.lit
	case g.strategy == byExtension && (g.onlyExt || !strings.HasSuffix(path, g.ext)):
		return strings.HasSuffix(path, g.ext)
	}
	if !strings.Contains(path, g.need) {
		return false
	}
	m := matcher{path: path, fold: g.fold, crossLines: g.strategy != byRegex}
	if len(g.tokens) == 1 && g.tokens[0].kind == tokPrefix { // "**"
		return m.crosses(0, len(path))
	}
	at := m.take()
	at[0] = true
	return m.run(g.tokens, at)[len(path)]
}

// matcher moves a set of positions in path through the tokens of a glob.
type matcher struct {
	path       string
	fold       bool
	crossLines bool      // "**" matches line feeds
	free       [4][]bool // sets of positions that are no longer used
	frees      int
}

// take returns an empty set of positions, and give takes one back.
func (m *matcher) take() []bool {
	if m.frees == 0 {
		return make([]bool, len(m.path)+1)
	}
	m.frees--
	set := m.free[m.frees]
	clear(set)
	return set
}

func (m *matcher) give(set []bool) {
	if m.frees < len(m.free) {
		m.free[m.frees] = set
		m.frees++
	}
}

// run returns the positions reached from those in at; it does not change at.
func (m *matcher) run(tokens []token, at []bool) []bool {
	for i := range tokens {
		next := m.step(&tokens[i], at)
		if i > 0 {
			m.give(at)
		}
		if at = next; !slices.Contains(at, true) {
			break
		}
	}
	return at
}

func (m *matcher) step(t *token, at []bool) []bool {
	next := m.take()
	switch t.kind {
	case tokAlternate:
		m.alternates(t, at, next)
	case tokStar:
		on := false
		for i := range at {
			on = on && m.path[i-1] != '/' || at[i]
			next[i] = on
		}
	case tokPrefix, tokSuffix, tokMiddle:
		m.directories(t.kind, at, next)
	default:
		for i := range at {
			if n := m.width(t, i); at[i] && n > 0 {
				next[i+n] = true
			}
		}
	}
	return next
}

// alternates joins what the alternatives reach. Empty ones do not count, and
// where there are no others the group matches the empty string.
func (m *matcher) alternates(t *token, at, next []bool) {
	some := false
	for _, alt := range t.alts {
		if len(alt) == 0 {
			continue
		}
		some = true
		for i, ok := range m.run(alt, at) {
			next[i] = next[i] || ok
		}
	}
	if !some {
		copy(next, at)
	}
}

// directories marks what a double star reaches.
func (m *matcher) directories(kind tokenKind, at, next []bool) {
	open := false // a run of any bytes is under way
	for i := range at {
		slash := i < len(m.path) && m.path[i] == '/'
		if at[i] && kind == tokPrefix {
			next[i] = true
			open = true
			if slash {
				next[i+1] = true
			}
		}
		switch {
		case i == len(m.path):
			return
		case m.path[i] == '\n' && !m.crossLines:
			open = false
		case open && (kind == tokSuffix || slash):
			next[i+1] = true
		}
		if at[i] && slash && kind != tokPrefix {
			next[i+1] = true
			open = true
		}
	}
}

// width is how many bytes a token of fixed width takes at i; 0 for no match.
func (m *matcher) width(t *token, i int) int {
	if i >= len(m.path) {
		return 0
	}
	switch b := m.path[i]; t.kind {
	case tokAny:
		if b != '/' {
			return 1
		}
	case tokClass:
		in := t.set[b] || m.fold && t.set[otherCase(b)]
		if in != t.neg {
			return 1
		}
	default:
		n := len(t.lit)
		switch {
		case strings.HasPrefix(m.path[i:], t.lit):
			return n
		case m.fold && n == 1 && otherCase(b) == t.lit[0]:
			return 1
		}
	}
	return 0
}

// crosses reports whether a double star may match path[i:j].
func (m *matcher) crosses(i, j int) bool {
	return m.crossLines || !strings.Contains(m.path[i:j], "\n")
}

func otherCase(b byte) byte {
	switch {
	case 'a' <= b && b <= 'z':
		return b - 'a' + 'A'
	case 'A' <= b && b <= 'Z':
		return b - 'A' + 'a'
	}
	return b
}
