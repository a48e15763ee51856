package ghclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Timeouts of our own: the libraries set none.
const (
	dialTimeout     = 10 * time.Second
	headerTimeout   = 30 * time.Second // GitHub itself gives up on a request after 10 s
	requestTimeout  = 60 * time.Second
	idleTimeout     = 90 * time.Second
	maxIdlePerHost  = 32
	maxErrorBody    = 64 << 10 // bytes read of an answer to find out whether it is a limit
	maxResponseBody = 64 << 20 // bytes of any answer
	maxRedirects    = 5
)

// baseTransport is the connection pool for GitHub's host.
func baseTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout:   dialTimeout,
		ResponseHeaderTimeout: headerTimeout,
		IdleConnTimeout:       idleTimeout,
		MaxIdleConnsPerHost:   maxIdlePerHost,
		ForceAttemptHTTP2:     true,
	}
}

// guard is the innermost transport. ghinstallation signs whatever request it is
// given, redirects included: here those to another host end.
type guard struct {
	host string
	next http.RoundTripper
}

func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != g.host {
		return nil, fmt.Errorf("%w: %q", ErrForeignHost, r.URL.Host)
	}
	resp, err := g.next.RoundTrip(r)
	if err == nil {
		resp.Body = &boundedBody{ReadCloser: resp.Body, left: maxResponseBody}
	}
	return resp, err
}

// boundedBody ends with an error where an answer grows out of all measure.
type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errors.New("the answer is larger than any that GitHub sends")
	}
	return n, err
}

// Call is one request to the API, for metrics and tests.
type Call struct {
	Method   string
	Route    string // path with ids and names left out
	Status   int    // 0 when there was no answer
	Duration time.Duration
}

// watch reports every request that is sent.
type watch struct {
	observe func(Call)
	base    string // path of the API's root
	next    http.RoundTripper
}

func (w watch) RoundTrip(r *http.Request) (*http.Response, error) {
	began := time.Now()
	resp, err := w.next.RoundTrip(r)
	c := Call{Method: r.Method, Route: Route(strings.TrimPrefix(r.URL.Path, w.base)), Duration: time.Since(began)}
	if err == nil {
		c.Status = resp.StatusCode
	}
	w.observe(c)
	return resp, err
}

// Route is an API path with ids and names left out, so that it can name a metric.
func Route(path string) string {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, s := range segments {
		switch {
		case i > 0 && segments[0] == "repos" && i <= 2, i > 0 && segments[i-1] == "collaborators", i > 0 && segments[i-1] == "commits":
			segments[i] = "*"
		case s != "" && strings.Trim(s, "0123456789") == "":
			segments[i] = "*"
		}
	}
	return "/" + strings.Join(segments, "/")
}

// limiter keeps one installation within its budget and turns GitHub's limits into
// errors that say when to come back.
type limiter struct {
	budget *budget
	now    func() time.Time
	next   http.RoundTripper
}

func (l limiter) RoundTrip(r *http.Request) (*http.Response, error) {
	wait, err := l.budget.take(l.now(), r)
	if err != nil {
		return nil, err
	}
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-r.Context().Done():
			return nil, r.Context().Err()
		case <-timer.C:
		}
	}
	resp, err := l.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	limited, until, err := rateLimited(resp, l.now())
	if err != nil {
		return nil, err
	}
	if !limited {
		l.budget.answered()
		return resp, nil
	}
	_ = resp.Body.Close() // it was read
	return nil, l.budget.limited(l.now(), until)
}

// rateLimited reports whether GitHub refused the request for its rate, and until
// when: by Retry-After, else by the reset time when nothing remains. A 403 has
// many reasons, so its words decide where no header does.
func rateLimited(resp *http.Response, now time.Time) (limited bool, until time.Time, err error) {
	if resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusTooManyRequests {
		return false, time.Time{}, nil
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if err != nil {
		return false, time.Time{}, fmt.Errorf("read GitHub's answer: %w", err)
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{bytes.NewReader(body), resp.Body}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		return true, now.Add(time.Duration(seconds) * time.Second), nil
	}
	if resp.Header.Get("X-RateLimit-Remaining") == "0" {
		if reset, err := strconv.ParseInt(resp.Header.Get("X-RateLimit-Reset"), 10, 64); err == nil {
			return true, time.Unix(reset, 0).Add(time.Second), nil
		}
		return true, time.Time{}, nil
	}
	return resp.StatusCode == http.StatusTooManyRequests || speaksOfRate(body), time.Time{}, nil
}

func speaksOfRate(body []byte) bool {
	var answer struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return false
	}
	message := strings.ToLower(answer.Message)
	return strings.Contains(message, "rate limit") || strings.Contains(message, "abuse detection")
}

// redirects follows none for a write, which a 301 would turn into a read, and for
// a read only those that stay on the host.
func redirects(host string) func(*http.Request, []*http.Request) error {
	return func(r *http.Request, via []*http.Request) error {
		switch {
		case isWrite(via[0].Method):
			return http.ErrUseLastResponse
		case r.URL.Host != host:
			return fmt.Errorf("%w: %q", ErrForeignHost, r.URL.Host)
		case len(via) >= maxRedirects:
			return errors.New("GitHub redirects in circles")
		}
		return nil
	}
}

// apiRoot checks the API's address and gives it the trailing slash that go-github
// wants.
func apiRoot(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(address, "/") + "/")
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("API address %q is no web address", address)
	}
	return u, nil
}
