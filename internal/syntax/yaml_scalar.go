package syntax

import "bytes"

// startsPlain reports whether a value without quotes may begin here.
func (y *yamlReader) startsPlain(flow bool) bool {
	c := y.peek(0)
	switch {
	case y.atEnd() || bytes.IndexByte([]byte(",[]{}#&*!|>'\"%@`"), c) >= 0:
		return false
	case c == '-' || c == '?' || c == ':':
		next := y.peek(1)
		return !y.parts(1) && !(flow && bytes.IndexByte([]byte(",[]{}"), next) >= 0)
	}
	return true
}

// plainOnLine takes what one line holds of a value without quotes. Blanks inside of
// it count.
func (y *yamlReader) plainOnLine(flow bool) []byte {
	from, end := y.at, y.at
	for i := y.at; ; i++ {
		y.at = i
		c := y.peek(0)
		switch {
		case y.atEnd(), c == '#' && IsBlank(at(y.s, i-1)), c == ':' && y.parts(1),
			flow && (bytes.IndexByte([]byte(",[]{}"), c) >= 0 || c == ':' && bytes.IndexByte([]byte(",[]{}"), y.peek(1)) >= 0):
			y.at = end
			return y.s[from:end]
		case !IsBlank(c):
			end = i + 1
		}
	}
}

// plain reads a value without quotes, on as many lines as it goes on.
func (y *yamlReader) plain(flow bool) {
	y.put(y.plainOnLine(flow)...)
	for {
		at, line := y.at, y.line
		y.skip()
		if !y.atEnd() || y.done() {
			y.at, y.line = at, line
			return
		}
		empty := 0
		y.newline()
		column := y.indent()
		for y.atEnd() && !y.done() {
			empty++
			y.newline()
			column = y.indent()
		}
		if !flow && (column <= y.margin() || column == 0 && y.atDocument()) || y.atEnd() || !y.goesOn(flow) {
			y.at, y.line = at, line
			return
		}
		y.fold(empty)
		y.put(y.plainOnLine(flow)...)
		if !flow && y.peek(0) == ':' {
			y.fail() // a key inside of a value
			return
		}
		if after := y.at; !flow {
			if y.skip(); y.peek(0) == ':' {
				y.fail()
			}
			y.at = after
		}
	}
}

// goesOn reports whether what begins here belongs to the value before it.
func (y *yamlReader) goesOn(flow bool) bool {
	c := y.peek(0)
	return c != '#' && !(flow && (bytes.IndexByte([]byte(",[]{}"), c) >= 0 || c == ':' && (y.parts(1) || bytes.IndexByte([]byte(",[]{}"), y.peek(1)) >= 0)))
}

func (y *yamlReader) atDocument() bool {
	rest := y.s[y.at:]
	return bytes.HasPrefix(rest, []byte("---")) || bytes.HasPrefix(rest, []byte("..."))
}

// indent passes over the white space that begins a line and returns its blanks.
func (y *yamlReader) indent() int {
	n := 0
	for y.peek(n) == ' ' {
		n++
	}
	y.at += n
	y.skip()
	return n
}

// fold writes down what a line break inside a value says, with that many empty lines
// behind it.
func (y *yamlReader) fold(empty int) {
	if empty == 0 {
		y.put(' ')
	}
	for range empty {
		y.put(markEmpty)
	}
}

// quoted reads a value in quotes.
func (y *yamlReader) quoted() {
	quote := y.peek(0)
	end := quotedEnd(y.s, y.at)
	if end < 0 {
		y.fail()
		return
	}
	y.at++
	y.put('"')
	for y.at < end-1 && !y.failed {
		stop := min(end-1, y.lineEnd())
		part := bytes.TrimSuffix(y.s[y.at:stop], []byte{'\r'})
		broken := stop < end-1
		if broken {
			part = trimQuoted(part, quote)
		}
		joined := broken && quote == '"' && odd(part) // by an escaped line break
		if joined {
			part = part[:len(part)-1]
		}
		y.put(yamlContent(part, quote)...)
		if y.at = stop; broken {
			y.foldQuoted(end, joined)
		}
	}
	y.put('"')
	y.at = end
}

// foldQuoted reads the line break inside a value in quotes, and what indents the next line.
func (y *yamlReader) foldQuoted(end int, joined bool) {
	empty := 0
	y.newline()
	column := y.indent()
	for y.atEnd() && y.at < end-1 {
		empty++
		y.newline()
		column = y.indent()
	}
	if column <= y.margin() || column == 0 && y.atDocument() {
		y.fail()
	}
	if !joined || empty > 0 {
		y.fold(empty)
	}
}

// trimQuoted takes the blanks off the end of a line in quotes, but for one that is
// escaped.
func trimQuoted(part []byte, quote byte) []byte {
	out := bytes.TrimRight(part, Blanks)
	if quote == '"' && len(out) < len(part) && odd(out) {
		return part[:len(out)+1]
	}
	return out
}

// odd reports whether the text ends in a backslash that nothing escapes.
func odd(s []byte) bool { return (len(s)-len(bytes.TrimRight(s, `\`)))%2 == 1 }

// quotedEnd is the offset just past the value in quotes that begins at i, or -1.
func quotedEnd(s []byte, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote == '"':
			i++
		case s[i] == quote && quote == '\'' && at(s, i+1) == quote:
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return -1
}

// yamlQuoted spells a value in quotes that stands on one line.
func yamlQuoted(s []byte) []byte {
	return append(append([]byte{'"'}, yamlContent(s[1:len(s)-1], s[0])...), '"')
}

// yamlContent spells a part of a value in quotes as it would stand in double ones.
func yamlContent(s []byte, quote byte) []byte {
	if quote == '"' {
		return escapedBlanks(s)
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\'':
			i++
			out = append(out, '\'')
		case '"', '\\':
			out = append(out, '\\', s[i])
		default:
			out = append(out, s[i])
		}
	}
	return out
}

// escapedBlanks takes the backslashes off blanks.
func escapedBlanks(s []byte) []byte {
	if !bytes.Contains(s, []byte(`\ `)) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if i++; s[i] != ' ' {
				out = append(out, '\\')
			}
		}
		out = append(out, s[i])
	}
	return out
}

// alias takes the name of an anchor.
func (y *yamlReader) alias() {
	from := y.at
	for !y.parts(0) && bytes.IndexByte([]byte(",[]{}"), y.peek(0)) < 0 {
		y.at++
	}
	y.put(y.s[from:y.at]...)
}
