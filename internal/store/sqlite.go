package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// sqliteFile is the database's name in the data directory.
const sqliteFile = "rescore.db"

// sqliteBusy is how long a statement waits for another process, for example a
// backup, in milliseconds.
const sqliteBusy = "10000"

// sqliteCache is how much of the database SQLite keeps in memory: 512 KiB, a quarter
// of its default. Each page takes twice its size here, and a table of many search
// results fills whatever there is, while the system has the file in memory anyway.
const sqliteCache = "-512"

// openSQLite opens the database file with one connection, as River's driver asks
// for. Commits are durable (synchronous FULL): a delivery that was answered 2xx
// survives the loss of power, not only of the process.
func openSQLite(ctx context.Context, o Options) (*Store, error) {
	if err := probe(o.Dir); err != nil {
		return nil, fmt.Errorf("make and write to it: %w", err)
	}
	lock, err := lockDir(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(filepath.Join(o.Dir, sqliteFile))
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	if err := makePrivate(path); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), lock.Close())
	}
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: url.Values{
		"_pragma": {"busy_timeout(" + sqliteBusy + ")", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "cache_size(" + sqliteCache + ")"},
		"_txlock": {"immediate"},
	}.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	s := &Store{sqlite: db, lock: lock, now: o.Now}
	s.queries = queries{c: nowConn{s}, clock: clockOr(o.Now)}
	if err := s.Ping(ctx); err != nil {
		_ = s.Close() // the first error is the one to tell
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return s, nil
}

// makePrivate makes the database, unless it is there, for this user alone: cards quote
// private code. The files that SQLite puts beside it get the same mode.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// nowConn runs statements on the pool with the clock of the moment.
type nowConn struct{ s *Store }

func (c nowConn) conn() conn {
	if c.s.sqlite != nil {
		return sqliteConn{c.s.sqlite, c.s.nowSQL()}
	}
	return postgresConn{c.s.pool, c.s.nowSQL()}
}

func (c nowConn) exec(ctx context.Context, query string, args ...any) (int64, error) {
	return c.conn().exec(ctx, query, args...)
}

func (c nowConn) query(ctx context.Context, query string, args ...any) (rows, error) {
	return c.conn().query(ctx, query, args...)
}

// ErrInUse says that another process holds the data directory.
var ErrInUse = errors.New("another rescore process is using it; stop that one, or give this one its own directory or a PostgreSQL database")

const (
	// lockPatience is how long a process that is about to end may still hold the data
	// directory: its last words, or a git that it was starting when it was killed.
	lockPatience = 2 * time.Second
	lockPoll     = 50 * time.Millisecond
)

// lockDir takes the data directory for this process. The kernel gives it back
// when the process ends, however it ends.
func lockDir(ctx context.Context, dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "rescore.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock data directory: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			_ = f.Close() // nothing was written
			return nil, fmt.Errorf("lock data directory: %w", err)
		}
		timer := time.NewTimer(lockPoll)
		select {
		case <-ctx.Done():
			timer.Stop()
			_ = f.Close() // nothing was written
			return nil, fmt.Errorf("data directory %s: %w", dir, ErrInUse)
		case <-timer.C:
		}
	}
}
