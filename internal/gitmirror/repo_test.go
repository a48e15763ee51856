package gitmirror_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/testenv"
)

func open(t testing.TB, dir string, opts ...gitmirror.Option) *gitmirror.Repo {
	t.Helper()
	r, err := gitmirror.Open(context.Background(), dir, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	return r
}

func oid(s string) gitmirror.OID { return gitmirror.OID(s) }

func TestOpenFindsEveryKindOfRepository(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("a/b.txt", "x")
	want := src.Commit("c")
	linked := filepath.Join(t.TempDir(), "linked")
	src.Git("worktree", "add", "--quiet", "--detach", linked)
	relative, err := filepath.Rel(mustGetwd(t), src.Dir())
	require.NoError(t, err)

	for name, dir := range map[string]string{
		"work tree":        src.Dir(),
		"relative path":    relative,
		"subdirectory":     filepath.Join(src.Dir(), "a"),
		"git directory":    filepath.Join(src.Dir(), ".git"),
		"bare":             src.BareClone(),
		"linked work tree": linked,
	} {
		t.Run(name, func(t *testing.T) {
			r := open(t, dir)
			assert.Zero(t, r.Stats().GitProcesses, "opening starts no process")
			got, err := r.Resolve(t.Context(), "HEAD")
			require.NoError(t, err)
			assert.Equal(t, oid(want), got)
		})
	}
}

func mustGetwd(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	return dir
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	dangling := filepath.Join(dir, "dangling")
	require.NoError(t, os.MkdirAll(dangling, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dangling, ".git"), []byte("gitdir: /nowhere/at/all\n"), 0o644))
	nonsense := filepath.Join(dir, "nonsense")
	require.NoError(t, os.MkdirAll(nonsense, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(nonsense, ".git"), []byte("hello"), 0o644))

	for _, tc := range []struct {
		name, dir string
		is        error
		says      string
	}{
		{"no such directory", filepath.Join(dir, "absent"), fs.ErrNotExist, "absent"},
		{"a file", file, gitmirror.ErrNotRepository, "it is a file"},
		{"a plain directory", dir, gitmirror.ErrNotRepository, "name a clone or a bare repository"},
		{"a pointer to nothing", dangling, gitmirror.ErrNotRepository, "/nowhere/at/all"},
		{"a .git file that is none", nonsense, gitmirror.ErrNotRepository, "gitdir: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := gitmirror.Open(t.Context(), tc.dir)
			require.ErrorIs(t, err, tc.is)
			assert.ErrorContains(t, err, tc.says)
		})
	}

	_, err := gitmirror.Open(t.Context(), dir, gitmirror.WithGit("no-such-git"))
	require.ErrorIs(t, err, gitmirror.ErrNoGit)
}

func TestResolve(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("f", "1")
	first := src.Commit("first commit")
	src.Git("tag", "-a", "v1", "-m", "annotated")
	src.Write("f", "2")
	second := src.Commit("second commit")
	src.Git("branch", "with/slash")
	r := open(t, src.Dir())

	for rev, want := range map[string]string{
		"HEAD": second, "main": second, "with/slash": second, "refs/heads/main": second,
		"HEAD~1": first, "v1": first, first: first, first[:10]: first, strings.ToUpper(first): first,
	} {
		got, err := r.Resolve(t.Context(), rev)
		require.NoError(t, err, rev)
		assert.Equal(t, oid(want), got, rev)
	}
	assert.EqualValues(t, 1, r.Stats().GitProcesses, "all revisions through one process")

	blob := src.Git("rev-parse", "HEAD:f")
	for _, rev := range []string{
		"", "nope", "HEAD:f", blob, "HEAD~7", "--all", "-x", "a\nb", "HEAD\n", "a\x00b", "a b", strings.Repeat("x", 5000),
		strings.Repeat("1", 40), strings.Repeat("1", 64),
	} {
		_, err := r.Resolve(t.Context(), rev)
		require.ErrorIs(t, err, gitmirror.ErrUnknownRev, "%q", rev)
		var bad *gitmirror.RevError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, rev, bad.Rev)
		assert.ErrorContains(t, err, "check the spelling")
	}
}

