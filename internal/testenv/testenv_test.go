package testenv_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/testenv"
)

func TestModuleRootHoldsGoMod(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(t), "go.mod"))
	require.NoError(t, err)
	assert.Contains(t, string(data), "module github.com/rescore-app/rescore")
}

func TestSharedFollowsTheVariable(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "seeds"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "seeds", "a.md"), nil, 0o644))
	t.Setenv(testenv.SharedEnv, dir)
	assert.Equal(t, filepath.Join(dir, "seeds", "a.md"), testenv.Shared(t, "seeds/a.md"))
}

func TestMirrorFollowsTheVariable(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a+b", "repo"), 0o755))
	t.Setenv(testenv.MirrorsEnv, dir)
	assert.Equal(t, filepath.Join(dir, "a+b", "repo"), testenv.Mirror(t, "a+b"))
}

func TestAbsentInputSkips(t *testing.T) {
	t.Setenv(testenv.SharedEnv, t.TempDir())
	var skipped bool
	t.Run("inner", func(t *testing.T) {
		defer func() { skipped = t.Skipped() }()
		testenv.Shared(t, "nothing/here")
		t.Error("went on without the input")
	})
	assert.True(t, skipped)
}

// Another ripgrep is no oracle: it prints other lines.
func TestOnlyRipgrep13IsTheOracle(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	rg := filepath.Join(dir, "rg")
	for version, skips := range map[string]bool{"13.0.0": false, "13.0.0 (rev 7ec2fd51ba)": false, "14.1.0": true, "1.13.0": true} {
		require.NoError(t, os.WriteFile(rg, []byte("#!/bin/sh\necho 'ripgrep "+version+"'\necho '-SIMD'\n"), 0o755))
		var skipped bool
		t.Run("inner", func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			assert.Equal(t, rg, testenv.Ripgrep(t))
		})
		assert.Equal(t, skips, skipped, version)
	}
}

// The mutation bench knows the same repositories as the tests.
func TestTheBenchKnowsTheAgents(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(t), "cmd", "rescore-lab", "mutate.sh"))
	require.NoError(t, err)
	for _, a := range testenv.Agents {
		if a.Mirror != "" {
			assert.Contains(t, string(script), "["+a.ID+"]="+a.Mirror)
		}
	}
}

func TestRepoHistoryIsDeterministic(t *testing.T) {
	build := func() []string {
		r := testenv.NewRepo(t)
		r.Write("a/b.txt", "one\r\ntwo\n")
		r.Write(".gitignore", "ignored\n")
		r.Write("ignored", "kept all the same\n")
		r.Write("gone", "x")
		first := r.Commit("first")
		r.Branch("side")
		r.Move("a/b.txt", "c/d.txt")
		r.Remove("gone")
		r.Symlink("c/d.txt", "link")
		r.Chmod("c/d.txt", true)
		r.Submodule("sub", first)
		second := r.Commit("second")
		r.Checkout("main")
		third := r.Merge("side", "merge")
		assert.Equal(t, third, r.Head())
		tree := r.Git("ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD")
		assert.Equal(t, "100644 .gitignore\n100755 c/d.txt\n100644 ignored\n120000 link\n160000 sub", tree)
		assert.Equal(t, "one\r\ntwo\n", string(r.GitInput(nil, "cat-file", "blob", "HEAD:c/d.txt")))
		return []string{first, second, third}
	}
	ids := build()
	for _, id := range ids {
		assert.Regexp(t, `^[0-9a-f]{40}$`, id)
	}
	assert.Equal(t, ids, build())
}

func TestRepoIgnoresUserConfiguration(t *testing.T) {
	home := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(home, ".gitconfig"), []byte("[user]\n\tname = Somebody Else\n"), 0o644))
	t.Setenv("HOME", home)
	t.Setenv("GIT_AUTHOR_NAME", "Somebody Else")
	r := testenv.NewRepo(t)
	r.Commit("empty")
	assert.Equal(t, "Ada Example", r.Git("log", "-1", "--format=%an"))
}

func TestSHA256AndBareClone(t *testing.T) {
	r := testenv.NewRepo(t, testenv.WithSHA256())
	r.Write("f", "x")
	assert.Regexp(t, `^[0-9a-f]{64}$`, r.Commit("c"))
	assert.FileExists(t, filepath.Join(r.BareClone(), "HEAD"))
}

func TestPostgresURLGivesAFreshDatabase(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var dropped string
	t.Run("inner", func(t *testing.T) {
		dropped = testenv.PostgresURL(t)
		other := testenv.PostgresURL(t)
		assert.NotEqual(t, dropped, other)
		conn, err := pgx.Connect(ctx, dropped) // left open: the drop must not wait for it
		require.NoError(t, err)
		_, err = conn.Exec(ctx, "CREATE TABLE t (a int)")
		require.NoError(t, err)
		otherConn, err := pgx.Connect(ctx, other)
		require.NoError(t, err)
		defer otherConn.Close(ctx)
		var n int
		require.NoError(t, otherConn.QueryRow(ctx, "SELECT count(*) FROM pg_tables WHERE tablename = 't'").Scan(&n))
		assert.Zero(t, n)
	})
	if dropped == "" {
		t.Skip("no PostgreSQL to test with")
	}
	_, err := pgx.Connect(ctx, dropped)
	require.ErrorContains(t, err, "does not exist")
}
