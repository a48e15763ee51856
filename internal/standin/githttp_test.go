package standin_test

import (
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/testenv"
)

// remote is the URL of a repository with a credential in it, as a person may type
// it. The App must not do so.
func (f *fixture) remote(full, user, token string) string {
	f.t.Helper()
	u, err := url.Parse(f.gh.URL() + "/" + full + ".git")
	require.NoError(f.t, err)
	if token != "" {
		u.User = url.UserPassword(user, token)
	}
	return u.String()
}

// git runs git in a directory and returns its output with the error.
func (f *fixture) git(dir string, args ...string) (string, error) {
	f.t.Helper()
	cmd := exec.CommandContext(f.ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, testenv.GitEnv(f.t)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// mustGit is git that must succeed.
func (f *fixture) mustGit(dir string, args ...string) string {
	f.t.Helper()
	out, err := f.git(dir, args...)
	require.NoError(f.t, err, "git %v: %s", args, out)
	return out
}

func (f *fixture) installationToken() string {
	f.t.Helper()
	token, err := f.transport().Token(f.ctx)
	require.NoError(f.t, err)
	return token
}

func TestCloneFetchAndPartialFetch(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	dir := filepath.Join(t.TempDir(), "clone")
	at := f.remote(repo, "x-access-token", f.installationToken())
	f.mustGit(".", "clone", "--quiet", at, dir)
	assert.Equal(t, f.source.Head(), f.mustGit(dir, "rev-parse", "HEAD"))
	f.mustGit(dir, "fetch", "--quiet", "origin", "refs/pull/1/head")
	assert.Equal(t, p.HeadSHA, f.mustGit(dir, "rev-parse", "FETCH_HEAD"))
	f.mustGit(dir, "fetch", "--quiet", "origin", "refs/pull/1/merge")

	bare := filepath.Join(t.TempDir(), "partial.git")
	f.mustGit(".", "init", "--quiet", "--bare", bare)
	f.mustGit(bare, "remote", "add", "origin", at)
	f.mustGit(bare, "config", "remote.origin.promisor", "true")
	f.mustGit(bare, "config", "remote.origin.partialclonefilter", "blob:none")
	f.mustGit(bare, "fetch", "--quiet", "--no-tags", "--depth=1", "--filter=blob:none", "origin", p.HeadSHA)
	missing := f.mustGit(bare, "rev-list", "--objects", "--missing=print", p.HeadSHA)
	assert.Equal(t, 2, strings.Count(missing, "\n?")+strings.Count(missing[:1], "?"), "no blob came: %s", missing)
	assert.Contains(t, f.mustGit(bare, "cat-file", "blob", p.HeadSHA+":src/gate.go"), "return true", "and comes on demand")

	var fetches int
	for _, e := range f.gh.Journal() {
		if e.Operation == "git-upload-pack" && e.Method == http.MethodPost {
			fetches++
			assert.Equal(t, f.install, e.Installation)
			assert.Equal(t, http.StatusOK, e.Status)
		}
	}
	assert.Positive(t, fetches)
}

func TestGitCredentials(t *testing.T) {
	f := newFixture(t)
	token := f.installationToken()
	_, err := f.gh.AddRepo(f.ctx, "other/secret", standin.RepoOptions{From: f.source.Dir(), Private: true})
	require.NoError(t, err)
	_, err = f.gh.AddRepo(f.ctx, "other/open", standin.RepoOptions{From: f.source.Dir()})
	require.NoError(t, err)
	for _, tc := range []struct{ name, repo, user, token, says string }{
		{"installation token", repo, "x-access-token", token, ""},
		{"no .git", strings.TrimSuffix(repo, ".git"), "x-access-token", token, ""},
		{"another user name", repo, "git", token, "Authentication failed"},
		{"wrong token", repo, "x-access-token", "ghs_wrong", "Authentication failed"},
		{"nobody", repo, "", "", "could not read Username"},
		{"outside the installation", "other/secret", "x-access-token", token, "not found"},
		{"public", "other/open", "", "", ""},
		{"unknown", owner + "/nothing", "x-access-token", token, "not found"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, err := f.git(".", "ls-remote", f.remote(tc.repo, tc.user, tc.token), "refs/heads/main")
			if tc.says == "" {
				require.NoError(t, err, out)
				assert.Contains(t, out, f.source.Head())
				return
			}
			require.Error(t, err)
			assert.Contains(t, out, tc.says)
		})
	}
	require.NoError(t, f.gh.Suspend(f.install))
	out, err := f.git(".", "ls-remote", f.remote(repo, "x-access-token", token))
	require.Error(t, err)
	assert.Contains(t, out, "403")
}

func TestPushOverHTTPSendsEvents(t *testing.T) {
	f := newFixture(t)
	token, err := f.gh.UserToken(person)
	require.NoError(t, err)
	f.delivered()
	at := f.remote(repo, person, token)
	f.source.Branch("topic")
	f.source.Write("src/gate.go", "package gate\n")
	f.source.Write("added.txt", "a\n")
	f.source.Remove("README.md")
	head := f.source.Commit("Rework")
	f.mustGit(f.source.Dir(), "push", "--quiet", at, "topic")
	f.mustGit(f.source.Dir(), "tag", "v1")
	f.mustGit(f.source.Dir(), "push", "--quiet", at, "v1")
	hooks := f.delivered()
	assert.Equal(t, []string{"push", "check_suite requested", "push"}, trimmed(names(hooks)))
	push := eventsOf[*github.PushEvent](hooks)[0]
	assert.True(t, push.GetCreated())
	assert.Equal(t, head, push.GetAfter())
	assert.Equal(t, person, push.GetPusher().GetName())
	require.Len(t, push.Commits, 1)
	assert.Equal(t, []string{"added.txt"}, push.Commits[0].Added)
	assert.Equal(t, []string{"README.md"}, push.Commits[0].Removed)
	assert.Equal(t, []string{"src/gate.go"}, push.Commits[0].Modified)
	assert.Equal(t, "refs/tags/v1", eventsOf[*github.PushEvent](hooks)[1].GetRef())

	p, err := f.gh.OpenPull(f.ctx, person, repo, standin.PullRequest{Title: "Topic", Head: "topic"})
	require.NoError(t, err)
	f.delivered()
	f.mustGit(f.source.Dir(), "commit", "--quiet", "--amend", "--allow-empty", "-m", "Rewritten", "--date=2024-05-01T00:00:00Z")
	rewritten := f.source.Head()
	f.mustGit(f.source.Dir(), "push", "--quiet", "--force", at, "topic")
	hooks = f.delivered()
	assert.Equal(t, []string{"push", "check_suite requested", "pull_request synchronize"}, trimmed(names(hooks)))
	assert.True(t, eventsOf[*github.PushEvent](hooks)[0].GetForced())
	assert.Equal(t, rewritten, eventsOf[*github.PullRequestEvent](hooks)[0].GetAfter())
	f.mustGit(f.source.Dir(), "push", "--quiet", at, ":topic")
	assert.Equal(t, []string{"push", "pull_request closed"}, trimmed(names(f.delivered())))
	got, err := f.gh.Pull(repo, p.Number)
	require.NoError(t, err)
	assert.Equal(t, "closed", got.State)
}

func TestPushRefusals(t *testing.T) {
	f := newFixture(t)
	f.pull("feature")
	require.NoError(t, f.gh.SetRole(repo, stranger, standin.RoleRead))
	reader, err := f.gh.UserToken(stranger)
	require.NoError(t, err)
	writer, err := f.gh.UserToken(person)
	require.NoError(t, err)
	push := func(token, refspec string) string {
		out, err := f.git(f.source.Dir(), "push", f.remote(repo, "x-access-token", token), refspec)
		if err == nil {
			return "taken"
		}
		return out
	}
	assert.Contains(t, push(reader, "main:x"), "403")
	assert.Contains(t, push(writer, "main:refs/pull/1/head"), "deny updating a hidden ref")
	assert.Equal(t, "taken", push(writer, "main:x"))
	assert.Equal(t, "taken", push(f.installationToken(), "main:bot"), "contents: write")
	require.NoError(t, f.gh.SetPermissions(f.install, map[string]string{"contents": "read", "metadata": "read"}, false))
	assert.Contains(t, push(f.installationToken(), "main:bot2"), "403")
	require.NoError(t, f.gh.Archive(person, repo))
	assert.Contains(t, push(writer, "main:y"), "403")
}

func TestGitFollowsARename(t *testing.T) {
	f := newFixture(t)
	require.NoError(t, f.gh.Rename(person, repo, "renamed"))
	out := f.mustGit(".", "ls-remote", f.remote(repo, "x-access-token", f.installationToken()), "refs/heads/main")
	assert.Contains(t, out, f.source.Head())
}

func TestPushFromALocalRepository(t *testing.T) {
	f := newFixture(t)
	f.delivered()
	f.source.Branch("local")
	f.source.Write("l.txt", "l\n")
	want := f.source.Commit("Local")
	got, err := f.gh.Push(f.ctx, person, repo, "local", f.source.Dir(), "local")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Equal(t, []string{"push", "check_suite requested"}, trimmed(names(f.delivered())))
	_, err = f.gh.Push(f.ctx, person, repo, "local", f.source.Dir(), "local")
	require.NoError(t, err)
	assert.Empty(t, f.delivered(), "nothing moved")

	p, err := f.gh.OpenPull(f.ctx, person, repo, standin.PullRequest{Title: "Local", Head: "local"})
	require.NoError(t, err)
	f.delivered()
	f.source.Write("l.txt", "m\n")
	want = f.source.Commit("More")
	_, err = f.gh.PushToPull(f.ctx, person, repo, p.Number, f.source.BareClone(), "local")
	require.NoError(t, err)
	sha, err := f.gh.BranchSHA(f.ctx, repo, "local")
	require.NoError(t, err)
	assert.Equal(t, want, sha)
	assert.Contains(t, names(f.delivered()), "pull_request synchronize")
	_, err = f.gh.Push(f.ctx, person, repo, "local", f.source.Dir(), "nothing")
	require.ErrorContains(t, err, "find commit")
	_, err = f.gh.Push(f.ctx, "nobody", repo, "local", f.source.Dir(), "local")
	require.ErrorContains(t, err, "AddUser")
	require.ErrorContains(t, f.gh.SetBranch(f.ctx, person, repo, "-bad", want), "no valid name")
}