func TestResolveLazilyStartsNothing(t *testing.T) {
	src := testenv.NewRepo(t)
	head := src.Commit("c")
	r := open(t, src.Dir())
	got, err := r.ResolveLazily(t.Context(), strings.Repeat("A", 40))
	require.NoError(t, err)
	assert.Equal(t, oid(strings.Repeat("a", 40)), got)
	assert.Zero(t, r.Stats().GitProcesses)
	got, err = r.ResolveLazily(t.Context(), "HEAD")
	require.NoError(t, err)
	assert.Equal(t, oid(head), got)
}

func TestEmptyRepository(t *testing.T) {
	src := testenv.NewRepo(t)
	r := open(t, src.Dir())
	for _, rev := range []string{"HEAD", "main", strings.Repeat("1", 40)} {
		_, err := r.Resolve(t.Context(), rev)
		require.ErrorIs(t, err, gitmirror.ErrEmpty)
		require.NotErrorIs(t, err, gitmirror.ErrUnknownRev)
		assert.ErrorContains(t, err, "commit something first")
	}
}

func TestDetachedHeadAloneIsNotEmpty(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Commit("c")
	src.Git("checkout", "--quiet", "--detach")
	src.Git("branch", "-D", "main")
	_, err := open(t, src.Dir()).Resolve(t.Context(), "nope")
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
}

func TestMergeBase(t *testing.T) {
	src := testenv.NewRepo(t)
	root := src.Commit("root")
	src.Branch("side")
	side := src.Commit("side")
	src.Checkout("main")
	tip := src.Commit("main")
	src.Git("checkout", "--quiet", "--orphan", "alone")
	alone := src.Commit("alone")
	r := open(t, src.Dir())

	got, err := r.MergeBase(t.Context(), oid(tip), oid(side))
	require.NoError(t, err)
	assert.Equal(t, oid(root), got)
	_, err = r.MergeBase(t.Context(), oid(tip), oid(alone))
	require.ErrorIs(t, err, gitmirror.ErrNoMergeBase)
	_, err = r.MergeBase(t.Context(), oid(tip), oid(strings.Repeat("1", 40)))
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
	_, err = r.MergeBase(t.Context(), "--all", oid(tip))
	require.ErrorContains(t, err, "hexadecimal")

	yes, err := r.IsAncestor(t.Context(), oid(root), oid(tip))
	require.NoError(t, err)
	assert.True(t, yes)
	yes, err = r.IsAncestor(t.Context(), oid(side), oid(tip))
	require.NoError(t, err)
	assert.False(t, yes)
}

func TestHistory(t *testing.T) {
	src := testenv.NewRepo(t)
	c1 := src.Commit("1")
	c2 := src.Commit("2")
	src.Branch("side")
	s1 := src.Commit("side 1")
	src.Checkout("main")
	c3 := src.Commit("3")
	m := src.Merge("side", "merge")
	c4 := src.Commit("4")
	src.Git("checkout", "--quiet", "--orphan", "alone")
	alone := src.Commit("alone")
	r := open(t, src.Dir())

	type walk func(context.Context, gitmirror.OID, gitmirror.OID) ([]gitmirror.OID, error)
	for _, tc := range []struct {
		name     string
		walk     walk
		from, to string
		want     []string
	}{
		{"first parents forward", r.FirstParents, c1, c4, []string{c1, c2, c3, m, c4}},
		{"first parents backward", r.FirstParents, c4, c2, []string{c4, m, c3, c2}},
		{"same commit", r.FirstParents, c2, c2, []string{c2}},
		{"ancestor beside the chain", r.FirstParents, s1, c4, []string{s1, c3, m, c4}},
		{"all commits forward", r.Commits, s1, c4, []string{s1, m, c4}},
		{"all commits backward", r.Commits, c4, s1, []string{c4, m, s1}},
		{"all commits, same", r.Commits, c4, c4, []string{c4}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := tc.walk(t.Context(), oid(tc.from), oid(tc.to))
			require.NoError(t, err)
			want := make([]gitmirror.OID, len(tc.want))
			for i, id := range tc.want {
				want[i] = oid(id)
			}
			assert.Equal(t, want, got)
		})
	}

	all, err := r.Commits(t.Context(), oid(c1), oid(c4))
	require.NoError(t, err)
	assert.ElementsMatch(t, []gitmirror.OID{oid(c1), oid(c2), oid(s1), oid(c3), oid(m), oid(c4)}, all)
	_, err = r.FirstParents(t.Context(), oid(c1), oid(alone))
	require.ErrorIs(t, err, gitmirror.ErrUnrelated)
	_, err = r.Commits(t.Context(), oid(c1), oid(strings.Repeat("1", 40)))
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
}

