package standin

import (
	"bytes"
	"io"
	"net/http"
	"net/http/cgi"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Names of git's services, as the journal and fault plans know them.
const (
	uploadPack  = "git-upload-pack"
	receivePack = "git-receive-pack"
)

// gitRequest is a request for a repository over git's smart HTTP.
type gitRequest struct {
	service   string
	fullName  string
	tail      string // "/info/refs" or "/git-upload-pack"
	advertise bool
}

// gitService recognises git's requests, with and without ".git" after the name.
func gitService(r *http.Request) (gitRequest, bool) {
	var q gitRequest
	for _, tail := range []string{"/info/refs", "/" + uploadPack, "/" + receivePack} {
		if name, ok := strings.CutSuffix(r.URL.Path, tail); ok {
			q.tail, q.fullName, q.service = tail, strings.TrimSuffix(strings.TrimPrefix(name, "/"), ".git"), tail[1:]
		}
	}
	if q.tail == "" || strings.Count(q.fullName, "/") != 1 {
		return q, false
	}
	if q.tail == "/info/refs" {
		q.service, q.advertise = r.URL.Query().Get("service"), true
	}
	return q, true
}

// gitAnswer is a refusal in plain text, as git shows it after "remote:".
type gitAnswer struct {
	status  int
	message string
	header  map[string]string
}

// serveGit checks the credential and lets git-http-backend answer. A push is
// watched, so that its events follow.
func (g *GitHub) serveGit(w http.ResponseWriter, r *http.Request, q gitRequest) {
	start := time.Now()
	entry := Exchange{At: g.opts.Clock().UTC(), Operation: q.service, Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery}
	g.mu.Lock()
	who, repo, refused := g.admitGit(r, q)
	g.mu.Unlock()
	entry.Credential = who.digest
	if i := who.installation(); i != nil {
		entry.Installation = i.id
	}
	if repo != nil {
		entry.Repository = repo.id
	}
	fault := g.faultFor(Request{Operation: q.service, Method: r.Method, Path: r.URL.EscapedPath(), Installation: entry.Installation})
	entry.Faulted = fault.answers() || fault.Delay > 0
	defer func() {
		entry.Elapsed = time.Since(start)
		g.record(entry)
		if entry.Status == 0 {
			panic(http.ErrAbortHandler) // the documented way to close without an answer
		}
	}()
	switch {
	case !fault.pause(r, g.hooks.closing) || fault.Drop:
		return
	case fault.Hang:
		_, _ = io.Copy(io.Discard, r.Body) // a request ends with its client only once its body is read
		select {
		case <-r.Context().Done():
		case <-g.hooks.closing:
		}
		return
	case fault.Status != 0:
		refused = &gitAnswer{fault.Status, fault.Message, fault.Header}
	}
	if refused != nil {
		for name, value := range refused.header {
			w.Header().Set(name, value)
		}
		entry.Status = refused.status
		http.Error(w, refused.message, refused.status)
		return
	}
	entry.Status = g.backend(w, r, q, who, repo)
}

// admitGit finds the repository and checks the caller. Caller holds mu.
func (g *GitHub) admitGit(r *http.Request, q gitRequest) (caller, *repository, *gitAnswer) {
	challenge := map[string]string{"WWW-Authenticate": `Basic realm="GitHub"`}
	missing := &gitAnswer{http.StatusNotFound, "Repository not found.", nil}
	if q.service != uploadPack && q.service != receivePack {
		return caller{}, nil, &gitAnswer{http.StatusForbidden, "Please upgrade your git client.", nil}
	}
	user, _, hasAuth := r.BasicAuth()
	who, problem := g.identify(bearer(r))
	repo := g.world.byName[strings.ToLower(q.fullName)]
	if repo != nil && repo.deleted {
		repo = nil
	}
	wrongUser := who.installation() != nil && user != "x-access-token"
	switch {
	case problem != nil && problem.status == http.StatusForbidden:
		return who, repo, &gitAnswer{http.StatusForbidden, "This installation has been suspended", nil}
	case problem != nil, wrongUser, hasAuth && who.token == nil:
		return who, repo, &gitAnswer{http.StatusUnauthorized, "Invalid username or token. Password authentication is not supported for Git operations.", challenge}
	case !hasAuth && (repo == nil || repo.private || q.service == receivePack):
		return who, repo, &gitAnswer{http.StatusUnauthorized, "Repository not found.", challenge}
	case repo == nil || !who.sees(repo):
		return who, nil, missing
	case !strings.EqualFold(repo.fullName(), q.fullName):
		target := g.url + "/" + repo.fullName() + ".git" + q.tail
		if r.URL.RawQuery != "" {
			target += "?" + r.URL.RawQuery
		}
		return who, repo, &gitAnswer{http.StatusMovedPermanently, "", map[string]string{"Location": target}}
	}
	return who, repo, repo.gitRefusal(q, who)
}

// gitRefusal checks permissions and the state of the repository.
func (r *repository) gitRefusal(q gitRequest, who caller) *gitAnswer {
	if r.disabled {
		return &gitAnswer{http.StatusForbidden, "Access to this repository has been disabled by GitHub staff.", nil}
	}
	if q.service == uploadPack {
		if i := who.installation(); i != nil && r.private && !who.token.has(read("contents")) {
			return &gitAnswer{http.StatusForbidden, "Permission to read the repository not granted.", nil}
		}
		return nil
	}
	if r.archived {
		return &gitAnswer{http.StatusForbidden, "This repository was archived so it is read-only.", nil}
	}
	mayPush := who.token.user != nil && r.roleOf(who.token.user).canWrite()
	if who.installation() != nil {
		mayPush = who.reaches(r) && who.token.has(write("contents"))
	}
	if !mayPush {
		return &gitAnswer{http.StatusForbidden, "Write access to repository not granted.", nil}
	}
	return nil
}

// backend runs git-http-backend and returns the status it answered with.
func (g *GitHub) backend(w http.ResponseWriter, r *http.Request, q gitRequest, who caller, repo *repository) int {
	inner := r.Clone(r.Context())
	if len(r.TransferEncoding) > 0 { // CGI takes no chunked body; git sends one above http.postBuffer
		data, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, "Request body broke off.", http.StatusBadRequest)
			return http.StatusBadRequest
		}
		inner.Body, inner.ContentLength, inner.TransferEncoding = io.NopCloser(bytes.NewReader(data)), int64(len(data)), nil
	}
	inner.URL = &url.URL{Path: "/" + filepath.Base(repo.dir.path) + q.tail, RawQuery: r.URL.RawQuery}
	by := g.senderOf(who)
	handler := &cgi.Handler{
		Path: g.git.backend, Root: "/", Stderr: io.Discard,
		Env: []string{
			"GIT_PROJECT_ROOT=" + filepath.Dir(repo.dir.path), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=" + by.login,
			"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "HOME=" + os.DevNull,
		},
	}
	out := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	if q.service != receivePack || q.advertise {
		handler.ServeHTTP(out, inner)
		return out.status
	}
	g.refs.Lock()
	defer g.refs.Unlock()
	_, err := g.watched(r.Context(), repo, by, func() error {
		handler.ServeHTTP(out, inner)
		return nil
	})
	if err != nil && out.status == http.StatusOK {
		out.status = http.StatusInternalServerError // in the journal: the answer is out already
	}
	return out.status
}

// statusWriter remembers the status.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Flush lets the backend stream.
func (w *statusWriter) Flush() {
	if f, ok := w.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}
