package standin_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/golang-jwt/jwt/v4"
	"github.com/google/go-github/v66/github"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

func TestAppShowsItselfAndItsInstallations(t *testing.T) {
	f := newFixture(t)
	c := f.appClient()
	app, _, err := c.Apps.Get(f.ctx, "")
	require.NoError(t, err)
	assert.Equal(t, f.gh.AppID(), app.GetID())
	assert.Equal(t, "rescore", app.GetSlug())

	all, _, err := c.Apps.ListInstallations(f.ctx, nil)
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, "write", all[0].GetPermissions().GetChecks())

	byRepo, _, err := c.Apps.FindRepositoryInstallation(f.ctx, owner, name)
	require.NoError(t, err)
	byOrg, _, err := c.Apps.FindOrganizationInstallation(f.ctx, owner)
	require.NoError(t, err)
	one, _, err := c.Apps.GetInstallation(f.ctx, f.install)
	require.NoError(t, err)
	for _, i := range []*github.Installation{byRepo, byOrg, one, all[0]} {
		assert.Equal(t, f.install, i.GetID())
	}
	_, resp, err := c.Apps.FindUserInstallation(f.ctx, person)
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))
}

func TestInstallationTokenReachesOnlyItsRepositories(t *testing.T) {
	f := newFixture(t)
	_, err := f.gh.AddRepo(f.ctx, "other/secret", standin.RepoOptions{From: f.source.Dir(), Private: true})
	require.NoError(t, err)
	_, err = f.gh.AddRepo(f.ctx, "other/open", standin.RepoOptions{From: f.source.Dir()})
	require.NoError(t, err)
	c := f.client()
	r, _, err := c.Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err)
	assert.True(t, r.GetPrivate())
	assert.True(t, r.GetPermissions()["push"])

	_, resp, err := c.Repositories.Get(f.ctx, "other", "secret")
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))
	_, _, err = c.Repositories.Get(f.ctx, "other", "open")
	require.NoError(t, err, "a public repository is readable")
	_, resp, err = c.Issues.CreateComment(f.ctx, "other", "open", 1, &github.IssueComment{Body: github.String("x")})
	assert.Equal(t, http.StatusForbidden, statusOf(t, resp, err), "but not writable")

	list, _, err := c.Apps.ListRepos(f.ctx, nil)
	require.NoError(t, err)
	require.Equal(t, 1, list.GetTotalCount())
	assert.Equal(t, repo, list.Repositories[0].GetFullName())
}

func TestTokenScopedToRepositoriesAndPermissions(t *testing.T) {
	f := newFixture(t)
	other, err := f.gh.AddRepo(f.ctx, owner+"/other", standin.RepoOptions{From: f.source.Dir(), Private: true})
	require.NoError(t, err)
	p := f.pull("feature")
	token, _, err := f.appClient().Apps.CreateInstallationToken(f.ctx, f.install, &github.InstallationTokenOptions{
		RepositoryIDs: []int64{other}, Permissions: &github.InstallationPermissions{Contents: github.String("read")},
	})
	require.NoError(t, err)
	assert.Regexp(t, "^ghs_[0-9a-f]{36}$", token.GetToken())
	assert.WithinDuration(t, time.Now().Add(time.Hour), token.GetExpiresAt().Time, 5*time.Second)
	require.Len(t, token.Repositories, 1)
	c := f.clientOf(http.DefaultTransport).WithAuthToken(token.GetToken())
	_, resp, err := c.Repositories.Get(f.ctx, owner, name)
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))
	_, _, err = c.Repositories.GetCommit(f.ctx, owner, "other", "main", nil)
	require.NoError(t, err)
	_, resp, err = c.Checks.CreateCheckRun(f.ctx, owner, "other", github.CreateCheckRunOptions{Name: "x", HeadSHA: p.HeadSHA})
	assert.Equal(t, http.StatusForbidden, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "Resource not accessible by integration")

	_, resp, err = f.appClient().Apps.CreateInstallationToken(f.ctx, f.install, &github.InstallationTokenOptions{Repositories: []string{"nothing"}})
	assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err))
	_, resp, err = f.appClient().Apps.CreateInstallationToken(f.ctx, f.install, &github.InstallationTokenOptions{
		Permissions: &github.InstallationPermissions{Administration: github.String("write")},
	})
	assert.Equal(t, http.StatusUnprocessableEntity, statusOf(t, resp, err))

	_, err = c.Apps.RevokeInstallationToken(f.ctx)
	require.NoError(t, err)
	_, resp, err = c.Repositories.Get(f.ctx, owner, "other")
	assert.Equal(t, http.StatusUnauthorized, statusOf(t, resp, err))
}

