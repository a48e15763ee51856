package standin

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/google/uuid"
)

// deliveryItemJSON is a delivery in the list. Caller holds mu.
func deliveryItemJSON(d *delivery) object {
	orZero := func(n int64) any {
		if n == 0 {
			return nil
		}
		return n
	}
	return object{
		"id": d.ID, "guid": d.GUID, "delivered_at": stamp(d.At), "redelivery": d.Redelivery, "duration": d.Elapsed.Seconds(),
		"status": d.Status, "status_code": d.StatusCode, "event": d.Event, "action": orNull(d.Action),
		"installation_id": orZero(d.Installation), "repository_id": orZero(d.Repository), "throttled_at": nil,
	}
}

// recent lists the deliveries that can still be redelivered, newest first. Caller
// holds mu.
func (g *GitHub) recent() []*delivery {
	var out []*delivery
	for _, d := range slices.Backward(g.hooks.log) {
		if g.opts.Clock().Sub(d.At) < redeliveryWindow {
			out = append(out, d)
		}
	}
	return out
}

// listDeliveries pages by cursor: the id of the first delivery of the page.
func listDeliveries(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	all := c.g.recent()
	if cursor := c.query.Get("cursor"); cursor != "" {
		at := slices.IndexFunc(all, func(d *delivery) bool { return "v1_"+itoa(d.ID) == cursor })
		if at < 0 {
			return refuse(http.StatusBadRequest, "Invalid cursor")
		}
		all = all[at:]
	}
	n := min(pagination(c.query, maxPerPage).perPage, len(all))
	r := ok(mapped(all[:n], deliveryItemJSON))
	if n < len(all) {
		q := c.req.URL.Query()
		q.Set("cursor", "v1_"+itoa(all[n].ID))
		r = r.withHeader("Link", "<"+c.base+c.path+"?"+q.Encode()+`>; rel="next"`)
	}
	return r
}

// findDelivery needs mu held.
func (c *call) findDelivery() *delivery {
	id := c.number("delivery_id")
	for _, d := range c.g.recent() {
		if d.ID == id {
			return d
		}
	}
	return nil
}

func getDelivery(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	d := c.findDelivery()
	if d == nil {
		return notFound()
	}
	body := deliveryItemJSON(d)
	body["url"] = c.g.app.hookURL
	body["request"] = object{"headers": d.requestHeaders, "payload": d.Payload}
	response := object{"headers": nil, "payload": nil}
	if d.responseHeaders != nil {
		response = object{"headers": d.responseHeaders, "payload": d.responseBody}
	}
	body["response"] = response
	return ok(body)
}

// redeliver sends the same payload with the same GUID once more.
func redeliver(c *call) reply {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	d := c.findDelivery()
	if d == nil {
		return notFound()
	}
	c.g.again(d)
	return reply{status: http.StatusAccepted, body: object{}}
}

// again queues a redelivery. Caller holds mu.
func (g *GitHub) again(d *delivery) {
	next := &delivery{Delivery: Delivery{
		ID: g.nextID("delivery"), GUID: d.GUID, Event: d.Event, Action: d.Action, Installation: d.Installation, Repository: d.Repository,
		Payload: d.Payload, Redelivery: true,
	}}
	g.hooks.pending = append(g.hooks.pending, g.plannedCopies(next)...)
	g.broadcast()
}

// DeliveryFault is what happens to a webhook. The zero value lets it pass.
type DeliveryFault struct {
	// Drop logs the delivery as failed without sending it, so that it can be
	// redelivered.
	Drop bool
	// Copies more are sent after it, with the same GUID, or, with FreshGUID, with
	// ids of their own, as a second hook would.
	Copies    int
	FreshGUID bool
}

type deliveryPlan struct {
	plan func(Delivery) *DeliveryFault
}

// FailDelivery plans faults of webhooks, as Fail does for requests. plan is asked
// when the event happens and must not call the stand-in.
func (g *GitHub) FailDelivery(plan func(Delivery) *DeliveryFault) (end func()) {
	p := &deliveryPlan{plan}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hooks.plans = append(g.hooks.plans, p)
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.hooks.plans = slices.DeleteFunc(g.hooks.plans, func(other *deliveryPlan) bool { return other == p })
	}
}

// plannedCopies applies the plans to a delivery. Caller holds mu.
func (g *GitHub) plannedCopies(d *delivery) []*delivery {
	out := []*delivery{d}
	for _, p := range g.hooks.plans {
		fault := p.plan(d.Delivery)
		if fault == nil {
			continue
		}
		d.dropped = fault.Drop
		for range fault.Copies {
			extra := &delivery{Delivery: d.Delivery}
			extra.ID = g.nextID("delivery")
			if fault.FreshGUID {
				extra.GUID = uuid.NewString()
			}
			out = append(out, extra)
		}
		break
	}
	return out
}

// HoldDeliveries keeps webhooks back until ReleaseDeliveries. One that is being
// sent is not stopped.
func (g *GitHub) HoldDeliveries() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hooks.held = true
}

// ReleaseDeliveries sends what was held back, in the order that order returns; it
// may leave some out and name some twice. Nil keeps the order of the events.
func (g *GitHub) ReleaseDeliveries(order func([]Delivery) []Delivery) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hooks.held = false
	if order != nil {
		byID := map[int64]*delivery{}
		var waiting []Delivery
		for _, d := range g.hooks.pending {
			byID[d.ID] = d
			waiting = append(waiting, d.Delivery)
		}
		g.hooks.pending = nil
		for _, d := range order(waiting) {
			if known := byID[d.ID]; known != nil {
				again := *known
				g.hooks.pending = append(g.hooks.pending, &again)
			}
		}
	}
	g.broadcast()
}

// Deliveries returns the webhooks tried so far, in order of their end.
func (g *GitHub) Deliveries() []Delivery {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.tried()
}

// tried needs mu held.
func (g *GitHub) tried() []Delivery {
	out := make([]Delivery, 0, len(g.hooks.log))
	for _, d := range g.hooks.log {
		out = append(out, d.Delivery)
	}
	return out
}

// Redeliver sends a tried delivery once more, by its id.
func (g *GitHub) Redeliver(id int64) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, d := range g.hooks.log {
		if d.ID == id {
			g.again(d)
			return nil
		}
	}
	return &RefusedError{Action: "redeliver", Status: http.StatusNotFound, Message: "no delivery " + strconv.FormatInt(id, 10)}
}
