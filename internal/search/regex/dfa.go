package regex

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// lineDFA finds lines that match, building a deterministic automaton as it
// reads. It works only for programs whose matches hold no line feed. It answers
// whether a line matches, not where. A lineDFA is for one goroutine at a time.
type lineDFA struct {
	prog    *program
	work    *meter
	classes [256]uint8 // equal bytes by class; the line feed has one of its own
	bytes   []byte     // one byte of each class
	stride  int
	trans   []int32          // by state and class: a state, or one of the special values
	states  []dfaState       // by state / stride
	ids     map[string]int32 // state by its key
	start   int32
	size    int      // instructions and transitions held, for maxDFASize
	seen    []uint32 // marks of the closure under way
	mark    uint32
	stack   []int
}

// dfaState is a set of instructions that wait for the next byte.
type dfaState struct {
	pcs       []int32 // opBytes, opMatch and assertions not yet decided
	lineStart bool
	afterWord bool // the byte before is an ASCII word character
}

// Special values of a transition.
const (
	dfaUnknown int32 = -1 // not computed yet
	dfaMatch   int32 = -2 // the line matches
	dfaDead    int32 = -3 // no match in the rest of the line
	dfaQuit    int32 = -4 // this line needs the Pike machine
)

// maxDFASize bounds what is kept, in words of four bytes; past it the automaton
// starts afresh.
const maxDFASize = 2 << 20

func newLineDFA(p *program, w *meter) *lineDFA {
	d := &lineDFA{prog: p, work: w, seen: make([]uint32, len(p.insts))}
	d.classify()
	d.reset()
	return d
}

// classify puts bytes that no instruction tells apart into one class.
func (d *lineDFA) classify() {
	var cut [257]bool // a class begins here
	word := false
	for i := range d.prog.insts {
		in := &d.prog.insts[i]
		for _, s := range in.steps {
			cut[s.lo], cut[int(s.hi)+1] = true, true
		}
		word = word || in.op == opLook && in.look >= lookWord
	}
	cut['\n'], cut['\n'+1], cut[0x80] = true, true, true
	for b := 1; word && b < 0x80; b++ {
		cut[b] = cut[b] || isWordByte(byte(b)) != isWordByte(byte(b-1))
	}
	for b := range 256 {
		if b == 0 || cut[b] {
			d.bytes = append(d.bytes, byte(b))
		}
		d.classes[b] = uint8(len(d.bytes) - 1)
	}
	d.stride = len(d.bytes)
}

func (d *lineDFA) reset() {
	d.trans, d.states, d.ids = d.trans[:0], d.states[:0], map[string]int32{}
	d.size = 0
	d.newMark()
	var pcs []int32
	pcs = d.closure(pcs, d.prog.start, dfaState{lineStart: true}, false, 0)
	d.start = d.id(dfaState{pcs: pcs, lineStart: true})
}

// nextLine returns the bounds of the first line that matches, its line feed
// included, in text[from:]. from must be at the start of a line. A match after
// the last line feed of text is none.
func (d *lineDFA) nextLine(text []byte, from int, fallback func(line []byte) bool) (start, end int, ok bool) {
	s, i := d.start, from
	for i < len(text) {
		t := d.trans[int(s)+int(d.classes[text[i]])]
		if t >= 0 {
			s = t
			i++
			continue
		}
		switch t {
		case dfaUnknown:
			if d.size > maxDFASize {
				cur := d.states[int(s)/d.stride]
				d.reset()
				s = d.id(cur)
			}
			if d.compute(s, d.classes[text[i]]); d.work.stopped {
				return 0, 0, false
			}
			continue
		case dfaMatch:
			start, end = lineAround(text, from, i)
			return start, end, true
		case dfaQuit:
			start, end = lineAround(text, from, i)
			if fallback(bytes.TrimSuffix(text[start:end], []byte{'\n'})) {
				return start, end, true
			}
			i = end
		case dfaDead:
			_, i = lineAround(text, from, i)
		}
		if s = d.start; i == len(text) {
			return 0, 0, false
		}
	}
	if from < len(text) && text[len(text)-1] != '\n' {
		line := d.classes['\n']
		if d.trans[int(s)+int(line)] == dfaUnknown {
			d.compute(s, line)
		}
		if d.trans[int(s)+int(line)] == dfaMatch {
			start, end = lineAround(text, from, len(text))
			return start, end, true
		}
	}
	return 0, 0, false
}

