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

// Anybody can have bodies read, for the signature is over the whole of them. Large
// ones take their turns; the small ones, which nearly all are, go on meanwhile.
func TestLargeBodiesAreBounded(t *testing.T) {
	f := newFixture(t, "s3cret")
	padded := func(size int) []byte {
		data := body(t, pullEvent("opened"))
		return append(data, bytes.Repeat([]byte(" "), size-len(data))...)
	}
	large, small := padded(1<<20), padded(100<<10)
	type sender struct {
		in     *io.PipeWriter
		answer chan int
	}
	var senders []sender
	begin := func() sender {
		out, in := io.Pipe()
		r := request("pull_request", "guid-x", "s3cret", large)
		r.Body = out
		s := sender{in, make(chan int, 1)}
		go func() {
			w := httptest.NewRecorder()
			f.handler.ServeHTTP(w, r)
			_ = out.Close() // as a server does when the handler is done
			s.answer <- w.Code
		}()
		return s
	}
	held := 0
	for refused := false; !refused; {
		require.Less(t, held, 50, "nothing bounds them")
		s := begin()
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