func TestShallowCloneIsNamedInErrors(t *testing.T) {
	src := testenv.NewRepo(t)
	first := src.Commit("1")
	second := src.Commit("2")
	third := src.Commit("3")
	dir := filepath.Join(t.TempDir(), "shallow")
	src.Git("clone", "--quiet", "--depth=2", "file://"+src.Dir(), dir)
	r := open(t, dir)

	_, err := r.Resolve(t.Context(), first)
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
	assert.ErrorContains(t, err, "git fetch --unshallow")
	_, err = r.DiffTree(t.Context(), oid(first), oid(third))
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
	assert.ErrorContains(t, err, "git fetch --unshallow")
	way, err := r.FirstParents(t.Context(), oid(second), oid(third))
	require.NoError(t, err)
	assert.Len(t, way, 2)
}

func TestSHA256Repository(t *testing.T) {
	src := testenv.NewRepo(t, testenv.WithSHA256())
	src.Write("d/f", "one\n")
	base := src.Commit("1")
	src.Write("d/f", "two\n")
	head := src.Commit("2")
	r := open(t, src.Dir())

	got, err := r.Resolve(t.Context(), "HEAD")
	require.NoError(t, err)
	assert.Equal(t, oid(head), got)
	changes, err := r.DiffTree(t.Context(), oid(base), oid(head))
	require.NoError(t, err)
	require.Len(t, changes, 1)
	data, err := r.Blob(t.Context(), changes[0].NewOID, 100)
	require.NoError(t, err)
	assert.Equal(t, "two\n", string(data))
	entries, err := r.List(t.Context(), oid(base), []string{""})
	require.NoError(t, err)
	require.Len(t, entries, 1)
	assert.Equal(t, changes[0].OldOID, entries[0].OID)
}

// Everything that a clone's own configuration and files can say must have no
// effect: each of these commands would leave a file behind, and each of the other
// settings would change what is read.
func TestHostileConfigurationHasNoEffect(t *testing.T) {
	t.Run("whole clone", func(t *testing.T) { testHostileConfiguration(t, false) })
	t.Run("partial clone", func(t *testing.T) { testHostileConfiguration(t, true) }) // is read in another way
}

