package standin_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/standin/contract"
	"github.com/rescore-app/rescore/internal/testenv"
)

const (
	owner    = "acme"
	name     = "agent"
	repo     = owner + "/" + name
	person   = "ada"
	stranger = "eve"
)

// sharedKey saves making a key in every test.
var sharedKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// fixture is a stand-in with one repository, its App installed and a receiver of
// webhooks. Every exchange and webhook is checked against GitHub's description.
type fixture struct {
	t        *testing.T
	ctx      context.Context
	gh       *standin.GitHub
	checker  *contract.Checker
	source   *testenv.Repo
	install  int64
	receiver *receiver
}

func newFixture(t *testing.T, change ...func(*standin.Options)) *fixture {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	opts := standin.Options{Key: sharedKey()}
	for _, c := range change {
		c(&opts)
	}
	f := &fixture{t: t, ctx: ctx, checker: contract.Watch(t, &opts), source: testenv.NewRepo(t)}
	f.source.Write("README.md", "# Agent\n")
	f.source.Write("src/gate.go", "package gate\n\nfunc Allow() bool { return false }\n")
	f.source.Commit("first")
	gh, err := standin.New(opts)
	require.NoError(t, err)
	require.NoError(t, gh.Start())
	f.gh = gh
	f.receiver = newReceiver(t, gh)
	t.Cleanup(func() { require.NoError(t, gh.Close()) })
	gh.SetWebhook(f.receiver.URL, "")
	gh.AddOrg(owner)
	gh.AddUser(person)
	gh.AddUser(stranger)
	_, err = gh.AddRepo(ctx, repo, standin.RepoOptions{From: f.source.Dir(), Private: true})
	require.NoError(t, err)
	require.NoError(t, gh.SetRole(repo, person, standin.RoleWrite))
	f.install, err = gh.Install(owner, standin.InstallOptions{})
	require.NoError(t, err)
	return f
}

// transport gives the installation's credentials to requests.
func (f *fixture) transport() *ghinstallation.Transport {
	f.t.Helper()
	tr, err := ghinstallation.New(http.DefaultTransport, f.gh.AppID(), f.install, f.gh.PrivateKeyPEM())
	require.NoError(f.t, err)
	tr.BaseURL = f.gh.APIURL()
	return tr
}

// client is what the App uses for an installation.
func (f *fixture) client() *github.Client {
	f.t.Helper()
	return f.clientOf(f.transport())
}

// appClient is what the App uses for itself.
func (f *fixture) appClient() *github.Client {
	f.t.Helper()
	tr, err := ghinstallation.NewAppsTransport(http.DefaultTransport, f.gh.AppID(), f.gh.PrivateKeyPEM())
	require.NoError(f.t, err)
	return f.clientOf(tr)
}

// userClient acts with a person's token.
func (f *fixture) userClient(login string) *github.Client {
	f.t.Helper()
	token, err := f.gh.UserToken(login)
	require.NoError(f.t, err)
	return f.clientOf(http.DefaultTransport).WithAuthToken(token)
}

func (f *fixture) clientOf(tr http.RoundTripper) *github.Client {
	f.t.Helper()
	c, err := github.NewClient(&http.Client{Transport: tr}).WithEnterpriseURLs(f.gh.APIURL(), f.gh.APIURL())
	require.NoError(f.t, err)
	return c
}

// commit pushes a change of one file to a branch.
func (f *fixture) commit(branch, path, content string) string {
	f.t.Helper()
	sha, err := f.gh.Commit(f.ctx, person, repo, branch, "Change "+path, standin.File{Path: path, Content: content})
	require.NoError(f.t, err)
	return sha
}

// pull opens a pull request from a new branch.
func (f *fixture) pull(branch string) standin.Pull {
	f.t.Helper()
	f.commit(branch, "src/gate.go", "package gate\n\nfunc Allow() bool { return true } // "+branch+"\n")
	p, err := f.gh.OpenPull(f.ctx, person, repo, standin.PullRequest{Title: "Open the " + branch, Head: branch})
	require.NoError(f.t, err)
	return p
}

// delivered waits for all webhooks and returns what arrived since the last call.
func (f *fixture) delivered() []hook {
	f.t.Helper()
	require.NoError(f.t, f.gh.WaitDelivered(f.ctx))
	return f.receiver.take()
}

// hook is a webhook that reached the receiver with a valid signature.
type hook struct {
	name, guid string
	event      any
	header     http.Header
}

// receiver takes webhooks as an App does.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	hooks  []hook
	answer func(http.ResponseWriter, *http.Request) bool // true: it has answered
}

func newReceiver(t *testing.T, gh *standin.GitHub) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		answer := r.answer
		r.mu.Unlock()
		if answer != nil && answer(w, req) {
			return
		}
		payload, err := github.ValidatePayload(req, []byte(gh.WebhookSecret()))
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return // cut off: the test ended, and the stand-in with it, while it was sending
		case err != nil:
			t.Errorf("webhook signature: %v", err)
			return
		}
		event, err := github.ParseWebHook(github.WebHookType(req), payload)
		if err != nil {
			t.Errorf("webhook payload: %v", err)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.hooks = append(r.hooks, hook{github.WebHookType(req), github.DeliveryID(req), event, req.Header.Clone()})
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) respond(answer func(http.ResponseWriter, *http.Request) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func (r *receiver) take() []hook {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.hooks
	r.hooks = nil
	return out
}

// eventsOf picks the events of one Go type.
func eventsOf[T any](hooks []hook) []T {
	var out []T
	for _, h := range hooks {
		if e, ok := h.event.(T); ok {
			out = append(out, e)
		}
	}
	return out
}

// names lists webhooks as "event action".
func names(hooks []hook) []string {
	var out []string
	for _, h := range hooks {
		n := h.name
		if a, ok := h.event.(interface{ GetAction() string }); ok {
			n += " " + a.GetAction()
		}
		out = append(out, n)
	}
	return out
}

// statusOf is the status of a go-github error.
func statusOf(t *testing.T, resp *github.Response, err error) int {
	t.Helper()
	require.Error(t, err)
	require.NotNil(t, resp, "no answer: %v", err)
	return resp.StatusCode
}
