package contract

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Transport checks every exchange that passes through base.
func (c *Checker) Transport(base http.RoundTripper) http.RoundTripper {
	return roundTripper{c, base}
}

type roundTripper struct {
	checker *Checker
	base    http.RoundTripper
}

func (t roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	x := Exchange{Request: req.Clone(req.Context())}
	if req.Body != nil {
		var err error
		if x.RequestBody, err = io.ReadAll(req.Body); err != nil {
			return nil, fmt.Errorf("read request: %w", err)
		}
		if err := req.Body.Close(); err != nil {
			return nil, fmt.Errorf("read request: %w", err)
		}
		req = req.Clone(req.Context())
		req.Body = io.NopCloser(bytes.NewReader(x.RequestBody))
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	x.ResponseBody, err = io.ReadAll(resp.Body)
	if closeErr := resp.Body.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, fmt.Errorf("read response: %w", err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(x.ResponseBody))
	x.Status, x.Header = resp.StatusCode, resp.Header
	t.checker.Check(x)
	return resp, nil
}

// Middleware checks every exchange of the REST API that next answers; git's own
// requests pass unchecked. An exchange without an answer is not checked either.
func (c *Checker) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isGit(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "request broke off", http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		seen := r.Clone(r.Context())
		seen.URL.Scheme, seen.URL.Host = "http", r.Host
		tee := &teeWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(tee, r)
		c.Check(Exchange{Request: seen, RequestBody: body, Status: tee.status, Header: w.Header().Clone(), ResponseBody: tee.body.Bytes()})
	})
}

func isGit(path string) bool {
	return strings.HasSuffix(path, "/info/refs") || strings.HasSuffix(path, "/git-upload-pack") || strings.HasSuffix(path, "/git-receive-pack")
}

// teeWriter keeps what it passes on.
type teeWriter struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (w *teeWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *teeWriter) Write(p []byte) (int, error) {
	w.body.Write(p)
	return w.ResponseWriter.Write(p)
}
