package linemap

import (
	"bytes"
	"slices"
)

// Text is a file's content cut into lines.
//
// A line ends at LF. A CR before the LF belongs to the line's content, a lone CR
// does not end a line, and content after the last LF is a line of its own; so a
// text with or without a final newline has the same lines. The zero Text has no
// lines. Lines are numbered from 1, as in citations.
type Text struct {
	data []byte
	from int   // offset of the first line
	ends []int // ends[i] is the offset just past the content of line i+1, at its LF or at the end of data
}

// Split cuts data into lines. The Text keeps data and does not change it.
func Split(data []byte) *Text {
	n := bytes.Count(data, []byte{'\n'})
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	t := &Text{data: data, ends: make([]int, 0, n)}
	for at := 0; at < len(data); {
		i := bytes.IndexByte(data[at:], '\n')
		if i < 0 {
			t.ends = append(t.ends, len(data))
			break
		}
		t.ends = append(t.ends, at+i)
		at += i + 1
	}
	return t
}

// Len is the number of lines.
func (t *Text) Len() int { return len(t.ends) }

// Size is the length of all lines, in bytes, with their LFs.
func (t *Text) Size() int {
	if len(t.ends) == 0 {
		return 0
	}
	return t.ends[len(t.ends)-1] - t.from + 1
}

// Line returns the content of the n-th line without its LF. The slice shares the
// text's memory. It panics when there is no such line.
func (t *Text) Line(n int) []byte { return t.data[t.start(n):t.ends[n-1]] }

// Lines returns the content from the first to the last line, LFs between them
// included and the one after them not. It panics when the range is not within
// the text or is empty.
func (t *Text) Lines(first, last int) []byte { return t.data[t.start(first):t.ends[last-1]] }

// Has reports whether the text holds the whole range, first to last inclusive.
func (t *Text) Has(first, last int) bool { return first >= 1 && first <= last && last <= len(t.ends) }

// start is the offset of the first byte of line n.
func (t *Text) start(n int) int {
	if n == 1 {
		return t.from
	}
	return t.ends[n-2] + 1
}

// Equal reports whether n lines from line i of t equal those from line j of u.
// Ranges outside the texts are never equal.
func (t *Text) Equal(i int, u *Text, j, n int) bool {
	if n < 1 || !t.Has(i, i+n-1) || !u.Has(j, j+n-1) {
		return false
	}
	return bytes.Equal(t.Lines(i, i+n-1), u.Lines(j, j+n-1))
}

// Slice returns the lines from first to last as a text of their own, sharing
// memory. An empty range gives an empty text. It panics when a line is missing.
func (t *Text) Slice(first, last int) *Text {
	if first > last {
		return &Text{}
	}
	return &Text{data: t.data, from: t.start(first), ends: t.ends[first-1 : last]}
}

// Find returns the lines at which the block, lines first to last of u, stands in
// t from line at on, in order and at most limit of them.
func (t *Text) Find(u *Text, first, last, at, limit int) []int {
	if !u.Has(first, last) || at < 1 || at > t.Len() {
		return nil
	}
	var out []int
	block := u.Lines(first, last)
	end := t.ends[t.Len()-1]
	for from := t.start(at); len(out) < limit; {
		i := bytes.Index(t.data[from:end], block)
		if i < 0 {
			break
		}
		lo, hi := from+i, from+i+len(block)
		if (lo == t.from || t.data[lo-1] == '\n') && (hi == end || t.data[hi] == '\n') {
			out = append(out, t.lineAt(lo))
		}
		next := bytes.IndexByte(t.data[lo:end], '\n')
		if next < 0 {
			break
		}
		from = lo + next + 1
	}
	return out
}

// lineAt is the number of the line that holds the byte at offset.
func (t *Text) lineAt(offset int) int {
	n, _ := slices.BinarySearch(t.ends, offset)
	return n + 1
}
