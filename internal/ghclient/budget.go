package ghclient

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The least that GitHub grants an installation. A bucket of size burst that
// refills at rate lets through burst + rate x period in a period, which is kept
// within the limit.
const (
	hourlyRequests = 5000 // requests an hour
	minutePoints   = 900  // points a minute: 1 for a read, 5 for a write
	minuteContent  = 80   // comments and reactions a minute
	hourlyContent  = 500  // comments and reactions an hour

	readPoints  = 1
	writePoints = 5

	// maxWait is how long a request waits for the budget; beyond it the job is put
	// off, so that no worker stands idle.
	maxWait = 3 * time.Second

	// unknownPause is the first pause after a limit without a time; it doubles.
	unknownPause    = 60 * time.Second
	maxUnknownPause = 15 * time.Minute
)

// bucket makes a limiter for n in a period, a fifth of it at once.
func bucket(n int, period time.Duration) *rate.Limiter {
	burst := n / 5
	return rate.NewLimiter(rate.Limit(float64(n-burst)/period.Seconds()), burst)
}

// budget is what one installation may still send.
type budget struct {
	requests, points, contentMinute, contentHour *rate.Limiter

	mu      sync.Mutex
	until   time.Time // GitHub said: nothing before
	unknown int       // limits in a row that named no time
}

func newBudget() *budget {
	return &budget{
		requests:      bucket(hourlyRequests, time.Hour),
		points:        bucket(minutePoints, time.Minute),
		contentMinute: bucket(minuteContent, time.Minute),
		contentHour:   bucket(hourlyContent, time.Hour),
	}
}

// take claims the budget for one request. It returns how long to wait before
// sending it, or a *RateLimitError when that is too long; then nothing is claimed.
func (b *budget) take(now time.Time, r *http.Request) (time.Duration, error) {
	b.mu.Lock()
	until := b.until
	b.mu.Unlock()
	if now.Before(until) {
		return 0, &RateLimitError{Until: until, Why: "GitHub limits the rate of this installation"}
	}
	points := readPoints
	if isWrite(r.Method) {
		points = writePoints
	}
	claims := []*rate.Reservation{b.requests.ReserveN(now, 1), b.points.ReserveN(now, points)}
	if isContent(r) {
		claims = append(claims, b.contentMinute.ReserveN(now, 1), b.contentHour.ReserveN(now, 1))
	}
	var wait time.Duration
	for _, c := range claims {
		wait = max(wait, c.DelayFrom(now))
	}
	if wait <= maxWait {
		return wait, nil
	}
	for _, c := range claims {
		c.CancelAt(now)
	}
	return 0, &RateLimitError{Until: now.Add(wait), Why: "this installation has used its budget of requests"}
}

func isWrite(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// isContent reports the requests that GitHub counts as creating content.
func isContent(r *http.Request) bool {
	return isWrite(r.Method) && (strings.Contains(r.URL.Path, "/comments") || strings.HasSuffix(r.URL.Path, "/reactions"))
}

// limited notes a limit that GitHub named and returns the error for it. A zero
// until means that it named no time.
func (b *budget) limited(now, until time.Time) *RateLimitError {
	b.mu.Lock()
	defer b.mu.Unlock()
	if until.IsZero() {
		pause := unknownPause << min(b.unknown, 10)
		until = now.Add(min(pause, maxUnknownPause))
		b.unknown++
	}
	if until.After(b.until) {
		b.until = until
	}
	return &RateLimitError{Until: b.until, Why: "GitHub limits the rate of this installation"}
}

// answered notes a request that no limit stopped.
func (b *budget) answered() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unknown = 0
}
