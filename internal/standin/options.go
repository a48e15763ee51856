package standin

import (
	"crypto/rsa"
	"maps"
	"net/http"
	"slices"
	"time"
)

// Limits of GitHub that the stand-in enforces.
const (
	tokenLifetime     = time.Hour        // installation tokens
	jwtMaxLifetime    = 10 * time.Minute // how far "exp" of an App's JWT may lie ahead
	deliveryTimeout   = 10 * time.Second // GitHub.com drops a delivery after this
	redeliveryWindow  = 3 * 24 * time.Hour
	requestsPerHour   = 5000
	maxBodyBytes      = 25 << 20 // request bodies beyond this are refused
	defaultPerPage    = 30
	maxPerPage        = 100
	maxCommentChars   = 65536
	maxOutputChars    = 65535 // summary and text of a check run, each
	maxAnnotations    = 50    // in one request
	maxAnnotationText = 64 << 10
	maxTitleChars     = 255
	maxActions        = 3
	maxActionLabel    = 20
	maxActionDesc     = 40
	maxActionID       = 20
	maxPullFiles      = 3000
	maxCompareFiles   = 300
	maxComparePage    = 250
	maxPullCommits    = 250
	maxPushCommits    = 2048
	maxPatchLines     = 20000
	maxTreeEntries    = 100000
	maxContentBytes   = 1 << 20   // contents API, JSON
	maxRawBytes       = 100 << 20 // contents API, raw
)

// Limits are rate limits per installation. A zero field is not enforced.
type Limits struct {
	RequestsPerHour        int // primary limit, shown in the X-RateLimit headers
	ContentWritesPerMinute int // requests that create content, by a sliding minute
	ContentWritesPerHour   int
	PointsPerMinute        int // 1 a GET, 5 a write
}

// GitHubLimits returns the figures that GitHub documents for an App.
func GitHubLimits() Limits {
	return Limits{RequestsPerHour: requestsPerHour, ContentWritesPerMinute: 80, ContentWritesPerHour: 500, PointsPerMinute: 900}
}

// Options say how the stand-in is made. The zero value works.
type Options struct {
	// Dir holds the bare repositories. Empty: a temporary directory that Close removes.
	Dir string
	// Listen is the address for Start. Empty: 127.0.0.1:0.
	Listen string
	// Clock gives the time that GitHub sees. Nil: the system's.
	Clock func() time.Time

	// AppName is the App's display name. Empty: "Rescore".
	AppName string
	// AppSlug is its name in URLs and in the bot's login. Empty: "rescore".
	AppSlug string
	// AppOwner is the login that owns the App. Empty: "rescore-app", an organisation.
	AppOwner string
	// Key is the App's key. Nil: a new one, which takes some tenths of a second.
	Key *rsa.PrivateKey
	// WebhookSecret signs deliveries. Empty: a random one.
	WebhookSecret string
	// WebhookURL receives deliveries; SetWebhook may give it later.
	WebhookURL string
	// Permissions the App asks for and new installations grant. Nil: DefaultPermissions.
	Permissions map[string]string
	// Events the App subscribes to. Nil: DefaultEvents. Some events reach every
	// App and need no subscription, as on GitHub.
	Events []string

	// Limits are the rate limits. Nil: the primary limit of GitHub, no secondary one.
	Limits *Limits
	// DeliveryTimeout is how long an answer to a webhook may take. Zero: 10 s.
	DeliveryTimeout time.Duration
	// DeliveryWorkers is the number of webhooks sent at a time. Zero: 1, so that
	// they arrive in order.
	DeliveryWorkers int
	// WriteRedirect is the status that answers a write to a renamed repository:
	// 301 (when zero) or 307.
	WriteRedirect int

	// Wrap, when not nil, is put around the handler that Start serves.
	Wrap func(http.Handler) http.Handler
	// OnEvent, when not nil, is told of every webhook when its event happens. It
	// must not call the stand-in.
	OnEvent func(Delivery)
}

// DefaultPermissions returns what Rescore asks for.
func DefaultPermissions() map[string]string {
	return map[string]string{
		"checks": "write", "contents": "write", "issues": "write", "metadata": "read",
		"pull_requests": "write", "statuses": "write", "merge_queues": "read",
	}
}

// DefaultEvents returns the events that Rescore subscribes to.
func DefaultEvents() []string {
	return []string{"check_run", "check_suite", "issue_comment", "merge_group", "pull_request", "push", "repository"}
}

func (o Options) withDefaults() Options {
	set := func(s *string, value string) {
		if *s == "" {
			*s = value
		}
	}
	set(&o.Listen, "127.0.0.1:0")
	set(&o.AppName, "Rescore")
	set(&o.AppSlug, "rescore")
	set(&o.AppOwner, "rescore-app")
	set(&o.WebhookSecret, randomHex(20))
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Permissions == nil {
		o.Permissions = DefaultPermissions()
	}
	o.Permissions = maps.Clone(o.Permissions)
	if o.Events == nil {
		o.Events = DefaultEvents()
	}
	o.Events = slices.Sorted(slices.Values(o.Events))
	if o.Limits == nil {
		o.Limits = &Limits{RequestsPerHour: requestsPerHour}
	}
	if o.DeliveryTimeout == 0 {
		o.DeliveryTimeout = deliveryTimeout
	}
	if o.DeliveryWorkers <= 0 {
		o.DeliveryWorkers = 1
	}
	if o.WriteRedirect == 0 {
		o.WriteRedirect = 301
	}
	return o
}
