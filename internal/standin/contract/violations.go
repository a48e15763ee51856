package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

const (
	maxDetail = 300
	maxValue  = 120
)

// place says where violations are found.
type place struct {
	subject, phase, url string
	status              int
}

func (p place) violation(pointer, rule, detail string) Violation {
	return Violation{Subject: p.subject, Phase: p.phase, Status: p.status, Pointer: pointer, Rule: rule, Detail: detail, URL: p.url}
}

// violations takes the validator's error apart into single violations.
func (p place) violations(err error) []Violation {
	var many openapi3.MultiError
	var schema *openapi3.SchemaError
	switch e := err.(type) { //nolint:errorlint // the tree is walked level by level
	case openapi3.MultiError:
		var out []Violation
		for _, inner := range e {
			out = append(out, p.violations(inner)...)
		}
		return out
	case *openapi3.SchemaError:
		return []Violation{p.schemaViolation(e)}
	case *openapi3filter.RequestError:
		if e.Parameter != nil {
			return []Violation{p.violation(e.Parameter.In+":"+e.Parameter.Name, "parameter", firstLine(e.Error()))}
		}
		if errors.As(e.Err, &many) || errors.As(e.Err, &schema) {
			return p.violations(e.Err)
		}
	case *openapi3filter.ResponseError:
		if errors.As(e.Err, &many) || errors.As(e.Err, &schema) {
			return p.violations(e.Err)
		}
	}
	return []Violation{p.violation("", fmt.Sprintf("%T", err), firstLine(err.Error()))}
}

func (p place) schemaViolation(e *openapi3.SchemaError) Violation {
	detail := e.Reason
	if detail == "" {
		detail = e.SchemaField
	}
	if value, err := json.Marshal(e.Value); err == nil && len(value) < maxValue {
		detail += " (got " + string(value) + ")"
	}
	if e.Origin != nil {
		detail += ": " + firstLine(e.Origin.Error())
	}
	return p.violation("/"+strings.Join(e.JSONPointer(), "/"), e.SchemaField, detail)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s[:min(len(s), maxDetail)]
}

func isJSON(h http.Header) bool {
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && media == "application/json"
}

// mentionsJSON reports whether the client asked for JSON and nothing rawer.
func mentionsJSON(in *openapi3filter.RequestValidationInput) bool {
	accept := in.Request.Header.Get("Accept")
	for _, raw := range []string{".raw", ".diff", ".patch", ".sha"} {
		if strings.Contains(accept, raw) {
			return false
		}
	}
	return true
}
