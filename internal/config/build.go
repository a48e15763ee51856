package config

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rescore-app/rescore/internal/judge/known"
)

// build checks every setting and notes the problems; the result is usable only
// when there are none.
func (l *loader) build() *Config {
	c := &Config{
		Listen:    l.text(keyListen, DefaultListen),
		DataDir:   l.text(keyDataDir, DefaultDataDir),
		LogLevel:  l.text(keyLogLevel, DefaultLogLevel),
		CheckName: l.text(keyCheckName, DefaultCheckName),
	}
	c.InsecureHTTP = l.insecure()
	c.WebURL, c.APIURL = l.urls(c.InsecureHTTP)
	c.AppID = l.appID()
	c.PrivateKey, c.privateKey = l.privateKey()
	c.WebhookSecrets = l.webhookSecrets()
	c.DatabaseURL = l.database()
	c.Judges = l.judges()
	c.Workers = l.workers()
	c.MirrorLimit = l.size(keyMirrors, DefaultMirrorLimit, minMirrors)
	l.checkListen(c.Listen)
	l.checkLogLevel(c.LogLevel)
	l.checkName(c.CheckName)
	return c
}

func (l *loader) text(k key, fallback string) string {
	if v, _, ok := l.get(k); ok && v != "" {
		return v
	}
	return fallback
}

func (l *loader) insecure() bool {
	v, where, ok := l.get(keyInsecure)
	if !ok {
		return false
	}
	b, err := strconv.ParseBool(strings.ToLower(v))
	if err != nil {
		l.problem(where, fmt.Sprintf("%q is neither true nor false", v), "set it to 1 or leave it unset")
	}
	return b
}

// appID refuses what go-githubapp would silently read as 0.
func (l *loader) appID() int64 {
	v, where, ok := l.get(keyAppID)
	fix := "set it to the App ID shown on the App's settings page, a whole number"
	if !ok {
		l.missing(where, fix)
		return 0
	}
	id, err := strconv.ParseInt(v, 10, 64)
	if err != nil || id <= 0 {
		l.problem(where, fmt.Sprintf("%q is not an App ID", v), fix)
		return 0
	}
	return id
}

func (l *loader) privateKey() (Secret, *rsa.PrivateKey) {
	v, where, ok := l.secret(keyPrivateKey)
	if !ok {
		l.missing(where, "set it to the PEM text of the App's private key, or set "+keyPrivateKey.env+"_FILE to its path")
		return "", nil
	}
	if l.failed(where) {
		return "", nil
	}
	text := v.Reveal()
	if !strings.Contains(text, "\n") { // environment files often carry line breaks as \n
		text = strings.ReplaceAll(text, `\n`, "\n")
	}
	k, err := parseKey([]byte(text))
	if err != nil {
		l.problem(where, err.Error(), "use the .pem file that GitHub gave when the key was generated, complete with its BEGIN and END lines")
		return "", nil
	}
	return Secret(text), k
}

// failed reports whether a problem was already noted at the place.
func (l *loader) failed(where string) bool {
	return slices.ContainsFunc(l.problems, func(p Problem) bool { return p.Where == where })
}

// parseKey reads an RSA private key. Its errors never hold any of the text.
func parseKey(data []byte) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("no PEM block found")
	}
	if k, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return k, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("the PEM block %q holds no RSA private key", block.Type)
	}
	k, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("the PEM block %q holds a key that is not RSA", block.Type)
	}
	return k, nil
}

func (l *loader) webhookSecrets() []Secret {
	const fix = "with an empty secret anybody could forge deliveries: set the same random text here and on the App's settings page"
	v, where, ok := l.secret(keySecret)
	switch {
	case l.failed(where):
		return nil
	case !ok:
		l.missing(where, fix)
		return nil
	case v == "":
		l.problem(where, "the secret is empty", fix)
		return nil
	}
	l.weigh(where, v)
	secrets := []Secret{v}
	if old, where, ok := l.secret(keySecretOld); ok && old != "" && old != v {
		l.weigh(where, old)
		secrets = append(secrets, old)
	}
	return secrets
}

// weigh warns of a secret that is short enough to be guessed.
func (l *loader) weigh(where string, s Secret) {
	if n := len(s); n < minSecret {
		l.warn(where, fmt.Sprintf("the secret has %d bytes, and who guesses it can forge deliveries", n),
			fmt.Sprintf("use a random text of at least %d, for example from: openssl rand -hex 32", minSecret))
	}
}

func (l *loader) database() Secret {
	v, where, ok := l.secret(keyDatabase)
	if !ok {
		return ""
	}
	s := v.Reveal()
	if !strings.HasPrefix(s, "postgres://") && !strings.HasPrefix(s, "postgresql://") && !l.failed(where) {
		l.problem(where, "not a PostgreSQL URL", "use postgres://user:password@host/database, or leave it unset for SQLite in the data directory")
	}
	return v
}

func (l *loader) judges() []string {
	v, where, ok := l.get(keyJudges)
	if !ok {
		return []string{known.Default}
	}
	var out []string
	for name := range strings.SplitSeq(v, ",") {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			if !l.failed(where) { // said once, however often it is so
				l.problem(where, "an empty name in the list", "name judges with commas between them, for example \"evidence\"")
			}
		case slices.Contains(out, name):
			l.problem(where, fmt.Sprintf("%q is named twice", name), "name each judge once, in the order in which they are asked")
		case !slices.Contains(known.Names(), name):
			l.problem(where, fmt.Sprintf("no judge is called %q", name), didYouMean(name, known.Names()))
		default:
			out = append(out, name)
		}
	}
	return out
}

func (l *loader) workers() int {
	v, where, ok := l.get(keyWorkers)
	if !ok {
		return defaultWorkers()
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > MaxWorkers {
		l.problem(where, fmt.Sprintf("%q is not a number of workers", v), fmt.Sprintf("use a whole number from 1 to %d", MaxWorkers))
		return 1
	}
	return n
}

func (l *loader) checkListen(addr string) {
	_, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		_, where, _ := l.get(keyListen)
		l.problem(where, fmt.Sprintf("%q is not an address to listen on", addr), "use host:port or :port, for example \":8080\"")
	}
}

// LogLevels lists the accepted levels, from most to least.
var LogLevels = []string{"trace", "debug", "info", "warn", "error"}

func (l *loader) checkLogLevel(level string) {
	if !slices.Contains(LogLevels, level) {
		_, where, _ := l.get(keyLogLevel)
		l.problem(where, fmt.Sprintf("%q is not a level", level), "use one of "+strings.Join(LogLevels, ", "))
	}
}

func (l *loader) checkName(name string) {
	if len(name) > maxCheckName || strings.ContainsFunc(name, unicode.IsControl) {
		_, where, _ := l.get(keyCheckName)
		l.problem(where, "not usable as the name of a check", fmt.Sprintf("use one line of at most %d bytes", maxCheckName))
	}
}