func testHostileConfiguration(t *testing.T, promisor bool) {
	src := testenv.NewRepo(t)
	text := func(name string) string { return strings.Repeat("a line of "+name+"\n", 20) }
	src.Write("a1.txt", text("one"))
	src.Write("a2.txt", text("two"))
	src.Write(".gitattributes", "* diff=evil filter=evil\n")
	src.Write(".gitmodules", "[submodule \"sub\"]\n\tpath = sub\n\turl = ../sub\n\tignore = all\n")
	first := src.Commit("1")
	src.Submodule("sub", first)
	base := src.Commit("2")
	src.Move("a1.txt", "b1.txt")
	src.Move("a2.txt", "b2.txt")
	src.Write("b1.txt", text("one")+"more\n")
	src.Write("b2.txt", text("two")+"more\n")
	src.Submodule("sub", base)
	head := src.Commit("3")
	other := src.Commit("4")

	traces := t.TempDir()
	beHostile(t, src, traces)
	if promisor {
		src.Git("config", "remote.origin.promisor", "true")
	}
	src.Git("config", "core.worktree", "../nowhere") // last: it stops git itself
	gitDir := filepath.Join(src.Dir(), ".git")
	for path, content := range map[string]string{"info/grafts": head + "\n", "refs/replace/" + base: other + "\n"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(gitDir, path)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(gitDir, path), []byte(content), 0o644))
	}

	r := open(t, src.Dir())
	changes, err := r.DiffTree(t.Context(), oid(base), oid(head))
	require.NoError(t, err)
	var found []string
	for _, c := range changes {
		found = append(found, string(c.Status)+" "+c.Path)
	}
	assert.Equal(t, []string{"D a1.txt", "D a2.txt", "A b1.txt", "A b2.txt", "M sub"}, found)
	_, err = r.Blob(t.Context(), changes[2].NewOID, 1000)
	require.NoError(t, err)
	_, err = r.Blob(t.Context(), oid(strings.Repeat("1", 40)), 1000)
	require.ErrorIs(t, err, gitmirror.ErrMissing)
	entries, err := r.List(t.Context(), oid(base), []string{"a1.txt"})
	require.NoError(t, err)
	assert.Len(t, entries, 1, "the commit that replaces the base has no such file")
	_, err = r.Resolve(t.Context(), "main")
	require.NoError(t, err)
	way, err := r.FirstParents(t.Context(), oid(base), oid(other))
	require.NoError(t, err, "a graft would cut the history")
	assert.Len(t, way, 3)

	left, err := os.ReadDir(traces)
	require.NoError(t, err)
	assert.Empty(t, left, "commands of the clone's configuration ran")
}

// beHostile fills the configuration and the hooks of a clone with commands that
// leave a file in the directory traces, and with settings that twist what git says.
func beHostile(t *testing.T, src *testenv.Repo, traces string) {
	t.Helper()
	evil := func(name string) string { return "touch " + filepath.Join(traces, name) + "; false" }
	hooks := filepath.Join(src.Dir(), ".git", "hooks")
	require.NoError(t, os.MkdirAll(hooks, 0o755))
	for _, hook := range []string{"reference-transaction", "post-index-change", "fsmonitor-watchman"} {
		require.NoError(t, os.WriteFile(filepath.Join(hooks, hook), []byte("#!/bin/sh\n"+evil(hook)+"\n"), 0o755))
	}
	for key, value := range map[string]string{
		"core.fsmonitor": evil("fsmonitor"), "core.pager": evil("pager"), "core.sshCommand": evil("ssh"),
		"core.askPass": evil("askpass"), "core.alternateRefsCommand": evil("alternates"), "core.editor": evil("editor"),
		"diff.external": evil("external"), "diff.evil.command": evil("command"), "diff.evil.textconv": evil("textconv"),
		"filter.evil.clean": evil("clean"), "filter.evil.smudge": evil("smudge"), "filter.evil.process": evil("process"),
		"filter.evil.required": "true", "alias.diff-tree": "!" + evil("alias"), "alias.cat-file": "!" + evil("alias2"),
		"credential.helper": "!" + evil("helper"), "gpg.program": evil("gpg"), "uploadpack.packObjectsHook": evil("upload"),
		"remote.origin.url": "ext::sh -c " + evil("ext"), "diff.renameLimit": "1", "diff.ignoreSubmodules": "all",
		"diff.submodule": "log", "core.abbrev": "7", "diff.relative": "true", "core.quotePath": "true", "log.showSignature": "true",
		"diff.noprefix": "true", "diff.renames": "copies", "submodule.sub.ignore": "all",
	} {
		src.Git("config", key, value)
	}
}

