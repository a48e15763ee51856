package regex

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// metaCharacters may be escaped to stand for themselves.
const metaCharacters = `\.+*?()|[]{}^$#&-~`

// EscapeLiteral returns a pattern that matches s and nothing else.
func EscapeLiteral(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(metaCharacters, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (p *parser) fail(format string, args ...any) error {
	return &Error{Offset: p.pos, Reason: fmt.Sprintf(format, args...)}
}

// item is one atom before it is known whether it stands in a class: a literal
// character, a set, or an assertion or dot, which a class cannot hold.
type item struct {
	n        *node // nil for a literal
	set      runeSet
	isSet    bool
	r        rune // the literal
	hexFixed bool // the literal was written \xNN, which names a byte under (?-u)
}

func (p *parser) atom() (*node, error) {
	switch p.char() {
	case '[':
		return p.bracket()
	case '.':
		p.pos++
		return p.dot(), nil
	case '^':
		p.pos++
		return lookNode(pick(p.flags.multi, lookStartLine, lookStartText)), nil
	case '$':
		p.pos++
		return lookNode(pick(p.flags.multi, lookEndLine, lookEndText)), nil
	}
	it, err := p.item()
	switch {
	case err != nil:
		return nil, err
	case it.n != nil:
		return it.n, nil
	case it.isSet:
		return p.setOrBytes(it.set), nil
	}
	return p.literal(it)
}

func pick[T any](cond bool, yes, no T) T {
	if cond {
		return yes
	}
	return no
}

func (p *parser) dot() *node {
	limit := pick[rune](p.flags.unicode, unicode.MaxRune, 0xFF)
	set := newRuneSet(runeRange{0, limit})
	if !p.flags.dotAll {
		set = set.subtract(runeSet{{'\n', '\n'}})
	}
	return p.setOrBytes(set)
}

func (p *parser) setOrBytes(s runeSet) *node {
	if p.flags.unicode {
		return setNode(s)
	}
	n := byteNode(s)
	p.facts.byBytes = p.facts.byBytes || n.matchesHighBytes()
	return n
}

// literal turns a literal character into a node under the flags in force.
func (p *parser) literal(it item) (*node, error) {
	one := runeSet{{it.r, it.r}}
	if p.flags.unicode {
		if p.flags.fold {
			one = one.fold()
		}
		return setNode(one), nil
	}
	if it.r > 0x7F {
		if it.hexFixed && it.r <= 0xFF {
			return p.setOrBytes(one), nil
		}
		return nil, p.fail("a character outside ASCII where Unicode is off")
	}
	if p.flags.fold {
		one = one.foldASCII()
	}
	return byteNode(one), nil
}

// item reads a literal character or an escape.
func (p *parser) item() (item, error) {
	c := p.char()
	if c != '\\' {
		p.pos++
		p.noteLiteral(c)
		return item{r: c}, nil
	}
	p.pos++
	c = p.char()
	switch c {
	case -1:
		return item{}, p.fail("the pattern ends in a backslash")
	case 'x', 'u', 'U':
		return p.hex()
	case 'p', 'P':
		return p.property()
	}
	p.pos++
	switch c {
	case 'd', 'D':
		return p.perl(digitSet, asciiClasses["digit"], c == 'D'), nil
	case 's', 'S':
		return p.perl(spaceSet, asciiClasses["space"], c == 'S'), nil
	case 'w', 'W':
		return p.perl(wordSet, asciiClasses["word"], c == 'W'), nil
	case 'A':
		return item{n: lookNode(lookStartText)}, nil
	case 'z':
		return item{n: lookNode(lookEndText)}, nil
	case 'b':
		return item{n: lookNode(pick(p.flags.unicode, lookWord, lookWordASCII))}, nil
	case 'B':
		p.facts.byBytes = p.facts.byBytes || !p.flags.unicode
		return item{n: lookNode(pick(p.flags.unicode, lookNotWord, lookNotWordASCII))}, nil
	}
	if strings.ContainsRune(metaCharacters, c) || c == ' ' && p.flags.spaced {
		p.noteLiteral(c)
		return item{r: c}, nil
	}
	if i := strings.IndexRune("aftnrv", c); i >= 0 {
		r := []rune("\a\f\t\n\r\v")[i]
		p.noteLiteral(r)
		return item{r: r}, nil
	}
	p.pos -= 2
	if '0' <= c && c <= '9' {
		return item{}, p.fail("back-references need ripgrep's -P, which is not evaluated")
	}
	return item{}, p.fail("unknown escape \\%c", c)
}

// noteLiteral records a literal for smart case.
func (p *parser) noteLiteral(r rune) {
	p.facts.literal = true
	p.facts.uppercase = p.facts.uppercase || isUppercase(r)
}

// perl is \d, \s, \w or its negation.
func (p *parser) perl(full func() runeSet, ascii runeSet, negated bool) item {
	if !p.flags.unicode {
		return item{isSet: true, set: pick(negated, ascii.negateBytes(), ascii)}
	}
	if s := full(); !negated {
		return item{isSet: true, set: s}
	}
	return item{isSet: true, set: full().negate()}
}

// hex reads what follows a backslash: xNN, x{N...}, uNNNN, UNNNNNNNN and so on.
func (p *parser) hex() (item, error) {
	start := p.pos - 1
	digits := map[rune]int{'x': 2, 'u': 4, 'U': 8}[p.char()]
	fixedByte := p.char() == 'x'
	p.next()
	text := ""
	if p.char() == '{' {
		fixedByte = false
		for p.next(); p.char() != '}' && p.char() != -1; p.next() {
			text += string(p.char())
		}
		if p.char() == -1 {
			p.pos = start
			return item{}, p.fail("unclosed hexadecimal escape")
		}
		p.next()
	} else {
		for range digits {
			if p.char() == -1 {
				break
			}
			text += string(p.char())
			p.next()
		}
		if len([]rune(text)) != digits {
			p.pos = start
			return item{}, p.fail("hexadecimal escape cut short")
		}
	}
	n, err := strconv.ParseUint(text, 16, 32)
	if err != nil || strings.ContainsAny(text, "_+-") || n > unicode.MaxRune || n >= surrogateMin && n <= surrogateMax {
		p.pos = start
		return item{}, p.fail("invalid hexadecimal escape")
	}
	p.noteLiteral(rune(n))
	return item{r: rune(n), hexFixed: fixedByte}, nil
}

// property reads what follows a backslash: pL, p{name} and their negations.
func (p *parser) property() (item, error) {
	start := p.pos - 1
	negated := p.char() == 'P'
	p.next()
	name := ""
	switch p.char() {
	case '{':
		for p.next(); p.char() != '}' && p.char() != -1; p.next() {
			name += string(p.char())
		}
		if p.char() == -1 {
			p.pos = start
			return item{}, p.fail("unclosed Unicode class")
		}
		p.pos++
	case -1, '\\':
		return item{}, p.fail("invalid Unicode class")
	default:
		name = string(p.char())
		p.next()
	}
	if !p.flags.unicode {
		p.pos = start
		return item{}, p.fail("a Unicode class where Unicode is off")
	}
	set, ok := propertySet(name)
	if !ok {
		p.pos = start
		return item{}, p.fail("the Unicode class %q is not evaluated", name)
	}
	set = p.foldNegate(set, negated)
	if len(set) == 0 {
		p.pos = start
		return item{}, p.fail("a class that nothing matches")
	}
	return item{isSet: true, set: set}, nil
}

// foldNegate folds the case of a class where (?i) is on, then negates it.
func (p *parser) foldNegate(s runeSet, negated bool) runeSet {
	if p.flags.fold {
		s = pick(p.flags.unicode, s.fold, s.foldASCII)()
	}
	if negated {
		s = pick(p.flags.unicode, s.negate, s.negateBytes)()
	}
	return s
}
