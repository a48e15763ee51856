package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/linemap"
)

// shellReader reads scripts of a shell: words, to the byte, and the signs between
// them. A line break ends a command as a semicolon does, or says nothing behind what
// a command has to follow.
type shellReader struct {
	*reader
	apart  bool   // a command ended, and nothing that says so was written down
	ready  bool   // a command may begin here, so that words such as "then" are none of it
	bare   bool   // nothing needs to end here
	before string // the word before, and the one before that, of the command
	first  string
	inside bool // of a word
	end    byte // what ends the commands inside of it
	depth  int
	texts  []hereText // that begin with the next line
	failed bool
}

// hereText is a here-document that was announced.
type hereText struct {
	end  string
	tabs bool // those at the start of its lines say nothing
}

// readShell is the reading of a script of a shell.
func readShell(t *linemap.Text) (*linemap.Text, bool) {
	r, ok := newReader(t)
	if !ok {
		return nil, false
	}
	s := shellReader{reader: r, ready: true, bare: true}
	s.commands(0)
	return s.text(), !s.failed && s.done() && len(s.texts) == 0
}

// commands reads up to the byte that ends them, or to the end of the file for 0.
func (s *shellReader) commands(end byte) {
	if s.depth++; s.depth > maxReadDepth {
		s.failed = true
	}
	arrays := 0
	for !s.failed && !s.done() {
		switch c := s.peek(0); {
		case IsBlank(c):
			s.skip()
		case c == '\\' && s.peek(1) == '\n':
			s.at++
			s.newline()
		case c == '\n':
			s.newline()
			s.hereTexts()
			s.apart = s.apart || arrays == 0 && !s.bare
		case c == '#':
			s.remark()
		case c == end && arrays == 0:
			s.depth--
			s.apart = false
			return
		case c == '(' && s.at > 0 && at(s.s, s.at-1) == '=' && s.before != "":
			arrays++
			s.mark("( ")
		case c == ')' && arrays > 0:
			arrays--
			s.mark(") ")
			s.bare = false
		case bytes.IndexByte([]byte(";&|()<>"), c) >= 0:
			s.operator()
		default:
			s.word()
		}
	}
	s.failed = s.failed || end != 0 || arrays > 0
	s.depth--
}

// mark takes one byte, for which something is written down.
func (s *shellReader) mark(what string) {
	s.puts(what)
	s.at++
}

// shellOperator matches a sign between words.
var shellOperator = lazy.Regexp(`^(;;&|;;|;&|&&|\|\||\|&|<<<|<<-|<<|<&|<>|>>|>&|>\||&>>|&>|<\(|>\(|\(\(|[;&|()<>])`)

// operator reads a sign between words.
func (s *shellReader) operator() {
	op := string(shellOperator().Find(s.s[s.at:min(len(s.s), s.at+3)]))
	switch op {
	case ";":
		s.apart = s.apart || !s.bare
		s.at++
		return
	case "((":
		s.flush()
		s.counted()
		return
	case ";;", ";&", ";;&", ")":
		s.apart = false
	}
	s.flush()
	s.at += len(op)
	s.puts(op)
	s.put(' ')
	switch op {
	case "<(", ">(":
		s.nested(')')
		s.puts(") ")
		s.before = "<("
	case "<<", "<<-":
		s.hereTag(op == "<<-")
	case "<<<", "<", ">", ">>", ">&", "<&", "<>", ">|", "&>", "&>>":
	default:
		s.ready, s.bare, s.before, s.first = true, true, "", ""
	}
}

// flush writes down that a command ended.
func (s *shellReader) flush() {
	if s.apart {
		s.puts("; ")
		s.ready, s.before, s.first = true, "", ""
	}
	s.apart = false
}

// nested reads the commands inside of a word.
func (s *shellReader) nested(end byte) {
	inner := shellReader{reader: s.reader, ready: true, bare: true, inside: true, end: end, depth: s.depth}
	inner.commands(end)
	s.failed = s.failed || inner.failed || len(inner.texts) > 0
	if s.peek(0) == end {
		s.at++
	} else {
		s.failed = true
	}
}

// opensCommand matches words that another command follows.
var opensCommand = lazy.Regexp(`^(if|then|elif|else|while|until|do|\{|!)$`)

// lastPattern matches the word behind all patterns, before which a mark may be left out.
var lastPattern = lazy.Regexp(`^esac([\s;)&|]|$)`)

// word reads one, with what is put into it.
func (s *shellReader) word() {
	if s.apart && lastPattern().Match(s.s[s.at:min(len(s.s), s.at+maxWord)]) {
		s.puts(";; ")
		s.apart, s.ready, s.before, s.first = false, true, "", ""
	}
	s.flush()
	from := s.at
	if s.before == "=~" {
		s.exact(s.at + len(bytes.TrimRight(pattern().Find(s.s[s.at:s.lineEnd()]), "\r")))
	}
	redirects := true
	for !s.failed && !s.atEnd() {
		c := s.peek(0)
		if c == '`' && s.end == c {
			break
		}
		if IsBlank(c) || bytes.IndexByte([]byte(";&|()<>"), c) >= 0 {
			if c != '(' || s.at == from || bytes.IndexByte([]byte("?*+@!"), at(s.s, s.at-1)) < 0 {
				break
			}
			s.failed = true // a pattern
			return
		}
		redirects = redirects && isDigit(c)
		s.part(c)
	}
	word := string(s.s[from:s.at])
	if !(redirects && (s.peek(0) == '<' || s.peek(0) == '>')) && !(s.peek(0) == '(' && at(s.s, s.at-1) == '=') {
		s.put(' ')
	}
	if len(word) > maxWord {
		word = word[:maxWord]
	}
	s.bare = s.ready && opensCommand().MatchString(word) || s.first == "case" && word == "in" && s.before != "case"
	s.failed = s.failed || s.inside && s.ready && word == "case" // its brackets are none that end
	s.ready = s.ready && opensCommand().MatchString(word)
	if s.first == "" {
		s.first = word
	}
	s.before = word
}

// pattern matches one of a comparison, as far as it stands in no quotes.
var pattern = lazy.Regexp("^[^\\s'\"`$\\\\]*")

// maxWord is how much of a word is looked at.
const maxWord = 16
