package syntax

import (
	"bytes"

	"github.com/rescore-app/rescore/internal/linemap"
)

// In some languages a formatter chooses so much that lines are no measure: where an
// item is indented to, which quotes are around a value, on how many lines a list
// stands. The reading of such a file is what its lines say, in one form: joined, the
// lines of two readings are equal only if the files mean the same. Where the lines
// break and how they are indented is no part of it; what indentation says is, as marks.

// Marks in a reading, which stand for what white space says. No text that holds one
// of these bytes is read.
const (
	markDepth   = '\x01' // once for each level that what follows it stands on
	markBlank   = '\x02' // white space that counts
	markEmpty   = '\x03' // an empty line that counts
	markLine    = '\x04' // the start of a line of a text
	markRemark  = '\x05' // the end of a comment
	markAhead   = '\x06' // what stands before it belongs to all that follows
	markOpening = '\x07' // a header that a text follows
)

// maxReadDepth bounds how deep what is read may be nested.
const maxReadDepth = 64

// reader walks over a text and writes down what it says, line by line.
type reader struct {
	s    []byte
	at   int // offset
	line int // of the offset, from 0
	out  [][]byte
	ends lineEnds
}

// newReader returns one at the start of the text; ok is false when the text holds
// bytes that a reading cannot.
func newReader(t *linemap.Text) (r *reader, ok bool) {
	r = &reader{s: t.Lines(1, t.Len()), out: make([][]byte, t.Len())}
	r.ends.s = r.s
	for i, c := range r.s {
		if c < ' ' && c != '\t' && c != '\n' && (c != '\r' || at(r.s, i+1) != '\n' && i+1 < len(r.s)) {
			return nil, false
		}
	}
	return r, !bytes.HasPrefix(r.s, []byte(byteOrderMark))
}

// put writes down what the current line says next.
func (r *reader) put(what ...byte) { r.out[r.line] = append(r.out[r.line], what...) }

func (r *reader) puts(what string) { r.out[r.line] = append(r.out[r.line], what...) }

// peek is the byte n further on, or 0; a line ends in LF alone.
func (r *reader) peek(n int) byte {
	c := at(r.s, r.at+n)
	if c == '\r' {
		return '\n'
	}
	return c
}

func (r *reader) done() bool { return r.at >= len(r.s) }

// atEnd reports whether the line ends at the offset.
func (r *reader) atEnd() bool { return r.done() || r.peek(0) == '\n' }

// lineEnd is where the line ends in which the reader stands.
func (r *reader) lineEnd() int { return r.ends.of(r.at) }

// skip passes over blanks and returns how many there were.
func (r *reader) skip() int {
	n := 0
	for IsBlank(r.peek(n)) {
		n++
	}
	r.at += n
	return n
}

// newline passes over the end of the line, at which the reader stands.
func (r *reader) newline() {
	if at(r.s, r.at) == '\r' {
		r.at++
	}
	if !r.done() {
		r.at++
		r.line++
	}
}

// rest takes all up to the end of the line, without blanks behind it.
func (r *reader) rest() []byte {
	end := r.lineEnd()
	out := bytes.TrimRight(WithoutCR(r.s[r.at:end]), Blanks)
	r.at = end
	if at(r.s, end-1) == '\r' {
		r.at--
	}
	return out
}

// upTo takes all up to the offset, to the byte, with a mark for each end of a line.
func (r *reader) upTo(end int, between byte) {
	for r.at < end {
		stop := min(end, r.lineEnd())
		part := r.s[r.at:stop]
		if stop < end {
			part = WithoutCR(part)
		}
		r.put(part...)
		if r.at = stop; r.at < end {
			r.put(between)
			r.newline()
		}
	}
}

// remark takes a comment up to the end of the line.
func (r *reader) remark() {
	r.put(r.rest()...)
	r.put(markRemark)
}

// text is the reading as a text of as many lines.
func (r *reader) text() *linemap.Text {
	return linemap.Split(append(bytes.Join(r.out, []byte{'\n'}), '\n'))
}

// maxRead bounds the size of a text, in bytes, that is read.
const maxRead = maxSpelled

// Reading is what the lines say, as many of them, or nil where there is no reading of
// the document. It has marks in it; no text that holds their bytes has a reading.
func (d *Document) Reading() *linemap.Text {
	if !d.readOnce {
		d.readOnce = true
		if d.Lang.reads != nil && d.Text.Len() > 0 && d.Text.Size() <= maxRead {
			if t, ok := d.Lang.reads(d.Text); ok {
				d.reading = t
			}
		}
	}
	return d.reading
}
