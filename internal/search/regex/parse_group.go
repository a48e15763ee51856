package regex

// group reads a parenthesis: a group, or flags that hold from here on.
func (p *parser) group() (n *node, isFlags bool, err error) {
	if err := p.enter(); err != nil {
		return nil, false, err
	}
	defer p.leave()
	open := p.pos
	p.next()
	before := p.flags
	switch {
	case p.accept("?=") || p.accept("?!") || p.accept("?<=") || p.accept("?<!"):
		p.pos = open
		return nil, false, p.fail("look-around needs ripgrep's -P, which is not evaluated")
	case p.accept("?P<"):
		err = p.groupName()
	case p.accept("?"):
		isFlags, err = p.groupFlags()
	}
	if err != nil || isFlags {
		return emptyNode(), isFlags, err
	}
	n, err = p.alternation()
	if err != nil {
		return nil, false, err
	}
	if p.char() != ')' {
		p.pos = open
		return nil, false, p.fail("unclosed group")
	}
	p.flags = before
	p.pos++
	return n, false, nil
}

func (p *parser) groupName() error {
	name := ""
	for c := p.char(); c != '>'; c = p.char() {
		first := name == ""
		ok := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' ||
			!first && ('0' <= c && c <= '9' || c == '.' || c == '[' || c == ']')
		if !ok {
			return p.fail("invalid name of a group")
		}
		name += string(c)
		p.pos++
	}
	if name == "" || p.names[name] {
		return p.fail("a group needs a name of its own")
	}
	p.names[name] = true
	p.pos++
	return nil
}

// groupFlags reads the flags after (? up to ) or :.
func (p *parser) groupFlags() (isFlags bool, err error) {
	seen := map[rune]bool{}
	on, last := true, rune(0)
	f := p.flags
	for p.char() != ')' && p.char() != ':' {
		c := p.char()
		if c == -1 {
			return false, p.fail("unclosed flags")
		}
		if seen[c] {
			return false, p.fail("flag %q is given twice", c)
		}
		seen[c] = true
		switch c {
		case '-':
			on = false
		case 'i':
			f.fold = on
		case 'm':
			f.multi = on
		case 's':
			f.dotAll = on
		case 'U':
			f.swap = on
		case 'u':
			if on && p.ascii {
				return false, p.fail("Unicode is off for the whole pattern; ripgrep 13 gets confused where it is turned on again")
			}
			f.unicode = on
		case 'x':
			f.spaced = on
		default:
			return false, p.fail("unknown flag %q", c)
		}
		last = c
		p.pos++
	}
	if last == '-' {
		return false, p.fail("a minus without a flag")
	}
	isFlags = p.char() == ')'
	if isFlags && len(seen) == 0 {
		return false, p.fail("nothing to repeat before '?'")
	}
	p.pos++
	p.flags = f
	return isFlags, nil
}
