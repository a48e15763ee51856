package standin

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // GitHub sends the old signature too
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	hookID          = 4001
	maxHookResponse = 64 << 10
)

// event is something that happened and that the App may be told.
type event struct {
	name, action string
	repo         *repository   // nil for events of an installation
	installation *installation // of the repository when nil
	sender       *account
	body         object // the event's own keys
	special      object // stands for the usual "repository" value when not nil
}

// eventNeeds says which permission an event's subscription asks for.
var eventNeeds = map[string][]string{
	"push": {"contents"}, "pull_request": {"pull_requests"}, "issue_comment": {"issues", "pull_requests"}, "check_run": {"checks"},
	"check_suite": {"checks"}, "merge_group": {"merge_queues"}, "repository": {"metadata"},
}

// wanted reports whether an installation is sent an event.
func (g *GitHub) wanted(i *installation, e event) bool {
	if e.name == "installation" || e.name == "installation_repositories" {
		return true
	}
	if i.suspended != nil {
		return false
	}
	if !slices.ContainsFunc(eventNeeds[e.name], func(p string) bool { return i.permissions[p] != "" }) {
		return false
	}
	asked := e.action == "requested" || e.action == "rerequested" || e.action == "requested_action"
	if (e.name == "check_run" || e.name == "check_suite") && asked {
		return i.permissions["checks"] == "write"
	}
	return slices.Contains(g.app.events, e.name)
}

// emit queues the delivery of an event, if the App is to have it. The payload is
// fixed here. Caller holds mu.
func (g *GitHub) emit(e event) {
	i := e.installation
	if i == nil {
		i = g.world.covering(e.repo)
	}
	if i == nil || g.app.hookURL == "" || !g.wanted(i, e) {
		return
	}
	payload := object{}
	for name, value := range e.body {
		payload[name] = value
	}
	if e.action != "" {
		payload["action"] = e.action
	}
	if e.sender == nil {
		e.sender = i.account
	}
	payload["sender"] = g.accountJSON(e.sender)
	d := &delivery{Delivery: Delivery{
		ID: g.nextID("delivery"), GUID: uuid.NewString(), Event: e.name, Action: e.action, Installation: i.id,
	}}
	if e.repo != nil {
		d.Repository = e.repo.id
		payload["repository"] = g.repoJSON(e.repo)
		if e.special != nil {
			payload["repository"] = e.special
		}
		if e.repo.owner.kind == kindOrg {
			payload["organization"] = g.orgJSON(e.repo.owner)
		}
	}
	if _, whole := payload["installation"]; !whole {
		payload["installation"] = object{"id": i.id, "node_id": nodeID("Integration Installation", i.id)}
	}
	d.Payload = cloneJSON(payload)
	if len(d.Payload) > maxBodyBytes {
		return // GitHub sends nothing for larger events
	}
	if g.opts.OnEvent != nil {
		g.opts.OnEvent(d.Delivery)
	}
	g.hooks.pending = append(g.hooks.pending, g.plannedCopies(d)...)
	g.broadcast()
}

// Delivery is one webhook, sent or to be sent.
type Delivery struct {
	ID           int64
	GUID         string // X-GitHub-Delivery; a redelivery keeps it
	Event        string
	Action       string
	Installation int64
	Repository   int64 // 0 for events of an installation
	Payload      json.RawMessage
	Redelivery   bool
	At           time.Time // zero while it waits
	Elapsed      time.Duration
	Status       string // "OK", or why it failed
	StatusCode   int    // 0 while it waits
}

// Failed reports whether the delivery was tried and not taken.
func (d Delivery) Failed() bool {
	return d.StatusCode != 0 && (d.StatusCode < 200 || d.StatusCode > 299)
}

type delivery struct {
	Delivery
	dropped         bool // planned: it does not reach the App
	requestHeaders  map[string]string
	responseHeaders map[string]string
	responseBody    string
}

