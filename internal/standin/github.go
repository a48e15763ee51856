package standin

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	apiPrefix  = "/api/v3" // Enterprise Server's prefix; the bare root answers too
	rsaKeyBits = 2048
	// firstID keeps ids apart from small numbers such as those of pull requests.
	firstID = 1000
)

// GitHub is the stand-in. It is an http.Handler; Start serves it. All methods
// are safe for concurrent use.
type GitHub struct {
	opts    Options
	key     *rsa.PrivateKey
	git     gitRunner
	tempDir string // removed by Close
	router  *router

	// refs serialises everything that moves refs of a repository, so that an
	// event's before and after are true.
	refs sync.Mutex

	mu      sync.Mutex // guards the fields below
	changed chan struct{}
	url     string
	lastID  map[string]int64
	app     *app
	world   world
	tokens  map[string]*token
	journal []Exchange
	faults  []*plannedFault
	budget  map[int64]*budget
	diffs   map[diffKey][]changedFile

	hooks hookQueue

	server   *http.Server
	listener net.Listener
	served   chan struct{}
}

// New makes a stand-in with the App and nothing else in it. Close it after use.
func New(opts Options) (*GitHub, error) {
	opts = opts.withDefaults()
	key, err := opts.Key, error(nil)
	if key == nil {
		if key, err = rsa.GenerateKey(rand.Reader, rsaKeyBits); err != nil {
			return nil, fmt.Errorf("make the App's key: %w", err)
		}
	}
	runner, err := newGitRunner()
	if err != nil {
		return nil, err
	}
	g := &GitHub{
		opts: opts, key: key, git: runner,
		changed: make(chan struct{}),
		url:     "http://github.invalid",
		lastID:  map[string]int64{},
		tokens:  map[string]*token{},
		budget:  map[int64]*budget{},
		diffs:   map[diffKey][]changedFile{},
	}
	if opts.Dir == "" {
		if g.opts.Dir, err = os.MkdirTemp("", "standin-"); err != nil {
			return nil, fmt.Errorf("make the directory for repositories: %w", err)
		}
		g.tempDir = g.opts.Dir
	}
	if g.opts.Dir, err = filepath.Abs(g.opts.Dir); err != nil {
		return nil, fmt.Errorf("find the directory for repositories: %w", err)
	}
	g.world = newWorld()
	g.app = g.newApp()
	g.router = newRouter()
	g.hooks.start(g)
	return g, nil
}

// Start serves on Options.Listen, which must be a loopback address.
func (g *GitHub) Start() error {
	listener, err := net.Listen("tcp", g.opts.Listen)
	if err != nil {
		return fmt.Errorf("listen for the stand-in: %w", err)
	}
	addr, ok := listener.Addr().(*net.TCPAddr)
	if !ok || !addr.IP.IsLoopback() {
		return errors.Join(fmt.Errorf("listen for the stand-in: %s is not a loopback address; use 127.0.0.1:0", g.opts.Listen), listener.Close())
	}
	g.mu.Lock()
	g.url = "http://" + listener.Addr().String()
	g.mu.Unlock()
	g.listener = listener
	var handler http.Handler = g
	if g.opts.Wrap != nil {
		handler = g.opts.Wrap(g)
	}
	g.server = &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	g.served = make(chan struct{})
	go func() {
		defer close(g.served)
		_ = g.server.Serve(listener) // always ErrServerClosed, from Close
	}()
	return nil
}

// Close stops serving and sending, ends hanging requests and removes a
// temporary directory. The journal and the world stay readable.
func (g *GitHub) Close() error {
	g.hooks.stop()
	var errs []error
	if g.server != nil {
		errs = append(errs, g.server.Close())
		<-g.served
	}
	if g.tempDir != "" {
		errs = append(errs, os.RemoveAll(g.tempDir))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the stand-in: %w", err)
	}
	return nil
}

// URL returns the web address, without a slash at the end: what GITHUB_WEB_URL
// is for GitHub. Repositories are fetched from URL/OWNER/NAME.git. It is known
// after Start; without Start, SetURL gives it.
func (g *GitHub) URL() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.url
}

// SetURL tells the address under which a server other than Start's serves g.
func (g *GitHub) SetURL(url string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.url = url
}

// APIURL returns the address of the REST API, with a slash at the end. The root
// of URL answers to the same requests.
func (g *GitHub) APIURL() string { return g.URL() + apiPrefix + "/" }

// AppID returns the App's id.
func (g *GitHub) AppID() int64 { return g.app.id }

// AppSlug returns the App's name in URLs.
func (g *GitHub) AppSlug() string { return g.app.slug }

// BotLogin returns the login of the App's own account, which writes its comments.
func (g *GitHub) BotLogin() string { return g.app.bot.login }

// WebhookSecret returns the secret that signs deliveries.
func (g *GitHub) WebhookSecret() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.app.secret
}

// SetWebhook sets where deliveries go, and the secret when it is not empty.
func (g *GitHub) SetWebhook(url, secret string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.app.hookURL = url
	if secret != "" {
		g.app.secret = secret
	}
}

// PrivateKeyPEM returns the App's private key as GitHub hands it out.
func (g *GitHub) PrivateKeyPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(g.key)})
}

// now returns the time that GitHub sees, in whole seconds as GitHub shows it.
func (g *GitHub) now() time.Time { return g.opts.Clock().UTC().Truncate(time.Second) }

// nextID counts ids of one kind. Caller holds mu.
func (g *GitHub) nextID(kind string) int64 {
	if g.lastID[kind] == 0 {
		g.lastID[kind] = firstID
	}
	g.lastID[kind]++
	return g.lastID[kind]
}

// broadcast wakes everything that waits for a change. Caller holds mu.
func (g *GitHub) broadcast() {
	close(g.changed)
	g.changed = make(chan struct{})
}

// wait blocks until cond, called with mu held, is true, or ctx ends.
func (g *GitHub) wait(ctx context.Context, what string, cond func() bool) error {
	for {
		g.mu.Lock()
		done, changed := cond(), g.changed
		g.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, ctx.Err())
		}
	}
}

func randomHex(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
