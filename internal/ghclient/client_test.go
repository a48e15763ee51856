package ghclient_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/standin"
)

func createOptions(head string) github.CreateCheckRunOptions {
	return github.CreateCheckRunOptions{Name: "Rescore", HeadSHA: head, ExternalID: github.String("pull/1/x"), Status: github.String("in_progress")}
}

func TestChecksAndComments(t *testing.T) {
	f := newFixture(t)
	run, err := f.inst.CreateCheck(f.ctx, f.repo, createOptions(f.head))
	require.NoError(t, err)
	_, err = f.inst.UpdateCheck(f.ctx, f.repo, run.GetID(), github.UpdateCheckRunOptions{
		Name: "Rescore", Status: github.String("completed"), Conclusion: github.String("success"),
		Output: &github.CheckRunOutput{Title: github.String("t"), Summary: github.String("s")},
	})
	require.NoError(t, err)
	runs, err := f.inst.Checks(f.ctx, f.repo, f.head, "Rescore")
	require.NoError(t, err)
	require.Len(t, runs, 1)
	assert.Equal(t, "pull/1/x", runs[0].GetExternalID())
	assert.Equal(t, "success", runs[0].GetConclusion())

	id, err := f.inst.CreateComment(f.ctx, f.repo, f.pull, "one")
	require.NoError(t, err)
	require.NoError(t, f.inst.EditComment(f.ctx, f.repo, id, "two"))
	require.NoError(t, f.inst.React(f.ctx, f.repo, id, "eyes"))
	require.NoError(t, f.inst.React(f.ctx, f.repo, id, "eyes"), "again")
	comments, err := f.gh.Comments(fullName, f.pull)
	require.NoError(t, err)
	require.Len(t, comments, 1)
	assert.Equal(t, "two", comments[0].Body)
	assert.Equal(t, []string{f.gh.BotLogin() + " eyes"}, comments[0].Reactions)
	require.NoError(t, f.inst.DeleteComment(f.ctx, f.repo, id))
	require.NoError(t, f.inst.DeleteComment(f.ctx, f.repo, id), "gone already")
	require.NoError(t, f.inst.React(f.ctx, f.repo, id, "eyes"), "gone already")
	require.ErrorIs(t, f.inst.EditComment(f.ctx, f.repo, id, "three"), ghclient.ErrNotFound)
}

func TestListsAreReadToTheEnd(t *testing.T) {
	f := newFixture(t)
	for i := range 230 {
		_, err := f.gh.Comment(person, fullName, f.pull, fmt.Sprint(i))
		require.NoError(t, err)
	}
	comments, err := f.inst.Comments(f.ctx, f.repo, f.pull, func(*github.IssueComment) bool { return true })
	require.NoError(t, err)
	require.Len(t, comments, 230)
	assert.Equal(t, "229", comments[229].GetBody())
	comments, err = f.inst.Comments(f.ctx, f.repo, f.pull, func(c *github.IssueComment) bool { return c.GetBody() == "229" })
	require.NoError(t, err)
	require.Len(t, comments, 1, "the others are not held")
	open, err := f.inst.OpenPulls(f.ctx, f.repo)
	require.NoError(t, err)
	require.Len(t, open, 1)
	assert.Equal(t, f.pull, open[0].Number)
	assert.Equal(t, f.head, open[0].Head)
	assert.Equal(t, "main", open[0].BaseRef)
	assert.WithinDuration(t, time.Now(), open[0].Created, time.Minute)
	assert.False(t, open[0].Updated.Before(open[0].Created))
	repos, err := f.inst.Repositories(f.ctx)
	require.NoError(t, err)
	require.Len(t, repos, 1)
	assert.Equal(t, f.repo.ID, repos[0].GetID())
}

