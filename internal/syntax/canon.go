package syntax

import (
	"bytes"
	"strings"
)

// maxCanon bounds the length, in bytes, of a line whose white space is looked
// into; of a longer one only the ends are trimmed.
const maxCanon = 1 << 16

// canon returns the line without the white space that means nothing in its
// language: its ends are trimmed; outside strings, runs of white space become
// one blank, or nothing where that cannot join two words or make another
// operator. Two lines of equal form differ in layout alone.
//
// Where a value needs no quotes, all of it counts.
//
// A string is taken to end with its line. A stray quote, such as an apostrophe
// in a comment, therefore only makes the rest of the line count as written.
func (l *Language) canon(line []byte) []byte {
	line = bytes.Trim(WithoutCR(line), Blanks)
	if len(line) > maxCanon || !needsCanon(line) {
		return line
	}
	if l.slashes && hasPattern(line) {
		return line
	}
	out := make([]byte, 0, len(line))
	spacing := l.spacing && line[0] != '#' // "# define A (x)" is not "#define A(x)"
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case i == 0 && c == markGlue && l.spells != nil: // in the midst of a string
			i = endOfString(line, 1, '"')
			out = append(out, line[:i]...)
		case l.value && (c == '=' || c == ':'):
			value := bytes.TrimLeft(line[i+1:], Blanks)
			if out = append(out, c); len(value) < len(line)-i-1 {
				out = append(out, ' ')
			}
			return append(out, value...)
		case IsQuote(c):
			end := StringEnd(line, i)
			out = append(out, line[i:end]...)
			i = end
		case l.comment != "" && bytes.HasPrefix(line[i:], []byte(l.comment)):
			spacing = false // in the text of a comment blanks part words
			out = append(out, l.comment...)
			i += len(l.comment)
		case IsBlank(c):
			end := i
			for IsBlank(line[end]) { // the line ends in a non-blank
				end++
			}
			if !spacing || apart(line[i-1], line[end]) {
				out = append(out, ' ')
			}
			i = end
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

// needsCanon reports whether the trimmed line holds any white space at all.
func needsCanon(line []byte) bool { return bytes.ContainsAny(line, Blanks) }

// hasPattern reports whether the line has a slash that could open a regular
// expression: one in no string that ends on the line, and no part of a comment's
// marker or a closing tag.
func hasPattern(line []byte) bool {
	var endless [256]bool // by the quote, that a string of its kind does not end
	for i := 0; i < len(line); i++ {
		if IsQuote(line[i]) && !endless[line[i]] {
			if end := StringEnd(line, i); line[end-1] == line[i] {
				i = end - 1
			} else {
				endless[line[i]] = true
			}
			continue
		}
		if line[i] != '/' {
			continue
		}
		before, after := at(line, i-1), at(line, i+1)
		if before != '/' && before != '*' && before != '<' && after != '/' && after != '*' && after != '>' && !divides(line, i) {
			return true
		}
	}
	return false
}

// divides reports whether a number stands before the slash.
func divides(line []byte, slash int) bool {
	text := bytes.TrimRight(line[:slash], Blanks)
	i := len(text)
	for i > 0 && len(text)-i < maxBefore && IsWordByte(text[i-1]) {
		i--
	}
	return i < len(text) && isDigit(text[i]) && (i == 0 || !IsWordByte(text[i-1]))
}

func at(line []byte, i int) byte {
	if i < 0 || i >= len(line) {
		return 0
	}
	return line[i]
}

// StringEnd returns the offset just past the string that opens at i, or the end
// of the line.
func StringEnd(line []byte, i int) int { return endOfString(line, i+1, line[i]) }

// endOfString returns the offset just past the quote that ends a string which goes on at
// i, or the end of the line.
func endOfString(line []byte, i int, quote byte) int {
	for ; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return len(line)
}

// operators are two-byte tokens that removing a blank could make.
var operators = func() map[[2]byte]bool {
	out := map[[2]byte]bool{}
	for _, op := range strings.Fields(`== != <= >= && || ++ -- -> => := :: << >> // /* */ <- += -= *= /= %= |= &= ^= ?? ?. ** .. |> <> ~= =~ !~ !! ##`) {
		out[[2]byte{op[0], op[1]}] = true
	}
	return out
}()

// apart reports whether white space between the two bytes keeps tokens apart.
func apart(before, after byte) bool {
	return IsAtomByte(before) && IsAtomByte(after) || operators[[2]byte{before, after}]
}

// IsAtomByte reports whether the byte may be part of a word or of a string.
func IsAtomByte(c byte) bool { return IsWordByte(c) || IsQuote(c) }

// IsQuote reports whether the byte is a quote or a backtick.
func IsQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// Blanks are the bytes that may mean nothing. A form feed counts: Python measures
// indentation from it. So does a carriage return, which ends a line in several
// languages, but for the one before the line's end.
const Blanks = " \t"

// IsBlank reports whether the byte is one of Blanks.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// WithoutCR is the line without the CR of its CRLF.
func WithoutCR(line []byte) []byte { return bytes.TrimSuffix(line, []byte{'\r'}) }

// IsWordByte reports whether the byte may be part of a word.
func IsWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '@' || c >= 0x80
}
