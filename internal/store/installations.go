package store

import (
	"context"
	"fmt"
)

// States of an installation and of a repository.
const (
	StateActive    = "active"
	StateSuspended = "suspended" // installation: the owner paused the App
	StateArchived  = "archived"  // repository: read-only
	StateDisabled  = "disabled"  // repository: closed by GitHub
	StateRemoved   = "removed"   // no longer given to the App, or deleted
)

// Installation is the App on one account.
type Installation struct {
	ID        int64
	Account   string // login
	AccountID int64
	State     string // StateActive, StateSuspended or StateRemoved
	Reason    string // why work stands still, for people; "" when it does not
}

// PutInstallation records an installation as it is now.
func (q *queries) PutInstallation(ctx context.Context, i Installation) error {
	_, err := q.c.exec(ctx, `INSERT INTO installations (id, account, account_id, state, reason, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO UPDATE SET account = excluded.account, account_id = excluded.account_id,
			state = excluded.state, reason = excluded.reason, updated_at = excluded.updated_at`,
		i.ID, i.Account, i.AccountID, i.State, i.Reason, q.micros())
	if err != nil {
		return fmt.Errorf("record installation %d: %w", i.ID, err)
	}
	return nil
}

// EnsureInstallation records an installation that an event came from, unless it is
// known: such an event says nothing of its state.
func (q *queries) EnsureInstallation(ctx context.Context, i Installation) error {
	_, err := q.c.exec(ctx, `INSERT INTO installations (id, account, account_id, state, reason, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`,
		i.ID, i.Account, i.AccountID, i.State, i.Reason, q.micros())
	if err != nil {
		return fmt.Errorf("record installation %d: %w", i.ID, err)
	}
	return nil
}

// SetInstallationState notes that work for an installation stops or resumes. It
// reports whether that is news, so that a reason is logged once. An installation
// not yet known is not created: its account is not known either.
func (q *queries) SetInstallationState(ctx context.Context, id int64, state, reason string) (changed bool, err error) {
	n, err := q.c.exec(ctx, `UPDATE installations SET state = $2, reason = $3, updated_at = $4
		WHERE id = $1 AND (state <> $2 OR reason <> $3)`, id, state, reason, q.micros())
	if err != nil {
		return false, fmt.Errorf("set state of installation %d: %w", id, err)
	}
	return n > 0, nil
}

// Installations returns the installations in a state by id.
func (q *queries) Installations(ctx context.Context, state string) ([]int64, error) {
	out, err := q.ids(ctx, "SELECT id FROM installations WHERE state = $1 ORDER BY id", state)
	if err != nil {
		return nil, fmt.Errorf("list %s installations: %w", state, err)
	}
	return out, nil
}

// Installation returns an installation, or ErrNotFound.
func (q *queries) Installation(ctx context.Context, id int64) (Installation, error) {
	i := Installation{ID: id}
	err := one(ctx, q.c, "SELECT account, account_id, state, reason FROM installations WHERE id = $1", []any{id},
		&i.Account, &i.AccountID, &i.State, &i.Reason)
	if err != nil {
		return Installation{}, fmt.Errorf("installation %d: %w", id, err)
	}
	return i, nil
}
