package regex

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// op is what an instruction does.
type op uint8

const (
	opBytes op = iota // consume a byte that one of steps names, go there
	opSplit           // try out first, then alt
	opLook            // go on if the assertion holds
	opSave            // remember the position in slot
	opMatch
)

// inst is an instruction of a program, addressed by its index.
type inst struct {
	op    op
	look  look
	slot  int
	out   int
	alt   int
	steps []step // opBytes: disjoint, sorted
}

// step leads from a range of bytes to an instruction.
type step struct {
	byteRange
	next int
}

// program is a compiled pattern. Its threads run over bytes.
type program struct {
	insts       []inst
	start       int
	slots       int
	unicodeWord bool // it asserts \b or \B by Unicode's words
	starts      bool // it asserts the start of a line or of the text
	byBytes     bool // it can match what is not UTF-8
}

// compiler builds a program from its end: each node is compiled with the
// instruction that follows it already known.
type compiler struct {
	prog  program
	nodes map[string]int            // shared tails of the UTF-8 automaton at hand
	seqs  map[*runeRange][]sequence // of sets seen, by their first range
	err   error
}

func compile(n *node, byBytes bool) (*program, error) {
	c := &compiler{seqs: map[*runeRange][]sequence{}}
	c.prog.slots, c.prog.byBytes = 2, byBytes
	match := c.emit(inst{op: opMatch})
	c.prog.start = c.node(n, match)
	if late := func(l look) bool { return !l.isStart() }; c.err == nil && c.prog.follows(late, look.isStart) {
		c.err = &Error{Reason: `"$" or "\b" with a "^" right after it: ripgrep 13 misses lines there`}
	}
	if c.err != nil {
		return nil, c.err
	}
	return &c.prog, nil
}

