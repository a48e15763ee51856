package gitmirror_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/testenv"
)

// Real histories must read as git reads them.
func TestRealRepositories(t *testing.T) {
	testenv.EachMirror(t, func(t *testing.T, _ testenv.Agent, dir string) {
		git := func(args ...string) string {
			t.Helper()
			cmd := exec.Command("git", append([]string{"--git-dir=" + dir}, args...)...)
			cmd.Env = testenv.GitEnv(t)
			out, err := cmd.Output()
			require.NoError(t, err)
			return string(out)
		}
		r := open(t, dir)
		head, err := r.Resolve(t.Context(), "HEAD")
		require.NoError(t, err)
		chain := strings.Fields(git("rev-list", "--first-parent", "--max-count=60", string(head)))
		require.Greater(t, len(chain), 10)
		oldest := oid(chain[len(chain)-1])

		way, err := r.FirstParents(t.Context(), head, oldest)
		require.NoError(t, err)
		require.Len(t, way, len(chain))
		for i, id := range chain {
			require.Equal(t, oid(id), way[i])
		}

		entries, err := r.List(t.Context(), head, []string{""})
		require.NoError(t, err)
		var listed strings.Builder
		for _, e := range entries {
			fmt.Fprintf(&listed, "%06o %s %s\t%s\x00", e.Mode, e.Type, e.OID, e.Path)
		}
		assert.Equal(t, git("ls-tree", "-r", "-z", string(head)), listed.String())

		for i := range len(way) - 1 {
			changes, err := r.DiffTree(t.Context(), way[i+1], way[i])
			require.NoError(t, err)
			want := git("diff-tree", "-r", "-z", "--name-status", "--no-renames", chain[i+1], chain[i])
			var got strings.Builder
			for _, c := range changes {
				fmt.Fprintf(&got, "%c\x00%s\x00", c.Status, c.Path)
			}
			require.Equal(t, want, got.String())
		}
	})
}
