package standin

import (
	"net/http"
	"time"
)

// Request is what a fault plan is asked about.
type Request struct {
	Operation    string // "POST /repos/{owner}/{repo}/check-runs", "git-upload-pack", "git-receive-pack"; "" for an unknown route
	Method       string
	Path         string
	Installation int64 // of the token, or 0
	Body         []byte
}

// Fault is what happens to a request instead of, or after, its work. The zero
// value lets the request pass.
type Fault struct {
	// Delay is waited for before anything else. It ends early with the request.
	Delay time.Duration
	// Hang keeps the request open until the client or the stand-in gives up.
	Hang bool
	// Drop closes the connection without an answer.
	Drop bool
	// Status answers with an error: Message in GitHub's shape, and Header.
	Status           int
	Message          string
	DocumentationURL string
	Header           map[string]string
	// AfterWork lets the operation take effect first: only its answer is lost. Git
	// requests do not know it.
	AfterWork bool
}

// answers reports whether the fault replaces the answer.
func (f Fault) answers() bool { return f.Hang || f.Drop || f.Status != 0 }

type plannedFault struct{ plan func(Request) *Fault }

// Fail plans faults: plan is asked about every request, in the order of planning,
// and its first fault that is not nil counts. It must not call the stand-in. The
// returned function ends the plan.
func (g *GitHub) Fail(plan func(Request) *Fault) (end func()) {
	p := &plannedFault{plan}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.faults = append(g.faults, p)
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		for i, other := range g.faults {
			if other == p {
				g.faults = append(g.faults[:i:i], g.faults[i+1:]...)
				return
			}
		}
	}
}

// FailNext plans one fault for the next n requests of an operation; "" means any.
// The returned function ends the plan early.
func (g *GitHub) FailNext(operation string, n int, fault Fault) (end func()) {
	return g.Fail(func(r Request) *Fault {
		if n <= 0 || operation != "" && r.Operation != operation {
			return nil
		}
		n--
		return &fault
	})
}

// faultFor asks the plans, one request at a time.
func (g *GitHub) faultFor(r Request) Fault {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range g.faults {
		if f := p.plan(r); f != nil {
			return *f
		}
	}
	return Fault{}
}

// reply is the answer of a fault with a status.
func (f Fault) reply() reply {
	message := f.Message
	if message == "" {
		message = http.StatusText(f.Status)
	}
	r := refuse(f.Status, "%s", message)
	if f.DocumentationURL != "" {
		r.body.(object)["documentation_url"] = f.DocumentationURL
	}
	for name, value := range f.Header {
		r = r.withHeader(name, value)
	}
	return r
}

// pause waits for the fault's delay; false means that the request ended meanwhile.
func (f Fault) pause(r *http.Request, closing <-chan struct{}) bool {
	if f.Delay <= 0 {
		return true
	}
	timer := time.NewTimer(f.Delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-closing:
	}
	return false
}