// follows reports whether an assertion of the second kind can come right after one
// of the first, without a byte between them. Where the first one looks at the
// byte that ripgrep's engine reads next, and the second one at the byte before, the
// engine has forgotten the latter when it knows the former. To find where a match
// begins it reads backwards.
func (p *program) follows(first, second func(look) bool) bool {
	seen := make([]bool, len(p.insts))
	var stack []int
	push := func(pc int) {
		if !seen[pc] {
			seen[pc] = true
			stack = append(stack, pc)
		}
	}
	for i := range p.insts {
		if in := &p.insts[i]; in.op == opLook && first(in.look) {
			push(in.out)
		}
	}
	for len(stack) > 0 {
		in := &p.insts[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		switch in.op {
		case opSplit:
			push(in.out)
			push(in.alt)
		case opSave:
			push(in.out)
		case opLook:
			if second(in.look) {
				return true
			}
			push(in.out)
		}
	}
	return false
}

func (c *compiler) emit(i inst) int {
	if len(c.prog.insts) >= maxProgram && c.err == nil {
		c.err = &Error{Reason: fmt.Sprintf("the pattern is too large when its counts and classes are written out (over %d steps)", maxProgram)}
	}
	if c.err != nil {
		return 0
	}
	c.prog.insts = append(c.prog.insts, i)
	return len(c.prog.insts) - 1
}

// node compiles n before the instruction next and returns where it begins.
func (c *compiler) node(n *node, next int) int {
	if c.err != nil {
		return 0
	}
	switch n.kind {
	case kindSet:
		return c.set(n.set, next)
	case kindByte:
		steps := make([]step, len(n.set))
		for i, r := range n.set {
			steps[i] = step{byteRange{byte(r.lo), byte(r.hi)}, next}
		}
		return c.emit(inst{op: opBytes, steps: steps})
	case kindLook:
		c.prog.unicodeWord = c.prog.unicodeWord || n.look == lookWord || n.look == lookNotWord
		c.prog.starts = c.prog.starts || n.look.isStart()
		return c.emit(inst{op: opLook, look: n.look, out: next})
	case kindRepeat:
		return c.repeat(n, next)
	case kindConcat:
		for _, s := range slices.Backward(n.sub) {
			next = c.node(s, next)
		}
	case kindAlt:
		at := c.node(n.sub[len(n.sub)-1], next)
		for _, s := range slices.Backward(n.sub[:len(n.sub)-1]) {
			at = c.emit(inst{op: opSplit, out: c.node(s, next), alt: at})
		}
		return at
	case kindCapture:
		slot := c.prog.slots
		c.prog.slots += 2
		end := c.emit(inst{op: opSave, slot: slot + 1, out: next})
		return c.emit(inst{op: opSave, slot: slot, out: c.node(n.sub[0], end)})
	}
	return next
}

// split makes a choice between the body of a repetition and what follows it.
func (c *compiler) split(body, next int, greedy bool) inst {
	if greedy {
		return inst{op: opSplit, out: body, alt: next}
	}
	return inst{op: opSplit, out: next, alt: body}
}

func (c *compiler) repeat(n *node, next int) int {
	body := n.sub[0]
	if n.max == unbounded && n.min == 1 {
		loop := c.emit(inst{op: opSplit})
		at := c.node(body, loop)
		if c.err == nil {
			c.prog.insts[loop] = c.split(at, next, n.greedy)
		}
		return at
	}
	after := next
	if n.max == unbounded {
		loop := c.emit(inst{op: opSplit})
		at := c.node(body, loop)
		if c.err == nil {
			c.prog.insts[loop] = c.split(at, next, n.greedy)
		}
		after = loop
	} else {
		for i := n.min; i < n.max && c.err == nil; i++ {
			after = c.emit(c.split(c.node(body, after), next, n.greedy))
		}
	}
	for i := 0; i < n.min && c.err == nil; i++ {
		after = c.node(body, after)
	}
	return after
}

// set compiles a set of characters to an automaton over the bytes of UTF-8.
func (c *compiler) set(s runeSet, next int) int {
	if len(s) == 0 {
		return c.emit(inst{op: opBytes}) // matches nothing
	}
	seqs, ok := c.seqs[&s[0]]
	if !ok {
		for _, r := range s {
			seqs = appendSequences(seqs, r.lo, r.hi)
		}
		c.seqs[&s[0]] = seqs
	}
	c.nodes = map[string]int{}
	return c.tree(seqs, next)
}

// tree builds the automaton of sequences, all of which lead to next. Leading
// ranges of sorted sequences are either equal or disjoint, so that grouping by
// them gives a deterministic automaton; equal subtrees are built once.
func (c *compiler) tree(seqs []sequence, next int) int {
	var steps []step
	for i := 0; i < len(seqs); {
		lead := seqs[i][0]
		j := i
		var tails []sequence
		for ; j < len(seqs) && seqs[j][0] == lead; j++ {
			if len(seqs[j]) > 1 {
				tails = append(tails, seqs[j][1:])
			}
		}
		to := next
		if len(tails) > 0 {
			to = c.tree(tails, next)
		}
		if n := len(steps); n > 0 && steps[n-1].next == to && steps[n-1].hi+1 == lead.lo {
			steps[n-1].hi = lead.hi
		} else {
			steps = append(steps, step{lead, to})
		}
		i = j
	}
	key := stepsKey(steps)
	if at, ok := c.nodes[key]; ok {
		return at
	}
	at := c.emit(inst{op: opBytes, steps: steps})
	c.nodes[key] = at
	return at
}

func stepsKey(steps []step) string {
	key := make([]byte, 0, 6*len(steps))
	for _, s := range steps {
		key = binary.LittleEndian.AppendUint32(append(key, s.lo, s.hi), uint32(s.next))
	}
	return string(key)
}

// step finds where a byte leads from an opBytes instruction.
func (i *inst) step(b byte) (next int, ok bool) {
	if len(i.steps) == 1 {
		s := i.steps[0]
		return s.next, s.lo <= b && b <= s.hi
	}
	k, ok := slices.BinarySearchFunc(i.steps, b, func(s step, b byte) int {
		switch {
		case s.hi < b:
			return -1
		case s.lo > b:
			return 1
		}
		return 0
	})
	if !ok {
		return 0, false
	}
	return i.steps[k].next, true
}
