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

// richRepo adds a repository with every kind of entry and returns its head.
func (f *fixture) richRepo(full string) string {
	f.t.Helper()
	_, err := f.gh.AddRepo(f.ctx, full, standin.RepoOptions{From: f.source.Dir(), Private: true})
	require.NoError(f.t, err)
	require.NoError(f.t, f.gh.SetRole(full, person, standin.RoleWrite))
	sha, err := f.gh.Commit(f.ctx, person, full, "main", "Rich",
		standin.File{Path: "dir/ü #1.txt", Content: "odd name\n"},
		standin.File{Path: "bin", Content: "\x00\x01"},
		standin.File{Path: "run.sh", Content: "#!/bin/sh\n", Executable: true},
		standin.File{Path: "link", Content: "README.md", Symlink: true},
		standin.File{Path: "big.txt", Content: strings.Repeat("0123456789abcde\n", 70000)},
		standin.File{Path: "src/gate.go", Delete: true},
	)
	require.NoError(f.t, err)
	return sha
}

func TestTreesBlobsCommitsRefs(t *testing.T) {
	f := newFixture(t)
	sha := f.richRepo(owner + "/rich")
	c := f.client()
	tree, _, err := c.Git.GetTree(f.ctx, owner, "rich", "main", true)
	require.NoError(t, err)
	kinds := map[string]string{}
	var odd string
	for _, e := range tree.Entries {
		kinds[e.GetPath()] = e.GetMode() + " " + e.GetType()
		if e.GetPath() == "dir/ü #1.txt" {
			odd = e.GetSHA()
		}
	}
	assert.Equal(t, map[string]string{
		"README.md": "100644 blob", "dir": "040000 tree", "dir/ü #1.txt": "100644 blob", "bin": "100644 blob",
		"run.sh": "100755 blob", "link": "120000 blob", "big.txt": "100644 blob",
	}, kinds)
	assert.False(t, tree.GetTruncated())
	raw, _, err := c.Git.GetBlobRaw(f.ctx, owner, "rich", odd)
	require.NoError(t, err)
	assert.Equal(t, "odd name\n", string(raw))
	blob, _, err := c.Git.GetBlob(f.ctx, owner, "rich", odd)
	require.NoError(t, err)
	assert.Equal(t, 9, blob.GetSize())
	ref, _, err := c.Git.GetRef(f.ctx, owner, "rich", "heads/main")
	require.NoError(t, err)
	assert.Equal(t, sha, ref.GetObject().GetSHA())
	commit, _, err := c.Git.GetCommit(f.ctx, owner, "rich", sha)
	require.NoError(t, err)
	assert.Equal(t, tree.GetSHA(), commit.GetTree().GetSHA())
	branch, _, err := c.Repositories.GetBranch(f.ctx, owner, "rich", "main", 0)
	require.NoError(t, err)
	assert.Equal(t, sha, branch.GetCommit().GetSHA())
	list, _, err := c.Repositories.ListCommits(f.ctx, owner, "rich", &github.CommitsListOptions{Path: "README.md"})
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, "first", list[0].GetCommit().GetMessage())

	for what, call := range map[string]func() (*github.Response, error){
		"tree": func() (*github.Response, error) {
			_, r, err := c.Git.GetTree(f.ctx, owner, "rich", "nowhere", false)
			return r, err
		},
		"blob": func() (*github.Response, error) { _, r, err := c.Git.GetBlob(f.ctx, owner, "rich", sha); return r, err },
		"commit": func() (*github.Response, error) {
			_, r, err := c.Git.GetCommit(f.ctx, owner, "rich", odd)
			return r, err
		},
		"ref": func() (*github.Response, error) {
			_, r, err := c.Git.GetRef(f.ctx, owner, "rich", "heads/mai")
			return r, err
		},
		"branch": func() (*github.Response, error) {
			_, r, err := c.Repositories.GetBranch(f.ctx, owner, "rich", "gone", 0)
			return r, err
		},
		"list": func() (*github.Response, error) {
			_, r, err := c.Repositories.ListCommits(f.ctx, owner, "rich", &github.CommitsListOptions{SHA: "gone"})
			return r, err
		},
	} {
		resp, err := call()
		assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err), what)
	}
	_, resp, err := c.Repositories.GetCommit(f.ctx, owner, "rich", "main~1", nil)
	assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err), "revision syntax is no ref")
}

