package standin

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// object is a JSON object as GitHub's API writes it.
type object = map[string]any

const (
	docsURL     = "https://docs.github.com/rest"
	contentJSON = "application/json; charset=utf-8"

	notAccessible = "Resource not accessible by integration"
)

// reply is the answer to a REST request.
type reply struct {
	status int
	body   any    // encoded as JSON unless nil
	raw    []byte // used instead of body, with its content type
	header http.Header
}

func ok(body any) reply      { return reply{status: http.StatusOK, body: body} }
func created(body any) reply { return reply{status: http.StatusCreated, body: body} }
func noContent() reply       { return reply{status: http.StatusNoContent} }

// raw answers with bytes of a media type.
func rawReply(contentType string, data []byte) reply {
	return reply{status: http.StatusOK, raw: data, header: http.Header{"Content-Type": {contentType}}}
}

// refuse answers with GitHub's error shape.
func refuse(status int, format string, args ...any) reply {
	return reply{status: status, body: object{
		"message": fmt.Sprintf(format, args...), "documentation_url": docsURL, "status": strconv.Itoa(status),
	}}
}

func notFound() reply { return refuse(http.StatusNotFound, "Not Found") }

// fieldError is one entry of a validation error.
type fieldError struct {
	Resource string `json:"resource,omitempty"`
	Field    string `json:"field,omitempty"`
	Code     string `json:"code"`
	Message  string `json:"message,omitempty"`
}

// invalid answers 422 with structured errors.
func invalid(errs ...fieldError) reply {
	return reply{status: http.StatusUnprocessableEntity, body: object{
		"message": "Validation Failed", "errors": errs, "documentation_url": docsURL, "status": "422",
	}}
}

// unprocessable answers 422 with a sentence, as GitHub does when a body does not
// fit the operation's schema.
func unprocessable(format string, args ...any) reply {
	return refuse(http.StatusUnprocessableEntity, "Invalid request.\n\n"+format, args...)
}

func (r reply) withHeader(name, value string) reply {
	r.header = r.header.Clone()
	if r.header == nil {
		r.header = http.Header{}
	}
	r.header.Set(name, value)
	return r
}

// encode returns the bytes of the body.
func (r reply) encode() ([]byte, error) {
	if r.raw != nil || r.body == nil {
		return r.raw, nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r.body); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return buf.Bytes(), nil
}

// stamp writes a time as the API does.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// stampOrNull is stamp, or null for no time.
func stampOrNull(t *time.Time) any {
	if t == nil {
		return nil
	}
	return stamp(*t)
}

// orNull is null for an empty string.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func nodeID(kind string, id any) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%d:%s%v", len(kind), kind, id))
}

// pageOf is the pagination that a request asks for.
type pageOf struct{ page, perPage int }

func pagination(q url.Values, maximum int) pageOf {
	p := pageOf{page: 1, perPage: min(defaultPerPage, maximum)}
	if n, err := strconv.Atoi(q.Get("page")); err == nil && n > 0 {
		p.page = n
	}
	if n, err := strconv.Atoi(q.Get("per_page")); err == nil && n > 0 {
		p.perPage = min(n, maximum)
	}
	return p
}

// cut returns the wanted part of a list, and the Link header for the rest.
func cut[T any](c *call, all []T) (part []T, link string) {
	p := pagination(c.query, maxPerPage)
	from := min((p.page-1)*p.perPage, len(all))
	to := min(from+p.perPage, len(all))
	last := max((len(all)+p.perPage-1)/p.perPage, 1)
	return all[from:to], c.links(p.page, last)
}

// links writes the Link header of RFC 8288 as GitHub does.
func (c *call) links(page, last int) string {
	var parts []string
	add := func(rel string, n int) {
		q := c.req.URL.Query()
		q.Set("page", strconv.Itoa(n))
		parts = append(parts, fmt.Sprintf("<%s?%s>; rel=%q", c.base+c.path, q.Encode(), rel))
	}
	if page > 1 {
		add("prev", min(page-1, last))
	}
	if page < last {
		add("next", page+1)
		add("last", last)
	}
	if page > 1 {
		add("first", 1)
	}
	return strings.Join(parts, ", ")
}

// list answers with one page of items, each rendered.
func list[T any](c *call, all []T, render func(T) object) reply {
	part, link := cut(c, all)
	return ok(mapped(part, render)).linked(link)
}

func (r reply) linked(link string) reply {
	if link == "" {
		return r
	}
	return r.withHeader("Link", link)
}

// mapped renders each item; the result is an array, never null.
func mapped[T any](items []T, render func(T) object) []object {
	out := make([]object, 0, len(items))
	for _, item := range items {
		out = append(out, render(item))
	}
	return out
}
