package regex

import "unicode"

// bracket reads a bracketed class and everything nested in it.
func (p *parser) bracket() (*node, error) {
	start := p.pos
	set, err := p.classBody()
	if err != nil {
		return nil, err
	}
	if len(set) == 0 {
		p.pos = start
		return nil, p.fail("a class that nothing matches")
	}
	return p.setOrBytes(set), nil
}

// classBody reads from [ to the ] that closes it. Set operators have no
// precedence: each takes all that came before it as its left side.
func (p *parser) classBody() (runeSet, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	start := p.pos
	negated, cur := p.classOpen()
	var left runeSet
	var op rune // 0 until the first operator
	close := func() runeSet {
		if op == 0 {
			return cur
		}
		return p.setOperation(left, op, cur)
	}
	for {
		p.space()
		c := p.char()
		switch {
		case c == -1:
			p.pos = start
			return nil, p.fail("unclosed class")
		case c == ']':
			p.pos++
			return p.foldNegate(close(), negated), nil
		case c == '[':
			s, err := p.nestedClass()
			if err != nil {
				return nil, err
			}
			cur = cur.union(s)
		case (c == '&' || c == '-' || c == '~') && p.at(1) == c:
			left, op, cur = close(), c, nil
			p.pos += 2
		default:
			s, err := p.classRange(start)
			if err != nil {
				return nil, err
			}
			cur = cur.union(s)
		}
	}
}

// classOpen reads [ and what is special right after it: ^, leading hyphens and
// a leading ].
func (p *parser) classOpen() (negated bool, first runeSet) {
	p.next()
	if p.char() == '^' {
		negated = true
		p.next()
	}
	for p.char() == '-' {
		p.noteLiteral('-')
		first = runeSet{{'-', '-'}}
		p.next()
	}
	if first == nil && p.char() == ']' {
		p.noteLiteral(']')
		first = runeSet{{']', ']'}}
		p.next()
	}
	return negated, first
}

// nestedClass reads [:name:] or a class within a class.
func (p *parser) nestedClass() (runeSet, error) {
	if s, ok := p.asciiClass(); ok {
		return s, nil
	}
	return p.classBody()
}

// asciiClass reads [:name:] and [:^name:]; anything else is left for a class.
func (p *parser) asciiClass() (runeSet, bool) {
	start := p.pos
	if !p.accept("[:") {
		return nil, false
	}
	negated := p.accept("^")
	name := ""
	for p.char() != ':' && p.char() != -1 {
		name += string(p.char())
		p.pos++
	}
	set, known := asciiClasses[name]
	if !known || !p.accept(":]") {
		p.pos = start
		return nil, false
	}
	return p.foldNegate(set, negated), true
}

// classRange reads one member of a class: an item or a range of two literals.
func (p *parser) classRange(open int) (runeSet, error) {
	lo, err := p.classItem()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.char() == -1 {
		p.pos = open
		return nil, p.fail("unclosed class")
	}
	after, err := p.peekSpaced()
	if err != nil {
		return nil, err
	}
	if p.char() != '-' || after == ']' || after == '-' {
		return lo.members(p)
	}
	p.next()
	if p.char() == -1 {
		p.pos = open
		return nil, p.fail("unclosed class")
	}
	hi, err := p.classItem()
	if err != nil {
		return nil, err
	}
	if lo.isSet || hi.isSet {
		return nil, p.fail("a range of a class must have a character at both ends")
	}
	if lo.r > hi.r {
		return nil, p.fail("a range of a class with its ends the wrong way round")
	}
	for _, end := range []item{lo, hi} {
		if _, err := end.members(p); err != nil {
			return nil, err
		}
	}
	return newRuneSet(runeRange{lo.r, hi.r}), nil
}

// classItem reads an item that a class may hold.
func (p *parser) classItem() (item, error) {
	it, err := p.item()
	if err == nil && it.n != nil {
		return item{}, p.fail("an assertion in a class")
	}
	return it, err
}

// members is the set an item stands for in a class.
func (it item) members(p *parser) (runeSet, error) {
	if it.isSet {
		return it.set, nil
	}
	if !p.flags.unicode && it.r > 0x7F && !(it.hexFixed && it.r <= 0xFF) {
		return nil, p.fail("a character outside ASCII where Unicode is off")
	}
	return runeSet{{it.r, it.r}}, nil
}

// peekSpaced is the character after the current one, past white space in x
// mode. ripgrep's own look-ahead stumbles over comments there, so those are
// refused.
func (p *parser) peekSpaced() (rune, error) {
	if !p.flags.spaced {
		return p.at(1), nil
	}
	q := *p
	q.pos++
	for !q.eof() && unicode.IsSpace(q.char()) {
		q.pos++
	}
	if q.char() == '#' {
		return 0, p.fail("a comment inside a class")
	}
	return q.char(), nil
}

// setOperation applies &&, -- or ~~, case folded first where (?i) is on.
func (p *parser) setOperation(l runeSet, op rune, r runeSet) runeSet {
	l, r = p.foldNegate(l, false), p.foldNegate(r, false)
	switch op {
	case '&':
		return l.intersect(r)
	case '-':
		return l.subtract(r)
	}
	return l.symmetric(r)
}
