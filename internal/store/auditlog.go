package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
)

// LogEntry is one change of a level in a repository's re-audit log.
type LogEntry struct {
	RepoID     int64
	Seq        int64 // from 1, without gaps
	FromCommit string
	ToCommit   string
	Criterion  string
	Parameter  string
	Mechanism  string
	FromLevel  string
	ToLevel    string
	By         string // judge, "rule", or a person's login
	Reason     string
	CreatedAt  time.Time
	PrevHash   string
	Hash       string
}

// logVersion begins every chain, so that a change of the hashed form is seen.
const logVersion = "rescore.reaudit/1"

// digest is the hash of the entry: of every field in order, each with its length
// before it, so that no two entries can be spelled the same.
func (e *LogEntry) digest() string {
	h := sha256.New()
	write := func(s string) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	number := func(n int64) { write(fmt.Sprint(n)) }
	write(logVersion)
	write(e.PrevHash)
	number(e.RepoID)
	number(e.Seq)
	for _, s := range []string{e.FromCommit, e.ToCommit, e.Criterion, e.Parameter, e.Mechanism, e.FromLevel, e.ToLevel, e.By, e.Reason} {
		write(s)
	}
	number(e.CreatedAt.UnixMicro())
	return hex.EncodeToString(h.Sum(nil))
}

// genesis is the hash before a repository's first entry.
func genesis(repoID int64) string {
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s/%d", logVersion, repoID)))
	return hex.EncodeToString(sum[:])
}

// Text makes a text that may hold bytes of a repository one that either database
// takes: PostgreSQL refuses what is not UTF-8, and the character NUL.
func Text(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// AppendLog adds entries to a repository's log, chained to the ones before. Seq,
// CreatedAt, PrevHash and Hash are set here. Two writers at once cannot both
// succeed: the later one fails and has to run again.
func (t *Tx) AppendLog(ctx context.Context, repoID int64, entries []LogEntry) error {
	last := LogEntry{Hash: genesis(repoID)}
	err := one(ctx, t.c, "SELECT seq, hash FROM reaudit_log WHERE repo_id = $1 ORDER BY seq DESC LIMIT 1", []any{repoID}, &last.Seq, &last.Hash)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("end of the log of repository %d: %w", repoID, err)
	}
	for _, e := range entries {
		e.RepoID, e.Seq, e.PrevHash, e.CreatedAt = repoID, last.Seq+1, last.Hash, fromMicros(t.micros())
		e.Reason = Text(e.Reason)
		e.Hash = e.digest()
		_, err := t.c.exec(ctx, `INSERT INTO reaudit_log (repo_id, seq, from_commit, to_commit, criterion, parameter, mechanism,
				from_level, to_level, decided_by, reason, created_at, prev_hash, hash)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
			e.RepoID, e.Seq, e.FromCommit, e.ToCommit, e.Criterion, e.Parameter, e.Mechanism,
			e.FromLevel, e.ToLevel, e.By, e.Reason, e.CreatedAt.UnixMicro(), e.PrevHash, e.Hash)
		if err != nil {
			return fmt.Errorf("append to the log of repository %d: %w", repoID, err)
		}
		last = e
	}
	return nil
}

// Log returns a repository's log from the first entry on.
func (q *queries) Log(ctx context.Context, repoID int64) ([]LogEntry, error) {
	var out []LogEntry
	err := each(ctx, q.c, `SELECT seq, from_commit, to_commit, criterion, parameter, mechanism, from_level, to_level,
			decided_by, reason, created_at, prev_hash, hash
		FROM reaudit_log WHERE repo_id = $1 ORDER BY seq`, []any{repoID}, func(scan func(...any) error) error {
		e := LogEntry{RepoID: repoID}
		var created int64
		err := scan(&e.Seq, &e.FromCommit, &e.ToCommit, &e.Criterion, &e.Parameter, &e.Mechanism, &e.FromLevel, &e.ToLevel,
			&e.By, &e.Reason, &created, &e.PrevHash, &e.Hash)
		e.CreatedAt = fromMicros(created)
		out = append(out, e)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("log of repository %d: %w", repoID, err)
	}
	return out, nil
}

// ChainError says where a log was tampered with.
type ChainError struct {
	RepoID, Seq int64
	What        string
}

func (e *ChainError) Error() string {
	return fmt.Sprintf("re-audit log of repository %d, entry %d: %s", e.RepoID, e.Seq, e.What)
}

// VerifyLog recomputes a repository's chain; a *ChainError names the first entry
// that does not fit. It cannot see that the newest entries were cut off: compare
// the last hash with one that was published.
func (q *queries) VerifyLog(ctx context.Context, repoID int64) error {
	entries, err := q.Log(ctx, repoID)
	if err != nil {
		return err
	}
	prev := genesis(repoID)
	for i, e := range entries {
		switch {
		case e.Seq != int64(i)+1:
			return &ChainError{repoID, int64(i) + 1, "is missing"}
		case e.PrevHash != prev:
			return &ChainError{repoID, e.Seq, "does not follow the entry before it"}
		case e.Hash != e.digest():
			return &ChainError{repoID, e.Seq, "was changed after it was written"}
		}
		prev = e.Hash
	}
	return nil
}
