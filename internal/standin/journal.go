package standin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"
)

// Exchange is one request that reached the stand-in and its answer. It holds no
// secret: credentials and bodies are named by digests.
type Exchange struct {
	Seq          int // from 1, in order of completion
	At           time.Time
	Operation    string // as in Request
	Method       string
	Path         string // without the API prefix
	Query        string
	Status       int    // 0: no answer was sent
	Repository   int64  // id, or 0
	Installation int64  // of the token, or 0
	Credential   string // digest, "" without one
	BodyDigest   string // SHA-256, "" without a body
	BodyBytes    int
	ContentWrite bool // GitHub counts it as creating content
	Faulted      bool
	Elapsed      time.Duration
}

// Journal returns every exchange so far, REST and git.
func (g *GitHub) Journal() []Exchange { return g.JournalSince(0) }

// JournalSince returns the exchanges after the one with the given Seq.
func (g *GitHub) JournalSince(seq int) []Exchange {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.journal[min(max(seq, 0), len(g.journal)):])
}

// Mark returns the Seq of the latest exchange, for JournalSince.
func (g *GitHub) Mark() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.journal)
}

// WaitExchange waits until some exchange after the one with the given Seq satisfies
// match, and returns it. match must not call the stand-in.
func (g *GitHub) WaitExchange(ctx context.Context, seq int, match func(Exchange) bool) (Exchange, error) {
	var found Exchange
	err := g.wait(ctx, "an exchange", func() bool {
		for ; seq < len(g.journal); seq++ {
			if match(g.journal[seq]) {
				found = g.journal[seq]
				return true
			}
		}
		return false
	})
	return found, err
}

// record appends to the journal.
func (g *GitHub) record(e Exchange) {
	g.mu.Lock()
	defer g.mu.Unlock()
	e.Seq = len(g.journal) + 1
	g.journal = append(g.journal, e)
	g.broadcast()
}

func bodyDigest(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