func TestContents(t *testing.T) {
	f := newFixture(t)
	f.richRepo(owner + "/rich")
	c := f.client()
	file, _, _, err := c.Repositories.GetContents(f.ctx, owner, "rich", "dir/ü #1.txt", nil)
	require.NoError(t, err)
	text, err := file.GetContent()
	require.NoError(t, err)
	assert.Equal(t, "odd name\n", text)
	_, dir, _, err := c.Repositories.GetContents(f.ctx, owner, "rich", "", nil)
	require.NoError(t, err)
	types := map[string]string{}
	for _, e := range dir {
		types[e.GetName()] = e.GetType()
	}
	assert.Equal(t, map[string]string{"README.md": "file", "dir": "dir", "bin": "file", "run.sh": "file", "link": "symlink", "big.txt": "file"}, types)
	_, dir, _, err = c.Repositories.GetContents(f.ctx, owner, "rich", "dir", nil)
	require.NoError(t, err)
	require.Len(t, dir, 1)
	assert.Equal(t, "dir/ü #1.txt", dir[0].GetPath())
	link, _, _, err := c.Repositories.GetContents(f.ctx, owner, "rich", "link", nil)
	require.NoError(t, err)
	assert.Equal(t, "README.md", link.GetTarget())
	big, _, _, err := c.Repositories.GetContents(f.ctx, owner, "rich", "big.txt", nil)
	require.NoError(t, err)
	assert.Equal(t, "none", big.GetEncoding(), "the API reads 1 MB")
	old, _, _, err := c.Repositories.GetContents(f.ctx, owner, "rich", "src/gate.go", &github.RepositoryContentGetOptions{Ref: f.source.Head()})
	require.NoError(t, err)
	assert.Equal(t, "file", old.GetType())
	for _, missing := range []string{"gone.txt", "dir/nothing", "src/gate.go"} {
		_, _, resp, err := c.Repositories.GetContents(f.ctx, owner, "rich", missing, nil)
		assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err), missing)
	}
	_, _, resp, err := c.Repositories.GetContents(f.ctx, owner, "rich", "README.md", &github.RepositoryContentGetOptions{Ref: "gone"})
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))

	req, err := c.NewRequest(http.MethodGet, "repos/"+owner+"/rich/contents/big.txt", nil)
	require.NoError(t, err)
	req.Header.Set("Accept", "application/vnd.github.raw+json")
	var raw strings.Builder
	_, err = c.Do(f.ctx, req, &raw)
	require.NoError(t, err)
	assert.Equal(t, 16*70000, raw.Len())
}

