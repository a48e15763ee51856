package webhook_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/webhook"
)

// waiting is a delivery whose body is on its way.
type waiting struct {
	in     *io.PipeWriter
	answer chan int
}

// begin begins to deliver to the handler, as a server does.
func (f *fixture) begin(data []byte) waiting {
	out, in := io.Pipe()
	r := request("pull_request", "guid-x", "s3cret", data)
	r.Body = out
	s := waiting{in, make(chan int, 1)}
	go func() {
		w := httptest.NewRecorder()
		f.handler.ServeHTTP(w, r)
		_ = out.Close()
		s.answer <- w.Code
	}()
	return s
}

// padded is an event with blanks behind it, which JSON allows.
func padded(t *testing.T, size int) []byte {
	data := body(t, pullEvent("opened"))
	return append(data, bytes.Repeat([]byte(" "), size-len(data))...)
}

// However many small bodies are sent at once, what is in memory of them is bounded, and
// those that hardly began take next to nothing of it.
func TestSmallBodiesAreBounded(t *testing.T) {
	f := newFixture(t, "s3cret")
	data := padded(t, 200<<10)
	var slow []waiting
	for range 500 {
		s := f.begin(data)
		_, err := s.in.Write(data[:1])
		require.NoError(t, err)
		slow = append(slow, s)
	}
	assert.Equal(t, http.StatusAccepted, f.send(request("pull_request", "small", "s3cret", data)).StatusCode)
	for _, s := range slow {
		_, _ = s.in.Write(data[1 : len(data)-1]) // the answer tells whether it was taken
	}
	taken := 0
	for _, s := range slow {
		_, _ = s.in.Write(data[len(data)-1:])
		_ = s.in.Close()
		if code := <-s.answer; code == http.StatusAccepted {
			taken++
		} else {
			assert.Equal(t, http.StatusServiceUnavailable, code)
		}
	}
	assert.LessOrEqual(t, taken*len(data), 64<<20)
	assert.GreaterOrEqual(t, taken*len(data), 32<<20)
	assert.Equal(t, http.StatusAccepted, f.send(request("pull_request", "later", "s3cret", data)).StatusCode, "the room is given back")
}

// Anybody can have bodies read, for the signature is over the whole of them. Large
// ones take their turns; the small ones, which nearly all are, go on meanwhile.
func TestLargeBodiesAreBounded(t *testing.T) {
	f := newFixture(t, "s3cret")
	large, small := padded(t, 1<<20), padded(t, 100<<10)
	var senders []waiting
	held := 0
	for refused := false; !refused; {
		require.Less(t, held, 50, "nothing bounds them")
		s := f.begin(large)
		_, err := s.in.Write(large[:len(large)-1]) // taken, or refused on the way
		if refused = err != nil; refused {
			assert.Equal(t, http.StatusServiceUnavailable, <-s.answer)
			continue
		}
		held++
		senders = append(senders, s)
	}
	require.NotZero(t, held)
	assert.LessOrEqual(t, held*webhook.MaxBody, 128<<20)
	assert.Equal(t, http.StatusAccepted, f.send(request("pull_request", "small", "s3cret", small)).StatusCode)
	assert.Equal(t, http.StatusServiceUnavailable, f.send(request("pull_request", "large", "s3cret", large)).StatusCode)
	for _, s := range senders {
		_, err := s.in.Write(large[len(large)-1:])
		require.NoError(t, err)
		require.NoError(t, s.in.Close())
		assert.Equal(t, http.StatusAccepted, <-s.answer)
	}
	assert.Equal(t, http.StatusAccepted, f.send(request("pull_request", "large", "s3cret", large)).StatusCode, "the room is given back")
}
