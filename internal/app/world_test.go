package app_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/app"
	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/cardrepo"
	"github.com/rescore-app/rescore/internal/config"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/standin/contract"
	"github.com/rescore-app/rescore/internal/testenv"
)

const (
	owner    = "heron-agent"
	fullName = "heron-agent/heron"
	person   = "ada"
	cardPath = ".github/rescore/scorecard.json"
	patience = 2 * time.Minute // for one test; a wait ends as soon as what is waited for is there
)

var sharedKey = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

// world is a stand-in GitHub with one scored repository, and the app beside it.
type world struct {
	t       testing.TB
	ctx     context.Context
	gh      *standin.GitHub
	source  *testenv.Repo // where people work
	card    *scorecard.Card
	pinned  string
	install int64
	config  map[string]string
	app     *app.App
	stop    func() // orderly
	mayFail bool   // the orderly end, because the test took something away
	log     *syncBuffer
}

type syncBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// databases are the two that everything is tried on.
var databases = map[string]func(t testing.TB) string{
	"sqlite":   func(testing.TB) string { return "" },
	"postgres": testenv.PostgresURL,
}

func onBoth(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	t.Parallel()
	for name, url := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of the time is waiting
			test(t, url(t))
		})
	}
}

type worldOption func(*standin.Options, map[string]string)

// newWorld raises a stand-in with the scored repository; the app is not started.
func newWorld(t testing.TB, database string, opts ...worldOption) *world {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	w := &world{t: t, ctx: ctx, log: &syncBuffer{}, config: map[string]string{"DATABASE_URL": database}}
	so := standin.Options{Key: sharedKey()}
	for _, o := range opts {
		o(&so, w.config)
	}
	contract.Watch(t, &so)
	w.build()
	gh, err := standin.New(so)
	require.NoError(t, err)
	require.NoError(t, gh.Start())
	t.Cleanup(func() { assert.NoError(t, gh.Close()) })
	w.gh = gh
	gh.AddOrg(owner)
	gh.AddUser(person)
	_, err = gh.AddRepo(ctx, fullName, standin.RepoOptions{From: w.source.Dir(), Rev: "main", Private: true})
	require.NoError(t, err)
	require.NoError(t, gh.SetRole(fullName, person, standin.RoleWrite))
	w.configure()
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(w.log.String())
		}
	})
	return w
}

// build writes the repository: the files that make the card true, then the card.
func (w *world) build() {
	w.source = testenv.NewRepo(w.t)
	w.card = cardtest.Consistent()
	files, err := cardrepo.Files(w.card)
	require.NoError(w.t, err)
	for path, data := range files {
		w.source.Write(path, string(data))
	}
	w.pinned = w.source.Commit("the agent")
	w.card.PinnedCommit = w.pinned
	w.source.Write(cardPath, w.cardJSON(w.card))
	w.source.Commit("its scorecard")
}

func (w *world) cardJSON(card *scorecard.Card) string {
	data, err := cardfile.WriteJSON(cardfile.JSONView(card))
	require.NoError(w.t, err)
	return string(data)
}

func (w *world) configure() {
	set := func(k, v string) {
		if _, given := w.config[k]; !given {
			w.config[k] = v
		}
	}
	set("GITHUB_WEB_URL", w.gh.URL())
	set("GITHUB_V3_API_URL", strings.TrimRight(w.gh.APIURL(), "/"))
	set("GITHUB_APP_INTEGRATION_ID", fmt.Sprint(w.gh.AppID()))
	set("GITHUB_APP_PRIVATE_KEY", string(w.gh.PrivateKeyPEM()))
	set("GITHUB_APP_WEBHOOK_SECRET", w.gh.WebhookSecret())
	set("RESCORE_LISTEN", "127.0.0.1:0")
	set("RESCORE_DATA_DIR", filepath.Join(w.t.TempDir(), "data"))
	set("RESCORE_WORKERS", "2")
}

func (w *world) lookup(name string) (string, bool) {
	v, ok := w.config[name]
	return v, ok
}

// start runs the app until stop, or the end of the test.
func (w *world) start() {
	w.t.Helper()
	cfg, err := config.Load("", w.lookup)
	require.NoError(w.t, err)
	var out io.Writer = w.log
	if os.Getenv("RESCORE_TEST_LOG") != "" {
		out = io.MultiWriter(w.log, os.Stderr)
	}
	w.app, err = app.New(w.ctx, cfg, app.Deps{Version: "test", Log: zerolog.New(out).Level(zerolog.TraceLevel)})
	require.NoError(w.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.app.Run(ctx) }()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; !w.mayFail {
			assert.NoError(w.t, err)
		}
	})
	w.t.Cleanup(w.stop)
	w.gh.SetWebhook(w.app.URL()+"/api/github/hook", "")
}