// lineAround returns the bounds of the line that holds position i.
func lineAround(text []byte, from, i int) (start, end int) {
	start = from + bytes.LastIndexByte(text[from:i], '\n') + 1
	if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
		return start, i + n + 1
	}
	return start, len(text)
}

// compute fills one transition of state s.
func (d *lineDFA) compute(s int32, class uint8) {
	b := d.bytes[class]
	d.work.spend(workPerTransition + len(d.states[int(s)/d.stride].pcs))
	d.trans[int(s)+int(class)] = d.target(d.states[int(s)/d.stride], b)
}

func (d *lineDFA) target(st dfaState, b byte) int32 {
	if b >= 0x80 && d.prog.unicodeWord {
		return dfaQuit
	}
	// Decide the assertions that waited for this byte.
	d.newMark()
	var pcs []int32
	for _, pc := range st.pcs {
		pcs = d.closure(pcs, int(pc), st, true, b)
	}
	if d.hasMatch(pcs) {
		return dfaMatch
	}
	if b == '\n' {
		return d.start
	}
	next := dfaState{afterWord: isWordByte(b)}
	d.newMark()
	for _, pc := range pcs {
		if in := &d.prog.insts[pc]; in.op == opBytes {
			if to, ok := in.step(b); ok {
				next.pcs = d.closure(next.pcs, to, next, false, 0)
			}
		}
	}
	next.pcs = d.closure(next.pcs, d.prog.start, next, false, 0)
	switch {
	case d.hasMatch(next.pcs):
		return dfaMatch
	case len(next.pcs) == 0:
		return dfaDead
	}
	return d.id(next)
}

func (d *lineDFA) hasMatch(pcs []int32) bool {
	return slices.ContainsFunc(pcs, func(pc int32) bool { return d.prog.insts[pc].op == opMatch })
}

func (d *lineDFA) newMark() {
	if d.mark++; d.mark == 0 {
		clear(d.seen)
		d.mark = 1
	}
}

// closure appends what is reached from pc without consuming a byte. Assertions
// that need the next byte are decided when it is known and kept otherwise.
func (d *lineDFA) closure(pcs []int32, pc int, at dfaState, known bool, next byte) []int32 {
	d.stack = append(d.stack[:0], pc)
	for len(d.stack) > 0 {
		pc := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if d.seen[pc] == d.mark {
			continue
		}
		d.seen[pc] = d.mark
		switch in := &d.prog.insts[pc]; in.op {
		case opSplit:
			d.stack = append(d.stack, in.alt, in.out)
		case opSave:
			d.stack = append(d.stack, in.out)
		case opLook:
			switch {
			case in.look == lookStartLine:
				if at.lineStart {
					d.stack = append(d.stack, in.out)
				}
			case !known:
				pcs = append(pcs, int32(pc))
			case lineHolds(in.look, at, next):
				d.stack = append(d.stack, in.out)
			}
		default:
			pcs = append(pcs, int32(pc))
		}
	}
	return pcs
}

// lineHolds decides an assertion before the byte next, within a line.
func lineHolds(l look, at dfaState, next byte) bool {
	switch l {
	case lookEndLine:
		return next == '\n'
	case lookWord, lookWordASCII:
		return at.afterWord != isWordByte(next)
	case lookNotWord, lookNotWordASCII:
		return at.afterWord == isWordByte(next)
	}
	return false
}

// id finds or makes the state.
func (d *lineDFA) id(st dfaState) int32 {
	slices.Sort(st.pcs)
	key := make([]byte, 0, 2+4*len(st.pcs))
	key = append(key, boolByte(st.lineStart), boolByte(st.afterWord))
	for _, pc := range st.pcs {
		key = binary.LittleEndian.AppendUint32(key, uint32(pc))
	}
	if id, ok := d.ids[string(key)]; ok {
		return id
	}
	id := int32(len(d.trans))
	d.ids[string(key)] = id
	d.states = append(d.states, st)
	d.size += d.stride + 2*len(st.pcs)
	for range d.stride {
		d.trans = append(d.trans, dfaUnknown)
	}
	return id
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}
