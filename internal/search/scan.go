package search

import (
	"bytes"
	"cmp"
	"context"

	"github.com/rescore-app/rescore/internal/search/regex"
)

// circumstances are what, beside its content, decides the result of a file.
type circumstances struct {
	explicit bool // the file is named, not found on the way
	mapped   bool // ripgrep maps it into memory
	names    bool // lines begin with the file name
}

// fileResult is what a search prints for one file.
type fileResult struct {
	hits      int
	lines     []line
	truncated bool // lines holds only the first ones
	// uncertain is set where ripgrep itself may print something else: where the
	// windows of its buffer end in this file shows, and the buffer grows with the
	// longest line of the files before.
	uncertain bool
	grew      bool // the buffer grew for this file
	cut       bool // a NUL ended the search of it: what follows was not looked at
}

// line is a printed line without the file name.
type line struct {
	number int
	text   string
}

// scanner evaluates a query over file contents, one at a time.
type scanner struct {
	q    *Query
	re   *regex.Scanner
	keep int // lines that a result lists
}

// newScanner makes a scanner whose matching ends early when ctx does.
func (q *Query) newScanner(ctx context.Context, keep int) *scanner {
	return &scanner{q: q, re: q.re.NewScanner(func() bool { return ctx.Err() != nil }), keep: keep}
}

// checkEvery is how many bytes are scanned between two looks at the context.
const checkEvery = 1 << 20

// file evaluates the query over a file.
func (s *scanner) file(ctx context.Context, data []byte, at circumstances) (fileResult, error) {
	c := decode(data, s.q.form.Raw)
	k := &sink{scanner: s, at: at, max: -1}
	if s.q.o.hasMaxCount {
		k.max = s.q.o.maxCount
	}
	switch {
	case s.q.form.Text:
	case at.explicit || s.q.form.Binary:
		k.convert = true
	default:
		k.quit = true
	}
	var err error
	switch {
	case s.q.re.MultiLine():
		k.whole = true
		err = s.multiLine(ctx, k, c.data)
	case at.mapped && !c.bom && len(data) > 0:
		k.whole = true
		err = s.mapped(ctx, k, c.data)
	default:
		err = s.rolling(ctx, k, c)
	}
	if err = cmp.Or(err, k.err, ctx.Err()); err != nil {
		return fileResult{}, err
	}
	if s.re.Exhausted() {
		return fileResult{}, unsupported("", "finding the matches costs more than any search deserves; an option as -o, or a pattern with .*, on a very long line does that")
	}
	k.finish()
	k.res.cut = k.binary && k.quit
	return k.res, nil
}

// rolling reads the content through ripgrep's buffer of lines.
func (s *scanner) rolling(ctx context.Context, k *sink, c content) error {
	r := newRoller(c, k.convert)
	more := true
	for more {
		start, end, nul, ok := r.next()
		if !ok {
			k.binary = k.binary || nul && (k.quit || k.convert)
			break
		}
		if nul && (k.quit || k.convert) {
			k.binary = true
			if k.quit {
				break
			}
		}
		if err := s.checkCRLF(r.data[start:end]); err != nil {
			return err
		}
		var err error
		if more, err = s.window(ctx, k, r.data[start:end], nil); err != nil {
			return err
		}
	}
	k.res.grew = r.room > lineBuffer
	if len(c.data) > lineBuffer {
		bounds := s.q.form.Only || s.q.form.Each || s.q.form.Summary == countEach
		nul := r.nul < len(c.data) && (k.quit || k.convert) // also past the last window that was looked at
		k.res.uncertain = nul && k.matched > 0 || s.q.o.word && bounds
	}
	return nil
}

// mapped searches the content as one piece. NUL is looked for at its start and
// then in lines that match.
func (s *scanner) mapped(ctx context.Context, k *sink, data []byte) error {
	if k.detect(data[:min(len(data), lineBuffer)]) {
		return nil
	}
	if err := s.checkCRLF(data); err != nil {
		return err
	}
	_, err := s.window(ctx, k, data, k.detect)
	return err
}

// checkCRLF refuses lines for which, with --crlf, it matters whether the pattern
// sees the carriage return at their end. ripgrep shows it that in the buffer, but
// not on a line that it comes to by a literal of the pattern.
func (s *scanner) checkCRLF(buf []byte) error {
	if !s.q.o.crlf || !bytes.Contains(buf, []byte("\r\n")) {
		return nil
	}
	bare := bytes.ReplaceAll(buf, []byte("\r\n"), []byte{'\n'})
	for {
		start, end, found := s.re.NextLine(buf, 0)
		bareStart, bareEnd, bareFound := s.re.NextLine(bare, 0)
		gap, bareGap := bytes.Count(buf[:start], []byte{'\n'}), bytes.Count(bare[:bareStart], []byte{'\n'})
		if found != bareFound || gap != bareGap {
			return unsupported("--crlf", "whether the pattern sees the carriage return at the end of a line matters, and ripgrep 13 does not always show it")
		}
		if !found {
			return nil
		}
		buf, bare = buf[end:], bare[bareEnd:]
	}
}

// window gives the lines of a buffer that are wanted to the sink. stop is asked
// before each of them. more is false when the search of the file is over.
func (s *scanner) window(ctx context.Context, k *sink, buf []byte, stop func(line []byte) bool) (more bool, err error) {
	take := func(start, end int) bool {
		return (stop == nil || !stop(buf[start:end])) && k.take(buf, start, end)
	}
	checked := 0
	for pos := 0; pos < len(buf); {
		if pos-checked > checkEvery {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			checked = pos
		}
		limit := len(buf)
		if limit-pos > 2*checkEvery { // look for the context also where nothing matches
			if i := bytes.IndexByte(buf[pos+checkEvery:], '\n'); i >= 0 {
				limit = pos + checkEvery + i + 1
			}
		}
		start, end, ok := s.re.NextLine(buf[:limit], pos)
		if !ok {
			start, end = limit, limit
		}
		if !s.q.o.invert {
			if ok && !take(start, end) {
				return false, nil
			}
			pos = end
			continue
		}
		for pos < start {
			next := start
			if i := bytes.IndexByte(buf[pos:start], '\n'); i >= 0 {
				next = pos + i + 1
			}
			if !take(pos, next) {
				return false, nil
			}
			pos = next
		}
		pos = end
	}
	k.countLines(buf, len(buf))
	k.counted, k.base = 0, k.base+k.inBuf
	k.inBuf = 0
	return true, nil
}
