package store

import (
	"context"
	"fmt"
	"time"
)

// Origins of a baseline.
const (
	OriginImported = "imported" // read from the committed card and verified
	OriginAdvanced = "advanced" // carried along by the pipeline
)

// Baseline is the scorecard that holds for one commit of a repository. Rows are
// never changed, and the oldest are pruned: the history that lasts is the re-audit log.
type Baseline struct {
	ID            int64
	RepoID        int64
	Commit        string // full id
	CardPath      string // path of the committed card that it goes back to
	CardBlob      string // blob id of that file
	Origin        string
	Card          []byte // as the worker writes it: the whole card, compressed
	OutcomeDigest string // SHA-256 of the outcome's JSON, hex; "" for an import
	Scorer        string // version of scorer, rubric and judges
	CreatedAt     time.Time
}

// MaxCard bounds a stored card, in bytes.
const MaxCard = 4 << 20

// AddBaseline stores a baseline. fresh is false when the same card for the same
// commit is there already, for example because a job ran twice.
func (q *queries) AddBaseline(ctx context.Context, b Baseline) (fresh bool, err error) {
	if len(b.Card) == 0 || len(b.Card) > MaxCard {
		return false, fmt.Errorf("baseline of repository %d: a card of %d bytes; the limit is %d", b.RepoID, len(b.Card), MaxCard)
	}
	n, err := q.c.exec(ctx, `INSERT INTO baselines
			(repo_id, commit_sha, card_path, card_blob, origin, card, outcome_digest, scorer, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (repo_id, commit_sha, card_blob) DO NOTHING`,
		b.RepoID, b.Commit, b.CardPath, b.CardBlob, b.Origin, b.Card, b.OutcomeDigest, b.Scorer, q.micros())
	if err != nil {
		return false, fmt.Errorf("store baseline of repository %d at %s: %w", b.RepoID, b.Commit, err)
	}
	return n > 0, nil
}

// Baselines returns the newest baselines of a repository, newest first, at most
// limit, without their cards.
func (q *queries) Baselines(ctx context.Context, repoID int64, limit int) ([]Baseline, error) {
	var out []Baseline
	err := each(ctx, q.c, `SELECT id, commit_sha, card_path, card_blob, origin, outcome_digest, scorer, created_at
		FROM baselines WHERE repo_id = $1 ORDER BY id DESC LIMIT $2`, []any{repoID, limit}, func(scan func(...any) error) error {
		b := Baseline{RepoID: repoID}
		var created int64
		err := scan(&b.ID, &b.Commit, &b.CardPath, &b.CardBlob, &b.Origin, &b.OutcomeDigest, &b.Scorer, &created)
		b.CreatedAt = fromMicros(created)
		out = append(out, b)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("baselines of repository %d: %w", repoID, err)
	}
	return out, nil
}

// PruneBaselines forgets all but the newest baselines of each repository. Every push
// adds one, of about nine kilobytes.
func (q *queries) PruneBaselines(ctx context.Context, keep int) (int64, error) {
	n, err := q.c.exec(ctx, `DELETE FROM baselines WHERE id IN (SELECT id FROM
		(SELECT id, row_number() OVER (PARTITION BY repo_id ORDER BY id DESC) AS age FROM baselines) AS ranked WHERE age > $1)`, keep)
	if err != nil {
		return 0, fmt.Errorf("prune baselines: %w", err)
	}
	return n, nil
}

// BaselineCard returns a baseline's card, or ErrNotFound.
func (q *queries) BaselineCard(ctx context.Context, id int64) ([]byte, error) {
	var card []byte
	if err := one(ctx, q.c, "SELECT card FROM baselines WHERE id = $1", []any{id}, &card); err != nil {
		return nil, fmt.Errorf("card of baseline %d: %w", id, err)
	}
	return card, nil
}