func TestCompareAndCommit(t *testing.T) {
	f := newFixture(t)
	base := f.source.Head()
	_, err := f.gh.Commit(f.ctx, person, repo, "work", "Move and change",
		standin.File{Path: "src/gate.go", Delete: true},
		standin.File{Path: "lib/gate.go", Content: "package gate\n\nfunc Allow() bool { return false }\n"},
		standin.File{Path: "bin", Content: "\x00\x01"}, standin.File{Path: "new.txt", Content: "diff --git a/x b/x\n@@ -1 +1 @@\n"})
	require.NoError(t, err)
	head := f.commit("work", "README.md", "# Other\n")
	other := f.commit("main", "m.txt", "m\n")
	c := f.client()
	got, _, err := c.Repositories.CompareCommits(f.ctx, owner, name, "main", "work", nil)
	require.NoError(t, err)
	assert.Equal(t, "diverged", got.GetStatus())
	assert.Equal(t, []int{2, 1, 2}, []int{got.GetAheadBy(), got.GetBehindBy(), got.GetTotalCommits()})
	assert.Equal(t, base, got.GetMergeBaseCommit().GetSHA())
	assert.Equal(t, other, got.GetBaseCommit().GetSHA())
	assert.Equal(t, head, got.Commits[1].GetSHA())
	rows := map[string]string{}
	for _, file := range got.Files {
		rows[file.GetFilename()] = file.GetStatus() + " " + file.GetPreviousFilename()
	}
	assert.Equal(t, map[string]string{"README.md": "modified ", "lib/gate.go": "renamed src/gate.go", "bin": "added ", "new.txt": "added "}, rows)
	for _, file := range got.Files {
		switch file.GetFilename() {
		case "bin":
			assert.Nil(t, file.Patch, "binary files have no patch")
		case "lib/gate.go":
			assert.Zero(t, file.GetChanges())
		case "new.txt":
			assert.Equal(t, 2, file.GetAdditions(), "a patch inside a file is content")
			assert.True(t, strings.HasPrefix(file.GetPatch(), "@@ -0,0 +1,2 @@\n+diff --git"))
		}
	}
	for ends, status := range map[[2]string]string{{"work", "work"}: "identical", {base, "work"}: "ahead", {"work", base}: "behind"} {
		got, _, err := c.Repositories.CompareCommits(f.ctx, owner, name, ends[0], ends[1], nil)
		require.NoError(t, err)
		assert.Equal(t, status, got.GetStatus())
	}
	_, resp, err := c.Repositories.CompareCommits(f.ctx, owner, name, "main", "gone", nil)
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))

	commit, _, err := c.Repositories.GetCommit(f.ctx, owner, name, head, nil)
	require.NoError(t, err)
	assert.Equal(t, 1, commit.GetStats().GetAdditions())
	assert.Len(t, commit.Files, 1)
	root, _, err := c.Repositories.GetCommit(f.ctx, owner, name, base, nil)
	require.NoError(t, err)
	assert.Len(t, root.Files, 2, "a root commit is compared with nothing")
	_, resp, err = c.Repositories.GetCommit(f.ctx, owner, name, strings.Repeat("1", 40), nil)
	assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "No commit found for SHA")
}

func TestLargeComparisonsAreCut(t *testing.T) {
	f := newFixture(t)
	var files []standin.File
	for i := range 310 {
		files = append(files, standin.File{Path: "many/" + strings.Repeat("x", i+1), Content: strings.Repeat("line\n", 100)})
	}
	_, err := f.gh.Commit(f.ctx, person, repo, "many", "Many", files...)
	require.NoError(t, err)
	p, err := f.gh.OpenPull(f.ctx, person, repo, standin.PullRequest{Title: "Many", Head: "many"})
	require.NoError(t, err)
	c := f.client()
	got, _, err := c.Repositories.CompareCommits(f.ctx, owner, name, "main", "many", nil)
	require.NoError(t, err)
	assert.Len(t, got.Files, 300)
	seen, blank := 0, 0
	opts := &github.ListOptions{PerPage: 100}
	for {
		page, resp, err := c.PullRequests.ListFiles(f.ctx, owner, name, p.Number, opts)
		require.NoError(t, err)
		for _, file := range page {
			seen++
			if file.Patch == nil && file.GetChanges() == 0 {
				blank++
			}
		}
		if resp.NextPage == 0 {
			break
		}
		opts.Page = resp.NextPage
	}
	assert.Equal(t, 310, seen)
	assert.Positive(t, blank, "past 20,000 lines rows are empty")
	assert.Less(t, blank, 310)
}

