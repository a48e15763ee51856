package regex

// kind is what a node of the parsed pattern matches.
type kind uint8

const (
	kindEmpty   kind = iota
	kindSet          // one character of a set, encoded in UTF-8
	kindByte         // one byte of a set of 0..255
	kindLook         // an assertion, no text
	kindRepeat       // sub[0], min to max times
	kindConcat       // all of sub in turn
	kindAlt          // the first of sub that leads to a match
	kindCapture      // sub[0], its bounds remembered
)

// look is an assertion about the place between two bytes.
type look uint8

const (
	lookStartLine look = iota
	lookEndLine
	lookStartText
	lookEndText
	lookWord         // \b with Unicode's idea of a word
	lookNotWord      // \B likewise
	lookWordASCII    // (?-u:\b)
	lookNotWordASCII // (?-u:\B)
)

// isStart, isEnd and isWord are the kinds of assertions.
func (l look) isStart() bool { return l == lookStartLine || l == lookStartText }
func (l look) isEnd() bool   { return l == lookEndLine || l == lookEndText }
func (l look) isWord() bool  { return l >= lookWord }

// unbounded is the max of a repetition without an upper limit.
const unbounded = -1

// node is a pattern with its flags worked in: case folding is spelled out in
// sets, and what ^, $, ., \b mean is settled.
type node struct {
	kind     kind
	set      runeSet // kindSet, kindByte
	look     look    // kindLook
	min, max int     // kindRepeat
	greedy   bool    // kindRepeat
	sub      []*node
}

func emptyNode() *node          { return &node{kind: kindEmpty} }
func setNode(s runeSet) *node   { return &node{kind: kindSet, set: s} }
func byteNode(s runeSet) *node  { return &node{kind: kindByte, set: s} }
func lookNode(l look) *node     { return &node{kind: kindLook, look: l} }
func captureNode(n *node) *node { return &node{kind: kindCapture, sub: []*node{n}} }

func concatNode(parts ...*node) *node {
	kept := make([]*node, 0, len(parts))
	for _, p := range parts {
		if p.kind != kindEmpty {
			kept = append(kept, p)
		}
	}
	switch len(kept) {
	case 0:
		return emptyNode()
	case 1:
		return kept[0]
	}
	return &node{kind: kindConcat, sub: kept}
}

func altNode(parts ...*node) *node {
	if len(parts) == 1 {
		return parts[0]
	}
	return &node{kind: kindAlt, sub: parts}
}

// any reports whether f holds for n or anything below it.
func (n *node) any(f func(*node) bool) bool {
	if f(n) {
		return true
	}
	for _, s := range n.sub {
		if s.any(f) {
			return true
		}
	}
	return false
}

// matchesHighBytes reports whether n itself is a set of bytes, not all ASCII.
func (n *node) matchesHighBytes() bool {
	return n.kind == kindByte && len(n.set) > 0 && n.set[len(n.set)-1].hi > 0x7F
}

// mayContain reports whether a match may contain the byte, or whether an anchor
// could make it matter, be it in what is repeated no times. This is the question by
// which ripgrep decides whether a -U search has to look at more than one line at a
// time.
func (n *node) mayContain(b byte) bool {
	return n.any(func(x *node) bool {
		switch x.kind {
		case kindSet, kindByte:
			return x.set.contains(rune(b))
		case kindLook:
			return b == '\n' && x.look <= lookEndText
		}
		return false
	})
}

// without returns n with an ASCII character taken out of every set, for a line
// terminator that a match may not contain. bad is true when a set has nothing
// left, which ripgrep refuses.
func (n *node) without(c rune) (out *node, bad bool) {
	cp := *n
	if n.kind == kindSet || n.kind == kindByte {
		cp.set = n.set.subtract(runeSet{{c, c}})
		return &cp, len(cp.set) == 0
	}
	cp.sub = make([]*node, len(n.sub))
	for i, s := range n.sub {
		if cp.sub[i], bad = s.without(c); bad {
			return nil, true
		}
	}
	return &cp, false
}

// lazyCR puts a lazy optional carriage return before every end of line, which
// is how ripgrep's --crlf lets $ match before CRLF.
func (n *node) lazyCR() *node {
	if n.kind == kindLook && n.look == lookEndLine {
		cr := &node{kind: kindRepeat, min: 0, max: 1, sub: []*node{setNode(runeSet{{'\r', '\r'}})}}
		return concatNode(cr, n)
	}
	cp := *n
	cp.sub = make([]*node, len(n.sub))
	for i, s := range n.sub {
		cp.sub[i] = s.lazyCR()
	}
	return &cp
}

// nullable reports whether n can match the empty string somewhere.
func (n *node) nullable() bool {
	switch n.kind {
	case kindSet, kindByte:
		return false
	case kindRepeat:
		return n.min == 0 || n.sub[0].nullable()
	case kindConcat, kindCapture:
		for _, s := range n.sub {
			if !s.nullable() {
				return false
			}
		}
	case kindAlt:
		for _, s := range n.sub {
			if s.nullable() {
				return true
			}
		}
		return false
	}
	return true
}
