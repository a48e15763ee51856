package ghclient_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/standin/contract"
	"github.com/rescore-app/rescore/internal/testenv"
)

const (
	owner    = "octo"
	fullName = "octo/agent"
	person   = "ada"
)

var sharedKey = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

// fixture is a stand-in with one repository and one pull request, and an App that
// speaks to it. Every exchange is checked against GitHub's API description.
type fixture struct {
	t     *testing.T
	ctx   context.Context
	gh    *standin.GitHub
	app   *ghclient.App
	inst  *ghclient.Installation
	repo  ghclient.Repo
	id    int64 // installation
	head  string
	pull  int
	mu    sync.Mutex
	calls []ghclient.Call
	moved []ghclient.Repo
}

func newFixture(t *testing.T, change ...func(*standin.Options, *ghclient.Options)) *fixture {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	f := &fixture{t: t, ctx: ctx}
	so := standin.Options{Key: sharedKey()}
	co := ghclient.Options{Key: sharedKey(), UserAgent: "rescore-test",
		Observe: func(c ghclient.Call) { f.mu.Lock(); f.calls = append(f.calls, c); f.mu.Unlock() },
		Moved:   func(_ context.Context, r ghclient.Repo) { f.mu.Lock(); f.moved = append(f.moved, r); f.mu.Unlock() },
	}
	for _, c := range change {
		c(&so, &co)
	}
	contract.Watch(t, &so)
	source := testenv.NewRepo(t)
	source.Write("README.md", "# Agent\n")
	source.Commit("first")
	source.Branch("change")
	source.Write("README.md", "# Agent, changed\n")
	source.Commit("second")
	gh, err := standin.New(so)
	require.NoError(t, err)
	require.NoError(t, gh.Start())
	t.Cleanup(func() { require.NoError(t, gh.Close()) })
	f.gh = gh
	gh.AddOrg(owner)
	gh.AddUser(person)
	_, err = gh.AddRepo(ctx, fullName, standin.RepoOptions{From: source.Dir(), Rev: "main", Private: true})
	require.NoError(t, err)
	require.NoError(t, gh.SetRole(fullName, person, standin.RoleWrite))
	f.id, err = gh.Install(owner, standin.InstallOptions{})
	require.NoError(t, err)
	f.head, err = gh.Push(ctx, person, fullName, "change", source.Dir(), "change")
	require.NoError(t, err)
	p, err := gh.OpenPull(ctx, person, fullName, standin.PullRequest{Title: "t", Head: "change"})
	require.NoError(t, err)
	f.pull = p.Number
	r, err := gh.Repository(fullName)
	require.NoError(t, err)
	f.repo = ghclient.Repo{ID: r.ID, Owner: owner, Name: "agent"}
	if co.APIURL == "" {
		co.APIURL = gh.APIURL()
	}
	if co.AppID == 0 {
		co.AppID = gh.AppID()
	}
	f.app, err = ghclient.New(co)
	require.NoError(t, err)
	f.inst = f.app.Installation(f.id)
	return f
}

// requests lists what was sent, as "METHOD route".
func (f *fixture) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, c := range f.calls {
		out = append(out, c.Method+" "+c.Route)
	}
	return out
}