// A promisor that hides in an included file is not recognised when a clone is
// opened. Git then tries to fetch, and must not get as far as a transport.
func TestHiddenRemoteReachesNoTransport(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Commit("c")
	trace := filepath.Join(t.TempDir(), "trace")
	hidden := filepath.Join(t.TempDir(), "hidden")
	require.NoError(t, os.WriteFile(hidden, []byte("[remote \"o\"]\n\tpromisor = true\n\turl = ssh://h.invalid/x\n"), 0o644))
	src.Git("config", "core.sshCommand", "touch "+trace+"; false")
	src.Git("config", "include.path", hidden)
	old := script(t, `unset GIT_NO_LAZY_FETCH; exec git "$@"`)
	for _, opts := range [][]gitmirror.Option{nil, {gitmirror.WithGit(old)}} {
		_, err := open(t, src.Dir(), opts...).Blob(t.Context(), oid(strings.Repeat("1", 40)), 10)
		require.ErrorIs(t, err, gitmirror.ErrMissing)
		assert.NoFileExists(t, trace)
	}
}

func TestFifoInPlaceOfConfigDoesNotHang(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Commit("c")
	config := filepath.Join(src.Dir(), ".git", "config")
	require.NoError(t, os.Remove(config))
	require.NoError(t, syscall.Mkfifo(config, 0o600))
	_, err := gitmirror.Open(t.Context(), src.Dir())
	require.ErrorContains(t, err, "not a regular file")
}

func TestEnvironmentOfTheCallerHasNoEffect(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("f", "x")
	head := src.Commit("c")
	elsewhere := testenv.NewRepo(t)
	for key, value := range map[string]string{
		"GIT_DIR": elsewhere.Dir(), "GIT_OBJECT_DIRECTORY": t.TempDir(), "GIT_WORK_TREE": t.TempDir(), "GIT_INDEX_FILE": "x",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.bare", "GIT_CONFIG_VALUE_0": "nonsense", "GIT_EXTERNAL_DIFF": "false",
		"GIT_TRACE": filepath.Join(t.TempDir(), "trace"), "GIT_CONFIG_PARAMETERS": "'core.bare'='nonsense'", "GIT_NAMESPACE": "x",
	} {
		t.Setenv(key, value)
	}
	got, err := open(t, src.Dir()).Resolve(t.Context(), "main")
	require.NoError(t, err)
	assert.Equal(t, oid(head), got)
}

func TestUnreadableConfigurationIsReported(t *testing.T) {
	src := testenv.NewRepo(t)
	head := src.Commit("c")
	require.NoError(t, os.WriteFile(filepath.Join(src.Dir(), ".git", "config"), []byte("[core\nnonsense"), 0o644))
	r := open(t, src.Dir())
	_, err := r.Resolve(t.Context(), "HEAD")
	var failed *gitmirror.GitError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, 128, failed.ExitCode)
	assert.Contains(t, err.Error(), "bad config")
	_, err = r.DiffTree(t.Context(), oid(head), oid(head))
	require.ErrorIs(t, err, gitmirror.ErrCorrupt)
}

func TestUnknownRepositoryFormatIsReported(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Commit("c")
	src.Git("config", "core.repositoryformatversion", "99")
	_, err := open(t, src.Dir()).Resolve(t.Context(), "HEAD")
	require.ErrorContains(t, err, "99")
}

func TestTimeoutEndsAHangingGit(t *testing.T) {
	src := testenv.NewRepo(t)
	head := src.Commit("c")
	git := script(t, "exec sleep 600")
	r := open(t, src.Dir(), gitmirror.WithGit(git), gitmirror.WithTimeout(50*time.Millisecond))
	_, err := r.DiffTree(t.Context(), oid(head), oid(head))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "took longer than 50ms")
	_, err = r.Resolve(t.Context(), "HEAD")
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// script makes an executable that stands in for git.
func script(t testing.TB, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "git")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755))
	return path
}
