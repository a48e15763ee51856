package ignore

import (
	"fmt"
	"unicode/utf8"
)

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
	t := token{kind: tokClass, neg: negated, set: new([256]bool)}
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
