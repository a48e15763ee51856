package store

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// States of a check run of ours.
const (
	CheckCreating   = "creating" // GitHub may or may not have it yet
	CheckInProgress = "in_progress"
	CheckCompleted  = "completed"
)

// Check is one check run of ours.
type Check struct {
	ID          int64
	RepoID      int64
	Subject     string // what it speaks of: see job.Subject
	Head        string
	ExternalID  string // ours, told to GitHub, so that the run is found again after a crash
	Cause       string // delivery that asked for it
	CheckRunID  int64  // GitHub's; 0 until known
	State       string
	Conclusion  string // "" until completed
	InputDigest string // equal digests give equal results; "" when the run has no result
	Settled     bool   // everything that belongs to the result is published
	CreatedAt   time.Time
}

const checkColumns = "id, repo_id, subject, head_sha, external_id, cause, check_run_id, state, conclusion, input_digest, settled, created_at"

func scanCheck(scan func(...any) error) (Check, error) {
	var c Check
	var settled, created int64
	err := scan(&c.ID, &c.RepoID, &c.Subject, &c.Head, &c.ExternalID, &c.Cause, &c.CheckRunID, &c.State, &c.Conclusion, &c.InputDigest, &settled, &created)
	c.Settled, c.CreatedAt = settled != 0, fromMicros(created)
	return c, err
}

// AddCheck records the decision to create a check run, before GitHub is asked.
// The same external id again says what an open run is to answer now, and begins
// anew with one that was voided; one with a result stays as it is.
func (q *queries) AddCheck(ctx context.Context, c Check) error {
	now := q.micros()
	_, err := q.c.exec(ctx, `INSERT INTO checks
			(repo_id, subject, head_sha, external_id, cause, check_run_id, state, conclusion, input_digest, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, 0, $6, '', $7, $8, $8)
		ON CONFLICT (external_id) DO UPDATE SET
			check_run_id = CASE WHEN checks.state = $9 THEN 0 ELSE checks.check_run_id END,
			state = CASE WHEN checks.state = $9 THEN excluded.state ELSE checks.state END,
			conclusion = '', cause = excluded.cause, input_digest = excluded.input_digest, updated_at = excluded.updated_at
		WHERE checks.state <> $9 OR checks.input_digest = ''`,
		c.RepoID, c.Subject, c.Head, c.ExternalID, c.Cause, CheckCreating, c.InputDigest, now, CheckCompleted)
	if err != nil {
		return fmt.Errorf("record check %s: %w", c.ExternalID, err)
	}
	return nil
}

// SetCheckRun records the id that GitHub gave.
func (q *queries) SetCheckRun(ctx context.Context, externalID string, runID int64) error {
	return q.updateCheck(ctx, externalID, "UPDATE checks SET check_run_id = $2, state = $3, updated_at = $4 WHERE external_id = $1 AND state <> $5",
		runID, CheckInProgress, q.micros(), CheckCompleted)
}

// CompleteCheck records the conclusion that GitHub took.
func (q *queries) CompleteCheck(ctx context.Context, externalID, conclusion string) error {
	return q.updateCheck(ctx, externalID, "UPDATE checks SET state = $2, conclusion = $3, updated_at = $4 WHERE external_id = $1",
		CheckCompleted, conclusion, q.micros())
}

// SettleCheck records that everything that belongs to the result is published.
func (q *queries) SettleCheck(ctx context.Context, externalID string) error {
	return q.updateCheck(ctx, externalID, "UPDATE checks SET settled = 1, updated_at = $2 WHERE external_id = $1 AND state = $3",
		q.micros(), CheckCompleted)
}

// VoidCheck records that a run ended without the result it was begun for: it is
// never taken for current. conclusion is "" when GitHub has no such run.
func (q *queries) VoidCheck(ctx context.Context, externalID, conclusion string) error {
	return q.updateCheck(ctx, externalID, "UPDATE checks SET state = $2, conclusion = $3, input_digest = '', updated_at = $4 WHERE external_id = $1",
		CheckCompleted, conclusion, q.micros())
}

