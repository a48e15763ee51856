package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/riverqueue/river"
	"github.com/rs/zerolog"

	"github.com/rescore-app/rescore/internal/config"
	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/publish"
	"github.com/rescore-app/rescore/internal/search"
	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/webhook"
	"github.com/rescore-app/rescore/internal/worker"
	"github.com/rescore-app/rescore/rubric"
)

const (
	// The parts of config.DrainTimeout: running jobs finish, cancelled ones go back
	// to the queue, results of searches are written, the last requests are answered.
	drainJobs     = config.DrainTimeout - 10*time.Second
	drainCancel   = 5 * time.Second
	drainSearches = time.Second
	drainHTTP     = 3 * time.Second

	readHeaderTimeout = 10 * time.Second
	readTimeout       = 60 * time.Second // a body of 25 MB over a slow line
	idleTimeout       = 2 * time.Minute
	greetTimeout      = 20 * time.Second
)

// Deps are what differs between production, the demo and tests.
type Deps struct {
	Version string // of the program
	Log     zerolog.Logger
	// Transport carries requests to the API; nil means connections of our own.
	Transport http.RoundTripper
	// Now is the clock; nil means the system's.
	Now func() time.Time
}

// App is the assembled server. Make it with New, then Run it once.
type App struct {
	cfg      *config.Config
	log      zerolog.Logger
	store    *store.Store
	searches *store.SearchCache
	queue    *job.Queue
	gh       *ghclient.App
	metrics  *metrics
	house    func(context.Context) // keeps what this process alone has
	listener net.Listener
	server   *http.Server
	serving  atomic.Bool
}

// New opens the database and the data directory, brings their schemas up to date
// and begins to listen. Nothing is served before Run.
func New(ctx context.Context, cfg *config.Config, d Deps) (*App, error) {
	if d.Now == nil {
		d.Now = time.Now
	}
	for _, w := range cfg.Warnings {
		d.Log.Warn().Str("setting", w.Where).Msg("configuration: " + w.String())
	}
	engines, err := newEngines(cfg, d)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, store.Options{DatabaseURL: cfg.DatabaseURL.Reveal(), Dir: cfg.DataDir, MaxConns: cfg.Workers + connsBeside})
	if err != nil {
		return nil, err
	}
	a := &App{cfg: cfg, log: d.Log, store: s, queue: job.New(s)}
	a.openSearches(d.Now())
	engines.cache = a.searches
	if err := a.assemble(ctx, d, engines); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return a, nil
}

// openSearches opens the kept search results. Those of another build are not used,
// whether or not its searches differ; where the build cannot be told, none are.
func (a *App) openSearches(now time.Time) {
	id, err := build()
	if err != nil {
		a.log.Warn().Err(err).Msg("search results are kept for this process alone")
		id = fmt.Sprint("process of ", now.UnixNano())
	}
	a.searches = a.store.SearchCache(search.EngineVersion+" "+id, 0)
}

// connsBeside are the database connections beside those of the workers: webhooks,
// heartbeats, the queue's own, metrics.
const connsBeside = 12

func (a *App) assemble(ctx context.Context, d Deps, engines engines) error {
	a.metrics = newMetrics(a.queue, a.searches)
	var err error
	a.gh, err = ghclient.New(ghclient.Options{
		APIURL: a.cfg.APIURL.String(), AppID: a.cfg.AppID, Key: a.cfg.Key(), Transport: d.Transport,
		Observe: a.metrics.call, Now: d.Now, UserAgent: "rescore/" + d.Version, Moved: a.moved,
	})
	if err != nil {
		return err
	}
	var git []gitmirror.Option
	if a.cfg.InsecureHTTP {
		git = append(git, gitmirror.WithInsecureHTTP())
	}
	dir := filepath.Join(a.cfg.DataDir, "mirrors")
	if err := store.CheckDir(dir); err != nil {
		return err
	}
	mirrors, err := gitmirror.OpenMirrors(dir, git...)
	if err != nil {
		return store.ExplainDir(dir, err)
	}
	workers := river.NewWorkers()
	w := worker.New(worker.Deps{
		Store: a.store, Queue: a.queue, App: a.gh, Mirrors: mirrors, Engine: engines.get, Searches: a.searches,
		WebURL: func(owner, name string) string { return a.cfg.WebURL.JoinPath(owner, name).String() }, GitURL: a.cfg.GitURL,
		Checks:   &publish.Checks{Records: a.store, History: a.store, Name: a.cfg.CheckName, Now: d.Now},
		Comments: &publish.Comments{Records: a.store, Login: a.gh.Login},
		Scorer:   fmt.Sprintf("%s rubric %s judges %v", d.Version, rubric.Version, a.cfg.Judges),
		Now:      d.Now, Log: a.log, MirrorLimit: a.cfg.MirrorLimit, Observe: a.metrics.published, ObserveJob: a.metrics.job, ObserveGit: a.metrics.git,
	})
	w.Register(workers)
	err = a.queue.Open(ctx, job.Options{
		Workers: workers, Concurrency: a.cfg.Workers, Drain: drainJobs,
		Logger: slog.New(zerolog.NewSlogHandler(a.log.With().Str("from", "river").Logger().Level(max(zerolog.WarnLevel, a.log.GetLevel())))),
	})
	if err != nil {
		return err
	}
	w.Replica = a.queue.ID()
	a.house = w.KeepHouse
	return a.listen(ctx)
}

