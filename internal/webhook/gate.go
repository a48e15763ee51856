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
}

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
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			g.refuse(w, r, http.StatusRequestEntityTooLarge, "the body is larger than GitHub's own limit of 25 MB")
			return
		}
		g.refuse(w, r, http.StatusBadRequest, "the body ended early")
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
