package standin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	apiMediaType = "github.v3; format=json"
	apiVersion   = "2022-11-28"
)

// call is one REST request on its way through the stand-in.
type call struct {
	g      *GitHub
	req    *http.Request
	base   string // URL and API prefix of this request
	path   string // escaped, without the API prefix
	op     *operation
	params map[string]string
	query  url.Values
	body   []byte
	who    caller
	repo   *repository // of paths below /repos/{owner}/{repo}
}

func (c *call) ctx() context.Context { return c.req.Context() }

// number reads a numeric path parameter; one that is not a number finds nothing.
func (c *call) number(name string) int64 {
	n, err := strconv.ParseInt(c.params[name], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// decode reads the JSON body into v, or says why not.
func (c *call) decode(v any) *reply {
	err := json.Unmarshal(c.body, v)
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrongType):
		r := unprocessable("For 'properties/%s', %s is not a %s.", wrongType.Field, wrongType.Value, wrongType.Type)
		return &r
	}
	r := refuse(http.StatusBadRequest, "Problems parsing JSON")
	return &r
}

// ServeHTTP answers git, the REST API under /api/v3 and under the root, and 404.
func (g *GitHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if service, ok := gitService(r); ok {
		g.serveGit(w, r, service)
		return
	}
	start := time.Now()
	c := &call{g: g, req: r, query: r.URL.Query(), path: r.URL.EscapedPath()}
	c.base = g.URL()
	if rest, ok := strings.CutPrefix(c.path, apiPrefix); ok {
		c.path, c.base = rest, c.base+apiPrefix
	}
	entry := Exchange{At: g.opts.Clock().UTC(), Method: r.Method, Path: c.path, Query: r.URL.RawQuery}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
	if err != nil {
		entry.Status = http.StatusRequestEntityTooLarge
		g.record(entry)
		data, answer := refuse(entry.Status, "Request body is too large or broken off.").final(r)
		send(w, answer, data)
		return
	}
	c.body = body
	entry.BodyBytes, entry.BodyDigest = len(body), bodyDigest(body)
	c.route()
	answer, fault := g.handle(c)
	entry.Faulted = fault.answers() || fault.Delay > 0
	entry.Credential = c.who.digest
	if c.op != nil {
		entry.Operation, entry.ContentWrite = c.op.name, c.op.contentWrite()
	}
	if c.repo != nil {
		entry.Repository = c.repo.id
	}
	if i := c.who.installation(); i != nil {
		entry.Installation = i.id
	}
	g.finish(w, c, answer, fault, &entry, start)
}

// route finds the operation, also of /repositories/{id} paths.
func (c *call) route() {
	path := c.path
	if rest, ok := strings.CutPrefix(path, "/repositories/"); ok {
		id, tail, _ := strings.Cut(rest, "/")
		n, _ := strconv.ParseInt(id, 10, 64)
		c.g.mu.Lock()
		if r := c.g.world.repos[n]; r != nil && !r.deleted {
			path = strings.TrimSuffix("/repos/"+r.fullName()+"/"+tail, "/")
		}
		c.g.mu.Unlock()
	}
	c.op, c.params = c.g.router.find(c.req.Method, path)
}

// handle does the work of a request, with the faults planned for it.
func (g *GitHub) handle(c *call) (reply, Fault) {
	g.mu.Lock()
	who, problem := g.identify(bearer(c.req))
	g.mu.Unlock()
	c.who = who
	asked := Request{Method: c.req.Method, Path: c.path, Body: c.body}
	if c.op != nil {
		asked.Operation = c.op.name
	}
	if i := who.installation(); i != nil {
		asked.Installation = i.id
	}
	fault := g.faultFor(asked)
	if !fault.pause(c.req, g.hooks.closing) {
		fault.Drop = true
		return reply{}, fault
	}
	if fault.answers() && !fault.AfterWork {
		return reply{}, fault
	}
	if problem != nil {
		return *problem, fault
	}
	return g.work(c), fault
}

// work checks limits, the repository and permissions, and calls the operation.
func (g *GitHub) work(c *call) reply {
	if c.op == nil {
		return notFound()
	}
	g.mu.Lock()
	refused := g.admit(c)
	g.mu.Unlock()
	if refused != nil {
		return *refused
	}
	return c.op.handle(c)
}

