package webhook

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/rescore-app/rescore/internal/job"
)

const (
	// Route is where deliveries arrive: go-githubapp's default.
	Route = githubapp.DefaultWebhookRoute
	// MaxBody bounds a delivery, in bytes. GitHub sends nothing for a larger event.
	MaxBody = 25 << 20
	// acceptTimeout bounds the storing of a delivery: GitHub gives up after 10 s.
	acceptTimeout = 8 * time.Second
)

// Intake stores an event with its jobs before it returns. job.Queue implements it.
type Intake interface {
	Accept(ctx context.Context, e job.Event) (fresh bool, err error)
}

// Options makes the handler.
type Options struct {
	// Secrets sign deliveries: the current one, then perhaps the former one during
	// rotation. None may be empty.
	Secrets []string
	AppID   int64 // events about other apps' checks are passed over
	Intake  Intake
	// Observe is told of every delivery's end, for metrics; it may be nil.
	Observe func(event string, r Result)
	Log     zerolog.Logger
}

// Result is what became of a delivery.
type Result string

// The results.
const (
	Accepted  Result = "accepted"  // stored, jobs inserted
	Duplicate Result = "duplicate" // known already
	Ignored   Result = "ignored"   // nothing for us
	Refused   Result = "refused"   // forged, too large or unreadable
	Failed    Result = "failed"    // could not be stored: GitHub shows it as failed and it is delivered again later
)

// ErrEmptySecret says that deliveries could be forged.
var ErrEmptySecret = errors.New("an empty webhook secret accepts forged deliveries; set the secret of the App's settings page")

// New returns the handler for Route.
func New(o Options) (http.Handler, error) {
	if len(o.Secrets) == 0 {
		return nil, ErrEmptySecret
	}
	if o.Observe == nil {
		o.Observe = func(string, Result) {}
	}
	g := &gate{log: o.Log, observe: o.Observe, large: make(chan struct{}, maxLarge)}
	for _, secret := range o.Secrets {
		if secret == "" {
			return nil, ErrEmptySecret
		}
		// go-githubapp's dispatcher knows one secret, so there is one for each.
		g.secrets = append(g.secrets, []byte(secret))
		g.next = append(g.next, dispatcher(o, secret))
	}
	return g, nil
}

func dispatcher(o Options, secret string) http.Handler {
	h := &handler{appID: o.AppID, intake: o.Intake, observe: o.Observe, log: o.Log}
	return githubapp.NewEventDispatcher([]githubapp.EventHandler{h}, secret,
		githubapp.WithScheduler(scheduler{}),
		githubapp.WithErrorCallback(func(w http.ResponseWriter, r *http.Request, err error) { answerError(o, w, r, err) }),
		githubapp.WithResponseCallback(func(w http.ResponseWriter, r *http.Request, event string, handled bool) {
			if !handled { // an event we know nothing of is no error
				o.Observe(event, Ignored)
			}
			w.WriteHeader(http.StatusAccepted)
		}))
}

func answerError(o Options, w http.ResponseWriter, r *http.Request, err error) {
	log := zerolog.Ctx(r.Context())
	var invalid githubapp.ValidationError
	var unreadable *PayloadError
	if errors.As(err, &invalid) || errors.As(err, &unreadable) {
		o.Observe(r.Header.Get("X-GitHub-Event"), Refused)
		log.Warn().Err(err).Msg("delivery refused")
		http.Error(w, "the delivery cannot be read", http.StatusBadRequest)
		return
	}
	o.Observe(r.Header.Get("X-GitHub-Event"), Failed)
	log.Error().Err(err).Msg("delivery not stored; it will be asked for again")
	http.Error(w, "the delivery could not be stored", http.StatusServiceUnavailable)
}

// scheduler is the durable one of go-githubapp: Schedule returns when the
// delivery is stored, and the work is done from the queue. Storing goes on when
// the sender hangs up, for the delivery cannot be had again for the asking.
type scheduler struct{}

func (scheduler) Schedule(ctx context.Context, d githubapp.Dispatch) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), acceptTimeout)
	defer cancel()
	return d.Execute(ctx)
}

// handler translates deliveries and hands them to the intake.
type handler struct {
	appID   int64
	intake  Intake
	observe func(string, Result)
	log     zerolog.Logger
}

// Handles lists the events.
func (h *handler) Handles() []string { return Events() }

// Handle stores what the delivery comes to.
func (h *handler) Handle(ctx context.Context, event, delivery string, payload []byte) error {
	e, ok, err := Translate(event, delivery, payload, h.appID)
	if err != nil {
		return err
	}
	if !ok {
		h.observe(event, Ignored)
		return nil
	}
	fresh, err := h.intake.Accept(ctx, e)
	if err != nil {
		return err
	}
	result := Accepted
	if !fresh {
		result = Duplicate
	}
	h.observe(event, result)
	h.log.Info().Str("delivery", delivery).Str("event", event).Str("action", e.Delivery.Action).
		Int("jobs", len(e.Jobs)).Str("result", string(result)).Msg("delivery")
	return nil
}
