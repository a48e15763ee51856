package job

import "context"

// TakeOver lets tests take back jobs without beginning work.
func (q *Queue) TakeOver(ctx context.Context) error { return q.takeOver(ctx) }