// moved records a repository's present name.
func (a *App) moved(ctx context.Context, r ghclient.Repo) {
	if err := a.store.RenameRepository(ctx, r.ID, r.Owner, r.OwnerID, r.Name); err != nil {
		a.log.Warn().Err(err).Int64("repository", r.ID).Msg("new name not recorded; it is looked up again")
	}
}

// listen prepares the routes and takes the port.
func (a *App) listen(ctx context.Context) error {
	secrets := make([]string, len(a.cfg.WebhookSecrets))
	for i, s := range a.cfg.WebhookSecrets {
		secrets[i] = s.Reveal()
	}
	hook, err := webhook.New(webhook.Options{
		Secrets: secrets, AppID: a.cfg.AppID, Intake: a.queue, Observe: a.metrics.delivery, Log: a.log,
	})
	if err != nil {
		return err
	}
	a.server = &http.Server{
		Handler: a.routes(hook), ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(zerolog.NewSlogHandler(a.log), slog.LevelWarn),
	}
	a.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", a.cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w; choose another address with RESCORE_LISTEN", a.cfg.Listen, err)
	}
	return nil
}

// URL is where the server is reached on this machine.
func (a *App) URL() string {
	host, port, err := net.SplitHostPort(a.listener.Addr().String())
	if err != nil {
		return "http://" + a.listener.Addr().String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// Run works and serves until ctx ends, then drains: no new job begins, running
// ones finish or go back to the queue within config.DrainTimeout. Deliveries are
// taken until the end. It returns nil after an orderly end.
func (a *App) Run(ctx context.Context) error {
	defer a.store.Close()
	defer collectSooner()()
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stopWork()
	served := make(chan error, 1)
	go func() { served <- a.server.Serve(a.listener) }()
	if err := a.queue.Start(work); err != nil {
		return errors.Join(err, a.server.Close())
	}
	beside.Go(func() { a.queue.Keep(work, func(err error) { a.log.Error().Err(err).Msg("heartbeat") }) })
	beside.Go(func() { a.house(work) })
	a.serving.Store(true)
	a.log.Info().Str("url", a.URL()).Str("hook", a.URL()+webhook.Route).Str("github", a.cfg.WebURL.String()).Msg("serving")
	beside.Go(func() { a.greet(work) })
	var err error
	select {
	case <-ctx.Done():
	case err = <-served:
	}
	return errors.Join(err, a.drain(context.WithoutCancel(ctx), served, err != nil))
}

// greet asks GitHub who we are: it finds a wrong key or clock before the first
// delivery does, and the bot's login is known from then on.
func (a *App) greet(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, greetTimeout)
	defer cancel()
	login, err := a.gh.Login(ctx)
	if err != nil {
		a.log.Error().Err(err).Msg("GitHub does not know us yet; deliveries are stored and worked when it does")
		return
	}
	a.log.Info().Str("login", login).Msg("GitHub knows us")
}

func (a *App) drain(ctx context.Context, served <-chan error, failed bool) error {
	a.serving.Store(false)
	a.log.Info().Msg("draining")
	jobs, cancel := context.WithTimeout(ctx, drainJobs+drainCancel)
	defer cancel()
	err := a.queue.Stop(jobs)
	a.keepSearches(ctx)
	shut, cancelHTTP := context.WithTimeout(ctx, drainHTTP)
	defer cancelHTTP()
	if shutErr := a.server.Shutdown(shut); shutErr != nil {
		err = errors.Join(err, shutErr, a.server.Close())
	}
	if !failed {
		if serveErr := <-served; !errors.Is(serveErr, http.ErrServerClosed) {
			err = errors.Join(err, serveErr)
		}
	}
	a.log.Info().Msg("stopped")
	return err
}

// keepSearches writes the search results that were not written yet.
func (a *App) keepSearches(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, drainSearches)
	defer cancel()
	if err := a.searches.Flush(ctx); err != nil {
		a.log.Warn().Err(err).Msg("search results not kept; they are computed again")
	}
}

// Close gives up what New took, for an App that was never run.
func (a *App) Close() error {
	return errors.Join(a.listener.Close(), a.store.Close())
}
