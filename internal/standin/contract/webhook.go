package contract

import (
	"encoding/json"

	"github.com/getkin/kin-openapi/openapi3"
)

// webhookPrefix begins the paths that trim gives to webhooks.
const webhookPrefix = "/webhook/"

// Webhook validates the payload of an event, remembers and returns what it
// violates.
func (c *Checker) Webhook(event string, payload []byte) []Violation {
	found := c.webhook(event, payload)
	c.add("webhook "+event, found)
	return found
}

func (c *Checker) webhook(event string, payload []byte) []Violation {
	at := place{subject: "webhook " + event, phase: "payload"}
	var body any
	if err := json.Unmarshal(payload, &body); err != nil {
		return []Violation{at.violation("", "json", err.Error())}
	}
	path := webhookPrefix + event
	if fields, ok := body.(map[string]any); ok {
		if action, ok := fields["action"].(string); ok {
			path += "/" + action
			at.subject += " " + action
		}
	}
	if path == webhookPrefix+"issue_comment/deleted" {
		path = webhookPrefix + "issue_comment/created" // the same payload but for its action
		body.(map[string]any)["action"] = "created"
	}
	item := c.doc.Paths.Value(path)
	if item == nil {
		return []Violation{at.violation("", "unknown", "not in the trimmed description; add it to testdata/webhooks.txt and run trim")}
	}
	schema := item.Post.RequestBody.Value.Content.Get("application/json").Schema.Value
	if err := schema.VisitJSON(body, openapi3.MultiErrors()); err != nil {
		return at.violations(err)
	}
	return nil
}