// admit needs mu held.
func (g *GitHub) admit(c *call) *reply {
	if c.op.name != "GET /rate_limit" {
		if refused := g.spend(c.who, c.op); refused != nil {
			return refused
		}
	}
	if owner, ok := c.params["owner"]; ok {
		full := owner + "/" + c.params["repo"]
		r := g.world.byName[strings.ToLower(full)]
		if r == nil || r.deleted || c.op.who != theApp && !c.who.sees(r) {
			no := notFound()
			return &no
		}
		c.repo = r
		if !strings.EqualFold(r.fullName(), full) {
			return g.moved(c)
		}
	}
	if refused := c.who.allow(c.op, c.repo); refused != nil {
		return refused
	}
	if c.repo != nil && c.op.who != theApp {
		return c.repo.closedTo(c.op)
	}
	return nil
}

// moved redirects a former name to the repository's id.
func (g *GitHub) moved(c *call) *reply {
	status := http.StatusMovedPermanently
	if c.req.Method != http.MethodGet {
		status = g.opts.WriteRedirect
	}
	rest := strings.SplitN(strings.TrimPrefix(c.path, "/repos/"), "/", 3)
	target := fmt.Sprintf("%s/repositories/%d", c.base, c.repo.id)
	if len(rest) == 3 {
		target += "/" + rest[2]
	}
	if c.req.URL.RawQuery != "" {
		target += "?" + c.req.URL.RawQuery
	}
	r := reply{status: status, body: object{"message": "Moved Permanently", "url": target, "documentation_url": docsURL}}.
		withHeader("Location", target)
	return &r
}

// closedTo refuses what an archived or disabled repository does not take.
func (r *repository) closedTo(op *operation) *reply {
	var no reply
	switch {
	case r.disabled && op.name != "GET /repos/{owner}/{repo}":
		no = refuse(http.StatusForbidden, "Repository access blocked")
	case r.archived && op.method != http.MethodGet:
		no = refuse(http.StatusForbidden, "Repository was archived so is read-only.")
	default:
		return nil
	}
	return &no
}

// finish keeps the journal and sends the answer, or what a fault makes of it. The
// journal comes first, so that a client that has its answer finds the entry.
func (g *GitHub) finish(w http.ResponseWriter, c *call, answer reply, fault Fault, entry *Exchange, start time.Time) {
	note := func(status int) {
		entry.Status, entry.Elapsed = status, time.Since(start)
		g.record(*entry)
	}
	if fault.Hang {
		select {
		case <-c.req.Context().Done():
		case <-g.hooks.closing:
		}
	}
	if fault.Hang || fault.Drop {
		note(0)
		panic(http.ErrAbortHandler) // the documented way to close without an answer
	}
	if fault.Status != 0 {
		answer = fault.reply()
	}
	data, answer := answer.final(c.req)
	g.mu.Lock()
	if answer.status == http.StatusNotModified {
		g.budgetOf(c.who.budgetKey()).used-- // a 304 costs nothing
	}
	g.rateHeaders(w.Header(), c.who.budgetKey())
	g.mu.Unlock()
	note(answer.status)
	send(w, answer, data)
}

// final encodes an answer and makes it a 304 when the client has it already.
func (r reply) final(req *http.Request) ([]byte, reply) {
	data, err := r.encode()
	if err != nil {
		r = serverError(err)
		data, _ = r.encode() // an object of strings
	}
	if req.Method != http.MethodGet || r.status != http.StatusOK {
		return data, r
	}
	sum := sha256.Sum256(data)
	tag := `W/"` + hex.EncodeToString(sum[:]) + `"`
	if req.Header.Get("If-None-Match") == tag {
		data, r = nil, reply{status: http.StatusNotModified}
	}
	return data, r.withHeader("ETag", tag)
}

// send writes an answer.
func send(w http.ResponseWriter, answer reply, data []byte) {
	h := w.Header()
	h.Set("X-GitHub-Request-Id", strings.ToUpper(randomHex(8)))
	h.Set("X-GitHub-Media-Type", apiMediaType)
	h.Set("X-GitHub-Api-Version-Selected", apiVersion)
	if answer.body != nil {
		h.Set("Content-Type", contentJSON)
	}
	for name, values := range answer.header {
		h[http.CanonicalHeaderKey(name)] = values
	}
	w.WriteHeader(answer.status)
	_, _ = w.Write(data) // a client that left is not an error of ours
}
