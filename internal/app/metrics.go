package app

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/rescore-app/rescore/internal/ghclient"
	"github.com/rescore-app/rescore/internal/job"
	"github.com/rescore-app/rescore/internal/store"
	"github.com/rescore-app/rescore/internal/webhook"
	"github.com/rescore-app/rescore/internal/worker"
)

// metrics are what /metrics shows. Labels take few values: no repository, no
// person and no commit ever becomes one.
type metrics struct {
	registry   *prometheus.Registry
	deliveries *prometheus.CounterVec
	jobs       *prometheus.CounterVec
	jobTime    *prometheus.HistogramVec
	calls      *prometheus.CounterVec
	callTime   *prometheus.HistogramVec
	gitTrips   *prometheus.CounterVec
	gitTime    prometheus.Observer
	outcomes   *prometheus.CounterVec
	age        *prometheus.HistogramVec
	blobs      prometheus.Counter
}

// seconds are the bounds of the histograms: from a quick answer to a first clone.
var seconds = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 1800}

// newMetrics makes every metric. A new one is a field, a line here, and a method that
// counts.
func newMetrics(q *job.Queue, searches *store.SearchCache) *metrics {
	r := prometheus.NewRegistry()
	m := &metrics{
		registry:   r,
		deliveries: counter(r, "deliveries_total", "Webhook deliveries by event and what became of them.", "event", "result"),
		jobs:       counter(r, "jobs_total", "Runs of jobs by kind and how they ended.", "kind", "end"),
		jobTime:    histogram(r, "job_seconds", "How long one run of a job took.", "kind"),
		calls:      counter(r, "github_requests_total", "Requests to GitHub's API.", "method", "route", "status"),
		callTime:   histogram(r, "github_request_seconds", "How long GitHub's API took to answer.", "method"),
		gitTrips:   counter(r, "git_round_trips_total", "Exchanges with the git server.", "end"),
		gitTime:    histogram(r, "git_round_trip_seconds", "How long an exchange with the git server took.").WithLabelValues(),
		outcomes:   counter(r, "outcomes_total", "Published results by conclusion.", "kind", "conclusion"),
		age:        histogram(r, "result_age_seconds", "Time from the delivery to the published result.", "kind"),
		blobs:      counter(r, "blobs_read_total", "Files read to work out results.").WithLabelValues(),
	}
	r.MustRegister(
		searchResults("yes", func() int64 { hits, _ := searches.Counts(); return hits }),
		searchResults("no", func() int64 { _, misses := searches.Counts(); return misses }),
		&queueGauge{q: q}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// counter makes a counter that the registry shows.
func counter(r *prometheus.Registry, name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "rescore", Name: name, Help: help}, labels)
	r.MustRegister(c)
	return c
}

// histogram makes a histogram of seconds that the registry shows.
func histogram(r *prometheus.Registry, name, help string, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "rescore", Name: name, Help: help, Buckets: seconds}, labels)
	r.MustRegister(h)
	return h
}

// searchResults counts what was asked of the cache of search results.
func searchResults(known string, count func() int64) prometheus.Collector {
	return prometheus.NewCounterFunc(prometheus.CounterOpts{
		Namespace: "rescore", Name: "search_results_total", ConstLabels: prometheus.Labels{"known": known},
		Help: "Results of searches, in a directory or a file, by whether they were known from other commits.",
	}, func() float64 { return float64(count()) })
}

// pingEvent is how GitHub tries out a new webhook.
const pingEvent = "ping"

// delivery counts a delivery. The name of an event that nobody reads may be forged, and
// becomes no label.
func (m *metrics) delivery(event string, r webhook.Result) {
	if event != pingEvent && !slices.Contains(webhook.Events(), event) {
		event = "other"
	}
	m.deliveries.WithLabelValues(event, string(r)).Inc()
}

func (m *metrics) call(c ghclient.Call) {
	status := "none"
	if c.Status != 0 {
		status = strconv.Itoa(c.Status)
	}
	m.calls.WithLabelValues(c.Method, c.Route, status).Inc()
	m.callTime.WithLabelValues(c.Method).Observe(c.Duration.Seconds())
}

func (m *metrics) job(kind, end string, took time.Duration) {
	m.jobs.WithLabelValues(kind, end).Inc()
	m.jobTime.WithLabelValues(kind).Observe(took.Seconds())
}

func (m *metrics) git(took time.Duration, err error) {
	end := "done"
	if err != nil {
		end = "failed"
	}
	m.gitTrips.WithLabelValues(end).Inc()
	m.gitTime.Observe(took.Seconds())
}

func (m *metrics) published(p worker.Published) {
	m.outcomes.WithLabelValues(p.Kind, p.Conclusion).Inc()
	m.age.WithLabelValues(p.Kind).Observe(p.Age.Seconds())
	m.blobs.Add(float64(p.Cost.BlobsRead))
}

// queueGauge counts the unfinished jobs when it is asked.
type queueGauge struct{ q *job.Queue }

var queueDesc = prometheus.NewDesc("rescore_jobs_waiting", "Unfinished jobs by kind and state.", []string{"kind", "state"}, nil)

// Describe implements prometheus.Collector.
func (g *queueGauge) Describe(ch chan<- *prometheus.Desc) { ch <- queueDesc }

// Collect implements prometheus.Collector. A database that does not answer shows
// as an absent figure.
func (g *queueGauge) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readyTimeout)
	defer cancel()
	counts, err := g.q.Counts(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(queueDesc, err)
		return
	}
	for _, c := range counts {
		ch <- prometheus.MustNewConstMetric(queueDesc, prometheus.GaugeValue, float64(c.Jobs), c.Kind, c.State)
	}
}
