package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrHeld says that someone else holds the lease.
var ErrHeld = errors.New("the lease is held by another job")

// AcquireLease takes the lease until ttl from now, or returns ErrHeld. The times
// are the database's, so that replicas need not agree on theirs.
func (q *queries) AcquireLease(ctx context.Context, name, holder string, ttl time.Duration) error {
	var got string
	err := one(ctx, q.c, `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, {now} + $3)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
		WHERE leases.expires_at <= {now} OR leases.holder = excluded.holder RETURNING holder`,
		[]any{name, holder, ttl.Microseconds()}, &got)
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("lease %s: %w", name, ErrHeld)
	}
	if err != nil {
		return fmt.Errorf("acquire lease %s: %w", name, err)
	}
	return nil
}

// RenewLease prolongs a lease that is held; ErrHeld when it was lost.
func (q *queries) RenewLease(ctx context.Context, name, holder string, ttl time.Duration) error {
	n, err := q.c.exec(ctx, "UPDATE leases SET expires_at = {now} + $3 WHERE name = $1 AND holder = $2 AND expires_at > {now}",
		name, holder, ttl.Microseconds())
	if err != nil {
		return fmt.Errorf("renew lease %s: %w", name, err)
	}
	if n == 0 {
		return fmt.Errorf("renew lease %s: %w", name, ErrHeld)
	}
	return nil
}

// ReleaseLease gives a lease back; one that is held no longer is left alone.
func (q *queries) ReleaseLease(ctx context.Context, name, holder string) error {
	if _, err := q.c.exec(ctx, "DELETE FROM leases WHERE name = $1 AND holder = $2", name, holder); err != nil {
		return fmt.Errorf("release lease %s: %w", name, err)
	}
	return nil
}

// DropLeases forgets every lease. Only for a database that this process has for
// itself: a process that was killed cannot give its leases back.
func (q *queries) DropLeases(ctx context.Context) error {
	if _, err := q.c.exec(ctx, "DELETE FROM leases"); err != nil {
		return fmt.Errorf("drop leases: %w", err)
	}
	return nil
}

// Beat tells the other replicas that this one lives.
func (q *queries) Beat(ctx context.Context, replica string) error {
	_, err := q.c.exec(ctx, `INSERT INTO replicas (id, beat_at) VALUES ($1, {now})
		ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at`, replica)
	if err != nil {
		return fmt.Errorf("heartbeat: %w", err)
	}
	return nil
}

// Alive returns the replicas whose last heartbeat is younger than ttl, by id, and
// forgets those silent for a hundred times as long.
func (q *queries) Alive(ctx context.Context, ttl time.Duration) ([]string, error) {
	if _, err := q.c.exec(ctx, "DELETE FROM replicas WHERE beat_at < {now} - $1", 100*ttl.Microseconds()); err != nil {
		return nil, fmt.Errorf("forget dead replicas: %w", err)
	}
	var out []string
	err := each(ctx, q.c, "SELECT id FROM replicas WHERE beat_at >= {now} - $1 ORDER BY id", []any{ttl.Microseconds()},
		func(scan func(...any) error) error {
			var id string
			err := scan(&id)
			out = append(out, id)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("list replicas: %w", err)
	}
	return out, nil
}

// Retire takes a replica that stops in good order off the list.
func (q *queries) Retire(ctx context.Context, replica string) error {
	if _, err := q.c.exec(ctx, "DELETE FROM replicas WHERE id = $1", replica); err != nil {
		return fmt.Errorf("retire replica: %w", err)
	}
	return nil
}
