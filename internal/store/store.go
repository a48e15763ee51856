package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Options opens a store.
type Options struct {
	// DatabaseURL names a PostgreSQL server; "" selects SQLite in Dir.
	DatabaseURL string
	// Dir is the data directory of SQLite. One process at a time may use it.
	Dir string
	// MaxConns bounds the connections to PostgreSQL; 0 means DefaultMaxConns.
	MaxConns int
	// Now is the clock; nil means the system's for records and the database's own
	// for leases, so that replicas with different clocks agree.
	Now func() time.Time
}

// DefaultMaxConns bounds a replica's connections to PostgreSQL.
const DefaultMaxConns = 16

// queries holds every method that reads or writes; Store runs them one by one,
// Tx within a transaction.
type queries struct {
	c     conn
	clock func() time.Time
}

// Store is an open database. It is safe for concurrent use.
type Store struct {
	queries
	sqlite *sql.DB
	pool   *pgxpool.Pool
	lock   io.Closer // the data directory's lock; nil for PostgreSQL
	now    func() time.Time
	closed sync.Once
}

// Tx is a transaction. It is not safe for concurrent use, and with SQLite the
// store itself must not be used until it ends: there is one connection.
type Tx struct {
	queries
	sqlite *sql.Tx
	pg     pgx.Tx
}

// Open opens the database and brings its schema up to date. Several replicas may
// do so at once.
func Open(ctx context.Context, o Options) (*Store, error) {
	steps, err := migrations()
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return openWith(ctx, o, steps)
}

// openWith opens the database with the schema that the steps make.
func openWith(ctx context.Context, o Options, steps []migration) (*Store, error) {
	open := openSQLite
	if o.DatabaseURL != "" {
		open = openPostgres
	}
	s, err := open(ctx, o)
	if err == nil {
		if err = s.migrate(ctx, steps); err == nil {
			return s, nil
		}
		_ = s.Close() // the migration's error is the one to tell
	}
	if o.DatabaseURL == "" {
		err = ExplainDir(o.Dir, err)
	}
	return nil, err
}

// IsSQLite reports which database is behind.
func (s *Store) IsSQLite() bool { return s.sqlite != nil }

// SQLite returns the handle for the job queue; nil with PostgreSQL.
func (s *Store) SQLite() *sql.DB { return s.sqlite }

// Pool returns the pool for the job queue; nil with SQLite.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// SQLite returns the transaction for the job queue; nil with PostgreSQL.
func (t *Tx) SQLite() *sql.Tx { return t.sqlite }

// Postgres returns the transaction for the job queue; nil with SQLite.
func (t *Tx) Postgres() pgx.Tx { return t.pg }

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	var n int64
	if err := one(ctx, s.c, "SELECT 1", nil, &n); err != nil {
		return fmt.Errorf("ask the database: %w", err)
	}
	return nil
}

// Close closes the database and gives up the data directory. Closing again does
// nothing.
func (s *Store) Close() error {
	var err error
	s.closed.Do(func() {
		if s.pool != nil {
			s.pool.Close()
		}
		if s.sqlite != nil {
			err = s.sqlite.Close()
		}
		if s.lock != nil {
			err = errors.Join(err, s.lock.Close())
		}
	})
	return err
}

// InTx runs fn in a transaction, which is committed when fn returns nil and
// rolled back otherwise.
func (s *Store) InTx(ctx context.Context, fn func(*Tx) error) error {
	if s.sqlite != nil {
		return s.inSQLiteTx(ctx, fn)
	}
	var own, dead bool // whether the failure is fn's, and whether the connection is gone
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		err := fn(&Tx{queries: queries{c: postgresConn{tx, s.nowSQL()}, clock: s.clock}, pg: tx})
		own, dead = err != nil, tx.Conn().IsClosed()
		return err
	})
	switch {
	case own && dead && ctx.Err() == nil: // also where the queue wrote
		err = fmt.Errorf("%w: %w", errBroken, err)
	case !own:
		err = broken(err)
	}
	if err != nil {
		return fmt.Errorf("transaction: %w", err)
	}
	return nil
}

func (s *Store) inSQLiteTx(ctx context.Context, fn func(*Tx) error) error {
	tx, err := s.sqlite.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin transaction: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	if err := fn(&Tx{queries: queries{c: sqliteConn{tx, s.nowSQL()}, clock: s.clock}, sqlite: tx}); err != nil {
		return fmt.Errorf("transaction: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit transaction: %w", err)
	}
	return nil
}

// Serialize makes the transaction wait for others that named the same thing, to
// their end. SQLite has one writer at a time anyway.
func (t *Tx) Serialize(ctx context.Context, name string) error {
	if t.pg == nil {
		return nil
	}
	if _, err := t.c.exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name); err != nil {
		return fmt.Errorf("wait for others about %s: %w", name, err)
	}
	return nil
}

// nowSQL is the expression that stands for {now}.
func (s *Store) nowSQL() string {
	switch {
	case s.now != nil:
		return literalNow(s.now().UnixMicro())
	case s.sqlite != nil:
		return sqliteNow
	default:
		return postgresNow
	}
}

// micros returns the time as it is stored.
func (q *queries) micros() int64 { return q.clock().UnixMicro() }

// fromMicros reads a stored time.
func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }

func clockOr(now func() time.Time) func() time.Time {
	if now != nil {
		return now
	}
	return time.Now
}
