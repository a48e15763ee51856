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
	// Doubtful: two events of the same second disagree about base or state, so
	// that GitHub has to be asked.
	Doubtful bool
}

// PutPull records what an event tells. Older facts never replace newer ones; of
// two events of one second that disagree neither is believed (Doubtful).
func (q *queries) PutPull(ctx context.Context, p Pull) error {
	_, err := q.c.exec(ctx, `INSERT INTO pulls (repo_id, number, base_ref, head_sha, state, facts_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (repo_id, number) DO UPDATE SET
			doubtful = CASE WHEN excluded.facts_at > pulls.facts_at THEN 0
				WHEN excluded.base_ref <> pulls.base_ref OR excluded.state <> pulls.state THEN 1 ELSE pulls.doubtful END,
			base_ref = excluded.base_ref, head_sha = excluded.head_sha, state = excluded.state,
			facts_at = excluded.facts_at, updated_at = excluded.updated_at
		WHERE excluded.facts_at >= pulls.facts_at`,
		p.RepoID, p.Number, p.BaseRef, p.Head, p.State, p.FactsAt.UnixMicro(), q.micros())
	if err != nil {
		return fmt.Errorf("record pull request %d of repository %d: %w", p.Number, p.RepoID, err)
	}
	return nil
}

// ConfirmPull records GitHub's own answer, which settles every doubt.
func (q *queries) ConfirmPull(ctx context.Context, p Pull) error {
	_, err := q.c.exec(ctx, `INSERT INTO pulls (repo_id, number, base_ref, head_sha, state, facts_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (repo_id, number) DO UPDATE SET doubtful = 0, base_ref = excluded.base_ref,
			head_sha = excluded.head_sha, state = excluded.state, facts_at = excluded.facts_at, updated_at = excluded.updated_at
		WHERE excluded.facts_at >= pulls.facts_at`,
		p.RepoID, p.Number, p.BaseRef, p.Head, p.State, p.FactsAt.UnixMicro(), q.micros())
	if err != nil {
		return fmt.Errorf("confirm pull request %d of repository %d: %w", p.Number, p.RepoID, err)
	}
	return nil
}

// Pull returns a pull request, or ErrNotFound.
func (q *queries) Pull(ctx context.Context, repoID int64, number int) (Pull, error) {
	p := Pull{RepoID: repoID, Number: number}
	var facts, doubtful int64
	err := one(ctx, q.c, "SELECT base_ref, head_sha, state, facts_at, doubtful FROM pulls WHERE repo_id = $1 AND number = $2",
		[]any{repoID, number}, &p.BaseRef, &p.Head, &p.State, &facts, &doubtful)
	if err != nil {
		return Pull{}, fmt.Errorf("pull request %d of repository %d: %w", number, repoID, err)
	}
	p.FactsAt, p.Doubtful = fromMicros(facts), doubtful != 0
	return p, nil
}

// OpenPulls returns the open pull requests of a repository into a base branch, by
// number.
func (q *queries) OpenPulls(ctx context.Context, repoID int64, baseRef string) ([]int, error) {
	var out []int
	err := each(ctx, q.c, "SELECT number FROM pulls WHERE repo_id = $1 AND base_ref = $2 AND state = $3 ORDER BY number",
		[]any{repoID, baseRef, PullOpen}, func(scan func(...any) error) error {
			var n int
			err := scan(&n)
			out = append(out, n)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("open pull requests of repository %d: %w", repoID, err)
	}
	return out, nil
}
