package standin_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

func TestPullFromOpeningToMerge(t *testing.T) {
	f := newFixture(t)
	f.delivered()
	base := f.source.Head()
	p := f.pull("feature")
	hooks := f.delivered()
	assert.Equal(t, []string{"push", "check_suite requested", "pull_request opened"}, trimmed(names(hooks)))
	opened := eventsOf[*github.PullRequestEvent](hooks)[0]
	assert.Equal(t, f.install, opened.GetInstallation().GetID())
	assert.Equal(t, base, opened.GetPullRequest().GetBase().GetSHA())
	assert.Equal(t, owner, opened.GetOrganization().GetLogin())

	c := f.client()
	got, _, err := c.PullRequests.Get(f.ctx, owner, name, p.Number)
	require.NoError(t, err)
	assert.Equal(t, []int{1, 1, 1, 1}, []int{got.GetAdditions(), got.GetDeletions(), got.GetChangedFiles(), got.GetCommits()})
	assert.True(t, got.GetMergeable())
	assert.Equal(t, "clean", got.GetMergeableState())

	sha := f.commit("feature", "src/other.go", "package gate\n")
	hooks = f.delivered()
	sync := eventsOf[*github.PullRequestEvent](hooks)[0]
	assert.Equal(t, "synchronize", sync.GetAction())
	assert.Equal(t, p.HeadSHA, sync.GetBefore())
	assert.Equal(t, sha, sync.GetAfter())
	assert.Equal(t, sha, sync.GetPullRequest().GetHead().GetSHA())

	files, _, err := c.PullRequests.ListFiles(f.ctx, owner, name, p.Number, nil)
	require.NoError(t, err)
	require.Len(t, files, 2)
	assert.Equal(t, "src/gate.go", files[0].GetFilename())
	assert.Contains(t, files[0].GetPatch(), "+func Allow() bool { return true }")
	assert.Equal(t, "added", files[1].GetStatus())
	commits, _, err := c.PullRequests.ListCommits(f.ctx, owner, name, p.Number, nil)
	require.NoError(t, err)
	require.Len(t, commits, 2)
	assert.Equal(t, sha, commits[1].GetSHA())
	assert.Equal(t, person, commits[1].GetAuthor().GetLogin())
	of, _, err := c.PullRequests.ListPullRequestsWithCommit(f.ctx, owner, name, sha, nil)
	require.NoError(t, err)
	require.Len(t, of, 1)

	merge, err := f.gh.MergePull(f.ctx, person, repo, p.Number)
	require.NoError(t, err)
	hooks = f.delivered()
	assert.Equal(t, []string{"push", "check_suite requested", "pull_request closed"}, trimmed(names(hooks)))
	closed := eventsOf[*github.PullRequestEvent](hooks)[0].GetPullRequest()
	assert.True(t, closed.GetMerged())
	assert.Equal(t, merge, closed.GetMergeCommitSHA())
	assert.Equal(t, person, closed.GetMergedBy().GetLogin())
	push := eventsOf[*github.PushEvent](hooks)[0]
	assert.Equal(t, "refs/heads/main", push.GetRef())
	assert.Equal(t, []string{base, merge}, []string{push.GetBefore(), push.GetAfter()})
	assert.Len(t, push.Commits, 3, "the merge and what it brings")
	_, err = f.gh.MergePull(f.ctx, person, repo, p.Number)
	assert.ErrorContains(t, err, "405")
}

// trimmed drops the blank that push, which has no action, leaves.
func trimmed(all []string) []string {
	for i, s := range all {
		all[i] = strings.TrimSpace(s)
	}
	return all
}

