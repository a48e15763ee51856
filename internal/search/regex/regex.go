package regex

import (
	"fmt"
	"unicode/utf8"
)

// Options are what ripgrep's flags make of a pattern.
type Options struct {
	FoldCase  bool // -i
	SmartCase bool // -S: FoldCase for a pattern with literals, none upper case
	ASCII     bool // --no-unicode
	DotAll    bool // --multiline-dotall
	Lines     bool // without -U: no match may contain a line feed
	CRLF      bool // --crlf
	Word      bool // -w
	Each      bool // Scanner.Each will be called
}

// Regex is a compiled pattern, safe for concurrent use; matching is done by
// Scanners.
type Regex struct {
	lines     *program // matches within a line
	find      *program // matches with bounds; group 1 is the match where word
	whole     *program // word: the pattern between ^ and $
	word      bool
	multiLine bool
}

// Compile parses and compiles a pattern. Its errors are *Error.
func Compile(pattern string, o Options) (*Regex, error) {
	if !utf8.ValidString(pattern) {
		return nil, &Error{Reason: "the pattern is not valid UTF-8"}
	}
	f := flags{fold: o.FoldCase, multi: true, dotAll: o.DotAll, unicode: !o.ASCII}
	n, facts, err := parse(pattern, f)
	if err == nil && o.SmartCase && !o.FoldCase && facts.literal && !facts.uppercase {
		f.fold = true
		n, facts, err = parse(pattern, f)
	}
	if err == nil {
		n, err = restrict(n, o)
	}
	if err != nil {
		return nil, err
	}
	re := &Regex{word: o.Word, multiLine: !o.Lines && n.mayContain('\n')}
	if o.Word {
		err = re.compileWord(n, facts.byBytes)
	} else {
		re.lines, err = compile(n, facts.byBytes)
		re.find = re.lines
	}
	if err == nil && (o.Word || re.multiLine) && re.find.follows(look.isEnd, look.isWord) {
		err = &Error{Reason: `"$" with a "\b" right after it and -w or -U: ripgrep 13 misses matches there`}
	}
	return re, err
}

// restrict applies the line mode and --crlf, and refuses what ripgrep evaluates
// in ways that depend on how it happened to read the file, or not at all.
func restrict(n *node, o Options) (*node, error) {
	if o.Lines {
		absolute := func(x *node) bool {
			return x.kind == kindLook && (x.look == lookStartText || x.look == lookEndText)
		}
		if n.any(absolute) {
			return nil, &Error{Reason: `\A, \z and (?-m) anchors without -U match by ripgrep's buffers, not by lines`}
		}
		for _, c := range []rune{'\r', '\n'} {
			if c == '\r' && !o.CRLF {
				continue
			}
			var bad bool
			if n, bad = n.without(c); bad {
				return nil, &Error{Reason: fmt.Sprintf("%q cannot match without -U", c)}
			}
		}
	}
	if o.CRLF {
		n = n.lazyCR()
	}
	switch {
	case o.CRLF && (!o.Lines || o.Each):
		return nil, &Error{Reason: "--crlf with -U or with single matches is not evaluated"}
	case o.Each && n.any(func(x *node) bool { return x.kind == kindLook && x.look.isWord() }):
		return nil, &Error{Reason: `single matches of a pattern with \b or \B: ripgrep 13 loses some of them`}
	case o.Word && (o.ASCII || n.any((*node).matchesHighBytes)):
		return nil, &Error{Reason: "-w where Unicode is off is not evaluated"}
	case o.Word && (o.Each || !o.Lines) && n.nullable():
		return nil, &Error{Reason: "-w with -U or single matches and a pattern that matches the empty string: ripgrep 13 fails on it"}
	}
	return n, nil
}

// compileWord compiles the pattern n the way -w has it: between a character
// that is not of a word, or the start of the line, and the like at the end.
func (re *Regex) compileWord(n *node, byBytes bool) error {
	between := func(n *node, notWord runeSet) *node {
		gap := setNode(notWord)
		return concatNode(altNode(lookNode(lookStartLine), gap), n, altNode(gap, lookNode(lookEndLine)))
	}
	notWord := wordSet().negate()
	var err error
	if re.lines, err = compile(between(n, notWord.subtract(runeSet{{'\n', '\n'}})), byBytes); err != nil {
		return err
	}
	if re.find, err = compile(between(captureNode(n), notWord), byBytes); err != nil {
		return err
	}
	re.whole, err = compile(concatNode(lookNode(lookStartLine), n, lookNode(lookEndLine)), byBytes)
	return err
}

// MultiLine reports whether, without Options.Lines, a match may span lines. When
// it is false, NextLine finds all there is.
func (re *Regex) MultiLine() bool { return re.multiLine }

