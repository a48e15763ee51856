package demo

import (
	"bytes"
	"sync"
)

// tailBytes is how much of the app's log is kept for the case that something fails.
const tailBytes = 8 << 10

// tail is a writer that keeps the end of what is written, from a line's beginning.
// It may be used by several goroutines.
type tail struct {
	mu  sync.Mutex
	buf []byte
	cut bool
}

// Write implements io.Writer; it never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - tailBytes; over > 0 {
		t.buf, t.cut = append(t.buf[:0], t.buf[over:]...), true
	}
	return len(p), nil
}

// String returns what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.buf
	if i := bytes.IndexByte(kept, '\n'); t.cut && i >= 0 {
		kept = kept[i+1:]
	}
	return string(kept)
}