func TestTokenExpires(t *testing.T) {
	now := time.Now()
	f := newFixture(t, func(o *standin.Options) { o.Clock = func() time.Time { return now } })
	token, err := f.transport().Token(f.ctx)
	require.NoError(t, err)
	c := f.clientOf(http.DefaultTransport).WithAuthToken(token)
	_, _, err = c.Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err)
	now = now.Add(time.Hour)
	_, resp, err := c.Repositories.Get(f.ctx, owner, name)
	assert.Equal(t, http.StatusUnauthorized, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "Bad credentials")
}

func TestClockSkewBreaksTheJWT(t *testing.T) {
	for _, tc := range []struct {
		name    string
		ahead   time.Duration // of the App's clock
		refused string
	}{
		{"29 s fast", 29 * time.Second, ""},
		{"32 s fast", 32 * time.Second, "'Issued at' claim"},
		{"88 s slow", -88 * time.Second, ""},
		{"92 s slow", -92 * time.Second, "'Expiration time' claim"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t, func(o *standin.Options) {
				o.Clock = func() time.Time { return time.Now().Add(-tc.ahead) }
			})
			_, resp, err := f.appClient().Apps.Get(f.ctx, "")
			if tc.refused == "" {
				require.NoError(t, err)
				return
			}
			assert.Equal(t, http.StatusUnauthorized, statusOf(t, resp, err))
			assert.ErrorContains(t, err, tc.refused)
		})
	}
}

func TestBadJWTs(t *testing.T) {
	f := newFixture(t)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	wrong := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	tr, err := ghinstallation.NewAppsTransport(http.DefaultTransport, f.gh.AppID(), wrong)
	require.NoError(t, err)
	_, resp, err := f.clientOf(tr).Apps.Get(f.ctx, "")
	assert.Equal(t, http.StatusUnauthorized, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "could not be decoded")

	tr, err = ghinstallation.NewAppsTransport(http.DefaultTransport, 42, f.gh.PrivateKeyPEM())
	require.NoError(t, err)
	_, resp, err = f.clientOf(tr).Apps.Get(f.ctx, "")
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))

	block, _ := pem.Decode(f.gh.PrivateKeyPEM())
	ours, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	require.NoError(t, err)
	call := func(method jwt.SigningMethod, key any, claims jwt.MapClaims) int {
		signed, err := jwt.NewWithClaims(method, claims).SignedString(key)
		require.NoError(t, err)
		_, resp, err := f.clientOf(http.DefaultTransport).WithAuthToken(signed).Apps.Get(f.ctx, "")
		if err == nil {
			return resp.StatusCode
		}
		return statusOf(t, resp, err)
	}
	now := time.Now().Unix()
	good := jwt.MapClaims{"iss": f.gh.AppID(), "iat": now - 10, "exp": now + 60}
	assert.Equal(t, http.StatusOK, call(jwt.SigningMethodRS256, ours, good))
	assert.Equal(t, http.StatusUnauthorized, call(jwt.SigningMethodRS512, ours, good), "only RS256")
	assert.Equal(t, http.StatusUnauthorized, call(jwt.SigningMethodHS256, []byte("x"), good), "only RS256")
	assert.Equal(t, http.StatusUnauthorized, call(jwt.SigningMethodRS256, ours, jwt.MapClaims{"iss": f.gh.AppID(), "iat": now, "exp": now + 700}), "too long")
	assert.Equal(t, http.StatusUnauthorized, call(jwt.SigningMethodRS256, ours, jwt.MapClaims{"iss": f.gh.AppID(), "iat": now - 10, "exp": float64(now) + 60.5}), "not whole")
	assert.Equal(t, http.StatusUnauthorized, call(jwt.SigningMethodRS256, ours, jwt.MapClaims{"iss": f.gh.AppID(), "exp": now + 60}), "no iat")
}

