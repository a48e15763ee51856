package ghclient

import (
	"bytes"
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"
)

// Options makes an App.
type Options struct {
	APIURL string
	AppID  int64
	Key    *rsa.PrivateKey
	// Transport carries the requests; nil means a pool of connections with timeouts.
	Transport http.RoundTripper
	// Observe is told of every request; it may be nil.
	Observe func(Call)
	// Moved is told a repository's new owner and name; it may be nil.
	Moved func(ctx context.Context, r Repo)
	Now   func() time.Time
	// UserAgent names the program to GitHub.
	UserAgent string
}

// App is GitHub as the App sees it. It is safe for concurrent use.
type App struct {
	o      Options
	root   *url.URL
	base   http.RoundTripper // counted, guarded, without credentials
	client *github.Client    // signed with the App's key

	mu            sync.Mutex
	installations map[int64]*Installation
	budgets       map[int64]*budget // by installation; they outlive its token
	login         string
	moved         map[Repo]Repo // from the name a caller knows to the present one
}

// maxInstallations bounds how many installations' tokens are held.
const maxInstallations = 10_000

// New makes an App. Nothing is sent yet.
func New(o Options) (*App, error) {
	root, err := apiRoot(o.APIURL)
	if err != nil {
		return nil, err
	}
	if o.AppID <= 0 || o.Key == nil {
		return nil, errors.New("the App's id and private key are needed")
	}
	if o.Transport == nil {
		o.Transport = baseTransport()
	}
	if o.Observe == nil {
		o.Observe = func(Call) {}
	}
	if o.Moved == nil {
		o.Moved = func(context.Context, Repo) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &App{o: o, root: root, installations: map[int64]*Installation{}, budgets: map[int64]*budget{}, moved: map[Repo]Repo{}}
	a.base = watch{observe: o.Observe, base: root.Path, next: guard{host: root.Host, next: o.Transport}}
	a.client = a.newClient(a.signed(newBudget()))
	return a, nil
}

// signed signs requests with the App's key, within a budget. Every installation
// has a transport of its own, since ghinstallation writes to it.
func (a *App) signed(b *budget) *ghinstallation.AppsTransport {
	answers := appAnswers{now: a.o.Now, next: a.base}
	return ghinstallation.NewAppsTransportFromPrivateKey(limiter{budget: b, now: a.o.Now, next: answers}, a.o.AppID, a.o.Key)
}

func (a *App) newClient(t http.RoundTripper) *github.Client {
	c := github.NewClient(&http.Client{Transport: t, Timeout: requestTimeout, CheckRedirect: redirects(a.root.Host)})
	c.BaseURL = a.root
	if a.o.UserAgent != "" {
		c.UserAgent = a.o.UserAgent
	}
	return c
}

// ID is the App's id.
func (a *App) ID() int64 { return a.o.AppID }

// Login returns the login of the App's bot, "slug[bot]". GitHub is asked once.
func (a *App) Login(ctx context.Context) (string, error) {
	a.mu.Lock()
	login := a.login
	a.mu.Unlock()
	if login != "" {
		return login, nil
	}
	app, _, err := a.client.Apps.Get(ctx, "")
	if err != nil {
		return "", classify(ctx, "ask GitHub who the App is", err)
	}
	if app.GetSlug() == "" {
		return "", &Error{Op: "ask GitHub who the App is", Kind: ErrUnavailable, Message: "no slug in the answer"}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.login = app.GetSlug() + "[bot]"
	return a.login, nil
}

// IsSuspended asks whether an installation is suspended at this moment. ErrNotFound
// says that the App is no longer installed there.
func (a *App) IsSuspended(ctx context.Context, id int64) (bool, error) {
	i, _, err := a.client.Apps.GetInstallation(ctx, id)
	if err != nil {
		return false, classify(ctx, "ask for the state of an installation", err)
	}
	return i.SuspendedAt != nil, nil
}

// Delivery is a delivery in GitHub's log that never succeeded.
type Delivery struct {
	ID       int64 // of the newest attempt
	GUID     string
	At       time.Time // of the newest attempt
	Attempts int
}

// maxDeliveryPages bounds how much of the log is read at a time.
const maxDeliveryPages = 100

// FailedDeliveries returns the deliveries since a time that never succeeded, oldest
// first: one a GUID, since every attempt has an entry of its own. whole is false when
// the log is longer than what is read of it, so that older ones are left out.
func (a *App) FailedDeliveries(ctx context.Context, since time.Time) (failed []Delivery, whole bool, err error) {
	const op = "list deliveries"
	opts := &github.ListCursorOptions{PerPage: 100}
	succeeded := map[string]bool{}
	for range maxDeliveryPages {
		page, resp, err := a.client.Apps.ListHookDeliveries(ctx, opts)
		if err != nil {
			return nil, false, classify(ctx, op, err)
		}
		older := false
		for _, d := range page {
			if d.GetDeliveredAt().Before(since) {
				older = true
				break
			}
			if code := d.GetStatusCode(); code >= 200 && code < 300 {
				succeeded[d.GetGUID()] = true
				continue
			}
			failed = append(failed, Delivery{ID: d.GetID(), GUID: d.GetGUID(), At: d.GetDeliveredAt().Time, Attempts: 1})
		}
		if whole = older || resp.Cursor == ""; whole {
			break
		}
		opts.Cursor = resp.Cursor
	}
	return neverSucceeded(failed, succeeded), whole, nil
}

// neverSucceeded gathers the attempts of each GUID without success. The log comes
// newest first; the result is oldest first.
func neverSucceeded(failed []Delivery, succeeded map[string]bool) []Delivery {
	var out []Delivery
	at := map[string]int{}
	for _, d := range failed {
		n, seen := at[d.GUID]
		switch {
		case succeeded[d.GUID]:
		case seen:
			out[n].Attempts++
		default:
			at[d.GUID] = len(out)
			out = append(out, d)
		}
	}
	slices.Reverse(out)
	return out
}

// Redeliver asks GitHub to send a delivery again.
func (a *App) Redeliver(ctx context.Context, id int64) error {
	_, _, err := a.client.Apps.RedeliverHookDelivery(ctx, id)
	var accepted *github.AcceptedError
	if errors.As(err, &accepted) { // 202 is how GitHub says yes
		return nil
	}
	return classify(ctx, "ask for a delivery again", err)
}

// appAnswers reads the refusals of requests that the App's key signed, among them
// those for installation tokens, which no other layer sees.
type appAnswers struct {
	now  func() time.Time
	next http.RoundTripper
}

func (t appAnswers) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(r)
	signed := strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") // an installation's token comes as "token "
	if err != nil || resp.StatusCode < 400 || !signed {
		return resp, err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	_ = resp.Body.Close() // it was read
	if err != nil {
		return nil, fmt.Errorf("read GitHub's answer: %w", err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	var answer struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(body, &answer) // without words the status alone speaks
	message := strings.ToLower(answer.Message)
	switch {
	case resp.StatusCode == http.StatusUnauthorized:
		return nil, refusedSignature(resp, message, t.now())
	case resp.StatusCode == http.StatusForbidden && errors.Is(forbidden(message), ErrSuspended):
		return nil, ErrSuspended
	case resp.StatusCode == http.StatusNotFound && strings.Contains(message, "integration not found"):
		return nil, ErrCredentials
	}
	return resp, nil
}

// maxSkew is how far the clock may be off before we blame it: GitHub's own
// tolerance is 30 s ahead and 90 s behind, since ghinstallation dates signatures
// 30 s back and lets them last two minutes.
const maxSkew = 25 * time.Second

// refusedSignature finds out why: a wrong clock shows in the answer's date, and
// in GitHub's words about the times in the signature.
func refusedSignature(resp *http.Response, message string, now time.Time) error {
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		if ahead := now.Sub(date); ahead.Abs() > maxSkew {
			return &ClockSkewError{Ahead: ahead}
		}
	}
	if strings.Contains(message, "'iat'") || strings.Contains(message, "'exp'") {
		return ErrClockSkew
	}
	return ErrCredentials
}
