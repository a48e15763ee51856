package gitmirror_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/testenv"
)

func TestDiffTreeReportsEveryKindOfChange(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("modified", "1")
	src.Write("deleted", "only here")
	src.Write("mode", "m")
	src.Write("kind", "becomes a link")
	src.Write("moved", "the same content\n")
	src.Write("file", "becomes a directory")
	first := src.Commit("1")
	src.Submodule("sub", first)
	base := src.Commit("2")
	blob := func(rev, path string) gitmirror.OID { return oid(src.Git("rev-parse", rev+":"+path)) }

	src.Write("modified", "2")
	src.Write("added", "new")
	src.Remove("deleted")
	src.Chmod("mode", true)
	src.Remove("kind")
	src.Symlink("added", "kind")
	src.Move("moved", "elsewhere/moved")
	src.Remove("file")
	src.Write("file/inside", "new too")
	src.Submodule("sub", base)
	head := src.Commit("3")

	r := open(t, src.Dir())
	changes, err := r.DiffTree(t.Context(), oid(base), oid(head))
	require.NoError(t, err)
	byPath := map[string]gitmirror.Change{}
	var order []string
	for _, c := range changes {
		order = append(order, fmt.Sprintf("%c %s", c.Status, c.Path))
		byPath[c.Path] = c
	}
	assert.Equal(t, []string{
		"A added", "D deleted", "A elsewhere/moved", "D file", "A file/inside", "T kind", "M mode", "M modified", "D moved", "M sub",
	}, order)
	assert.Equal(t, gitmirror.Change{Status: 'A', Path: "added", NewMode: gitmirror.ModeFile, NewOID: blob(head, "added")}, byPath["added"])
	assert.Equal(t, gitmirror.Change{Status: 'D', Path: "deleted", OldMode: gitmirror.ModeFile, OldOID: blob(base, "deleted")}, byPath["deleted"])
	assert.Equal(t, byPath["moved"].OldOID, byPath["elsewhere/moved"].NewOID)
	assert.Equal(t, gitmirror.ModeExecutable, byPath["mode"].NewMode)
	assert.Equal(t, gitmirror.ModeSymlink, byPath["kind"].NewMode)
	assert.Equal(t, gitmirror.Change{
		Status: 'M', Path: "sub", OldMode: gitmirror.ModeSubmodule, NewMode: gitmirror.ModeSubmodule,
		OldOID: oid(first), NewOID: oid(base),
	}, byPath["sub"])
	assert.EqualValues(t, 1, r.Stats().GitProcesses)
}

// hostileNames are names that a tree can hold and a careless reader cannot.
var hostileNames = []string{
	"new\nline", "tab\there", "quote\"d", "-rf", "--help", ":100644 000000", ":(top)x", ":!x", "*", "a?[b]", "\xff\xfe not utf-8", "é", " ", "x ",
	"dir with space/-x", "\\", "#", "a\rb", "\x01\x1b[31m", "R100",
}

func TestHostileNames(t *testing.T) {
	src := testenv.NewRepo(t)
	base := src.Commit("empty")
	for _, name := range hostileNames {
		src.Write(name, "content of "+name)
	}
	head := src.Commit("names")
	r := open(t, src.Dir())

	changes, err := r.DiffTree(t.Context(), oid(base), oid(head))
	require.NoError(t, err)
	var changed []string
	for _, c := range changes {
		changed = append(changed, c.Path)
	}
	assert.ElementsMatch(t, hostileNames, changed)
	assert.IsIncreasing(t, changed)

	entries, err := r.List(t.Context(), oid(head), hostileNames)
	require.NoError(t, err)
	var listed []string
	for _, e := range entries {
		listed = append(listed, e.Path)
	}
	assert.Equal(t, changed, listed)
	for _, name := range hostileNames {
		e, err := r.PathAt(t.Context(), oid(head), name)
		require.NoError(t, err, "%q", name)
		data, err := r.Blob(t.Context(), e.OID, 1000)
		require.NoError(t, err)
		assert.Equal(t, "content of "+name, string(data))
	}
}

