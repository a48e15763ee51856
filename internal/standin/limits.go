package standin

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

const (
	secondaryDocs    = "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"
	secondaryMessage = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
	writePoints      = 5 // a GET is one point
)

// budget is what one installation or person has used.
type budget struct {
	used    int
	reset   time.Time
	writes  []time.Time // content writes of the last hour
	points  []pointUse  // of the last minute
	ceiling int         // replaces the configured limit when not 0
}

type pointUse struct {
	at     time.Time
	points int
}

// budgetKey tells budgets apart: an installation's id, a user's id below zero, 0
// for the App and for nobody.
func (c caller) budgetKey() int64 {
	switch {
	case c.installation() != nil:
		return c.installation().id
	case c.token != nil:
		return -c.token.user.id
	}
	return 0
}

// budgetOf returns the running budget. Caller holds mu.
func (g *GitHub) budgetOf(key int64) *budget {
	b := g.budget[key]
	if b == nil {
		b = &budget{}
		g.budget[key] = b
	}
	if now := g.now(); !now.Before(b.reset) {
		b.used, b.reset = 0, now.Add(time.Hour)
	}
	return b
}

func (g *GitHub) hourly(b *budget) int {
	if b.ceiling != 0 {
		return b.ceiling
	}
	if n := g.opts.Limits.RequestsPerHour; n != 0 {
		return n
	}
	return requestsPerHour
}

// SetRateLimit makes an installation's primary limit and what is left of it, until
// reset.
func (g *GitHub) SetRateLimit(installation int64, limit, remaining int, reset time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.budgetOf(installation)
	b.ceiling, b.used, b.reset = limit, limit-remaining, reset
}

// spend counts a request and refuses it over a limit. The App itself has no limit
// here. Caller holds mu.
func (g *GitHub) spend(who caller, op *operation) *reply {
	b := g.budgetOf(who.budgetKey())
	if who.budgetKey() == 0 {
		b.used++
		return nil
	}
	enforced := g.opts.Limits.RequestsPerHour != 0 || b.ceiling != 0
	if enforced && b.used >= g.hourly(b) {
		r := refuse(http.StatusForbidden, "API rate limit exceeded for installation ID %d.", who.budgetKey())
		return &r
	}
	b.used++
	now := g.opts.Clock()
	if wait := g.secondary(b, op, now); wait > 0 {
		r := secondaryLimited(http.StatusForbidden, wait)
		return &r
	}
	return nil
}

func secondaryLimited(status int, wait time.Duration) reply {
	return reply{status: status, body: object{"message": secondaryMessage, "documentation_url": secondaryDocs}}.
		withHeader("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
}

// secondary returns how long to wait, or 0 when the request may pass.
func (g *GitHub) secondary(b *budget, op *operation, now time.Time) time.Duration {
	limits := g.opts.Limits
	cost := 1
	if op.method != http.MethodGet {
		cost = writePoints
	}
	for len(b.points) > 0 && now.Sub(b.points[0].at) >= time.Minute {
		b.points = b.points[1:]
	}
	total := cost
	for _, p := range b.points {
		total += p.points
	}
	if limits.PointsPerMinute != 0 && total > limits.PointsPerMinute {
		return time.Minute - now.Sub(b.points[0].at)
	}
	b.points = append(b.points, pointUse{now, cost})
	if !op.contentWrite() {
		return 0
	}
	for len(b.writes) > 0 && now.Sub(b.writes[0]) >= time.Hour {
		b.writes = b.writes[1:]
	}
	if n := limits.ContentWritesPerHour; n != 0 && len(b.writes) >= n {
		return time.Hour - now.Sub(b.writes[0])
	}
	if n := limits.ContentWritesPerMinute; n != 0 && len(b.writes) >= n {
		if age := now.Sub(b.writes[len(b.writes)-n]); age < time.Minute {
			return time.Minute - age
		}
	}
	b.writes = append(b.writes, now)
	return 0
}

// rateHeaders shows the budget. Caller holds mu.
func (g *GitHub) rateHeaders(h http.Header, key int64) {
	b := g.budgetOf(key)
	limit := g.hourly(b)
	for name, value := range map[string]int{
		"Limit": limit, "Remaining": max(limit-b.used, 0), "Used": b.used, "Reset": int(b.reset.Unix()),
	} {
		h.Set("X-RateLimit-"+name, strconv.Itoa(value))
	}
	h.Set("X-RateLimit-Resource", "core")
}

// getRateLimit is GET /rate_limit, which costs nothing.
func getRateLimit(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	b := c.g.budgetOf(c.who.budgetKey())
	limit := c.g.hourly(b)
	core := object{"limit": limit, "used": b.used, "remaining": max(limit-b.used, 0), "reset": b.reset.Unix()}
	search := object{"limit": 30, "used": 0, "remaining": 30, "reset": c.g.now().Add(time.Minute).Unix()}
	return ok(object{"rate": core, "resources": object{"core": core, "search": search}})
}

// RateLimited is the fault of a used-up primary limit: 403, nothing remaining, to
// be reset at the given time.
func RateLimited(reset time.Time) Fault {
	return Fault{Status: http.StatusForbidden, Message: "API rate limit exceeded for installation.", Header: map[string]string{
		"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(reset.Unix()),
	}}
}

// SecondaryLimited is the fault of a secondary rate limit, with 403 or 429. The
// answer carries Retry-After unless wait is zero.
func SecondaryLimited(status int, wait time.Duration) Fault {
	f := Fault{Status: status, Message: secondaryMessage, DocumentationURL: secondaryDocs}
	if wait > 0 {
		f.Header = map[string]string{"Retry-After": strconv.Itoa(int((wait + time.Second - 1) / time.Second))}
	}
	return f
}
