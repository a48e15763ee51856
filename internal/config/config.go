package config

import (
	"crypto/rsa"
	"net/url"
	"runtime"
	"time"
)

// Defaults of the configuration, as the command line contract lists them.
const (
	DefaultWebURL    = "https://github.com"
	DefaultAPIURL    = "https://api.github.com"
	DefaultListen    = ":8080"
	DefaultDataDir   = "./data"
	DefaultLogLevel  = "info"
	DefaultCheckName = "Rescore"
	// DefaultMirrorLimit bounds the git mirrors of one process on disk.
	DefaultMirrorLimit = "50GiB"

	// DrainTimeout bounds how long running jobs may go on after SIGTERM.
	DrainTimeout = 30 * time.Second
	// MaxWorkers bounds the number of jobs worked at once by one process.
	MaxWorkers = 256
	// maxCheckName is our own bound: GitHub shows about this much of a name in the
	// list of checks.
	maxCheckName = 100
	// minSecret is the length of a webhook secret below which it is warned of, in bytes:
	// GitHub asks for a random text of high entropy, and 16 random bytes are 128 bits.
	minSecret = 16
	// minMirrors is the least bound on mirrors, in bytes.
	minMirrors = 1e6
)

// Secret is a value that never prints.
type Secret string

// String hides the value, so that a log line or an error text cannot hold it.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "[redacted]"
}

// GoString hides the value from %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText hides the value from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Reveal returns the value itself.
func (s Secret) Reveal() string { return string(s) }

// Config is a checked configuration. Load is the only way to make one outside tests.
type Config struct {
	WebURL *url.URL // without a trailing slash
	APIURL *url.URL // without a trailing slash; ends in /api/v3 for an Enterprise Server

	AppID          int64
	PrivateKey     Secret   // PEM
	WebhookSecrets []Secret // the current one first, then the old one during rotation
	Listen         string
	DataDir        string
	DatabaseURL    Secret // "" selects SQLite in DataDir
	Judges         []string
	Workers        int
	LogLevel       string
	InsecureHTTP   bool
	CheckName      string
	MirrorLimit    int64     // bytes on disk that the git mirrors may take
	Warnings       []Problem // what is likely a mistake, and does not keep from serving
	privateKey     *rsa.PrivateKey
}

// Key returns the parsed private key of the App.
func (c *Config) Key() *rsa.PrivateKey { return c.privateKey }

// GitURL returns where git fetches a repository from.
func (c *Config) GitURL(owner, name string) string {
	u := *c.WebURL
	return u.JoinPath(owner, name+".git").String()
}

func defaultWorkers() int { return min(runtime.GOMAXPROCS(0), MaxWorkers) }
