package regex

import (
	"slices"
	"unicode/utf8"
)

// machine runs a program by Pike's method: all threads in step, in order of
// preference, so that time is linear in the text and the leftmost match by
// first preference wins. A machine is for one goroutine at a time.
type machine struct {
	prog       *program
	work       *meter
	cur, next  threads
	stack      []frame
	slots      []int // of the thread being followed
	best       []int // of the best match so far
	wantBounds bool
	from       int // where the search began
}

// threads is a set of instructions in order of preference, each with slots.
type threads struct {
	sparse, dense []int
	slots         []int // of dense[i] at i*n
}

// frame is work left while following empty instructions: an instruction to
// visit, or a slot to put back.
type frame struct {
	pc        int
	slot, old int
	restore   bool
}

func newMachine(p *program, w *meter) *machine {
	n := len(p.insts)
	t := func() threads {
		return threads{sparse: make([]int, n), dense: make([]int, 0, n), slots: make([]int, n*p.slots)}
	}
	return &machine{prog: p, work: w, cur: t(), next: t(), slots: make([]int, p.slots), best: make([]int, p.slots)}
}

func (t *threads) has(pc int) bool {
	i := t.sparse[pc]
	return i < len(t.dense) && t.dense[i] == pc
}

func (t *threads) add(pc int) int {
	t.sparse[pc] = len(t.dense)
	t.dense = append(t.dense, pc)
	return t.sparse[pc]
}

// find looks for the leftmost match that begins at or after at. What stands
// before at counts for assertions. The result, positions by slot, is valid
// until the next call.
func (m *machine) find(text []byte, at int) (slots []int, ok bool) {
	m.wantBounds = true
	return m.best, m.run(text, at)
}

// matches reports whether there is a match anywhere in text.
func (m *machine) matches(text []byte) bool {
	m.wantBounds = false
	return m.run(text, 0)
}

func (m *machine) run(text []byte, at int) bool {
	n := m.prog.slots
	matched := false
	m.from = at
	m.cur.dense = m.cur.dense[:0]
	for pos := at; ; pos++ {
		if !matched {
			for i := range m.slots {
				m.slots[i] = -1
			}
			m.slots[0] = pos
			m.follow(&m.cur, m.prog.start, text, pos)
		}
		if len(m.cur.dense) == 0 {
			if matched || pos >= len(text) {
				return matched
			}
			continue
		}
		if m.work.spend(len(m.cur.dense)) {
			return false
		}
		m.next.dense = m.next.dense[:0]
	threads:
		for i, pc := range m.cur.dense {
			in := &m.prog.insts[pc]
			switch in.op {
			case opMatch:
				matched = true
				copy(m.best, m.cur.slots[i*n:(i+1)*n])
				m.best[1] = pos
				break threads // the rest are less preferred
			case opBytes:
				if pos < len(text) {
					if to, ok := in.step(text[pos]); ok {
						copy(m.slots, m.cur.slots[i*n:(i+1)*n])
						m.follow(&m.next, to, text, pos+1)
					}
				}
			}
		}
		if matched && !m.wantBounds || pos >= len(text) {
			return matched
		}
		m.cur, m.next = m.next, m.cur
	}
}

// spans reports whether the pattern can match all of text[:end].
func (m *machine) spans(text []byte, end int) bool {
	m.from = 0
	m.cur.dense = m.cur.dense[:0]
	m.follow(&m.cur, m.prog.start, text, 0)
	for pos := range end {
		if len(m.cur.dense) == 0 || m.work.spend(len(m.cur.dense)) {
			return false
		}
		m.next.dense = m.next.dense[:0]
		for _, pc := range m.cur.dense {
			if to, ok := m.prog.insts[pc].step(text[pos]); ok {
				m.follow(&m.next, to, text, pos+1)
			}
		}
		m.cur, m.next = m.next, m.cur
	}
	return slices.ContainsFunc(m.cur.dense, func(pc int) bool { return m.prog.insts[pc].op == opMatch })
}

// follow adds pc and all that is reached from it without consuming text, in
// order of preference, for a thread with m.slots.
func (m *machine) follow(t *threads, pc int, text []byte, pos int) {
	n := m.prog.slots
	m.stack = append(m.stack[:0], frame{pc: pc})
	for len(m.stack) > 0 {
		f := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if f.restore {
			m.slots[f.slot] = f.old
			continue
		}
		for pc := f.pc; !t.has(pc); {
			i := t.add(pc)
			in := &m.prog.insts[pc]
			switch in.op {
			case opSplit:
				m.stack = append(m.stack, frame{pc: in.alt})
				pc = in.out
				continue
			case opSave:
				m.stack = append(m.stack, frame{restore: true, slot: in.slot, old: m.slots[in.slot]})
				m.slots[in.slot] = pos
				pc = in.out
				continue
			case opLook:
				if holds(in.look, text, pos) && (in.look != lookNotWord || m.prog.byBytes || !insideRune(text, m.from, pos)) {
					pc = in.out
					continue
				}
			default:
				copy(t.slots[i*n:(i+1)*n], m.slots)
			}
			break
		}
	}
}

// holds reports whether an assertion holds between text[pos-1] and text[pos].
func holds(l look, text []byte, pos int) bool {
	switch l {
	case lookStartLine:
		return pos == 0 || text[pos-1] == '\n'
	case lookEndLine:
		return pos == len(text) || text[pos] == '\n'
	case lookStartText:
		return pos == 0
	case lookEndText:
		return pos == len(text)
	case lookWord:
		return wordBefore(text, pos) != wordAfter(text, pos)
	case lookNotWord:
		return wordBefore(text, pos) == wordAfter(text, pos)
	}
	before := pos > 0 && isWordByte(text[pos-1])
	after := pos < len(text) && isWordByte(text[pos])
	return (before != after) == (l == lookWordASCII)
}

// insideRune reports whether pos is within the encoding of a character that
// begins at or after from. There ripgrep's engine for patterns that only match
// UTF-8 never stops, which shows for \B alone.
func insideRune(text []byte, from, pos int) bool {
	for i := pos - 1; i >= from && i > pos-utf8.UTFMax; i-- {
		if _, n := utf8.DecodeRune(text[i:]); n > 1 {
			return i+n > pos
		}
	}
	return false
}

// wordBefore reports whether a word character ends at pos; a byte that is not
// the end of a valid character is none.
func wordBefore(text []byte, pos int) bool {
	if pos > 0 && text[pos-1] < utf8.RuneSelf {
		return isWordByte(text[pos-1])
	}
	r, n := utf8.DecodeLastRune(text[:pos])
	return !(r == utf8.RuneError && n <= 1) && isWordRune(r)
}

func wordAfter(text []byte, pos int) bool {
	if pos < len(text) && text[pos] < utf8.RuneSelf {
		return isWordByte(text[pos])
	}
	r, n := utf8.DecodeRune(text[pos:])
	return !(r == utf8.RuneError && n <= 1) && isWordRune(r)
}
