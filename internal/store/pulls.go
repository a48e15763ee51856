package store

import (
	"context"
	"fmt"
	"time"
)

// States of a pull request.
const (
	PullOpen   = "open"
	PullClosed = "closed"
)

// Pull is what events told about a pull request. Its head is a hint: git's ref
// says what it is now.
type Pull struct {
	RepoID  int64
	Number  int
	BaseRef string // branch name
	Head    string
	State   string
	FactsAt time.Time // the pull request's updated_at, in whole seconds

	// What the event was: it tells the order of two within one second.
	Action   string // of the event; "" for GitHub's own answer
	BaseFrom string // the base before an edit of the base
	HeadFrom string // the head before a push

	// Doubtful: two events of the same second disagree about base or state and
	// nothing tells which was later, so that GitHub has to be asked.
	Doubtful bool
}

const pullColumns = "base_ref, head_sha, state, facts_at, action, base_from, head_from, doubtful"

// PutPull records what an event tells. Facts older than those on record are passed
// over, since deliveries arrive in any order.
func (t *Tx) PutPull(ctx context.Context, p Pull) error {
	if _, err := t.mergePull(ctx, p); err != nil {
		return fmt.Errorf("record pull request %d of repository %d: %w", p.Number, p.RepoID, err)
	}
	return nil
}

// mergePull records a pull request beside what is on record, and returns what that
// was: the zero Pull when there was none. It holds the row until the transaction ends.
func (t *Tx) mergePull(ctx context.Context, p Pull) (old Pull, err error) {
	n, err := t.c.exec(ctx, `INSERT INTO pulls (repo_id, number, base_ref, head_sha, state, facts_at, action, base_from, head_from, doubtful, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10) ON CONFLICT (repo_id, number) DO NOTHING`,
		p.RepoID, p.Number, p.BaseRef, p.Head, p.State, p.FactsAt.UnixMicro(), p.Action, p.BaseFrom, p.HeadFrom, t.micros())
	if err != nil || n > 0 {
		return Pull{}, err
	}
	if old, err = t.pull(ctx, p.RepoID, p.Number, "{for update}"); err != nil {
		return Pull{}, err
	}
	return old, t.updatePull(ctx, later(old, p))
}

func (t *Tx) updatePull(ctx context.Context, p Pull) error {
	doubtful := 0
	if p.Doubtful {
		doubtful = 1
	}
	_, err := t.c.exec(ctx, `UPDATE pulls SET base_ref = $3, head_sha = $4, state = $5, facts_at = $6, action = $7, base_from = $8,
			head_from = $9, doubtful = $10, updated_at = $11 WHERE repo_id = $1 AND number = $2`,
		p.RepoID, p.Number, p.BaseRef, p.Head, p.State, p.FactsAt.UnixMicro(), p.Action, p.BaseFrom, p.HeadFrom, doubtful, t.micros())
	return err
}

// ConfirmPull records GitHub's own answer, which settles every doubt about what was on
// record when it was asked: before, the zero Pull where there was nothing. What an event
// told since then is weighed against the answer, for it may be the newer of the two.
func (t *Tx) ConfirmPull(ctx context.Context, before, answer Pull) error {
	answer.Action, answer.BaseFrom, answer.HeadFrom, answer.Doubtful = "", "", "", false
	old, err := t.mergePull(ctx, answer)
	if err == nil && old != (Pull{}) && old == before && !old.FactsAt.After(answer.FactsAt) {
		err = t.updatePull(ctx, answer)
	}
	if err != nil {
		return fmt.Errorf("confirm pull request %d of repository %d: %w", answer.Number, answer.RepoID, err)
	}
	return nil
}

// Pull returns a pull request, or ErrNotFound.
func (q *queries) Pull(ctx context.Context, repoID int64, number int) (Pull, error) {
	p, err := q.pull(ctx, repoID, number, "")
	if err != nil {
		return Pull{}, fmt.Errorf("pull request %d of repository %d: %w", number, repoID, err)
	}
	return p, nil
}

func (q *queries) pull(ctx context.Context, repoID int64, number int, lock string) (Pull, error) {
	p := Pull{RepoID: repoID, Number: number}
	var facts, doubtful int64
	err := one(ctx, q.c, "SELECT "+pullColumns+" FROM pulls WHERE repo_id = $1 AND number = $2 "+lock,
		[]any{repoID, number}, &p.BaseRef, &p.Head, &p.State, &facts, &p.Action, &p.BaseFrom, &p.HeadFrom, &doubtful)
	p.FactsAt, p.Doubtful = fromMicros(facts), doubtful != 0
	return p, err
}

// OpenPulls returns the open pull requests of a repository by number.
func (q *queries) OpenPulls(ctx context.Context, repoID int64) ([]int, error) {
	return q.openPulls(ctx, "repo_id = $1 AND state = $2", repoID, PullOpen)
}

// OpenPullsAt returns the open pull requests of a repository whose head, as events told
// it, is the commit, by number.
func (q *queries) OpenPullsAt(ctx context.Context, repoID int64, head string) ([]int, error) {
	return q.openPulls(ctx, "repo_id = $1 AND state = $2 AND head_sha = $3", repoID, PullOpen, head)
}

func (q *queries) openPulls(ctx context.Context, where string, args ...any) ([]int, error) {
	var out []int
	err := each(ctx, q.c, "SELECT number FROM pulls WHERE "+where+" ORDER BY number", args, func(scan func(...any) error) error {
		var n int
		err := scan(&n)
		out = append(out, n)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open pull requests of repository %v: %w", args[0], err)
	}
	return out, nil
}