func TestOneTokenServesManyRequests(t *testing.T) {
	f := newFixture(t)
	for range 3 {
		_, err := f.inst.Pull(f.ctx, f.repo, f.pull)
		require.NoError(t, err)
	}
	token, err := f.inst.Token(f.ctx)
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(token, "ghs_"))
	assert.Equal(t, []string{
		"POST /app/installations/*/access_tokens",
		"GET /repos/*/*/pulls/*", "GET /repos/*/*/pulls/*", "GET /repos/*/*/pulls/*",
	}, f.requests())
	assert.Same(t, f.inst, f.app.Installation(f.id))
}

func TestLoginIsAskedOnce(t *testing.T) {
	f := newFixture(t)
	for range 2 {
		login, err := f.app.Login(f.ctx)
		require.NoError(t, err)
		assert.Equal(t, f.gh.BotLogin(), login)
	}
	assert.Equal(t, []string{"GET /app"}, f.requests())
}

func TestRoles(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct {
		role             standin.Role
		wantRole, wantPe string
	}{
		{standin.RoleRead, "read", "read"}, {standin.RoleTriage, "triage", "read"}, {standin.RoleWrite, "write", "write"},
		{standin.RoleMaintain, "maintain", "write"}, {standin.RoleAdmin, "admin", "admin"},
	} {
		require.NoError(t, f.gh.SetRole(fullName, person, c.role))
		role, permission, err := f.inst.Role(f.ctx, f.repo, person)
		require.NoError(t, err)
		assert.Equal(t, c.wantRole, role)
		assert.Equal(t, c.wantPe, permission)
	}
	role, _, err := f.inst.Role(f.ctx, f.repo, "nobody-of-that-name")
	require.NoError(t, err)
	assert.Equal(t, "none", role)
	f.gh.AddUser("stranger")
	role, _, err = f.inst.Role(f.ctx, f.repo, "stranger")
	require.NoError(t, err)
	assert.Equal(t, "none", role)
}

// A renamed repository answers a write with a redirect, which must not become a
// read that looks like success.
// A repository that got its old name back is asked for by it again, at no more cost
// than before.
func TestRenamedBack(t *testing.T) {
	f := newFixture(t)
	pull := func() int {
		t.Helper()
		before := len(f.requests())
		_, err := f.inst.CreateComment(f.ctx, f.repo, f.pull, "hello")
		require.NoError(t, err)
		return len(f.requests()) - before
	}
	pull() // with a token from here on
	for range 2 {
		require.NoError(t, f.gh.Rename(person, fullName, "agent2"))
		pull()
		require.NoError(t, f.gh.Rename(person, "octo/agent2", "agent"))
		pull()
		assert.Equal(t, 1, pull())
	}
}

func TestRenameIsFollowed(t *testing.T) {
	for _, status := range []int{http.StatusMovedPermanently, http.StatusTemporaryRedirect} {
		f := newFixture(t, func(o *standin.Options, _ *ghclient.Options) { o.WriteRedirect = status })
		require.NoError(t, f.gh.Rename(person, fullName, "agent2"))
		id, err := f.inst.CreateComment(f.ctx, f.repo, f.pull, "hello")
		require.NoError(t, err)
		comments, err := f.gh.Comments("octo/agent2", f.pull)
		require.NoError(t, err)
		require.Len(t, comments, 1)
		assert.Equal(t, id, comments[0].ID)
		require.NotEmpty(t, f.moved)
		assert.Equal(t, "agent2", f.moved[0].Name)
		assert.Equal(t, f.repo.ID, f.moved[0].ID)

		sent := len(f.requests())
		_, err = f.inst.Pull(f.ctx, f.repo, f.pull)
		require.NoError(t, err)
		assert.Len(t, f.requests(), sent+1, "the new name is known now")

		require.NoError(t, f.gh.Rename(person, "octo/agent2", "agent3"))
		other := f.repo
		other.Name = "agent2"
		_, err = f.inst.Pull(f.ctx, other, f.pull) // reads are redirected, and tell the name too
		require.NoError(t, err)
		require.Len(t, f.moved, 2)
		assert.Equal(t, "agent3", f.moved[1].Name)
	}
}

