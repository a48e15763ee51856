package ignore

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// tokenKind is one element of a parsed glob.
type tokenKind uint8

const (
	tokLiteral   tokenKind = iota // the bytes of lit
	tokAny                        // ? one byte, not a slash
	tokStar                       // * any bytes but slashes
	tokPrefix                     // **/ at the start: any directories
	tokSuffix                     // /** at the end: anything below
	tokMiddle                     // /**/ between: any directories
	tokClass                      // [...] one byte
	tokAlternate                  // {a,b}
)

type token struct {
	kind tokenKind
	lit  string
	set  *[256]bool // tokClass
	neg  bool       // tokClass: what is not in set
	alts [][]token  // tokAlternate
}

// strategy is how globset matches a glob. It shows where a path ends in a dot or
// holds a line feed.
type strategy uint8

const (
	byRegex     strategy = iota // "**" does not cross line feeds
	byBasename                  // the last component is a literal
	byPath                      // the whole path, or its end, is a literal
	byExtension                 // the extension is a literal; all else is matched too
)

// Glob is a compiled glob.
type Glob struct {
	tokens   []token
	fold     bool // ASCII letters match either case
	strategy strategy
	lit      string // byBasename: the name
	ext      string // byExtension: what the name must end in
	onlyExt  bool   // byExtension: and nothing else is asked
	need     string // a path without it does not match; "" where nothing is known
}

// errors of globs, worded to follow "glob %q: ".
var (
	errUnclosedClass = errors.New("unclosed character class; missing ']'")
	errUnclosed      = errors.New("unclosed alternates; missing '}'")
	errNested        = errors.New("alternates within alternates")
	errEscape        = errors.New("a backslash at the end")
	errWideClass     = errors.New("a range of characters outside ASCII is not evaluated")
	errTooLong       = fmt.Errorf("longer than %d bytes", maxGlobBytes)
)

// isRefusal tells what we do not evaluate from what ripgrep does not accept.
func isRefusal(err error) bool {
	return errors.Is(err, errWideClass) || errors.Is(err, errTooLong)
}

// ParseGlob compiles a glob in which wildcards do not match slashes.
func ParseGlob(glob string, fold bool) (*Glob, error) {
	if len(glob) > maxGlobBytes {
		return nil, fmt.Errorf("glob %q...: %w", glob[:32], errTooLong)
	}
	p := globParser{text: []rune(glob), stack: [][]token{nil}}
	if !utf8.ValidString(glob) {
		return nil, fmt.Errorf("glob %q: not valid UTF-8", glob)
	}
	if err := p.parse(); err != nil {
		return nil, fmt.Errorf("glob %q: %w", glob, err)
	}
	g := &Glob{tokens: p.stack[0], fold: fold}
	g.classify()
	if !fold {
		g.need = longestLiteral(g.tokens)
	}
	return g, nil
}

// longestLiteral is the longest run of literal tokens outside alternatives.
func longestLiteral(t []token) string {
	longest, run := "", ""
	for _, x := range t {
		if x.kind != tokLiteral {
			run = ""
			continue
		}
		if run += x.lit; len(run) > len(longest) {
			longest = run
		}
	}
	return longest
}

// classify chooses the strategy the way globset does.
func (g *Glob) classify() {
	if g.fold {
		return
	}
	t := g.tokens
	prefixed := len(t) > 0 && t[0].kind == tokPrefix
	rest := t
	if prefixed {
		rest = t[1:]
	}
	lit, all := literals(rest)
	switch {
	case all && prefixed && lit != "" && !strings.Contains(lit, "/"):
		g.strategy, g.lit = byBasename, lit
		return
	case all && lit != "":
		g.strategy = byPath
		return
	}
	if len(t) > 0 && t[len(t)-1].kind == tokSuffix {
		if lit, all := literals(t[:len(t)-1]); all && lit != "" {
			g.strategy = byPath
			return
		}
	}
	if ext := requiredExtension(t); ext != "" {
		g.strategy, g.ext = byExtension, ext
		g.onlyExt = prefixed && len(rest) == 1+len([]rune(ext)) && rest[0].kind == tokStar
	}
}

// literals joins tokens that are all literal.
func literals(t []token) (s string, all bool) {
	for _, x := range t {
		if x.kind != tokLiteral {
			return "", false
		}
		s += x.lit
	}
	return s, true
}

// requiredExtension is the literal end of a glob from its last dot on, when that
// is within the last component.
func requiredExtension(t []token) string {
	ext := ""
	for i := len(t) - 1; i >= 0; i-- {
		if t[i].kind != tokLiteral || t[i].lit == "/" {
			return ""
		}
		ext = t[i].lit + ext
		if t[i].lit == "." {
			return ext
		}
	}
	return ""
}
