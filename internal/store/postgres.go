package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	postgresConnectTimeout = 10 * time.Second
	// postgresIdleCheck is how often idle connections are tested, so that those of
	// a restarted server are replaced before work meets them.
	postgresIdleCheck = 15 * time.Second
)

// openPostgres opens a pool. Error texts never hold the password.
func openPostgres(ctx context.Context, o Options) (*Store, error) {
	cfg, err := pgxpool.ParseConfig(o.DatabaseURL)
	if err != nil {
		return nil, errors.New("DATABASE_URL is not a PostgreSQL URL; use postgres://user:password@host/database")
	}
	cfg.MaxConns = DefaultMaxConns
	if o.MaxConns > 0 {
		cfg.MaxConns = int32(min(o.MaxConns, 1000))
	}
	cfg.HealthCheckPeriod = postgresIdleCheck
	cfg.ConnConfig.ConnectTimeout = postgresConnectTimeout
	if cfg.ConnConfig.RuntimeParams["application_name"] == "" {
		cfg.ConnConfig.RuntimeParams["application_name"] = "rescore"
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", err)
	}
	s := &Store{pool: pool, now: o.Now}
	s.queries = queries{c: nowConn{s}, clock: clockOr(o.Now)}
	if err := s.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to PostgreSQL at %s:%d: %w", cfg.ConnConfig.Host, cfg.ConnConfig.Port, err)
	}
	return s, nil
}

// IsTransient reports whether the same statements may succeed when tried again:
// the server restarts, the connection broke, a transaction lost a race, or the disk
// is full for the moment.
func IsTransient(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch pg.Code[:2] {
		case "08", "40", "53", "57": // connection, rollback, resources, operator intervention
			return true
		}
		return false
	}
	var connect *pgconn.ConnectError
	var network *net.OpError
	return isSQLiteOutage(err) || errors.As(err, &connect) || pgconn.SafeToRetry(err) || errors.As(err, &network) ||
		errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, errBroken)
}

// errBroken marks the end of a connection in the middle of an answer, for which the
// driver has no error of its own.
var errBroken = errors.New("the connection to the database broke")

func broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	return err
}

// retryPause separates attempts of Retry.
const retryPause = 100 * time.Millisecond

// Retry runs fn until it succeeds, fails for good, or ctx ends. fn must be safe
// to run again: a commit whose answer was lost may have happened.
func Retry(ctx context.Context, fn func() error) error {
	for {
		err := fn()
		if err == nil || !IsTransient(err) {
			return err
		}
		timer := time.NewTimer(retryPause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
	}
}