func TestFailuresAreTold(t *testing.T) {
	f := newFixture(t)
	_, err := f.inst.CreateCheck(f.ctx, f.repo, createOptions(strings.Repeat("0", 39)+"1"))
	require.ErrorIs(t, err, ghclient.ErrNoCommit)
	assert.ErrorContains(t, err, "status 422")

	require.NoError(t, f.gh.Lock(fullName, f.pull, true))
	bare := ghclient.Repo{ID: f.repo.ID, Owner: owner, Name: "nothing"}
	_, err = f.inst.Pull(f.ctx, bare, 1)
	require.ErrorIs(t, err, ghclient.ErrNotFound)

	require.NoError(t, f.gh.SetPermissions(f.id, map[string]string{"metadata": "read", "checks": "read", "pull_requests": "write", "contents": "read"}, false))
	f.app.Forget(f.id)
	_, err = f.app.Installation(f.id).CreateCheck(f.ctx, f.repo, createOptions(f.head))
	require.ErrorIs(t, err, ghclient.ErrPermission)

	require.NoError(t, f.gh.Archive(person, fullName))
	_, err = f.inst.CreateComment(f.ctx, f.repo, f.pull, "x")
	require.ErrorIs(t, err, ghclient.ErrArchived)
}

func TestLockedConversation(t *testing.T) {
	f := newFixture(t)
	f.gh.FailNext("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", 1,
		standin.Fault{Status: 403, Message: "Unable to create comment because issue is locked."})
	_, err := f.inst.CreateComment(f.ctx, f.repo, f.pull, "x")
	require.ErrorIs(t, err, ghclient.ErrLocked)
}

func TestSuspendedAndUninstalled(t *testing.T) {
	f := newFixture(t)
	require.NoError(t, f.gh.Suspend(f.id))
	_, err := f.inst.Token(f.ctx)
	require.ErrorIs(t, err, ghclient.ErrSuspended)
	_, err = f.inst.Pull(f.ctx, f.repo, f.pull)
	require.ErrorIs(t, err, ghclient.ErrSuspended)
	require.NoError(t, f.gh.Unsuspend(f.id))
	_, err = f.inst.Pull(f.ctx, f.repo, f.pull)
	require.NoError(t, err)
	require.NoError(t, f.gh.Uninstall(f.id))
	f.app.Forget(f.id)
	_, err = f.app.Installation(f.id).Token(f.ctx)
	require.ErrorIs(t, err, ghclient.ErrUninstalled)
}

// A token that stops working is dropped, and the next request makes a new one.
func TestRefusedTokenIsReplaced(t *testing.T) {
	f := newFixture(t)
	_, err := f.inst.Pull(f.ctx, f.repo, f.pull)
	require.NoError(t, err)
	f.gh.FailNext("GET /repos/{owner}/{repo}/pulls/{pull_number}", 1, standin.Fault{Status: 401, Message: "Bad credentials"})
	_, err = f.inst.Pull(f.ctx, f.repo, f.pull)
	require.ErrorIs(t, err, ghclient.ErrToken)
	fresh := f.app.Installation(f.id)
	assert.NotSame(t, f.inst, fresh)
	_, err = fresh.Pull(f.ctx, f.repo, f.pull)
	require.NoError(t, err)
}

func TestClockSkewIsNamed(t *testing.T) {
	for name, offset := range map[string]time.Duration{"ahead": -5 * time.Minute, "behind": 5 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, func(o *standin.Options, _ *ghclient.Options) {
				o.Clock = func() time.Time { return time.Now().Add(offset) } // GitHub's clock, seen from here
			})
			_, err := f.inst.Token(f.ctx)
			require.ErrorIs(t, err, ghclient.ErrClockSkew)
			assert.ErrorContains(t, err, "set it by NTP")
		})
	}
}

