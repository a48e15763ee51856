package search

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Byte-order marks that ripgrep looks for.
var (
	bomUTF8    = []byte{0xEF, 0xBB, 0xBF}
	bomUTF16LE = []byte{0xFF, 0xFE}
	bomUTF16BE = []byte{0xFE, 0xFF}
)

const (
	bomPeek      = 3        // bytes that ripgrep reads first to look for a mark
	decodeBuffer = 8 << 10  // bytes that it decodes at a time
	lineBuffer   = 64 << 10 // bytes of its buffer of lines, at first
)

// content is a file as ripgrep's searcher gets it: decoded, and with the reads
// in which it comes, which show where a file holds NUL.
type content struct {
	data  []byte
	reads []int // lengths of the first reads; the rest comes as the buffer has room
	bom   bool  // a mark was there, so that a mapped file is read after all
}

// decode strips a byte-order mark and brings UTF-16 to UTF-8. raw keeps
// everything as it is.
func decode(data []byte, raw bool) content {
	peeked := min(len(data), bomPeek)
	if raw {
		return content{data: data, reads: []int{peeked}}
	}
	for _, bom := range [][]byte{bomUTF16LE, bomUTF16BE} {
		if !bytes.HasPrefix(data, bom) {
			continue
		}
		if len(data) < bomPeek {
			return content{bom: true} // the mark alone is stripped
		}
		return decodeUTF16(data[len(bom):], bom)
	}
	if bytes.HasPrefix(data, bomUTF8) {
		return content{data: data[len(bomUTF8):], bom: true}
	}
	return content{data: data, reads: []int{peeked}}
}

// decodeUTF16 decodes what follows a mark. Unpaired surrogates and half a unit at
// the end become U+FFFD.
func decodeUTF16(src, bom []byte) content {
	c := content{bom: true}
	src = bytes.TrimPrefix(src, bom) // the decoder takes a second mark
	unit := func(i int) rune {
		if bom[0] == 0xFF {
			return rune(src[i]) | rune(src[i+1])<<8
		}
		return rune(src[i])<<8 | rune(src[i+1])
	}
	read, limit := 0, bomPeek-len(bom)+decodeBuffer
	for i := 0; i < len(src); {
		if i+1 >= len(src) {
			c.data = utf8.AppendRune(c.data, utf8.RuneError)
			break
		}
		r := unit(i)
		i += 2
		if utf16.IsSurrogate(r) {
			pair := rune(utf8.RuneError)
			if i+1 < len(src) {
				pair = utf16.DecodeRune(r, unit(i))
			}
			if r = pair; r != utf8.RuneError {
				i += 2
			} else if i+1 == len(src) && unpairedHigh(src, i, bom) {
				i++ // half a unit after half a pair: one replacement for both
			}
		}
		if i > limit { // completed by the bytes of the next read
			c.reads = append(c.reads, len(c.data)-read)
			read, limit = len(c.data), limit+decodeBuffer
		}
		c.data = utf8.AppendRune(c.data, r)
	}
	c.reads = append(c.reads, len(c.data)-read)
	return c
}

// unpairedHigh reports whether the unit before i is the first half of a pair.
func unpairedHigh(src []byte, i int, bom []byte) bool {
	high := src[i-2]
	if bom[0] == 0xFF {
		high = src[i-1]
	}
	return high >= 0xD8 && high <= 0xDB
}

// roller gives out a content in the windows in which ripgrep's line reader does:
// what its buffer holds up to the last line feed. Matching does not depend on it,
// but a NUL ends or changes the search of the window that brings it.
type roller struct {
	data  []byte // with NUL turned into line feeds where convert is
	reads []int
	room  int // size of the buffer
	pos   int // start of what the buffer holds
	end   int // end of what it holds
	nul   int // position of the first NUL; len(data) without one
}

func newRoller(c content, convert bool) roller {
	r := roller{data: c.data, reads: c.reads, room: lineBuffer, nul: len(c.data)}
	if i := bytes.IndexByte(c.data, 0); i >= 0 {
		r.nul = i
		if convert {
			r.data = bytes.ReplaceAll(c.data, []byte{0}, []byte{'\n'})
		}
	}
	return r
}

// next returns the bounds of the next window, and whether its reading came upon
// a NUL. ok is false at the end of the content.
func (r *roller) next() (start, end int, nul, ok bool) {
	start = r.pos
	for {
		if r.end-start >= r.room {
			r.room *= 3
		}
		n := r.read(r.room - (r.end - start))
		if n == 0 {
			r.pos = r.end
			return start, r.end, r.nul < r.end, start < r.end
		}
		from := r.end
		r.end += n
		if i := bytes.LastIndexByte(r.data[from:r.end], '\n'); i >= 0 {
			r.pos = from + i + 1
			return start, r.pos, r.nul < r.end, true
		}
	}
}

// read is how many bytes the next read brings into a buffer with that much room.
func (r *roller) read(room int) int {
	left := min(len(r.data)-r.end, room)
	if len(r.reads) == 0 {
		return left
	}
	n := min(r.reads[0], left)
	if r.reads[0] -= n; r.reads[0] == 0 {
		r.reads = r.reads[1:]
	}
	return n
}
