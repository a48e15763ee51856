package app_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/testenv"
)

// A published report over its real repository: a pull request that edits cited
// lines is told what that puts in question, one that only shifts them moves no
// level.
func TestTaskWeaverAsTenant(t *testing.T) {
	mirror := testenv.Mirror(t, "microsoft+TaskWeaver")
	card, err := os.ReadFile(testenv.Shared(t, "seeds/taskweaver.md"))
	require.NoError(t, err)
	const (
		repo    = owner + "/TaskWeaver"
		sandbox = "taskweaver/ces/environment.py"
	)
	git := exec.Command("git", "-C", mirror, "show", "HEAD:"+sandbox)
	source, err := git.Output()
	require.NoError(t, err)

	w := newWorld(t, "")
	_, err = w.gh.AddRepo(w.ctx, repo, standin.RepoOptions{From: mirror, Private: true})
	require.NoError(t, err)
	require.NoError(t, w.gh.SetRole(repo, person, standin.RoleWrite))
	scored, err := w.gh.Commit(w.ctx, person, repo, "main", "Commit the scorecard", standin.File{Path: ".github/rescore/scorecard.md", Content: string(card)})
	require.NoError(t, err)
	w.installed()
	first, err := w.gh.WaitCheck(w.ctx, repo, scored, completed)
	require.NoError(t, err)
	assert.Equal(t, "success", first.Conclusion, first.Title)
	assert.Contains(t, first.Title, "3.0")

	propose := func(branch, content string) (standin.CheckRun, standin.Comment) {
		t.Helper()
		head, err := w.gh.Commit(w.ctx, person, repo, branch, branch, standin.File{Path: sandbox, Content: content})
		require.NoError(t, err)
		p, err := w.gh.OpenPull(w.ctx, person, repo, standin.PullRequest{Title: branch, Head: branch})
		require.NoError(t, err)
		c, err := w.gh.WaitCheck(w.ctx, repo, head, completed)
		require.NoError(t, err)
		comment, err := w.gh.WaitComment(w.ctx, repo, p.Number, func(c standin.Comment) bool { return c.ViaApp })
		require.NoError(t, err)
		return c, comment
	}

	check, comment := propose("shift", "# one\n# two\n# three\n"+string(source))
	assert.Equal(t, "success", check.Conclusion, check.Title)
	assert.Contains(t, check.Title, "3.0 holds")
	assert.Contains(t, comment.Body, "No changes.")
	assert.Empty(t, check.Annotations)

	lines := strings.SplitAfter(string(source), "\n")
	require.Contains(t, lines[256], "containers.run", "line 257 starts the container")
	lines[256] = strings.Replace(lines[256], "containers.run(", "containers.run(privileged=True, ", 1)
	check, comment = propose("weaken", strings.Join(lines, ""))
	assert.Equal(t, "neutral", check.Conclusion, check.Title)
	assert.Contains(t, check.Title, "C4")
	assert.Contains(t, comment.Body, "environment.py")
	assert.Contains(t, comment.Body, "C6 B: L3 → L2", "the one level above L2 that rests on the lines")
	for _, a := range check.Annotations {
		assert.Equal(t, sandbox, a.Path)
	}
	assert.NotEmpty(t, check.Annotations)
}
