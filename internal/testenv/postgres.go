package testenv

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// PostgresEnv names the server that tests create their databases on, as a URL.
	PostgresEnv = "RESCORE_TEST_POSTGRES"

	defaultPostgresURL = "postgres://root@127.0.0.1:5432/test?sslmode=disable"
	databasePrefix     = "rescore_test_"
	postgresTimeout    = 30 * time.Second
	// staleAfter is the age at which a database is taken for the leftover of a
	// test process that was killed. No test runs that long.
	staleAfter = 6 * time.Hour
)

var sweepOnce sync.Once

// PostgresURL creates an empty database for the test and returns its URL. The
// database is dropped when the test ends, connections to it included. A whole
// database, not a schema, so that advisory locks and notifications of tests that
// run at the same time stay apart.
//
// The test is skipped when no server answers, unless RESCORE_TEST_POSTGRES asked
// for one: then it fails.
func PostgresURL(t testing.TB) string {
	t.Helper()
	server, asked := os.LookupEnv(PostgresEnv)
	if server == "" {
		server, asked = defaultPostgresURL, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), postgresTimeout)
	defer cancel()
	admin, err := pgx.Connect(ctx, server)
	if err != nil {
		if asked {
			t.Fatalf("connect to the server that %s names: %v", PostgresEnv, err)
		}
		t.Skipf("no PostgreSQL to test with; set %s to the URL of a server where databases may be created (%v)", PostgresEnv, err)
	}
	defer admin.Close(ctx)
	sweepOnce.Do(func() { dropStale(ctx, t, admin) })

	name := databaseName(t, time.Now())
	if _, err := admin.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()); err != nil {
		t.Fatalf("create test database: %v", err)
	}
	t.Cleanup(func() { dropDatabase(t, server, name) })

	u, err := url.Parse(server)
	if err != nil {
		t.Fatalf("parse %s: it must be a postgres:// URL: %v", PostgresEnv, err)
	}
	u.Path = "/" + name
	return u.String()
}

// databaseName tells the hour of birth, so that leftovers can be recognised.
func databaseName(t testing.TB, now time.Time) string {
	t.Helper()
	var random [6]byte
	if _, err := rand.Read(random[:]); err != nil {
		t.Fatalf("name test database: %v", err)
	}
	return fmt.Sprintf("%s%d_%s", databasePrefix, now.Unix(), hex.EncodeToString(random[:]))
}

func dropDatabase(t testing.TB, server, name string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), postgresTimeout)
	defer cancel()
	admin, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Errorf("connect to drop test database: %v", err)
		return
	}
	defer admin.Close(ctx)
	if _, err := admin.Exec(ctx, "DROP DATABASE IF EXISTS "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)"); err != nil {
		t.Errorf("drop test database: %v", err)
	}
}

// dropStale removes what killed test processes left behind. Two processes may
// sweep at once, so a failed drop is not an error.
func dropStale(ctx context.Context, t testing.TB, admin *pgx.Conn) {
	t.Helper()
	rows, err := admin.Query(ctx, "SELECT datname FROM pg_database WHERE starts_with(datname, $1)", databasePrefix)
	if err != nil {
		t.Fatalf("list test databases: %v", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("list test databases: %v", err)
	}
	for _, name := range names {
		if !isStale(name, time.Now()) {
			continue
		}
		if _, err := admin.Exec(ctx, "DROP DATABASE IF EXISTS "+pgx.Identifier{name}.Sanitize()); err != nil {
			t.Logf("leftover test database %s stays: %v", name, err)
		}
	}
}

func isStale(name string, now time.Time) bool {
	rest, ours := strings.CutPrefix(name, databasePrefix)
	if !ours {
		return false
	}
	stamp, _, ok := strings.Cut(rest, "_")
	if !ok {
		return false
	}
	born, err := strconv.ParseInt(stamp, 10, 64)
	return err == nil && now.Sub(time.Unix(born, 0)) > staleAfter
}