// installed starts the app, installs it, and waits for the first check.
func (w *world) installed() *world {
	w.t.Helper()
	w.start()
	id, err := w.gh.Install(owner, standin.InstallOptions{})
	require.NoError(w.t, err)
	w.install = id
	w.waitCheck(w.source.Head(), completed)
	w.idle()
	return w
}

func completed(c standin.CheckRun) bool { return c.Status == "completed" }

func (w *world) waitCheck(sha string, match func(standin.CheckRun) bool) standin.CheckRun {
	w.t.Helper()
	c, err := w.gh.WaitCheck(w.ctx, fullName, sha, match)
	require.NoError(w.t, err, "no such check at %s; there are %+v", sha, w.checks(sha))
	return c
}

func (w *world) waitComment(number int, match func(standin.Comment) bool) standin.Comment {
	w.t.Helper()
	c, err := w.gh.WaitComment(w.ctx, fullName, number, match)
	require.NoError(w.t, err)
	return c
}

func (w *world) checks(sha string) []standin.CheckRun {
	w.t.Helper()
	runs, err := w.gh.CheckRuns(w.name(), sha)
	require.NoError(w.t, err)
	return runs
}

func (w *world) name() string { return fullName }

func (w *world) comments(number int) []standin.Comment {
	w.t.Helper()
	comments, err := w.gh.Comments(w.name(), number)
	require.NoError(w.t, err)
	return comments
}

// ours are the comments of the app.
func (w *world) ours(number int) []standin.Comment {
	w.t.Helper()
	var out []standin.Comment
	for _, c := range w.comments(number) {
		if c.User == w.gh.BotLogin() {
			out = append(out, c)
		}
	}
	return out
}

// edit changes a file of the work tree.
func (w *world) edit(path string, change func(string) string) {
	w.t.Helper()
	data, err := os.ReadFile(w.source.Path(path))
	require.NoError(w.t, err)
	after := change(string(data))
	require.NotEqual(w.t, string(data), after, "the edit of %s changes nothing", path)
	w.source.Write(path, after)
}

// branch starts a branch of the work tree from main.
func (w *world) branch(name string) {
	w.source.Checkout("main")
	w.source.Branch(name)
}

// open commits the work tree's branch and opens a pull request for it.
func (w *world) open(branch string) standin.Pull {
	w.t.Helper()
	w.source.Commit("change on " + branch)
	_, err := w.gh.Push(w.ctx, person, fullName, branch, w.source.Dir(), branch)
	require.NoError(w.t, err)
	p, err := w.gh.OpenPull(w.ctx, person, fullName, standin.PullRequest{Title: branch, Head: branch})
	require.NoError(w.t, err)
	return p
}

// push commits the work tree's branch and pushes it to the pull request.
func (w *world) push(number int) string {
	w.t.Helper()
	w.source.Commit("more")
	sha, err := w.gh.PushToPull(w.ctx, person, fullName, number, w.source.Dir(), "HEAD")
	require.NoError(w.t, err)
	return sha
}

// pushMain commits on main and pushes it.
func (w *world) pushMain(message string) string {
	w.t.Helper()
	w.source.Commit(message)
	sha, err := w.gh.Push(w.ctx, person, fullName, "main", w.source.Dir(), "main")
	require.NoError(w.t, err)
	return sha
}

// rest lists the exchanges of the REST API after a mark, tokens left out.
func (w *world) rest(mark int) []string {
	var out []string
	for _, x := range w.gh.JournalSince(mark) {
		if strings.HasPrefix(x.Operation, "git-") || strings.Contains(x.Operation, "access_tokens") || x.Operation == "GET /app" || strings.Contains(x.Operation, "deliveries") || x.Operation == "" {
			continue
		}
		out = append(out, x.Operation)
	}
	return out
}

// answersOne opens a pull request that touches evidence and looks at what came of it:
// one current check run and one comment.
func (w *world) answersOne() {
	w.t.Helper()
	w.branch("b")
	w.touch(1)
	p := w.open("b")
	w.settled(p.Number, p.HeadSHA)
	w.idle()
	w.exactlyOne(p.Number, p.HeadSHA)
}