func TestEditCloseReopenReady(t *testing.T) {
	f := newFixture(t)
	main := f.source.Head()
	require.NoError(t, f.gh.SetBranch(f.ctx, person, repo, "release", main))
	f.commit("release", "r.txt", "r")
	f.commit("draft", "d.txt", "d")
	p, err := f.gh.OpenPull(f.ctx, person, repo, standin.PullRequest{Title: "Draft", Head: "draft", Draft: true})
	require.NoError(t, err)
	f.delivered()
	require.NoError(t, f.gh.EditPull(f.ctx, person, repo, p.Number, "Better", "", "release"))
	require.NoError(t, f.gh.MarkReady(f.ctx, person, repo, p.Number))
	require.NoError(t, f.gh.ClosePull(f.ctx, person, repo, p.Number))
	require.NoError(t, f.gh.ClosePull(f.ctx, person, repo, p.Number), "closing twice says nothing new")
	require.NoError(t, f.gh.ReopenPull(f.ctx, person, repo, p.Number))
	hooks := f.delivered()
	assert.Equal(t, []string{"pull_request edited", "pull_request ready_for_review", "pull_request closed", "pull_request reopened"}, names(hooks))
	edited := eventsOf[*github.PullRequestEvent](hooks)[0]
	assert.Equal(t, "main", edited.GetChanges().GetBase().GetRef().GetFrom())
	assert.Equal(t, main, edited.GetChanges().GetBase().GetSHA().GetFrom())
	assert.Equal(t, "Draft", edited.GetChanges().GetTitle().GetFrom())
	assert.Equal(t, "release", edited.GetPullRequest().GetBase().GetRef())
	require.ErrorContains(t, f.gh.EditPull(f.ctx, person, repo, p.Number, "", "", "nowhere"), "422")
}

func TestPullsByTheAPI(t *testing.T) {
	f := newFixture(t)
	f.commit("bot", "b.txt", "b")
	f.delivered()
	c := f.client()
	made, _, err := c.PullRequests.Create(f.ctx, owner, name, &github.NewPullRequest{Title: github.String("Update"), Head: github.String("bot"), Base: github.String("main")})
	require.NoError(t, err)
	assert.Equal(t, "rescore[bot]", made.GetUser().GetLogin())
	_, resp, err := c.PullRequests.Create(f.ctx, owner, name, &github.NewPullRequest{Title: github.String("Again"), Head: github.String("bot"), Base: github.String("main")})
	assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "already exists")
	for _, bad := range []github.NewPullRequest{
		{Title: github.String("No base"), Head: github.String("bot"), Base: github.String("nowhere")},
		{Title: github.String("No head"), Head: github.String("nowhere"), Base: github.String("main")},
		{Title: github.String("No owner"), Head: github.String("nobody:main"), Base: github.String("main")},
		{Title: github.String("Nothing"), Head: github.String("main"), Base: github.String("main")},
		{Title: github.String(""), Head: github.String("bot"), Base: github.String("main")},
	} {
		_, resp, err := c.PullRequests.Create(f.ctx, owner, name, &bad)
		assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err), bad.GetTitle())
	}
	_, _, err = c.PullRequests.Edit(f.ctx, owner, name, made.GetNumber(), &github.PullRequest{Body: github.String("text")})
	require.NoError(t, err)
	found, _, err := c.PullRequests.List(f.ctx, owner, name, &github.PullRequestListOptions{Head: owner + ":bot"})
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "text", found[0].GetBody())
	_, _, err = c.PullRequests.Edit(f.ctx, owner, name, made.GetNumber(), &github.PullRequest{State: github.String("closed")})
	require.NoError(t, err)
	for state, n := range map[string]int{"open": 0, "closed": 1, "all": 1} {
		found, _, err = c.PullRequests.List(f.ctx, owner, name, &github.PullRequestListOptions{State: state})
		require.NoError(t, err)
		assert.Len(t, found, n, state)
	}
	assert.Equal(t, []string{"pull_request opened", "pull_request edited", "pull_request closed"}, names(f.delivered()))
	waited, err := f.gh.WaitPull(f.ctx, repo, func(p standin.Pull) bool { return p.State == "closed" })
	require.NoError(t, err)
	assert.Equal(t, "Update", waited.Title)
}