// GitHub's answers carry its date, which tells how far the clock is off.
func TestClockSkewIsMeasured(t *testing.T) {
	for name, offset := range map[string]time.Duration{"ahead of": -5 * time.Minute, "behind": 5 * time.Minute} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", time.Now().Add(offset).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusUnauthorized)
		}))
		app, err := ghclient.New(ghclient.Options{APIURL: server.URL, AppID: 1, Key: sharedKey()})
		require.NoError(t, err)
		_, err = app.Login(context.Background())
		require.ErrorIs(t, err, ghclient.ErrClockSkew)
		assert.ErrorContains(t, err, name+" GitHub's")
		server.Close()
	}
}

func TestWrongKeyIsNamed(t *testing.T) {
	f := newFixture(t, func(_ *standin.Options, o *ghclient.Options) { o.AppID = 999_999 })
	_, err := f.app.Login(f.ctx)
	require.ErrorIs(t, err, ghclient.ErrCredentials)
}

func TestGitHubIsDown(t *testing.T) {
	f := newFixture(t)
	for _, fault := range []standin.Fault{{Status: 502, Message: "Bad Gateway"}, {Status: 503}, {Drop: true}} {
		f.gh.FailNext("GET /repos/{owner}/{repo}/pulls/{pull_number}", 3, fault) // a dropped connection is tried again by net/http
		_, err := f.inst.Pull(f.ctx, f.repo, f.pull)
		require.ErrorIs(t, err, ghclient.ErrUnavailable, "%+v", fault)
		for err != nil { // use up the plan
			_, err = f.inst.Pull(f.ctx, f.repo, f.pull)
		}
	}
	f.gh.FailNext("POST /app/installations/{installation_id}/access_tokens", 1, standin.Fault{Status: 500})
	f.app.Forget(f.id)
	_, err := f.app.Installation(f.id).Token(f.ctx)
	require.ErrorIs(t, err, ghclient.ErrUnavailable)
	f.gh.FailNext("", 1, standin.Fault{Hang: true})
	short, cancel := context.WithTimeout(f.ctx, 100*time.Millisecond)
	defer cancel()
	_, err = f.inst.Pull(short, f.repo, f.pull)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// A redirect to another host would hand it a token: ghinstallation signs every
// request, wherever it goes.
func TestTokenStaysAtHome(t *testing.T) {
	var leaked []string
	foreign := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		leaked = append(leaked, r.Header.Get("Authorization"))
	}))
	defer foreign.Close()
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		f := newFixture(t)
		f.gh.Fail(func(r standin.Request) *standin.Fault {
			if r.Method != method || strings.Contains(r.Path, "access_tokens") {
				return nil
			}
			return &standin.Fault{Status: http.StatusFound, Message: "elsewhere", Header: map[string]string{"Location": foreign.URL + "/x"}}
		})
		var err error
		if method == http.MethodGet {
			_, err = f.inst.Pull(f.ctx, f.repo, f.pull)
			require.ErrorIs(t, err, ghclient.ErrForeignHost)
		} else {
			_, err = f.inst.CreateComment(f.ctx, f.repo, f.pull, "x")
		}
		require.Error(t, err)
	}
	assert.Empty(t, leaked)
}

func TestFailedDeliveries(t *testing.T) {
	f := newFixture(t)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer receiver.Close()
	f.gh.SetWebhook(receiver.URL, "")
	drop := map[string]bool{"ping me": true}
	end := f.gh.FailDelivery(func(d standin.Delivery) *standin.DeliveryFault {
		if d.Event == "issue_comment" && strings.Contains(string(d.Payload), "ping me") && drop["ping me"] {
			return &standin.DeliveryFault{Drop: true}
		}
		return nil
	})
	_, err := f.gh.Comment(person, fullName, f.pull, "ping me")
	require.NoError(t, err)
	_, err = f.gh.Comment(person, fullName, f.pull, "fine")
	require.NoError(t, err)
	require.NoError(t, f.gh.WaitDelivered(f.ctx))
	end()
	var failed []ghclient.Delivery
	list := func() []ghclient.Delivery {
		all, whole, err := f.app.FailedDeliveries(f.ctx, time.Now().Add(-time.Hour))
		require.NoError(t, err)
		assert.True(t, whole)
		failed = nil
		for _, d := range all { // those of the setup had no receiver
			for _, x := range f.gh.Deliveries() {
				if x.GUID == d.GUID && x.Event == "issue_comment" {
					failed = append(failed, d)
					break
				}
			}
		}
		return failed
	}
	require.Len(t, list(), 1)
	require.NoError(t, f.app.Redeliver(f.ctx, failed[0].ID))
	require.NoError(t, f.gh.WaitDelivered(f.ctx))
	assert.Empty(t, list(), "the redelivery succeeded")
}

