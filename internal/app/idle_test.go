package app_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// pollEvery is how often a state of the database is looked at that nothing
// signals.
const pollEvery = 20 * time.Millisecond

// unfinished counts unfinished jobs, the periodic sweep left out.
func unfinished(w *world) (int, error) {
	counts, err := w.app.Counts(w.ctx)
	n := 0
	for _, c := range counts {
		if c.Kind != "sweep" {
			n += int(c.Jobs)
		}
	}
	return n, err
}

// leaseHolder returns who works on a pull request, from outside.
func leaseHolder(t testing.TB, w *world) string {
	t.Helper()
	conn, err := pgx.Connect(w.ctx, w.config["DATABASE_URL"])
	require.NoError(t, err)
	defer conn.Close(w.ctx)
	var holder string
	require.NoError(t, conn.QueryRow(w.ctx, "SELECT holder FROM leases WHERE name LIKE '%/pull/%'").Scan(&holder))
	return holder
}

// dropConnections ends every connection to the app's database.
func dropConnections(t testing.TB, w *world) {
	t.Helper()
	conn, err := pgx.Connect(w.ctx, w.config["DATABASE_URL"])
	require.NoError(t, err)
	defer conn.Close(w.ctx)
	_, err = conn.Exec(w.ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	require.NoError(t, err)
}
