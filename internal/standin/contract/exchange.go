package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// Exchange is a request with its answer, both whole.
type Exchange struct {
	Request      *http.Request
	RequestBody  []byte
	Status       int
	Header       http.Header
	ResponseBody []byte
}

func filterOptions() *openapi3filter.Options {
	return &openapi3filter.Options{
		MultiError: true, IncludeResponseStatus: true, SkipSettingDefaults: true,
		AuthenticationFunc:      openapi3filter.NoopAuthenticationFunc,
		SchemaValidationOptions: []openapi3.SchemaValidationOption{openapi3.MultiErrors()},
	}
}

// Check validates an exchange, remembers and returns what it violates.
func (c *Checker) Check(x Exchange) []Violation {
	r, params, err := c.find(x.Request.Method, x.Request.URL.EscapedPath())
	if err != nil {
		subject := x.Request.Method + " " + x.Request.URL.Path
		found := []Violation{{Subject: subject, Phase: "route", Status: x.Status, Detail: err.Error(), URL: x.Request.URL.String()}}
		c.add(subject, found)
		return found
	}
	at := place{subject: r.Method + " " + r.Path, url: x.Request.URL.String(), status: x.Status}
	input := requestInput(x, r, params)
	var found []Violation
	if x.Status != http.StatusBadRequest && x.Status != http.StatusUnprocessableEntity {
		found = append(found, checkRequest(at, x, input)...)
	}
	found = append(found, checkResponse(at, x, input)...)
	c.add(at.subject, found)
	return found
}

// requestInput prepares the request for the validator.
func requestInput(x Exchange, r *routers.Route, params map[string]string) *openapi3filter.RequestValidationInput {
	body := x.RequestBody
	if rb := r.Operation.RequestBody; rb != nil && !rb.Value.Required && string(bytes.TrimSpace(body)) == "null" {
		body = nil // clients send a literal null for absent options, and GitHub takes it
	}
	req := x.Request.Clone(context.Background())
	req.Body, req.ContentLength = http.NoBody, 0
	if len(body) > 0 {
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	return &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: r, Options: filterOptions()}
}

func checkRequest(at place, x Exchange, in *openapi3filter.RequestValidationInput) []Violation {
	at.phase = "request"
	var found []Violation
	if err := openapi3filter.ValidateRequest(context.Background(), in); err != nil {
		found = append(found, at.violations(err)...)
	}
	known := map[string]bool{}
	for _, list := range []openapi3.Parameters{in.Route.PathItem.Parameters, in.Route.Operation.Parameters} {
		for _, p := range list {
			known[p.Value.Name] = known[p.Value.Name] || p.Value.In == openapi3.ParameterInQuery
		}
	}
	for name := range x.Request.URL.Query() {
		if !known[name] {
			found = append(found, at.violation("?"+name, "unknown-query", "the description has no such query parameter"))
		}
	}
	return append(found, missingConclusion(at, x.RequestBody)...)
}

// missingConclusion is a condition that the packaged description lost: a
// completed check run needs a conclusion.
func missingConclusion(at place, body []byte) []Violation {
	const runs = "/repos/{owner}/{repo}/check-runs"
	if at.subject != "POST "+runs && at.subject != "PATCH "+runs+"/{check_run_id}" {
		return nil
	}
	var in struct{ Status, Conclusion string }
	if json.Unmarshal(body, &in) != nil || in.Status != "completed" || in.Conclusion != "" {
		return nil
	}
	return []Violation{at.violation("/conclusion", "required", "status completed without a conclusion")}
}

func checkResponse(at place, x Exchange, in *openapi3filter.RequestValidationInput) []Violation {
	at.phase = "response"
	documented := in.Route.Operation.Responses.Value(fmt.Sprint(x.Status)) != nil
	switch {
	case !documented && x.Status >= 400:
		// GitHub answers with statuses that its description does not list, always in one shape.
		var e struct{ Message *string }
		if json.Unmarshal(x.ResponseBody, &e) != nil || e.Message == nil {
			return []Violation{at.violation("", "error-shape", "an error without a JSON message")}
		}
		return nil
	case !documented && x.Status >= 300 && x.Header.Get("Location") != "", x.Status == http.StatusNotModified:
		return nil
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: x.Status, Header: x.Header.Clone(), Options: filterOptions()}
	out.SetBodyBytes(x.ResponseBody)
	out.Options.ExcludeResponseBody = !isJSON(x.Header) && (len(x.ResponseBody) == 0 || !mentionsJSON(in))
	if err := openapi3filter.ValidateResponse(context.Background(), out); err != nil {
		return at.violations(err)
	}
	return nil
}