func TestDiffTreeUnknownCommit(t *testing.T) {
	src := testenv.NewRepo(t)
	head := src.Commit("c")
	r := open(t, src.Dir())
	absent := strings.Repeat("1", 40)
	for _, pair := range [][2]string{{absent, head}, {head, absent}} {
		_, err := r.DiffTree(t.Context(), oid(pair[0]), oid(pair[1]))
		var bad *gitmirror.RevError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, absent, bad.Rev)
		require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
	}
	assert.EqualValues(t, 2, r.Stats().GitProcesses)
	_, err := r.DiffTree(t.Context(), "HEAD", oid(head))
	require.ErrorContains(t, err, "hexadecimal")
}

func TestDiffTreeFromTheEmptyTree(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("a/b", "x")
	head := src.Commit("c")
	changes, err := open(t, src.Dir()).DiffTree(t.Context(), gitmirror.EmptyTree, oid(head))
	require.NoError(t, err)
	require.Len(t, changes, 1)
	assert.Equal(t, "a/b", changes[0].Path)
}

// A missing blob of a partial clone is missing, whatever the clone's promisor is.
func TestPartialCloneNeverFetches(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Git("config", "uploadpack.allowFilter", "true")
	src.Write("a", strings.Repeat("text\n", 50)+"1")
	base := src.Commit("1")
	src.Remove("a")
	src.Write("b", strings.Repeat("text\n", 50)+"2")
	head := src.Commit("2")
	dir := filepath.Join(t.TempDir(), "partial")
	src.Git("clone", "--quiet", "--no-checkout", "--filter=blob:none", "file://"+src.Dir(), dir)

	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	r := open(t, dir)
	got, err := r.Resolve(t.Context(), "main")
	require.NoError(t, err)
	assert.Equal(t, oid(head), got)
	_, err = r.Resolve(t.Context(), "nope")
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
	changes, err := r.DiffTree(t.Context(), oid(base), oid(head))
	require.NoError(t, err)
	require.Len(t, changes, 2)
	_, err = r.Blob(t.Context(), changes[0].OldOID, 1000)
	require.ErrorIs(t, err, gitmirror.ErrMissing)
	missing, err := r.Missing(t.Context(), []gitmirror.OID{changes[0].OldOID, oid(head), changes[1].NewOID, changes[0].OldOID})
	require.NoError(t, err)
	assert.Equal(t, []gitmirror.OID{changes[0].OldOID, changes[1].NewOID}, missing)
	way, err := r.FirstParents(t.Context(), oid(base), oid(head))
	require.NoError(t, err)
	assert.Len(t, way, 2)
	require.NoError(t, r.Close())
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// The index is as large as the whole tree, and git's own diff-tree reads it. Ours does
// not, which a damaged one shows.
func TestNothingReadsTheIndex(t *testing.T) {
	src := testenv.NewRepo(t)
	src.Write("a", "1")
	base := src.Commit("1")
	src.Write("a", "2")
	head := src.Commit("2")
	index := filepath.Join(src.Dir(), ".git", "index")
	require.NoError(t, os.WriteFile(index, []byte("no index at all, but long enough to be read as one"), 0o644))
	require.Error(t, exec.Command("git", "-C", src.Dir(), "diff-tree", "-r", base, head).Run(), "git itself minds")

	r := open(t, src.Dir())
	changes, err := r.DiffTree(t.Context(), oid(base), oid(head))
	require.NoError(t, err)
	assert.Len(t, changes, 1)
	id, err := r.Resolve(t.Context(), "HEAD")
	require.NoError(t, err)
	assert.Equal(t, oid(head), id)
	data, err := r.Blob(t.Context(), changes[0].NewOID, 10)
	require.NoError(t, err)
	assert.Equal(t, "2", string(data))
}