// hookQueue sends deliveries with a few workers. mu of the GitHub guards pending,
// log, held, busy and plans.
type hookQueue struct {
	pending []*delivery
	log     []*delivery // tried, in order
	held    bool
	busy    int
	plans   []*deliveryPlan

	client  *http.Client
	closing chan struct{}
	abort   context.CancelFunc // ends deliveries on their way
	workers sync.WaitGroup
	once    sync.Once
}

func (q *hookQueue) start(g *GitHub) {
	q.closing = make(chan struct{})
	q.client = &http.Client{
		Timeout:       g.opts.DeliveryTimeout,
		Transport:     &http.Transport{MaxIdleConnsPerHost: g.opts.DeliveryWorkers},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	ctx, abort := context.WithCancel(context.Background())
	q.abort = abort
	for range g.opts.DeliveryWorkers {
		q.workers.Go(func() { g.deliverAll(ctx) })
	}
}

func (q *hookQueue) stop() {
	q.once.Do(func() { close(q.closing) })
	q.abort()
	q.workers.Wait()
	q.client.CloseIdleConnections()
}

// deliverAll is one worker.
func (g *GitHub) deliverAll(ctx context.Context) {
	for {
		g.mu.Lock()
		changed := g.changed
		var next *delivery
		if len(g.hooks.pending) > 0 && !g.hooks.held {
			next, g.hooks.pending = g.hooks.pending[0], g.hooks.pending[1:]
			g.hooks.busy++
		}
		g.mu.Unlock()
		if next == nil {
			select {
			case <-changed:
			case <-g.hooks.closing:
				return
			}
			continue
		}
		g.deliver(ctx, next)
		select {
		case <-g.hooks.closing:
			return
		default:
		}
	}
}

// deliver sends one webhook and logs how it went.
func (g *GitHub) deliver(ctx context.Context, d *delivery) {
	g.mu.Lock()
	url, secret := g.app.hookURL, g.app.secret
	d.At = g.opts.Clock().UTC()
	g.mu.Unlock()
	start := time.Now()
	code, status := http.StatusBadGateway, "failed to connect to host"
	d.requestHeaders = g.hookHeaders(d, secret)
	if !d.dropped {
		code, status = g.post(ctx, d, url)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	d.StatusCode, d.Status, d.Elapsed = code, status, time.Since(start)
	g.hooks.log = append(g.hooks.log, d)
	g.hooks.busy--
	g.broadcast()
}

// post makes the request; the answer is GitHub's word for how it went.
func (g *GitHub) post(ctx context.Context, d *delivery, url string) (code int, status string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(d.Payload))
	if err != nil {
		return http.StatusBadGateway, "failed to connect to host"
	}
	for name, value := range d.requestHeaders {
		req.Header.Set(name, value)
	}
	resp, err := g.hooks.client.Do(req)
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return http.StatusGatewayTimeout, "timed out"
	case err != nil:
		return http.StatusBadGateway, "failed to connect to host"
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxHookResponse)) // what came is kept
	d.responseBody, d.responseHeaders = string(body), map[string]string{}
	for name := range resp.Header {
		d.responseHeaders[name] = resp.Header.Get(name)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return resp.StatusCode, "Invalid HTTP Response: " + strconv.Itoa(resp.StatusCode)
	}
	return resp.StatusCode, "OK"
}

func (g *GitHub) hookHeaders(d *delivery, secret string) map[string]string {
	return map[string]string{
		"Accept": "*/*", "Content-Type": "application/json", "User-Agent": "GitHub-Hookshot/0000001",
		"X-GitHub-Delivery": d.GUID, "X-GitHub-Event": d.Event, "X-GitHub-Hook-ID": strconv.Itoa(hookID),
		"X-GitHub-Hook-Installation-Target-ID": itoa(g.app.id), "X-GitHub-Hook-Installation-Target-Type": "integration",
		"X-Hub-Signature": "sha1=" + sign(sha1.New, secret, d.Payload), "X-Hub-Signature-256": "sha256=" + sign(sha256.New, secret, d.Payload),
	}
}

func sign(algorithm func() hash.Hash, secret string, payload []byte) string {
	mac := hmac.New(algorithm, []byte(secret))
	mac.Write(payload)
	return hex.EncodeToString(mac.Sum(nil))
}
