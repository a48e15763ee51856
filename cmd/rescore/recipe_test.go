package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/testenv"
)

// The recipe that the README gives for a CI of one's own is a gate: it ends well only
// when each of its commands does, and what it cannot find out does not open it.
func TestTheRecipeOfTheReadmeIsAGate(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(t), "README.md"))
	require.NoError(t, err)
	block := regexp.MustCompile(`(?m)^    set -e.*\n(?:    .*\n)+`).FindString(string(readme))
	require.Contains(t, block, "rescore verify")
	require.Contains(t, block, "rescore diff")

	repo := testenv.NewRepo(t)
	repo.Write("a", "1")
	repo.Commit("no card")
	bare := repo.Head()
	repo.Write(".github/rescore/scorecard.json", "{}")
	repo.Commit("card")
	card := repo.Head()
	repo.Write("a", "2")
	repo.Commit("change")
	for name, tc := range map[string]struct {
		main  string // what origin/main is, "" when it is not there
		fails string // the command of rescore that says no
		ok    bool
		calls string
	}{
		"holds":             {main: card, ok: true, calls: "verify diff"},
		"card not verified": {main: card, fails: "verify", calls: "verify"},
		"policy says no":    {main: card, fails: "diff", calls: "verify diff"},
		"first card":        {main: bare, ok: true},
		"no history":        {},
	} {
		t.Run(name, func(t *testing.T) {
			repo.Git("update-ref", "-d", "refs/remotes/origin/main")
			if tc.main != "" {
				repo.Git("update-ref", "refs/remotes/origin/main", tc.main)
			}
			calls := filepath.Join(t.TempDir(), "calls")
			stub := "rescore() { echo $1 >> " + calls + "; [ \"$1\" != \"" + tc.fails + "\" ]; }\n"
			cmd := exec.Command("sh", "-c", stub+block)
			cmd.Dir = repo.Dir()
			out, err := cmd.CombinedOutput()
			assert.Equal(t, tc.ok, err == nil, "%s", out)
			made, _ := os.ReadFile(calls)
			assert.Equal(t, tc.calls, strings.Join(strings.Fields(string(made)), " "))
		})
	}
}