func TestEmptyArchivedDisabled(t *testing.T) {
	f := newFixture(t)
	_, err := f.gh.AddRepo(f.ctx, owner+"/empty", standin.RepoOptions{Private: true})
	require.NoError(t, err)
	c := f.client()
	r, _, err := c.Repositories.Get(f.ctx, owner, "empty")
	require.NoError(t, err)
	assert.Equal(t, "main", r.GetDefaultBranch())
	_, resp, err := c.Repositories.ListCommits(f.ctx, owner, "empty", nil)
	assert.Equal(t, http.StatusConflict, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "Git Repository is empty")
	_, resp, err = c.Git.GetRef(f.ctx, owner, "empty", "heads/main")
	assert.Equal(t, http.StatusConflict, statusOf(t, resp, err))
	_, resp, err = c.Git.GetTree(f.ctx, owner, "empty", "main", true)
	assert.Equal(t, http.StatusConflict, statusOf(t, resp, err))
	_, _, resp, err = c.Repositories.GetContents(f.ctx, owner, "empty", "x", nil)
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "This repository is empty")

	p := f.pull("feature")
	f.delivered()
	require.NoError(t, f.gh.Archive(person, repo))
	_, resp, err = c.Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{Name: "x", HeadSHA: p.HeadSHA})
	assert.Equal(t, http.StatusForbidden, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "archived")
	_, _, err = c.PullRequests.Get(f.ctx, owner, name, p.Number)
	require.NoError(t, err, "reading goes on")
	require.NoError(t, f.gh.Unarchive(person, repo))
	assert.Equal(t, []string{"repository archived", "repository unarchived"}, names(f.delivered()))
	require.NoError(t, f.gh.SetDisabled(person, repo, true))
	_, resp, err = c.PullRequests.Get(f.ctx, owner, name, p.Number)
	assert.Equal(t, http.StatusForbidden, statusOf(t, resp, err))
	r, _, err = c.Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err)
	assert.True(t, r.GetDisabled())
}

func TestRenameTransferDefaultBranch(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	f.delivered()
	before, err := f.gh.Repository(repo)
	require.NoError(t, err)
	require.NoError(t, f.gh.Rename(person, repo, "renamed"))
	c := f.client()
	r, _, err := c.Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err, "a read follows the redirect")
	assert.Equal(t, before.ID, r.GetID())
	assert.Equal(t, owner+"/renamed", r.GetFullName())
	comments, _, err := c.Issues.ListComments(f.ctx, owner, name, p.Number, &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 5}})
	require.NoError(t, err)
	assert.Empty(t, comments)

	mark := f.gh.Mark()
	_, resp, err := c.Issues.CreateComment(f.ctx, owner, name, p.Number, body("lost"))
	if err == nil {
		assert.Equal(t, http.StatusOK, resp.StatusCode, "the POST became a GET, and nothing says so")
	}
	for _, e := range f.gh.JournalSince(mark) {
		assert.NotEqual(t, http.StatusCreated, e.Status)
	}
	left, err := f.gh.Comments(owner+"/renamed", p.Number)
	require.NoError(t, err)
	assert.Empty(t, left, "a write to the old name writes nothing")

	require.NoError(t, f.gh.SetBranch(f.ctx, person, owner+"/renamed", "trunk", p.BaseSHA))
	require.NoError(t, f.gh.SetDefaultBranch(f.ctx, person, owner+"/renamed", "trunk"))
	hooks := f.delivered()
	events := eventsOf[*github.RepositoryEvent](hooks)
	require.Len(t, events, 2)
	assert.Equal(t, name, events[0].GetChanges().GetRepo().GetName().GetFrom())
	assert.Equal(t, before.ID, events[0].GetRepo().GetID())
	assert.Equal(t, "trunk", events[1].GetRepo().GetDefaultBranch())

	f.gh.AddOrg("newco")
	require.NoError(t, f.gh.Transfer(person, repo, "newco"))
	now, err := f.gh.Repository(repo)
	require.NoError(t, err)
	assert.Equal(t, "newco/renamed", now.FullName)
	assert.Equal(t, before.ID, now.ID)
	_, resp, err = c.Repositories.Get(f.ctx, "newco", "renamed")
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err), "out of the installation's reach")

	// A new repository may take the old name.
	_, err = f.gh.AddRepo(f.ctx, repo, standin.RepoOptions{From: f.source.Dir(), Private: true})
	require.NoError(t, err)
	fresh, err := f.gh.Repository(repo)
	require.NoError(t, err)
	assert.NotEqual(t, before.ID, fresh.ID)
}

func TestRedirectedWritesWith307(t *testing.T) {
	f := newFixture(t, func(o *standin.Options) { o.WriteRedirect = http.StatusTemporaryRedirect })
	p := f.pull("feature")
	require.NoError(t, f.gh.Rename(person, repo, "renamed"))
	_, resp, err := f.client().Issues.CreateComment(f.ctx, owner, name, p.Number, body("kept"))
	require.NoError(t, err)
	assert.Equal(t, http.StatusCreated, resp.StatusCode)
}
