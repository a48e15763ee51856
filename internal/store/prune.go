package store

import (
	"context"
	"fmt"
	"time"
)

// Retention is how long what was published is remembered once nothing new is told of
// it. It is far beyond the life of any job and of any delivery that GitHub may send
// again; a pull request that is asked about later is read from GitHub, as one that was
// never heard of.
const Retention = 90 * 24 * time.Hour

// ClosedPulls returns pull requests that are closed and of which nothing was told since
// a time, the longest untold first, at most limit.
func (q *queries) ClosedPulls(ctx context.Context, since time.Time, limit int) ([]Pull, error) {
	var out []Pull
	err := each(ctx, q.c, "SELECT repo_id, number FROM pulls WHERE state = $1 AND updated_at < $2 ORDER BY updated_at LIMIT $3",
		[]any{PullClosed, since.UnixMicro(), limit}, func(scan func(...any) error) error {
			var p Pull
			err := scan(&p.RepoID, &p.Number)
			out = append(out, p)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("list closed pull requests: %w", err)
	}
	return out, nil
}

// ForgetPull forgets a pull request that ClosedPulls returned, with the checks of its
// subject and its comments. One that was told of meanwhile stays. Doing so again
// changes nothing.
func (t *Tx) ForgetPull(ctx context.Context, p Pull, subject string, since time.Time) error {
	fail := func(err error) error {
		return fmt.Errorf("forget pull request %d of repository %d: %w", p.Number, p.RepoID, err)
	}
	n, err := t.c.exec(ctx, "DELETE FROM pulls WHERE repo_id = $1 AND number = $2 AND state = $3 AND updated_at < $4",
		p.RepoID, p.Number, PullClosed, since.UnixMicro())
	if err != nil {
		return fail(err)
	}
	if n == 0 {
		return nil
	}
	if _, err := t.c.exec(ctx, "DELETE FROM checks WHERE repo_id = $1 AND subject = $2", p.RepoID, subject); err != nil {
		return fail(err)
	}
	if _, err := t.c.exec(ctx, "DELETE FROM comments WHERE repo_id = $1 AND number = $2", p.RepoID, p.Number); err != nil {
		return fail(err)
	}
	return nil
}

// removedSince are the repositories that were taken back before a time.
const removedSince = "(SELECT id FROM repositories WHERE state = '" + StateRemoved + "' AND updated_at < $1)"

// prunings are the statements of PrunePublished; $1 is the time, $2 the limit. Each
// names the age again outside, so that a row which is written meanwhile stays.
var prunings = []struct{ what, statement string }{
	// Completed runs of older commits. The newest of a subject stays, as do those at the
	// head of an open pull request: their results are not published again.
	{"checks", `DELETE FROM checks WHERE updated_at < $1 AND state = '` + CheckCompleted + `' AND id IN (
		SELECT c.id FROM checks AS c WHERE c.updated_at < $1 AND c.state = '` + CheckCompleted + `'
			AND EXISTS (SELECT 1 FROM checks AS n WHERE n.repo_id = c.repo_id AND n.subject = c.subject AND n.id > c.id)
			AND NOT EXISTS (SELECT 1 FROM pulls AS p WHERE p.repo_id = c.repo_id AND p.head_sha = c.head_sha AND p.state = '` + PullOpen + `')
		ORDER BY c.updated_at LIMIT $2)`},
	// Answers to commands, and what a pull request left that is not on record.
	{"comments", `DELETE FROM comments WHERE updated_at < $1 AND (repo_id, number, slot) IN (
		SELECT c.repo_id, c.number, c.slot FROM comments AS c WHERE c.updated_at < $1 AND (c.slot <> '` + SlotScore + `'
			OR NOT EXISTS (SELECT 1 FROM pulls AS p WHERE p.repo_id = c.repo_id AND p.number = c.number))
		ORDER BY c.updated_at LIMIT $2)`},
	// How far deliveries were worked, where no job can be left that asks.
	{"progress", `DELETE FROM progress WHERE updated_at < $1 AND subject IN (
		SELECT subject FROM progress WHERE updated_at < $1 ORDER BY updated_at LIMIT $2)`},
	{"checks of removed repositories", `DELETE FROM checks WHERE id IN (
		SELECT id FROM checks WHERE repo_id IN ` + removedSince + ` LIMIT $2)`},
	{"comments of removed repositories", `DELETE FROM comments WHERE (repo_id, number, slot) IN (
		SELECT repo_id, number, slot FROM comments WHERE repo_id IN ` + removedSince + ` LIMIT $2)`},
	{"baselines of removed repositories", `DELETE FROM baselines WHERE id IN (
		SELECT id FROM baselines WHERE repo_id IN ` + removedSince + ` LIMIT $2)`},
	{"pull requests of removed repositories", `DELETE FROM pulls WHERE (repo_id, number) IN (
		SELECT repo_id, number FROM pulls WHERE repo_id IN ` + removedSince + ` LIMIT $2)`},
}

// PrunePublished forgets what was published and cannot be needed any more, untouched
// since a time, and returns how many rows it deleted: at most limit of each sort. Every
// step leaves a state that is right by itself: what is not on record is asked of GitHub.
func (q *queries) PrunePublished(ctx context.Context, since time.Time, limit int) (int64, error) {
	var total int64
	for _, p := range prunings {
		n, err := q.c.exec(ctx, p.statement, since.UnixMicro(), limit)
		if err != nil {
			return total, fmt.Errorf("prune %s: %w", p.what, err)
		}
		total += n
	}
	return total, nil
}

// leaseGrave is how long a lease that ran out is kept, for whoever looks for the cause.
const leaseGrave = 24 * time.Hour

// PruneLeases forgets leases that ran out long ago: a killed process gives none back.
func (q *queries) PruneLeases(ctx context.Context) error {
	if _, err := q.c.exec(ctx, "DELETE FROM leases WHERE expires_at < {now} - $1", leaseGrave.Microseconds()); err != nil {
		return fmt.Errorf("prune leases: %w", err)
	}
	return nil
}
