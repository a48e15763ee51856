package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Delivery is one webhook delivery.
type Delivery struct {
	ID         string // X-GitHub-Delivery
	ContentKey string // equal for two deliveries of one event; "" when nothing tells them apart
	Event      string
	Action     string
}

// DeliveryRetention is how long deliveries are remembered. GitHub lets one
// redeliver for three days.
const DeliveryRetention = 7 * 24 * time.Hour

// AddDelivery records a delivery and returns its sequence number. fresh is false
// when the same id or the same content was recorded before: GitHub keeps the id
// when it delivers again, and two hooks send one event under two ids.
func (q *queries) AddDelivery(ctx context.Context, d Delivery) (seq int64, fresh bool, err error) {
	var key any
	if d.ContentKey != "" {
		key = d.ContentKey
	}
	err = one(ctx, q.c, `INSERT INTO deliveries (delivery_id, content_key, event, action, received_at)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING seq`,
		[]any{d.ID, key, d.Event, d.Action, q.micros()}, &seq)
	if errors.Is(err, ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("record delivery %q: %w", d.ID, err)
	}
	return seq, true, nil
}

// HasDelivery reports whether a delivery id is on record.
func (q *queries) HasDelivery(ctx context.Context, id string) (bool, error) {
	var n int64
	if err := one(ctx, q.c, "SELECT count(*) FROM deliveries WHERE delivery_id = $1", []any{id}, &n); err != nil {
		return false, fmt.Errorf("look for delivery %q: %w", id, err)
	}
	return n > 0, nil
}

// PruneDeliveries forgets deliveries older than DeliveryRetention.
func (q *queries) PruneDeliveries(ctx context.Context) (int64, error) {
	n, err := q.c.exec(ctx, "DELETE FROM deliveries WHERE received_at < $1 AND seq < (SELECT MAX(seq) FROM deliveries)",
		q.clock().Add(-DeliveryRetention).UnixMicro())
	if err != nil {
		return 0, fmt.Errorf("prune deliveries: %w", err)
	}
	return n, nil
}

// DoneSeq returns how far the deliveries of a subject have been worked: every
// change that a delivery up to that number told of is in what was published.
func (q *queries) DoneSeq(ctx context.Context, subject string) (int64, error) {
	var n int64
	err := one(ctx, q.c, "SELECT done_seq FROM progress WHERE subject = $1", []any{subject}, &n)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return 0, fmt.Errorf("progress of %s: %w", subject, err)
	}
	return n, nil
}

// SetDoneSeq raises DoneSeq; it never falls.
func (q *queries) SetDoneSeq(ctx context.Context, subject string, seq int64) error {
	_, err := q.c.exec(ctx, `INSERT INTO progress (subject, done_seq, updated_at) VALUES ($1, $2, $3)
		ON CONFLICT (subject) DO UPDATE SET done_seq = excluded.done_seq, updated_at = excluded.updated_at
		WHERE excluded.done_seq > progress.done_seq`, subject, seq, q.micros())
	if err != nil {
		return fmt.Errorf("record progress of %s: %w", subject, err)
	}
	return nil
}
