package job

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river/rivertype"
	"github.com/tidwall/gjson"

	"github.com/rescore-app/rescore/internal/store"
)

const (
	// HeartbeatEvery is how often a replica says that it lives.
	HeartbeatEvery = 4 * time.Second
	// DeadAfter is the silence after which a replica's jobs are taken from it. With
	// the next look and the next fetch, work goes on within 30 s of a kill.
	DeadAfter = 16 * time.Second
	// MaxLost is how often a job may be under way when its process ends without a
	// word. Beyond it the job itself is taken for the cause, and is not run again: it
	// would end every process in turn.
	MaxLost = 5
)

// lostKey holds, in a job's metadata, how often its process ended under it.
const lostKey = "lost"

// Lost returns how often a process ended while it worked on the job.
func Lost(j *rivertype.JobRow) int { return int(gjson.GetBytes(j.Metadata, lostKey).Int()) }

// The statements that take a job back. Being lost is no failure of the job, so that
// the attempt does not count. From the second time on it waits a while, by chance, so
// that jobs which were only near the one that ends the process get done without it.
const (
	takeBackSQLite = `UPDATE river_job SET state = 'available', attempt = MAX(attempt - 1, 0),
			metadata = jsonb_set(metadata, '$.lost', COALESCE(json_extract(metadata, '$.lost'), 0) + 1),
			scheduled_at = CASE WHEN json_extract(metadata, '$.lost') IS NULL THEN scheduled_at
				ELSE datetime('now', 'subsec', '+' || (json_extract(metadata, '$.lost') * (2 + abs(random() % 8))) || ' seconds') END
		WHERE state = 'running'`
	takeBackPostgres = `UPDATE river_job SET state = 'available', attempt = GREATEST(attempt - 1, 0),
			metadata = jsonb_set(metadata, '{lost}', to_jsonb(COALESCE((metadata ->> 'lost')::int, 0) + 1)),
			scheduled_at = CASE WHEN metadata ->> 'lost' IS NULL THEN scheduled_at
				ELSE now() + (metadata ->> 'lost')::int * (2 + 8 * random()) * interval '1 second' END
		WHERE state = 'running' AND attempted_at < now() - make_interval(secs => $1)
			AND NOT (attempted_by[array_upper(attempted_by, 1)] = ANY ($2))`
)

// Keep announces this replica and takes over the jobs of dead ones until ctx
// ends. fail is told what went wrong; the loop goes on.
func (q *Queue) Keep(ctx context.Context, fail func(error)) {
	ticker := time.NewTicker(HeartbeatEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := q.beat(ctx); err != nil && ctx.Err() == nil {
			fail(err)
		}
	}
}

func (q *Queue) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, HeartbeatEvery)
	defer cancel()
	if err := q.store.Beat(ctx, q.engine.ID()); err != nil {
		return err
	}
	if q.store.IsSQLite() {
		return nil // there is no other replica
	}
	_, err := q.RequeueLost(ctx)
	return err
}

// takeOver puts back what was running when the last process ended.
func (q *Queue) takeOver(ctx context.Context) error {
	if !q.store.IsSQLite() {
		_, err := q.RequeueLost(ctx)
		return err
	}
	// The data directory is ours alone: whoever held these is gone.
	if err := q.store.DropLeases(ctx); err != nil {
		return err
	}
	for _, statement := range []string{
		takeBackSQLite,
		"DELETE FROM river_leader",
	} {
		if _, err := q.store.SQLite().ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("take over running jobs: %w", err)
		}
	}
	return nil
}

// RequeueLost makes running jobs of replicas that have fallen silent available
// again and returns how many. A job that was fetched a moment ago is left alone.
func (q *Queue) RequeueLost(ctx context.Context) (int64, error) {
	if q.store.IsSQLite() {
		return 0, nil
	}
	alive, err := q.store.Alive(ctx, DeadAfter)
	if err != nil {
		return 0, err
	}
	tag, err := q.store.Pool().Exec(ctx, takeBackPostgres, DeadAfter.Seconds(), alive)
	if err != nil {
		return 0, fmt.Errorf("take over jobs of dead replicas: %w", err)
	}
	return tag.RowsAffected(), nil
}

// Count is the number of unfinished jobs of one kind in one state.
type Count struct {
	Kind, State string
	Jobs        int64
}

// Counts returns the unfinished jobs by kind and state, for metrics.
func (q *Queue) Counts(ctx context.Context) ([]Count, error) {
	return counts(ctx, q.store)
}

func counts(ctx context.Context, s *store.Store) ([]Count, error) {
	const query = `SELECT kind, CAST(state AS text), count(*) FROM river_job
		WHERE state IN ('available', 'running', 'retryable', 'scheduled') GROUP BY kind, state ORDER BY 1, 2`
	var out []Count
	scan := func(row interface{ Scan(...any) error }) error {
		var c Count
		err := row.Scan(&c.Kind, &c.State, &c.Jobs)
		out = append(out, c)
		return err
	}
	if s.IsSQLite() {
		rows, err := s.SQLite().QueryContext(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("count jobs: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			if err := scan(rows); err != nil {
				return nil, fmt.Errorf("count jobs: %w", err)
			}
		}
		return out, rows.Err()
	}
	rows, err := s.Pool().Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return nil, fmt.Errorf("count jobs: %w", err)
		}
	}
	return out, rows.Err()
}
