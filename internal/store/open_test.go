package store_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/testenv"
)

func TestWhatWasStoredIsThereAfterReopening(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		ctx := w.ctx(t)
		require.NoError(t, w.SetDoneSeq(ctx, "s", 5))
		require.NoError(t, w.Close())
		s, err := store.Open(ctx, w.opts)
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		got, err := s.DoneSeq(ctx, "s")
		require.NoError(t, err)
		assert.Equal(t, int64(5), got)
		require.NoError(t, s.Ping(ctx))
	})
}

func TestDataDirectoryHasOneUser(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(context.Background(), store.Options{Dir: dir})
	require.NoError(t, err)
	_, err = store.Open(context.Background(), store.Options{Dir: dir})
	require.ErrorIs(t, err, store.ErrInUse)
	assert.ErrorContains(t, err, dir)
	// One that is about to end is waited for, as at a restart.
	ended := make(chan error, 1)
	time.AfterFunc(100*time.Millisecond, func() { ended <- s.Close() })
	next, err := store.Open(context.Background(), store.Options{Dir: dir})
	require.NoError(t, err)
	require.NoError(t, <-ended)
	require.NoError(t, next.Close())
}

func TestUnusableDatabases(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := store.Open(context.Background(), store.Options{Dir: filepath.Join(file, "data")})
	require.ErrorContains(t, err, "data directory")

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rescore.db"), []byte("this is no database, and long enough to be read as one"), 0o600))
	_, err = store.Open(context.Background(), store.Options{Dir: dir})
	require.ErrorContains(t, err, "rescore.db")

	for _, url := range []string{"postgres://u:hunter2@127.0.0.1:1/x", "postgres://u:hunter2@%zz/x"} {
		_, err = store.Open(context.Background(), store.Options{DatabaseURL: url})
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "hunter2")
	}
}

// Replicas that start at the same time migrate one database once.
func TestReplicasStartTogether(t *testing.T) {
	url := testenv.PostgresURL(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := store.Open(ctx, store.Options{DatabaseURL: url, MaxConns: 2})
			if !assert.NoError(t, err) {
				return
			}
			assert.NoError(t, s.SetDoneSeq(ctx, "s", 1))
			assert.NoError(t, s.Close())
		})
	}
	wg.Wait()
}

func TestExclusivelyIsOneAtATime(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		if w.IsSQLite() {
			ran := false
			require.NoError(t, w.Exclusively(w.ctx(t), func(context.Context) error { ran = true; return nil }))
			assert.True(t, ran)
			return
		}
		var wg sync.WaitGroup
		var inside, most int
		var mu sync.Mutex
		for range 5 {
			wg.Go(func() {
				err := w.Exclusively(w.ctx(t), func(ctx context.Context) error {
					mu.Lock()
					inside++
					most = max(most, inside)
					mu.Unlock()
					err := w.Ping(ctx)
					mu.Lock()
					inside--
					mu.Unlock()
					return err
				})
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		assert.Equal(t, 1, most)
	})
}

// A database of another build is refused, not guessed at.
func TestSchemaOfAnotherBuild(t *testing.T) {
	cases := []struct{ name, change, want string }{
		{"newer", "INSERT INTO schema_versions VALUES (1000, 'x', 'x', 0)", "run a newer build"},
		{"altered", "UPDATE schema_versions SET checksum = 'x' WHERE version = 1", "differs from the one that was applied"},
	}
	onBoth(t, func(t *testing.T, w world) {
		for _, c := range cases {
			change(t, w, c.change)
			require.NoError(t, w.Close())
			_, err := store.Open(w.ctx(t), w.opts)
			require.ErrorContains(t, err, c.want, c.name)
			change(t, w, "DELETE FROM schema_versions WHERE version = 1000")
		}
	})
}

// A database of any earlier version is brought up to date, with what it holds.
func TestOlderDatabaseIsBroughtUpToDate(t *testing.T) {
	steps, err := store.Steps()
	require.NoError(t, err)
	require.Greater(t, steps, 1)
	for n := 1; n < steps; n++ {
		onEach(t, func(t *testing.T, o store.Options) {
			ctx := t.Context()
			s, err := store.OpenOlder(ctx, o, n)
			require.NoError(t, err)
			require.NoError(t, s.SetDoneSeq(ctx, "s", 5))
			require.NoError(t, s.Close())
			for range 2 {
				s, err := store.Open(ctx, o)
				require.NoError(t, err)
				got, err := s.DoneSeq(ctx, "s")
				require.NoError(t, err)
				assert.Equal(t, int64(5), got)
				require.NoError(t, s.Close())
			}
			_, err = store.OpenOlder(ctx, o, n)
			require.ErrorContains(t, err, "run a newer build")
		})
	}
}

// What is kept quotes private code, in whatever directory it is.
func TestDatabaseIsForOneUser(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "open to all")
	require.NoError(t, os.Mkdir(dir, 0o755))
	s, err := store.Open(t.Context(), store.Options{Dir: dir})
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.SetDoneSeq(t.Context(), "s", 5))
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(names), 3, "the database, its log and the lock: %v", names)
	for _, name := range names {
		info, err := os.Stat(name)
		require.NoError(t, err)
		assert.Zero(t, info.Mode().Perm()&0o077, "%s: %s", name, info.Mode())
	}
}

// change runs a statement on the closed or open database, from outside.
func change(t *testing.T, w world, statement string) {
	t.Helper()
	if w.opts.DatabaseURL == "" {
		db, err := sql.Open("sqlite", filepath.Join(w.opts.Dir, "rescore.db"))
		require.NoError(t, err)
		defer db.Close()
		_, err = db.Exec(statement)
		require.NoError(t, err)
		return
	}
	ctx := w.ctx(t)
	c, err := pgx.Connect(ctx, w.opts.DatabaseURL)
	require.NoError(t, err)
	defer c.Close(ctx)
	_, err = c.Exec(ctx, statement)
	require.NoError(t, err)
}

// A server that drops its connections, as a restart does, is met again by Retry.
func TestRetryOutlivesBrokenConnections(t *testing.T) {
	onBoth(t, func(t *testing.T, w world) {
		if w.IsSQLite() {
			require.NoError(t, store.Retry(w.ctx(t), func() error { return w.Ping(w.ctx(t)) }))
			return
		}
		ctx := w.ctx(t)
		for i := range 5 {
			change(t, w, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
			require.NoError(t, store.Retry(ctx, func() error { return w.SetDoneSeq(ctx, "s", int64(i)) }))
		}
	})
	boom := os.ErrInvalid
	calls := 0
	require.ErrorIs(t, store.Retry(context.Background(), func() error { calls++; return boom }), boom)
	assert.Equal(t, 1, calls, "other errors are final")
}
