package store

import (
	"context"
	"fmt"
	"time"
)

// Unasked is a repository about which GitHub was not asked as a whole for long.
type Unasked struct {
	Repository
	AskedAt time.Time // of the last question, or when we first heard of it; zero when that is not known
}

// UnaskedSince returns active repositories of active installations about which GitHub
// was not asked since a time, the longest unasked first, at most limit.
func (q *queries) UnaskedSince(ctx context.Context, since time.Time, limit int) ([]Unasked, error) {
	var out []Unasked
	err := each(ctx, q.c, "SELECT "+repositoryColumns+`, asked_at FROM repositories
		WHERE state = $1 AND asked_at < $2 AND NOT EXISTS
			(SELECT 1 FROM installations WHERE installations.id = repositories.installation_id AND installations.state <> $1)
		ORDER BY asked_at, id LIMIT $3`, []any{StateActive, since.UnixMicro(), limit}, func(scan func(...any) error) error {
		var asked int64
		r, err := scanRepository(func(dest ...any) error { return scan(append(dest, &asked)...) })
		u := Unasked{Repository: r}
		if asked != 0 {
			u.AskedAt = fromMicros(asked)
		}
		out = append(out, u)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list repositories to ask about: %w", err)
	}
	return out, nil
}

// SetAsked records that GitHub was asked about a repository as a whole.
func (q *queries) SetAsked(ctx context.Context, repoID int64, at time.Time) error {
	if _, err := q.c.exec(ctx, "UPDATE repositories SET asked_at = $2 WHERE id = $1", repoID, at.UnixMicro()); err != nil {
		return fmt.Errorf("record that GitHub was asked about repository %d: %w", repoID, err)
	}
	return nil
}

// DoubtPull notes that GitHub has to be asked about an open pull request.
func (t *Tx) DoubtPull(ctx context.Context, repoID int64, number int) error {
	_, err := t.c.exec(ctx, "UPDATE pulls SET doubtful = 1 WHERE repo_id = $1 AND number = $2 AND state = $3", repoID, number, PullOpen)
	if err != nil {
		return fmt.Errorf("doubt pull request %d of repository %d: %w", number, repoID, err)
	}
	return nil
}
