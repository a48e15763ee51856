package regex

import (
	"strconv"
	"unicode"
)

// flags are what (?imsuxU) turns on and off.
type flags struct {
	fold    bool // i
	multi   bool // m: ^ and $ at lines
	dotAll  bool // s
	swap    bool // U: laziness swapped
	unicode bool // u
	spaced  bool // x: white space and comments do not count
}

// facts are what is asked about a pattern as it was written, also about parts
// of it that are repeated no times.
type facts struct {
	literal   bool // it has a literal character
	uppercase bool // one of them is upper case
	byBytes   bool // it can match what is not UTF-8
}

type parser struct {
	text  []rune
	pos   int
	flags flags
	ascii bool // the flags began without Unicode
	facts facts
	names map[string]bool // of capture groups
	depth int
}

// parse reads a whole pattern.
func parse(pattern string, f flags) (*node, facts, error) {
	p := &parser{text: []rune(pattern), flags: f, ascii: !f.unicode, names: map[string]bool{}}
	if len(p.text) > maxPatternRunes {
		return nil, facts{}, p.fail("the pattern is longer than %d characters", maxPatternRunes)
	}
	n, err := p.alternation()
	if err != nil {
		return nil, facts{}, err
	}
	if !p.eof() {
		return nil, facts{}, p.fail("unopened group")
	}
	return n, p.facts, nil
}

func (p *parser) eof() bool { return p.pos >= len(p.text) }

// char is the current character; it is -1 at the end.
func (p *parser) char() rune { return p.at(0) }

func (p *parser) at(i int) rune {
	if p.pos+i >= len(p.text) {
		return -1
	}
	return p.text[p.pos+i]
}

// accept skips s when it comes next.
func (p *parser) accept(s string) bool {
	i := 0
	for _, c := range s {
		if p.at(i) != c {
			return false
		}
		i++
	}
	p.pos += i
	return true
}

// space skips white space and comments in x mode.
func (p *parser) space() {
	for p.flags.spaced && !p.eof() {
		switch c := p.char(); {
		case unicode.IsSpace(c):
			p.pos++
		case c == '#':
			for !p.eof() && p.char() != '\n' {
				p.pos++
			}
			p.pos = min(p.pos+1, len(p.text))
		default:
			return
		}
	}
}

// next moves on by one character and skips white space in x mode.
func (p *parser) next() {
	p.pos++
	p.space()
}

// enter counts nesting; the caller must call leave.
func (p *parser) enter() error {
	if p.depth++; p.depth > maxNesting {
		return p.fail("more than %d levels of nesting", maxNesting)
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

// alternation reads up to the end of the pattern or of the group.
func (p *parser) alternation() (*node, error) {
	var alts []*node
	for {
		n, err := p.concat()
		if err != nil {
			return nil, err
		}
		alts = append(alts, n)
		if p.char() != '|' {
			return altNode(alts...), nil
		}
		p.pos++
	}
}

func (p *parser) concat() (*node, error) {
	var parts []*node
	repeatable := false // the last part is an expression, not a flag
	stacked := 0        // repetitions around the last part
	for {
		p.space()
		switch c := p.char(); c {
		case -1, '|', ')':
			return concatNode(parts...), nil
		case '(':
			n, isFlags, err := p.group()
			if err != nil {
				return nil, err
			}
			repeatable, stacked = !isFlags, 0
			parts = append(parts, n)
		case '?', '*', '+', '{':
			if !repeatable {
				return nil, p.fail("nothing to repeat before %q", c)
			}
			if stacked++; stacked > maxStacked {
				return nil, p.fail("more than %d repetitions in a row", maxStacked)
			}
			n, err := p.repeat(parts[len(parts)-1])
			if err != nil {
				return nil, err
			}
			parts[len(parts)-1] = n
		default:
			n, err := p.atom()
			if err != nil {
				return nil, err
			}
			repeatable, stacked = true, 0
			parts = append(parts, n)
		}
	}
}

// repeat reads one repetition operator that applies to n.
func (p *parser) repeat(n *node) (*node, error) {
	rep := &node{kind: kindRepeat, max: unbounded, sub: []*node{n}}
	switch p.char() {
	case '?':
		rep.max = 1
		p.pos++
	case '+':
		rep.min = 1
		p.pos++
	case '*':
		p.pos++
	default:
		if err := p.counts(rep); err != nil {
			return nil, err
		}
	}
	rep.greedy = true
	if p.char() == '?' {
		rep.greedy = false
		p.pos++
	}
	if p.flags.swap {
		rep.greedy = !rep.greedy
	}
	switch {
	case n.kind == kindEmpty || n.kind == kindRepeat && n.max == 0:
		return n, nil // nothing, however often
	case rep.max > 1 && n.nullable(), rep.max == unbounded && n.nullable():
		return nil, p.fail("it repeats what can be empty: ripgrep 13 misses matches of that")
	}
	return rep, nil
}

// counts reads {n}, {n,} or {n,m}.
func (p *parser) counts(rep *node) error {
	p.next()
	var err error
	if rep.min, err = p.decimal(); err != nil {
		return err
	}
	rep.max = rep.min
	if p.char() == ',' {
		p.next()
		rep.max = unbounded
		if p.char() != '}' {
			if rep.max, err = p.decimal(); err != nil {
				return err
			}
		}
	}
	if p.char() != '}' {
		return p.fail("unclosed count of a repetition")
	}
	if rep.max != unbounded && rep.max < rep.min {
		return p.fail("a repetition with its counts the wrong way round")
	}
	p.next()
	return nil
}

func (p *parser) decimal() (int, error) {
	for unicode.IsSpace(p.char()) {
		p.pos++
	}
	start := p.pos
	digits := ""
	for c := p.char(); '0' <= c && c <= '9'; c = p.char() {
		digits += string(c)
		p.next()
	}
	for unicode.IsSpace(p.char()) {
		p.next()
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > maxRepeat {
		p.pos = start
		return 0, p.fail("the count of a repetition must be a number up to %d", maxRepeat)
	}
	return n, nil
}
