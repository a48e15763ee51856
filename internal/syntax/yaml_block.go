package syntax

import "bytes"

// block reads a text that lasts as long as its lines are indented, with its header.
func (y *yamlReader) block() {
	y.put(y.peek(0))
	y.at++
	keep, explicit := false, 0
	for c := y.peek(0); c == '+' || c == '-' || isDigit(c); c = y.peek(0) {
		if isDigit(c) {
			explicit = int(c - '0')
		} else {
			keep = c == '+'
		}
		y.put(c)
		y.at++
	}
	y.put(markOpening)
	if y.finish(); y.failed {
		return
	}
	margin := -1
	if explicit > 0 {
		margin = max(y.margin(), 0) + explicit
	}
	y.blockLines(margin, keep)
}

// blockLines reads the lines of a text; margin is how far they are indented, -1 when
// the first of them tells.
func (y *yamlReader) blockLines(margin int, keep bool) {
	empty := 0
	for !y.done() && !y.failed {
		from, line := y.at, y.line
		column := 0
		for y.peek(column) == ' ' {
			column++
		}
		y.at += column
		y.skip()
		if y.atEnd() {
			if empty++; keep {
				y.put(markEmpty)
				empty = 0
			}
			y.newline()
			continue
		}
		if column <= y.margin() || column == 0 && y.atDocument() {
			y.at, y.line = from, line
			break
		}
		if margin < 0 {
			margin = column
		}
		if column < margin {
			y.fail()
			return
		}
		for range empty {
			y.put(markLine)
		}
		empty = 0
		y.at = from + margin
		y.put(markLine)
		y.put(y.rest()...)
		if at(y.s, y.at-1) != '\\' && bytes.HasSuffix(y.out[y.line], []byte{'\\'}) {
			y.put(' ') // behind a backslash it may say something
		}
		y.newline()
	}
	if keep && y.done() && at(y.s, len(y.s)-1) == '\n' {
		y.put(markEmpty)
	}
}

// flow reads a list or a mapping in brackets.
func (y *yamlReader) flow() {
	var open []byte
	for !y.failed {
		y.space()
		switch c := y.peek(0); {
		case y.done():
			y.fail()
		case c == '[' || c == '{':
			if open = append(open, c); len(open) > maxReadDepth {
				y.fail()
			}
			y.sign()
		case c == ']' || c == '}':
			if closerOf[open[len(open)-1]] != c {
				y.fail()
				return
			}
			open = open[:len(open)-1]
			y.sign()
			if len(open) == 0 {
				return
			}
			y.colon(true)
		case c == ',':
			y.comma()
		default:
			y.item()
		}
	}
}

// sign takes one byte.
func (y *yamlReader) sign() {
	y.put(y.peek(0))
	y.at++
}

// item reads one value in brackets, and whether a colon follows it.
func (y *yamlReader) item() {
	y.put(y.properties()...)
	switch c := y.peek(0); {
	case c == '"' || c == '\'':
		y.quoted()
		y.colon(true)
	case c == '*':
		y.alias()
		y.colon(false)
	case c == ':' && !y.startsPlain(true):
		y.colon(true)
	case y.startsPlain(true):
		y.plain(true)
		y.colon(false)
	case c == '\n' || bytes.IndexByte([]byte(",[]{}"), c) >= 0:
	default:
		y.fail()
	}
}

// colon reads the colon between a key and its value, if one stands here; tight tells
// whether what follows may touch it.
func (y *yamlReader) colon(tight bool) {
	at, line := y.at, y.line
	y.skip()
	if y.peek(0) == ':' && (tight || y.parts(1) || bytes.IndexByte([]byte(",[]{}"), y.peek(1)) >= 0) {
		y.puts(": ")
		y.at++
		return
	}
	y.at, y.line = at, line
}

// space passes over white space and reads the comments in it.
func (y *yamlReader) space() {
	for {
		blank := y.skip() > 0 || at(y.s, y.at-1) == '\n'
		switch {
		case y.done():
			return
		case y.atEnd():
			y.newline()
		case y.peek(0) == '#' && blank:
			y.remark()
		default:
			return
		}
	}
}

// comma reads one between two items; one behind the last says nothing.
func (y *yamlReader) comma() {
	from := y.at - 1
	for ; from > 0 && (IsBlank(y.s[from]) || y.s[from] == '\n' || y.s[from] == '\r'); from-- {
	}
	if bytes.IndexByte([]byte(",[{"), at(y.s, from)) >= 0 {
		y.fail() // nothing stands before it
		return
	}
	y.at++
	i := y.at
	for i < len(y.s) && (IsBlank(y.s[i]) || y.s[i] == '\n' || y.s[i] == '\r') {
		i++
	}
	if c := at(y.s, i); c == '#' || c != ']' && c != '}' {
		y.puts(", ")
	}
}