func TestCredentialsInTheWrongPlace(t *testing.T) {
	f := newFixture(t)
	_, resp, err := f.client().Apps.Get(f.ctx, "")
	assert.Equal(t, http.StatusUnauthorized, statusOf(t, resp, err), "an installation token for the App's own operations")
	_, resp, err = f.appClient().Repositories.Get(f.ctx, owner, name)
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err), "a JWT for a private repository")
	_, resp, err = f.clientOf(http.DefaultTransport).WithAuthToken("ghs_wrong").Repositories.Get(f.ctx, owner, name)
	assert.Equal(t, http.StatusUnauthorized, statusOf(t, resp, err))
	_, resp, err = f.clientOf(http.DefaultTransport).Repositories.Get(f.ctx, owner, name)
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err), "nobody")
	_, resp, err = f.userClient(person).Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{Name: "x", HeadSHA: f.source.Head()})
	assert.Equal(t, http.StatusForbidden, statusOf(t, resp, err), "a person writes no checks")
}

func TestSuspendedInstallation(t *testing.T) {
	f := newFixture(t)
	tr := f.transport()
	c := f.clientOf(tr)
	_, _, err := c.Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err)
	f.delivered()
	require.NoError(t, f.gh.Suspend(f.install))
	f.commit("quiet", "a.txt", "x")
	assert.Equal(t, []string{"installation suspend"}, names(f.delivered()), "nothing else is sent while suspended")
	_, resp, err := c.Repositories.Get(f.ctx, owner, name)
	assert.Equal(t, http.StatusForbidden, statusOf(t, resp, err))
	_, err = f.transport().Token(f.ctx)
	var httpErr *ghinstallation.HTTPError
	require.ErrorAs(t, err, &httpErr)
	assert.Equal(t, http.StatusForbidden, httpErr.Response.StatusCode)
	body, err := io.ReadAll(httpErr.Response.Body)
	require.NoError(t, err)
	assert.Contains(t, string(body), "suspended")

	require.NoError(t, f.gh.Unsuspend(f.install))
	assert.Equal(t, []string{"installation unsuspend"}, names(f.delivered()))
	_, _, err = c.Repositories.Get(f.ctx, owner, name)
	require.NoError(t, err)
}

func TestPermissionsNotAcceptedYet(t *testing.T) {
	f := newFixture(t)
	p := f.pull("feature")
	less := standin.DefaultPermissions()
	delete(less, "checks")
	require.NoError(t, f.gh.SetPermissions(f.install, less, false))
	f.delivered()
	c := f.client()
	_, resp, err := c.Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{Name: "x", HeadSHA: p.HeadSHA})
	assert.Equal(t, http.StatusForbidden, statusOf(t, resp, err))
	assert.ErrorContains(t, err, "Resource not accessible by integration")
	require.NoError(t, f.gh.SetPermissions(f.install, standin.DefaultPermissions(), true))
	assert.Equal(t, []string{"installation new_permissions_accepted"}, names(f.delivered()))
	_, _, err = f.client().Checks.CreateCheckRun(f.ctx, owner, name, github.CreateCheckRunOptions{Name: "x", HeadSHA: p.HeadSHA})
	require.NoError(t, err, "a new token has the new permissions")
}

