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
	set  [256]bool // tokClass
	neg  bool      // tokClass: what is not in set
	alts [][]token // tokAlternate
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
	return g, nil
}

// globParser reads a glob into a stack of token lists: the outermost, then one
// for each alternative that is open.
type globParser struct {
	text  []rune
	pos   int
	prev  rune // the character before the current one; 0 at the start
	cur   rune
	stack [][]token
}

// bump moves to the next character and returns it, or -1 at the end.
func (p *globParser) bump() rune {
	p.prev = p.cur
	p.cur = p.peek()
	p.pos++
	return p.cur
}

func (p *globParser) peek() rune {
	if p.pos >= len(p.text) {
		return -1
	}
	return p.text[p.pos]
}

func (p *globParser) parse() error {
	for p.pos < len(p.text) {
		var err error
		switch c := p.bump(); c {
		case '?':
			p.push(token{kind: tokAny})
		case '*':
			p.star()
		case '[':
			err = p.classToken()
		case '{':
			if len(p.stack) > 1 {
				return errNested
			}
			p.stack = append(p.stack, nil)
		case '}':
			// One that closes nothing matches the empty string.
			alts := p.stack[1:]
			p.stack = p.stack[:1:1]
			p.push(token{kind: tokAlternate, alts: alts})
		case ',':
			if len(p.stack) > 1 {
				p.stack = append(p.stack, nil)
			} else {
				p.literal(c)
			}
		case '\\':
			if c = p.bump(); c == -1 {
				return errEscape
			}
			p.literal(c)
		default:
			p.literal(c)
		}
		if err != nil {
			return err
		}
	}
	if len(p.stack) > 1 {
		return errUnclosed
	}
	return nil
}

func (p *globParser) push(t token) {
	top := &p.stack[len(p.stack)-1]
	*top = append(*top, t)
}

func (p *globParser) literal(c rune) { p.push(token{kind: tokLiteral, lit: string(c)}) }

// star reads * and **. Two stars are special only as a whole path component;
// otherwise they are two stars.
func (p *globParser) star() {
	before := p.prev
	if p.peek() != '*' {
		p.push(token{kind: tokStar})
		return
	}
	p.bump()
	plain := func() {
		p.push(token{kind: tokStar})
		p.push(token{kind: tokStar})
	}
	top := &p.stack[len(p.stack)-1]
	if len(*top) == 0 {
		if next := p.peek(); next != -1 && next != '/' {
			plain()
			return
		}
		p.push(token{kind: tokPrefix})
		p.bump()
		return
	}
	opened := len(p.stack) > 1 && (before == ',' || before == '{')
	if before != '/' && !opened {
		plain()
		return
	}
	kind := tokMiddle
	switch next := p.peek(); {
	case next == -1:
		p.bump()
		kind = tokSuffix
	case (next == ',' || next == '}') && len(p.stack) > 1:
		kind = tokSuffix
	case next == '/':
		p.bump()
	default:
		plain()
		return
	}
	// The separator before the stars is part of what they match.
	last := (*top)[len(*top)-1]
	if last.kind != tokPrefix && last.kind != tokSuffix {
		(*top)[len(*top)-1] = token{kind: kind}
	}
}

// span is an inclusive range of characters in a class.
type span struct{ lo, hi rune }

// classToken reads a class up to its closing bracket.
func (p *globParser) classToken() error {
	var spans []span
	negated := p.peek() == '!' || p.peek() == '^'
	if negated {
		p.bump()
	}
	first, inRange := true, false
	for ; ; first = false {
		c := p.bump()
		if c == -1 {
			return errUnclosedClass
		}
		switch {
		case c == ']' && !first:
			if inRange {
				spans = append(spans, span{'-', '-'})
			}
			t, err := newClass(spans, negated)
			p.push(t)
			return err
		case c == '-' && !first && !inRange:
			inRange = true
		case inRange:
			last := &spans[len(spans)-1]
			if last.hi = c; last.hi < last.lo {
				return fmt.Errorf("invalid range; '%c' > '%c'", last.lo, last.hi)
			}
			inRange = false
		default:
			spans = append(spans, span{c, c})
		}
	}
}

// newClass makes the token of a class. Globs are matched by bytes, so that each
// byte of a character outside ASCII is a member of its own.
func newClass(spans []span, negated bool) (token, error) {
	t := token{kind: tokClass, neg: negated}
	for _, s := range spans {
		if s.lo == s.hi {
			for _, b := range []byte(string(s.lo)) {
				t.set[b] = true
			}
			continue
		}
		if s.hi >= utf8.RuneSelf {
			return t, errWideClass
		}
		for b := s.lo; b <= s.hi; b++ {
			t.set[b] = true
		}
	}
	return t, nil
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
