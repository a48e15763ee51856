package contract

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/rescore-app/rescore/internal/standin"
)

//go:embed testdata/description.json
var description []byte

// Violation is one way in which an exchange or a webhook is not what the
// description says.
type Violation struct {
	Subject string // "POST /repos/{owner}/{repo}/check-runs", or "webhook push"
	Phase   string // route, request, response, payload
	Status  int    // of the answer, or 0
	Pointer string // place in the body, or the parameter
	Rule    string
	Detail  string
	URL     string
}

func (v Violation) String() string {
	return fmt.Sprintf("%s %s %d %s: %s (%s) %s", v.Subject, v.Phase, v.Status, v.Pointer, v.Detail, v.Rule, v.URL)
}

// Checker validates and remembers. It is safe for concurrent use.
type Checker struct {
	loaded

	mu         sync.Mutex
	violations []Violation
	calls      map[string]int
}

// loaded is the description, which nothing changes once it is repaired.
type loaded struct {
	doc    *openapi3.T
	routes []route
}

var load = sync.OnceValues(func() (loaded, error) {
	doc, err := openapi3.NewLoader().LoadFromData(description)
	if err != nil {
		return loaded{}, fmt.Errorf("load GitHub's API description: %w", err)
	}
	repair(doc)
	routes, err := routesOf(doc)
	return loaded{doc, routes}, err
})

// New makes a checker; the description is loaded once.
func New() (*Checker, error) {
	l, err := load()
	if err != nil {
		return nil, err
	}
	return &Checker{loaded: l, calls: map[string]int{}}, nil
}

// Watch makes a checker of everything that a stand-in made with these options
// takes, answers and sends. The test fails at its end on any violation.
func Watch(t testing.TB, opts *standin.Options) *Checker {
	t.Helper()
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	opts.Wrap = c.Middleware
	opts.OnEvent = func(d standin.Delivery) { c.Webhook(d.Event, d.Payload) }
	t.Cleanup(func() {
		for _, v := range c.Violations() {
			t.Errorf("against GitHub's API description: %s", v)
		}
	})
	return c
}

// Violations returns what was found so far.
func (c *Checker) Violations() []Violation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.violations)
}

// Calls counts exchanges by operation and webhooks by event.
func (c *Checker) Calls() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.calls)
}

// Operations lists the operations of the description, sorted.
func (c *Checker) Operations() []string {
	var out []string
	for path, item := range c.doc.Paths.Map() {
		for method := range item.Operations() {
			if !strings.HasPrefix(path, webhookPrefix) {
				out = append(out, method+" "+path)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (c *Checker) add(subject string, found []Violation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[subject]++
	c.violations = append(c.violations, found...)
}