func TestForkPullOutlivesItsFork(t *testing.T) {
	f := newFixture(t)
	require.NoError(t, f.gh.SetPrivate(person, repo, false))
	fork, err := f.gh.Fork(f.ctx, stranger, repo)
	require.NoError(t, err)
	sha, err := f.gh.Commit(f.ctx, stranger, fork, "patch", "From outside", standin.File{Path: "x.txt", Content: "y\n"})
	require.NoError(t, err)
	f.delivered()
	p, err := f.gh.OpenPull(f.ctx, stranger, repo, standin.PullRequest{Title: "Patch", Head: stranger + ":patch"})
	require.NoError(t, err)
	assert.Equal(t, fork, p.HeadRepo)
	more, err := f.gh.Commit(f.ctx, stranger, fork, "patch", "More", standin.File{Path: "x.txt", Content: "z\n"})
	require.NoError(t, err)
	hooks := f.delivered()
	assert.Equal(t, []string{"pull_request opened", "pull_request synchronize"}, names(hooks), "pushes to the fork are not ours to hear")
	assert.NotEqual(t, sha, more)
	c := f.client()
	compared, _, err := c.Repositories.CompareCommits(f.ctx, owner, name, "main", stranger+":patch", nil)
	require.NoError(t, err)
	assert.Equal(t, 2, compared.GetAheadBy())

	require.NoError(t, f.gh.DeleteRepo(stranger, fork))
	got, _, err := c.PullRequests.Get(f.ctx, owner, name, p.Number)
	require.NoError(t, err)
	assert.Nil(t, got.GetHead().Repo)
	assert.Equal(t, more, got.GetHead().GetSHA())
	require.NoError(t, f.gh.ClosePull(f.ctx, person, repo, p.Number))
	closed := eventsOf[*github.PullRequestEvent](f.delivered())
	require.Len(t, closed, 1)
	assert.Nil(t, closed[0].GetPullRequest().GetHead().Repo)
	files, _, err := c.PullRequests.ListFiles(f.ctx, owner, name, p.Number, nil)
	require.NoError(t, err)
	assert.Len(t, files, 1)
}

func TestBranchesUnderOpenPulls(t *testing.T) {
	f := newFixture(t)
	merged, deleted, conflicting := f.pull("merged"), f.pull("deleted"), f.pull("conflicting")
	f.delivered()
	c := f.client()
	// A push of the head to the base merges the pull request.
	require.NoError(t, f.gh.SetBranch(f.ctx, person, repo, "main", merged.HeadSHA))
	got, err := f.gh.Pull(repo, merged.Number)
	require.NoError(t, err)
	assert.True(t, got.Merged)
	// Deleting the head closes it.
	require.NoError(t, f.gh.DeleteBranch(f.ctx, person, repo, "deleted"))
	got, err = f.gh.Pull(repo, deleted.Number)
	require.NoError(t, err)
	assert.Equal(t, "closed", got.State)
	assert.False(t, got.Merged)
	// A conflict shows.
	f.commit("main", "src/gate.go", "package gate\n\nfunc Allow() bool { panic(0) }\n")
	pr, _, err := c.PullRequests.Get(f.ctx, owner, name, conflicting.Number)
	require.NoError(t, err)
	assert.False(t, pr.GetMergeable())
	assert.Equal(t, "dirty", pr.GetMergeableState())
	_, err = f.gh.MergePull(f.ctx, person, repo, conflicting.Number)
	assert.ErrorContains(t, err, "conflicts")
	pushes := eventsOf[*github.PushEvent](f.delivered())
	require.Len(t, pushes, 3)
	assert.True(t, pushes[1].GetDeleted())
	assert.Equal(t, strings.Repeat("0", 40), pushes[1].GetAfter())
	assert.Nil(t, pushes[1].HeadCommit)
}

func TestMergeQueue(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	f.delivered()
	sha, err := f.gh.QueuePull(f.ctx, person, repo, p.Number)
	require.NoError(t, err)
	groups := eventsOf[*github.MergeGroupEvent](f.delivered())
	require.Len(t, groups, 1)
	assert.Equal(t, sha, groups[0].GetMergeGroup().GetHeadSHA())
	assert.Contains(t, groups[0].GetMergeGroup().GetHeadRef(), "gh-readonly-queue/main/pr-1-")
	_, _, err = f.client().Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{Name: "Rescore", HeadSHA: sha})
	require.NoError(t, err)
}

func TestPullAsDiff(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	c := f.client()
	diff, _, err := c.PullRequests.GetRaw(f.ctx, owner, name, p.Number, github.RawOptions{Type: github.Diff})
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(diff, "diff --git a/src/gate.go"), diff)
	diff, _, err = c.Repositories.GetCommitRaw(f.ctx, owner, name, p.HeadSHA, github.RawOptions{Type: github.Diff})
	require.NoError(t, err)
	assert.Contains(t, diff, "+func Allow")
	sha, _, err := c.Repositories.GetCommitSHA1(f.ctx, owner, name, "feature", "")
	require.NoError(t, err)
	assert.Equal(t, p.HeadSHA, sha)
}
