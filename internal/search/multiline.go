package search

import (
	"bytes"
	"context"
)

// multiLine searches a content whose matches may span lines. Matches on the same
// or on adjoining lines make one block.
func (s *scanner) multiLine(ctx context.Context, k *sink, data []byte) error {
	if k.detect(data[:min(len(data), lineBuffer)]) {
		return nil
	}
	if s.q.o.invert {
		return s.multiLineInverted(ctx, k, data)
	}
	var block, last [2]int // last: the line of the match before
	open := false
	for pos := 0; pos < len(data); {
		if err := ctx.Err(); err != nil {
			return err
		}
		start, end, ok := s.re.Find(data[pos:], 0)
		if !ok {
			break
		}
		start, end = start+pos, end+pos
		pos = end
		if start == end && pos < len(data) {
			pos++
		}
		from, to := last[0], last[1]
		if start < from || end >= to {
			from, to = linesAround(data, start, end)
			last = [2]int{from, to}
		}
		switch {
		case !open:
			block, open = [2]int{from, to}, true
		case block[1] >= from:
			block[1] = to
		default:
			if !k.takeBlock(data, block[0], block[1]) {
				return nil
			}
			block = [2]int{from, to}
		}
	}
	if open {
		k.takeBlock(data, block[0], block[1])
	}
	return nil
}

// multiLineInverted gives the lines that no match touches.
func (s *scanner) multiLineInverted(ctx context.Context, k *sink, data []byte) error {
	for pos := 0; pos < len(data); {
		if err := ctx.Err(); err != nil {
			return err
		}
		gap := [2]int{pos, len(data)}
		start, end, ok := s.re.Find(data[pos:], 0)
		if ok {
			from, to := linesAround(data, start+pos, end+pos)
			gap[1] = from
			if pos = to; from == to && pos < len(data) {
				pos++
			}
		} else {
			pos = len(data)
		}
		for gap[0] < gap[1] {
			next := lineEnd(data, gap[0], gap[1])
			if !k.takeBlock(data, gap[0], next) {
				return nil
			}
			gap[0] = next
		}
	}
	return nil
}

// takeBlock gives a block of lines to the sink; an empty one is past the end and
// ends the search.
func (k *sink) takeBlock(data []byte, from, to int) bool {
	return from < to && !k.detect(data[from:to]) && k.take(data, from, to)
}

// linesAround returns the bounds of the lines that hold data[start:end].
func linesAround(data []byte, start, end int) (from, to int) {
	from = bytes.LastIndexByte(data[:start], '\n') + 1
	if end > from && data[end-1] == '\n' {
		return from, end
	}
	return from, lineEnd(data, end, len(data))
}
