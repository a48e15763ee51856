package regex

import "unicode/utf8"

// byteRange is an inclusive range of bytes.
type byteRange struct{ lo, hi byte }

// sequence is a run of byte ranges: every choice of one byte of each in turn is
// the UTF-8 encoding of one character.
type sequence []byteRange

// lastOfLength are the last characters of one, two and three bytes.
var lastOfLength = [...]rune{0x7F, 0x7FF, 0xFFFF}

// appendSequences appends the sequences that encode lo..hi, in order. The range
// must hold no surrogates.
func appendSequences(out []sequence, lo, hi rune) []sequence {
	for _, last := range lastOfLength {
		if lo <= last && last < hi {
			out = appendSequences(out, lo, last)
			return appendSequences(out, last+1, hi)
		}
	}
	if hi <= 0x7F {
		return append(out, sequence{{byte(lo), byte(hi)}})
	}
	// Split until all continuation bytes below the first differing one run
	// over their full range.
	for shift := 6; shift <= 18; shift += 6 {
		mask := rune(1)<<shift - 1
		if lo&^mask == hi&^mask {
			break
		}
		if lo&mask != 0 {
			out = appendSequences(out, lo, lo|mask)
			return appendSequences(out, (lo|mask)+1, hi)
		}
		if hi&mask != mask {
			out = appendSequences(out, lo, hi&^mask-1)
			return appendSequences(out, hi&^mask, hi)
		}
	}
	var a, b [utf8.UTFMax]byte
	n := utf8.EncodeRune(a[:], lo)
	utf8.EncodeRune(b[:], hi)
	seq := make(sequence, n)
	for i := range seq {
		seq[i] = byteRange{a[i], b[i]}
	}
	return append(out, seq)
}
