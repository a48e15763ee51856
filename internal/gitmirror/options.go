package gitmirror

import (
	"fmt"
	"os/exec"
	"time"
)

// Option changes how repositories and mirrors are opened.
type Option func(*options)

type options struct {
	git          string
	timeout      time.Duration
	fetchTimeout time.Duration
	blobLimit    int64
	insecureHTTP bool
	localRemotes bool
	now          func() time.Time
}

// WithGit names the git executable. The default is the one on the PATH.
func WithGit(path string) Option { return func(o *options) { o.git = path } }

// WithTimeout bounds one local git process, or one exchange with the long-lived
// one. The default is two minutes.
func WithTimeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// WithFetchTimeout bounds one fetch, and one repacking of a mirror. The default is
// ten minutes.
func WithFetchTimeout(d time.Duration) Option { return func(o *options) { o.fetchTimeout = d } }

// WithBlobLimit sets the size above which Tree.Read reports a file as too large,
// in bytes.
func WithBlobLimit(bytes int64) Option { return func(o *options) { o.blobLimit = bytes } }

// WithInsecureHTTP lets mirrors fetch over http:// from any host, not only from
// this machine. The token then crosses the network in clear.
func WithInsecureHTTP() Option { return func(o *options) { o.insecureHTTP = true } }

// WithLocalRemotes lets mirrors fetch from file:// URLs, which tests do.
func WithLocalRemotes() Option { return func(o *options) { o.localRemotes = true } }

// WithClock sets the clock that ages of mirrors are measured by.
func WithClock(now func() time.Time) Option { return func(o *options) { o.now = now } }

const (
	// defaultTimeout bounds a local git process: a diff of a very large repository
	// takes seconds.
	defaultTimeout = 2 * time.Minute
	// defaultFetchTimeout lets the first fetch of a repository with a long history
	// end.
	defaultFetchTimeout = 10 * time.Minute
)

func newOptions(opts []Option) (options, error) {
	o := options{
		git: "git", timeout: defaultTimeout, fetchTimeout: defaultFetchTimeout,
		blobLimit: DefaultBlobLimit, now: time.Now,
	}
	for _, opt := range opts {
		opt(&o)
	}
	path, err := exec.LookPath(o.git)
	if err != nil {
		return o, fmt.Errorf("%w (looked for %q)", ErrNoGit, o.git)
	}
	o.git = path
	return o, nil
}
