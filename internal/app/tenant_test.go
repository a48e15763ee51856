package app_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/testenv"
)

// A real agent's repository as the tenant, with its published report as the card:
// one pull request edits cited lines, one only shifts them.
func TestRealRepositoryAsTenant(t *testing.T) {
	mirror := testenv.Mirror(t, "microsoft+TaskWeaver")
	report, err := os.ReadFile(testenv.Shared(t, "seeds/taskweaver.md"))
	require.NoError(t, err)
	doc, err := cardfile.Read("taskweaver.md", report)
	require.NoError(t, err)
	const cited = "taskweaver/ces/environment.py" // lines 257-279 and others

	w := newWorld(t, "")
	const name = "microsoft/TaskWeaver"
	w.gh.AddOrg("microsoft")
	_, err = w.gh.AddRepo(w.ctx, name, standin.RepoOptions{From: mirror, Rev: doc.Card.PinnedCommit})
	require.NoError(t, err)
	require.NoError(t, w.gh.SetRole(name, person, standin.RoleWrite))
	w.start()
	_, err = w.gh.Install("microsoft", standin.InstallOptions{})
	require.NoError(t, err)
	head, err := w.gh.Commit(w.ctx, person, name, "main", "Add the scorecard",
		standin.File{Path: ".github/rescore/scorecard.md", Content: string(report)})
	require.NoError(t, err)
	check := func(sha string) standin.CheckRun {
		t.Helper()
		c, err := w.gh.WaitCheck(w.ctx, name, sha, completed)
		require.NoError(t, err)
		return c
	}
	c := check(head)
	assert.Equal(t, "success", c.Conclusion, c.Summary)
	assert.Equal(t, "3.0, nothing it rests on changed", c.Title)

	repo, err := gitmirror.Open(w.ctx, mirror)
	require.NoError(t, err)
	defer repo.Close()
	entry, err := repo.PathAt(w.ctx, gitmirror.OID(doc.Card.PinnedCommit), cited)
	require.NoError(t, err)
	data, err := repo.Blob(w.ctx, entry.OID, 1<<20)
	require.NoError(t, err)
	open := func(branch, content string) standin.CheckRun {
		t.Helper()
		sha, err := w.gh.Commit(w.ctx, person, name, branch, branch, standin.File{Path: cited, Content: content})
		require.NoError(t, err)
		_, err = w.gh.OpenPull(w.ctx, person, name, standin.PullRequest{Title: branch, Head: branch})
		require.NoError(t, err)
		return check(sha)
	}

	shifted := open("shift", "# one line more\n# and another\n"+string(data))
	assert.Equal(t, "success", shifted.Conclusion, shifted.Summary)
	assert.Contains(t, shifted.Title, "3.0 holds")

	edited := open("edit", line(260, func(s string) string { return s + "  # changed by this pull request" })(string(data)))
	assert.Equal(t, "neutral", edited.Conclusion)
	assert.Contains(t, edited.Title, "review")
	require.NotEmpty(t, edited.Annotations)
	assert.Equal(t, cited, edited.Annotations[0].Path)
	comment, err := w.gh.WaitComment(w.ctx, name, 2, func(c standin.Comment) bool { return c.ViaApp })
	require.NoError(t, err)
	assert.Contains(t, comment.Body, "C4")
	assert.False(t, strings.Contains(comment.Body, "No changes."))
}
