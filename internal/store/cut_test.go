package store_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/testenv"
)

// wire is the way to the database, which the test cuts.
type wire struct {
	mu    sync.Mutex
	conns []net.Conn
}

func (w *wire) carry(a net.Conn, to string) {
	b, err := net.Dial("tcp", to)
	if err != nil {
		_ = a.Close()
		return
	}
	w.mu.Lock()
	w.conns = append(w.conns, a, b)
	w.mu.Unlock()
	carry := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		_, _ = to.Close(), from.Close()
	}
	go carry(a, b)
	go carry(b, a)
}

func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		_ = c.Close()
	}
	w.conns = nil
}

// A database that is gone without a word, as after a power cut or a failover, is an
// outage like one that says so, also in the middle of a statement.
func TestConnectionCutInTheMiddleIsTransient(t *testing.T) {
	u, err := url.Parse(testenv.PostgresURL(t))
	require.NoError(t, err)
	server := u.Host
	if u.Port() == "" {
		server = net.JoinHostPort(u.Hostname(), "5432")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	way := &wire{}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			way.carry(c, server)
		}
	}()
	u.Host = l.Addr().String()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := store.Open(ctx, store.Options{DatabaseURL: u.String()})
	require.NoError(t, err)
	defer func() { assert.NoError(t, s.Close()) }()

	asked := make(chan error, 1)
	go func() { _, err := s.Pool().Exec(ctx, "SELECT pg_sleep(30)"); asked <- err }()
	require.Eventually(t, func() bool {
		var n int
		err := s.Pool().QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)'").Scan(&n)
		return assert.NoError(t, err) && n > 0
	}, 30*time.Second, 10*time.Millisecond)
	way.cut()
	err = <-asked
	require.Error(t, err)
	assert.True(t, store.IsTransient(err), "%#v", err)

	for name, write := range map[string]func(tx *store.Tx) error{
		"ours":        func(tx *store.Tx) error { return tx.SetDoneSeq(ctx, "s", 1) },
		"the queue's": func(tx *store.Tx) error { _, err := tx.Postgres().Exec(ctx, "SELECT 1"); return err },
		"the commit":  func(tx *store.Tx) error { return nil },
	} {
		tries := 0
		require.NoError(t, store.Retry(ctx, func() error {
			return s.InTx(ctx, func(tx *store.Tx) error {
				if tries++; tries == 1 {
					way.cut()
				}
				return write(tx)
			})
		}), name)
		assert.Greater(t, tries, 1, name)
	}

	ended, end := context.WithTimeout(ctx, 50*time.Millisecond)
	defer end()
	_, err = s.Pool().Exec(ended, "SELECT pg_sleep(30)")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.False(t, store.IsTransient(err), "the caller's time is up, the database is there")
}
