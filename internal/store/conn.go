package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// conn runs statements: a pool or a transaction of either database. Statements
// are written in PostgreSQL's style ($1); {now} stands for the database's clock
// in microseconds, {for update} for the lock on the rows that a transaction reads
// in order to change them.
type conn interface {
	exec(ctx context.Context, query string, args ...any) (affected int64, err error)
	query(ctx context.Context, query string, args ...any) (rows, error)
}

// rows is what both drivers' results have in common.
type rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
	close()
}

// sqlRunner is what *sql.DB and *sql.Tx have in common.
type sqlRunner interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// sqliteConn turns $1 into ?1, which SQLite numbers the same way.
type sqliteConn struct {
	db  sqlRunner
	now string
}

func (c sqliteConn) prepare(query string) string {
	return strings.NewReplacer("$", "?", "{now}", c.now, "{for update}", "").Replace(query)
}

func (c sqliteConn) exec(ctx context.Context, query string, args ...any) (int64, error) {
	r, err := c.db.ExecContext(ctx, c.prepare(query), args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (c sqliteConn) query(ctx context.Context, query string, args ...any) (rows, error) {
	r, err := c.db.QueryContext(ctx, c.prepare(query), args...) //nolint:rowserrcheck // the caller reads Err
	if err != nil {
		return nil, err
	}
	return sqlRows{r}, nil
}

type sqlRows struct{ *sql.Rows }

func (r sqlRows) close() { _ = r.Close() } // an error of reading is in Err

// pgxRunner is what *pgxpool.Pool and pgx.Tx have in common.
type pgxRunner interface {
	Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}

type postgresConn struct {
	db  pgxRunner
	now string
}

func (c postgresConn) prepare(query string) string {
	return strings.NewReplacer("{now}", c.now, "{for update}", "FOR UPDATE").Replace(query)
}

func (c postgresConn) exec(ctx context.Context, query string, args ...any) (int64, error) {
	tag, err := c.db.Exec(ctx, c.prepare(query), args...)
	return tag.RowsAffected(), broken(err)
}

func (c postgresConn) query(ctx context.Context, query string, args ...any) (rows, error) {
	r, err := c.db.Query(ctx, c.prepare(query), args...)
	if err != nil {
		return nil, broken(err)
	}
	return pgRows{r}, nil
}

type pgRows struct{ pgx.Rows }

func (r pgRows) close() { r.Close() }

func (r pgRows) Err() error { return broken(r.Rows.Err()) }

// The databases' own clocks, in microseconds since 1970.
const (
	sqliteNow   = "CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER)"
	postgresNow = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"
)

// literalNow pins {now} to an injected clock.
func literalNow(micros int64) string { return strconv.FormatInt(micros, 10) }

// one reads exactly one row; ErrNotFound when there is none.
func one(ctx context.Context, c conn, query string, args []any, dest ...any) error {
	r, err := c.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer r.close()
	if !r.Next() {
		if err := r.Err(); err != nil {
			return err
		}
		return ErrNotFound
	}
	if err := r.Scan(dest...); err != nil {
		return err
	}
	for r.Next() { // drain: a pending result would hold the connection
	}
	return r.Err()
}

// each calls fn for every row.
func each(ctx context.Context, c conn, query string, args []any, fn func(scan func(dest ...any) error) error) error {
	r, err := c.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer r.close()
	for r.Next() {
		if err := fn(r.Scan); err != nil {
			return err
		}
	}
	return r.Err()
}

// ErrNotFound says that there is no such record.
var ErrNotFound = errors.New("no such record")