func TestUninstallAndSelection(t *testing.T) {
	f := newFixture(t)
	_, err := f.gh.AddRepo(f.ctx, owner+"/other", standin.RepoOptions{From: f.source.Dir(), Private: true})
	require.NoError(t, err)
	f.delivered()
	c := f.client()
	require.NoError(t, f.gh.SelectRepos(f.install, false, owner+"/other"))
	_, resp, err := c.Repositories.Get(f.ctx, owner, "other")
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))
	require.NoError(t, f.gh.SelectRepos(f.install, true, owner+"/other"))
	_, _, err = c.Repositories.Get(f.ctx, owner, "other")
	require.NoError(t, err)
	require.NoError(t, f.gh.Uninstall(f.install))
	assert.Equal(t, []string{"installation_repositories removed", "installation_repositories added", "installation deleted"}, names(f.delivered()))
	_, resp, err = c.Repositories.Get(f.ctx, owner, name)
	assert.Equal(t, http.StatusUnauthorized, statusOf(t, resp, err))
	_, resp, err = f.appClient().Apps.FindRepositoryInstallation(f.ctx, owner, name)
	assert.Equal(t, http.StatusNotFound, statusOf(t, resp, err))
}

func TestHookConfig(t *testing.T) {
	f := newFixture(t)
	config, _, err := f.appClient().Apps.GetHookConfig(f.ctx)
	require.NoError(t, err)
	assert.Equal(t, f.receiver.URL, config.GetURL())
	assert.NotContains(t, config.GetSecret(), f.gh.WebhookSecret())
	_, _, err = f.appClient().Apps.UpdateHookConfig(f.ctx, &github.HookConfig{Secret: github.String("changed")})
	require.NoError(t, err)
	assert.Equal(t, "changed", f.gh.WebhookSecret())
}

func TestRootAnswersLikeTheEnterprisePrefix(t *testing.T) {
	f := newFixture(t)
	token, err := f.transport().Token(f.ctx)
	require.NoError(t, err)
	for _, base := range []string{f.gh.URL() + "/", f.gh.APIURL()} {
		req, err := http.NewRequestWithContext(f.ctx, http.MethodGet, base+"repos/"+repo, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "token "+token)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, http.StatusOK, resp.StatusCode, base)
		assert.NotEmpty(t, resp.Header.Get("X-GitHub-Request-Id"))
		assert.Equal(t, "5000", resp.Header.Get("X-RateLimit-Limit"))
	}
}

func TestClientsOfGoGithubapp(t *testing.T) {
	f := newFixture(t)
	for _, base := range []string{f.gh.URL(), f.gh.APIURL()} {
		creator := githubapp.NewClientCreator(base, f.gh.URL()+"/api/graphql", f.gh.AppID(), f.gh.PrivateKeyPEM())
		app, err := creator.NewAppClient()
		require.NoError(t, err)
		installation, err := githubapp.NewInstallationsService(app).GetByOwner(f.ctx, owner)
		require.NoError(t, err, base)
		assert.Equal(t, f.install, installation.ID)
		c, err := creator.NewInstallationClient(installation.ID)
		require.NoError(t, err)
		_, _, err = c.Repositories.Get(f.ctx, owner, name)
		require.NoError(t, err, base)
	}
}

func TestStartRefusesPublicAddresses(t *testing.T) {
	g, err := standin.New(standin.Options{Listen: "0.0.0.0:0"})
	require.NoError(t, err)
	defer func() { require.NoError(t, g.Close()) }()
	assert.ErrorContains(t, g.Start(), "loopback")
}

func TestJournalHoldsNoSecret(t *testing.T) {
	f := newFixture(t)
	token, err := f.transport().Token(f.ctx)
	require.NoError(t, err)
	c := f.clientOf(http.DefaultTransport).WithAuthToken(token)
	_, _, err = c.Repositories.Get(context.Background(), owner, name)
	require.NoError(t, err)
	var seen bool
	for _, e := range f.gh.Journal() {
		seen = seen || e.Operation == "GET /repos/{owner}/{repo}" && e.Credential != "" && e.Installation == f.install
		for _, field := range []string{e.Path, e.Query, e.Credential, e.BodyDigest} {
			assert.False(t, strings.Contains(field, token))
		}
	}
	assert.True(t, seen)
}