// answers is a GitHub of one answer.
type answers func(*http.Request) *http.Response

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// page answers with the next page's address.
func page(r *http.Request, next, body string) *http.Response {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	if next != "" {
		w.Header().Set("Link", fmt.Sprintf("<https://%s%s?%s>; rel=\"next\"", r.URL.Host, r.URL.Path, next))
	}
	_, _ = w.WriteString(body) // to memory
	resp := w.Result()
	resp.Request = r
	return resp
}

// A log that is longer than what is read of it is told apart from one that is whole.
func TestEndlessDeliveryLog(t *testing.T) {
	pages := 0
	app, err := ghclient.New(ghclient.Options{APIURL: "https://api.github.com", AppID: 1, Key: sharedKey(), Transport: answers(func(r *http.Request) *http.Response {
		pages++
		return page(r, fmt.Sprint("cursor=v1_", pages), fmt.Sprintf(`[{"id":%d,"guid":"g%d","status_code":500,"delivered_at":%q}]`, pages, pages, time.Now().UTC().Format(time.RFC3339)))
	})})
	require.NoError(t, err)
	failed, whole, err := app.FailedDeliveries(context.Background(), time.Now().Add(-time.Hour))
	require.NoError(t, err)
	assert.False(t, whole)
	assert.Len(t, failed, pages)
	assert.Less(t, pages, 1000)
}

// Of a list in pages every page is read.
func TestPagesOfPullRequests(t *testing.T) {
	app, err := ghclient.New(ghclient.Options{APIURL: "https://api.github.com", AppID: 1, Key: sharedKey(), Transport: answers(func(r *http.Request) *http.Response {
		n := r.URL.Query().Get("page")
		switch {
		case strings.HasSuffix(r.URL.Path, "/access_tokens"):
			return page(r, "", fmt.Sprintf(`{"token":"ghs_x","expires_at":%q}`, time.Now().Add(time.Hour).UTC().Format(time.RFC3339)))
		case n == "":
			return page(r, "page=2", `[{"number":1},{"number":2}]`)
		}
		return page(r, "", `[{"number":3}]`)
	})})
	require.NoError(t, err)
	open, err := app.Installation(7).OpenPulls(context.Background(), ghclient.Repo{ID: 1, Owner: "o", Name: "n"})
	require.NoError(t, err)
	require.Len(t, open, 3)
	assert.Equal(t, 3, open[2].Number)
}

func TestRoute(t *testing.T) {
	for path, want := range map[string]string{
		"/repos/o/n/commits/abc/check-runs":       "/repos/*/*/commits/*/check-runs",
		"/repos/o/1/issues/comments/55/reactions": "/repos/*/*/issues/comments/*/reactions",
		"repos/o/n/collaborators/ada/permission":  "/repos/*/*/collaborators/*/permission",
		"/app/hook/deliveries":                    "/app/hook/deliveries",
		"/repositories/7":                         "/repositories/*",
		"/app/installations/1/access_tokens":      "/app/installations/*/access_tokens",
		"/":                                       "/",
	} {
		assert.Equal(t, want, ghclient.Route(path))
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []ghclient.Options{
		{APIURL: "nonsense", AppID: 1, Key: sharedKey()}, {APIURL: "https://api.github.com", Key: sharedKey()}, {APIURL: "https://api.github.com", AppID: 1},
	} {
		_, err := ghclient.New(o)
		require.Error(t, err)
	}
}
