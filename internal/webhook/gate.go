package webhook

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/rs/zerolog"

	"github.com/rescore-app/rescore/internal/lazy"
)

// gate stands before the dispatchers: it bounds the body and requires a SHA-256
// signature over its bytes. The library behind it would also take a SHA-1 one.
type gate struct {
	log     zerolog.Logger
	observe func(string, Result)
	secrets [][]byte
	next    []http.Handler // one dispatcher a secret
	large   chan struct{}  // holds an element for each large body in memory
	held    atomic.Int64   // bytes of the others in memory
}

const (
	// smallBody is how much of a body is read without asking for room, in bytes: more
	// than nearly every event has.
	smallBody = 256 << 10
	// maxLarge is how many larger ones are in memory at once: who sends is not known
	// before the whole body is there, so that anybody can have it read.
	maxLarge = 4
	// maxHeld is how many bytes of the smaller ones are. It counts what came, so that a
	// sender who lets us wait keeps nobody else out.
	maxHeld = 64 << 20
)

// errNoRoom says that too much of deliveries is being read.
var errNoRoom = errors.New("too many deliveries at once; GitHub lists this one as failed and it is asked for again")

const signatureHeader = "X-Hub-Signature-256"

// validID bounds what is stored and logged of a delivery's id: GitHub sends a GUID.
var validID = lazy.Regexp(`^[0-9A-Za-z-]{1,64}$`)

// ServeHTTP answers a delivery.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "deliveries are POSTed", http.StatusMethodNotAllowed)
		return
	}
	delivery := r.Header.Get("X-GitHub-Delivery")
	if !validID().MatchString(delivery) {
		g.refuse(w, r, http.StatusBadRequest, "the header X-GitHub-Delivery is missing or no id")
		return
	}
	// The dispatcher has nothing to say below a warning that we do not say as well.
	log := g.log.Level(max(zerolog.WarnLevel, g.log.GetLevel())).With().Str("delivery", delivery).Logger()
	r = r.WithContext(log.WithContext(r.Context()))
	body, done, err := g.read(http.MaxBytesReader(w, r.Body, MaxBody))
	defer done()
	if err != nil {
		g.refuseBody(w, r, err)
		return
	}
	n := g.signer(r.Header.Get(signatureHeader), body)
	if n < 0 {
		g.refuse(w, r, http.StatusUnauthorized, "the header "+signatureHeader+" is missing or does not fit the webhook secret")
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	g.next[n].ServeHTTP(w, r)
}

// read returns the body. done gives back the room that it takes.
func (g *gate) read(from io.Reader) (body []byte, done func(), err error) {
	small := &heldReader{from: io.LimitReader(from, smallBody), held: &g.held}
	giveBack := func() { g.held.Add(-small.n) }
	body, err = io.ReadAll(small)
	if err != nil || len(body) < smallBody {
		return body, giveBack, err
	}
	select {
	case g.large <- struct{}{}:
	default:
		return nil, giveBack, errNoRoom
	}
	rest, err := io.ReadAll(from)
	return append(body, rest...), func() { giveBack(); <-g.large }, err
}

// heldReader counts what it reads, and ends when too much is in memory with it.
type heldReader struct {
	from io.Reader
	held *atomic.Int64
	n    int64
}

func (r *heldReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.n += int64(n)
	if r.held.Add(int64(n)) > maxHeld {
		return n, errNoRoom
	}
	return n, err
}

// refuseBody answers a delivery whose body was not read to its end.
func (g *gate) refuseBody(w http.ResponseWriter, r *http.Request, err error) {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, errNoRoom):
		g.refuse(w, r, http.StatusServiceUnavailable, err.Error())
	case errors.As(err, &tooLarge):
		g.refuse(w, r, http.StatusRequestEntityTooLarge, "the body is larger than GitHub's own limit of 25 MB")
	default:
		g.refuse(w, r, http.StatusBadRequest, "the body ended early")
	}
}

// signer returns which secret signed the body, -1 for none.
func (g *gate) signer(signature string, body []byte) int {
	text, ok := strings.CutPrefix(signature, "sha256=")
	if !ok {
		return -1
	}
	got, err := hex.DecodeString(text)
	if err != nil {
		return -1
	}
	for i, secret := range g.secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write(body)
		if hmac.Equal(got, mac.Sum(nil)) {
			return i
		}
	}
	return -1
}

func (g *gate) refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	g.observe(r.Header.Get("X-GitHub-Event"), Refused)
	g.log.Warn().Str("remote", r.RemoteAddr).Int("status", status).Str("reason", why).Msg("delivery refused")
	http.Error(w, why, status)
}
