package standin_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/testenv"
)

// A repository with a real history is a tenant like any other: its objects are
// borrowed, and a partial fetch of one commit brings no blob.
func TestRealRepositoryAsTenant(t *testing.T) {
	mirror := testenv.Mirror(t, "microsoft+TaskWeaver")
	f := newFixture(t)
	_, err := f.gh.AddRepo(f.ctx, owner+"/TaskWeaver", standin.RepoOptions{From: mirror, Private: true})
	require.NoError(t, err)
	require.NoError(t, f.gh.SetRole(owner+"/TaskWeaver", person, standin.RoleWrite))
	head, err := f.gh.BranchSHA(f.ctx, owner+"/TaskWeaver", "main")
	require.NoError(t, err)
	_, err = f.gh.Commit(f.ctx, person, owner+"/TaskWeaver", "change", "Change", standin.File{Path: "README.md", Content: "# Changed\n"})
	require.NoError(t, err)
	p, err := f.gh.OpenPull(f.ctx, person, owner+"/TaskWeaver", standin.PullRequest{Title: "Change", Head: "change"})
	require.NoError(t, err)
	got, _, err := f.client().PullRequests.Get(f.ctx, owner, "TaskWeaver", p.Number)
	require.NoError(t, err)
	assert.Equal(t, head, got.GetBase().GetSHA())
	assert.Equal(t, 1, got.GetChangedFiles())

	bare := filepath.Join(t.TempDir(), "partial.git")
	f.mustGit(".", "init", "--quiet", "--bare", bare)
	f.mustGit(bare, "fetch", "--quiet", "--no-tags", "--depth=1", "--filter=blob:none",
		f.remote(owner+"/TaskWeaver", "x-access-token", f.installationToken()), p.HeadSHA)
	assert.Equal(t, p.HeadSHA, f.mustGit(bare, "rev-parse", "FETCH_HEAD"))
	assert.NotContains(t, f.mustGit(bare, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype)"), "blob")
}