// Scanner matches a Regex. It keeps what it learnt about the pattern from one
// text to the next and is for one goroutine at a time.
type Scanner struct {
	re    *Regex
	work  meter
	dfa   *lineDFA
	lines *machine
	find  *machine
	whole *machine
}

// NewScanner returns a scanner for re. It asks stop every few milliseconds of
// heavy work, and from the first true on it finds no matches any more: the
// caller must look whether it was stopped. stop may be nil. The same happens when
// the scanner has done more work than any search deserves; see Exhausted.
func (re *Regex) NewScanner(stop func() bool) *Scanner {
	return &Scanner{re: re, work: meter{stop: stop}}
}

// Exhausted reports whether the scanner gave up because the work grew too much.
func (s *Scanner) Exhausted() bool { return s.work.exhausted }

// meter counts work and asks now and then whether to go on.
type meter struct {
	stop      func() bool
	done      int // since the last question
	looks     int // questions so far
	stopped   bool
	exhausted bool
}

const (
	workPerLook       = 1 << 20 // between two questions
	workPerTransition = 64      // what a new transition costs beside its instructions
	// maxLooks bounds what one scanner may do in all, to some ten seconds of heavy
	// work: finding every match on one long line can take time in the square of its
	// length. What only asks whether lines match costs next to nothing of it.
	maxLooks = 2048
)

// spend adds work and reports whether it is time to stop.
func (m *meter) spend(n int) bool {
	if m.done += n; m.done >= workPerLook {
		m.done = 0
		m.looks++
		m.exhausted = m.exhausted || m.looks >= maxLooks
		m.stopped = m.stopped || m.exhausted || m.stop != nil && m.stop()
	}
	return m.stopped
}

// NextLine returns the bounds of the first line of text[from:] that matches, its
// line feed included. from must be the start of a line, and MultiLine false.
func (s *Scanner) NextLine(text []byte, from int) (start, end int, ok bool) {
	if s.dfa == nil {
		s.dfa = newLineDFA(s.re.lines, &s.work)
	}
	return s.dfa.nextLine(text, from, s.matchLine)
}

// matchLine is for lines that the DFA cannot decide.
func (s *Scanner) matchLine(line []byte) bool {
	if s.lines == nil {
		s.lines = newMachine(s.re.lines, &s.work)
	}
	return s.lines.matches(line)
}

// Find returns the bounds of the leftmost match in text that begins at or after
// at; what stands before at counts for assertions.
func (s *Scanner) Find(text []byte, at int) (start, end int, ok bool) {
	if s.find == nil {
		s.find = newMachine(s.re.find, &s.work)
	}
	slots, ok := s.find.find(text, at)
	if !ok {
		return 0, 0, false
	}
	start, end = slots[0], slots[1]
	if s.re.word {
		start, end = s.wordBounds(text, slots)
	}
	return start, end, true
}

// wordBounds finds the word in a match of the word pattern. ripgrep 13 first
// tries to take one character off each end, which is wrong where the match
// began with the start of a line other than the first, and so are we.
func (s *Scanner) wordBounds(text []byte, slots []int) (start, end int) {
	if start, end = slots[0], slots[1]; start > 0 && end < len(text) {
		_, n := utf8.DecodeRune(text[start:end])
		_, m := utf8.DecodeLastRune(text[start:end])
		if s.whole == nil {
			s.whole = newMachine(s.re.whole, &s.work)
		}
		if start+n <= end-m && s.whole.matches(text[start+n:end-m]) {
			return start + n, end - m
		}
	}
	return slots[2], slots[3]
}

// Each calls fn for the matches of text from at on that do not overlap, until fn
// returns false. An empty match right after another match is none. unsure is true
// where ripgrep may take something else for the next match; Each ends there.
func (s *Scanner) Each(text []byte, at int, fn func(start, end int) bool) (unsure bool) {
	last := -1
	for at <= len(text) {
		start, end, ok := s.Find(text, at)
		if !ok {
			return false
		}
		if at > 0 && s.startsFalsely(text, at, start, end) {
			return true
		}
		at = end
		if start == end {
			at++
			if end == last {
				continue
			}
		}
		last = end
		if !fn(start, end) {
			return false
		}
	}
	return false
}

// startsFalsely reports whether the match would begin at at, were that the start of
// a line. ripgrep looks for the start of a match backwards, in the text from at on,
// and takes that for the start of a line.
func (s *Scanner) startsFalsely(text []byte, at, start, end int) bool {
	if start == at || text[at-1] == '\n' || !s.re.find.starts {
		return false
	}
	return s.find.spans(text[at:], end-at)
}