func (q *queries) updateCheck(ctx context.Context, externalID, query string, args ...any) error {
	if _, err := q.c.exec(ctx, query, append([]any{externalID}, args...)...); err != nil {
		return fmt.Errorf("update check %s: %w", externalID, err)
	}
	return nil
}

// checks runs a query for checks, newest first.
func (q *queries) checks(ctx context.Context, where string, args ...any) ([]Check, error) {
	var out []Check
	err := each(ctx, q.c, "SELECT "+checkColumns+" FROM checks WHERE "+where+" ORDER BY id DESC", args, func(scan func(...any) error) error {
		c, err := scanCheck(scan)
		out = append(out, c)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("checks: %w", err)
	}
	return out, nil
}

// OpenChecks returns the checks of a subject that are not completed.
func (q *queries) OpenChecks(ctx context.Context, repoID int64, subject string) ([]Check, error) {
	return q.checks(ctx, "repo_id = $1 AND subject = $2 AND state <> $3", repoID, subject, CheckCompleted)
}

// ChecksAt returns the checks of a subject at one head, newest first.
func (q *queries) ChecksAt(ctx context.Context, repoID int64, subject, head string) ([]Check, error) {
	return q.checks(ctx, "repo_id = $1 AND subject = $2 AND head_sha = $3", repoID, subject, head)
}

// ChecksOfHead returns the checks of every subject at one head, newest first.
func (q *queries) ChecksOfHead(ctx context.Context, repoID int64, head string) ([]Check, error) {
	return q.checks(ctx, "repo_id = $1 AND head_sha = $2", repoID, head)
}

// Comment is one comment of ours on a pull request.
type Comment struct {
	RepoID     int64
	Number     int
	Slot       string // SlotScore, or ReplySlot of the comment that it answers
	CommentID  int64
	BodyDigest string // of the body that GitHub holds
}

// SlotScore is the one sticky comment.
const SlotScore = "score"

// ReplySlot is the slot of the answer to a command.
func ReplySlot(commandComment int64) string { return fmt.Sprintf("reply-%d", commandComment) }

// PutComment records a comment that stands.
func (q *queries) PutComment(ctx context.Context, c Comment) error {
	_, err := q.c.exec(ctx, `INSERT INTO comments (repo_id, number, slot, comment_id, body_digest, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (repo_id, number, slot) DO UPDATE SET comment_id = excluded.comment_id,
			body_digest = excluded.body_digest, updated_at = excluded.updated_at`,
		c.RepoID, c.Number, c.Slot, c.CommentID, c.BodyDigest, q.micros())
	if err != nil {
		return fmt.Errorf("record comment %d: %w", c.CommentID, err)
	}
	return nil
}

// DropComment forgets a comment that no longer stands.
func (q *queries) DropComment(ctx context.Context, repoID int64, number int, slot string) error {
	_, err := q.c.exec(ctx, "DELETE FROM comments WHERE repo_id = $1 AND number = $2 AND slot = $3", repoID, number, slot)
	if err != nil {
		return fmt.Errorf("forget comment of pull request %d: %w", number, err)
	}
	return nil
}

// Comment returns our comment in a slot, or ErrNotFound.
func (q *queries) Comment(ctx context.Context, repoID int64, number int, slot string) (Comment, error) {
	c := Comment{RepoID: repoID, Number: number, Slot: slot}
	err := one(ctx, q.c, "SELECT comment_id, body_digest FROM comments WHERE repo_id = $1 AND number = $2 AND slot = $3",
		[]any{repoID, number, slot}, &c.CommentID, &c.BodyDigest)
	if err != nil {
		return Comment{}, fmt.Errorf("comment %s of pull request %d: %w", strings.TrimSpace(slot), number, err)
	}
	return c, nil
}
