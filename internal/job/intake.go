package job

import (
	"context"
	"fmt"

	"github.com/rescore-app/rescore/internal/store"
)

// Event is what a webhook delivery comes to: facts to remember and jobs to do.
type Event struct {
	Delivery store.Delivery
	// Installation is recorded when Known is false only if it is new.
	Installation *store.Installation
	Known        bool // the event speaks of the installation itself, not only from it
	Repositories []store.Repository
	Removed      []int64 // repositories no longer given to the App
	Pull         *store.Pull
	Jobs         []Args
}

// Accept stores the delivery, its facts and its jobs in one transaction. When it
// returns nil, all of them outlive this process. fresh is false for a delivery
// that was accepted before, which changes nothing.
//
// Deliveries about one subject are stored one after the other, so that the numbers
// of a subject come into view in their order: work that has seen one has seen all
// before it.
func (q *Queue) Accept(ctx context.Context, e Event) (fresh bool, err error) {
	err = store.Retry(ctx, func() error {
		return q.store.InTx(ctx, func(tx *store.Tx) error {
			for _, j := range e.Jobs {
				if j.subject() == "" {
					continue
				}
				if err := tx.Serialize(ctx, j.subject()); err != nil {
					return err
				}
			}
			var seq int64
			seq, fresh, err = tx.AddDelivery(ctx, e.Delivery)
			if err != nil || !fresh {
				return err
			}
			if err := recordFacts(ctx, tx, e, seq); err != nil {
				return err
			}
			jobs := make([]Args, len(e.Jobs))
			for i, j := range e.Jobs {
				jobs[i] = j.stamped(e.Delivery.ID, seq)
			}
			return q.Insert(ctx, tx, jobs...)
		})
	})
	if err != nil {
		return false, fmt.Errorf("accept delivery %q: %w", e.Delivery.ID, err)
	}
	return fresh, nil
}

func recordFacts(ctx context.Context, tx *store.Tx, e Event, seq int64) error {
	if e.Installation != nil {
		put := tx.EnsureInstallation
		if e.Known {
			put = tx.PutInstallation
		}
		if err := put(ctx, *e.Installation); err != nil {
			return err
		}
	}
	for _, r := range e.Repositories {
		if err := tx.PutRepository(ctx, r); err != nil {
			return err
		}
	}
	for _, id := range e.Removed {
		if _, err := tx.SetRepositoryState(ctx, id, store.StateRemoved); err != nil {
			return err
		}
	}
	if e.Pull != nil {
		if err := tx.PutPull(ctx, *e.Pull); err != nil {
			return err
		}
	}
	for _, j := range e.Jobs {
		if j.subject() == "" {
			continue
		}
		if err := tx.SetDoneSeq(ctx, Told(j.subject()), seq); err != nil {
			return err
		}
	}
	return nil
}
