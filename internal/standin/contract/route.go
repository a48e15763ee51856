package contract

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"

	"github.com/rescore-app/rescore/internal/lazy"
)

var errOutside = errors.New("not in the trimmed description; add it to testdata/operations.txt and run trim")

// route is one path of the description. item is nil for a path that is only
// known, so that a longer parameter does not swallow it.
type route struct {
	path     string
	pattern  *regexp.Regexp
	names    []string
	literals int
	item     *openapi3.PathItem
}

var parameter = lazy.Regexp(`\{([^{}]+)\}`)

// routesOf sorts the paths so that the more literal match first.
func routesOf(doc *openapi3.T) ([]route, error) {
	var out []route
	for path, item := range doc.Paths.Map() {
		long := map[string]bool{}
		for _, op := range item.Operations() {
			for _, p := range op.Parameters {
				if p.Value != nil && p.Value.In == openapi3.ParameterInPath && p.Value.Extensions["x-multi-segment"] == true {
					long[p.Value.Name] = true
				}
			}
			closeBody(op)
		}
		out = append(out, newRoute(path, item, long))
	}
	outside, ok := doc.Extensions["x-outside"].([]any)
	if !ok {
		return nil, errors.New("load GitHub's API description: x-outside is missing; run trim")
	}
	for _, path := range outside {
		out = append(out, newRoute(fmt.Sprint(path), nil, nil))
	}
	slices.SortFunc(out, func(a, b route) int {
		return cmp.Or(cmp.Compare(b.literals, a.literals), cmp.Compare(a.path, b.path))
	})
	return out, nil
}

func newRoute(path string, item *openapi3.PathItem, long map[string]bool) route {
	r := route{path: path, item: item}
	var expr strings.Builder
	last := 0
	for _, m := range parameter().FindAllStringSubmatchIndex(path, -1) {
		expr.WriteString(regexp.QuoteMeta(path[last:m[0]]))
		name := path[m[2]:m[3]]
		r.names = append(r.names, name)
		if long[name] {
			expr.WriteString("(.+)")
		} else {
			expr.WriteString("([^/]+)")
		}
		last = m[1]
	}
	expr.WriteString(regexp.QuoteMeta(path[last:]))
	r.pattern = regexp.MustCompile("^" + expr.String() + "$")
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" && !strings.HasPrefix(segment, "{") {
			r.literals++
		}
	}
	return r
}

// find returns the operation of a request by its escaped path.
func (c *Checker) find(method, path string) (*routers.Route, map[string]string, error) {
	path = strings.TrimPrefix(path, "/api/v3")
	if rest, byID := strings.CutPrefix(path, "/repositories/"); byID {
		_, tail, deep := strings.Cut(rest, "/")
		path = "/repos/owner/repo"
		if deep {
			path += "/" + tail
		}
	}
	if root, ok := strings.CutSuffix(strings.TrimSuffix(path, "/"), "/contents"); ok {
		path = root + "/contents/." // the root of a tree, which the description leaves out
	}
	for _, r := range c.routes {
		m := r.pattern.FindStringSubmatch(path)
		if m == nil {
			continue
		}
		if r.item == nil {
			break
		}
		op := r.item.GetOperation(method)
		if op == nil {
			continue
		}
		params := map[string]string{}
		for i, name := range r.names {
			value, err := url.PathUnescape(m[i+1])
			if err != nil {
				return nil, nil, fmt.Errorf("read path: %w", err)
			}
			params[name] = value
		}
		return &routers.Route{Spec: c.doc, Server: &openapi3.Server{}, Path: r.path, PathItem: r.item, Method: method, Operation: op}, params, nil
	}
	return nil, nil, errOutside
}

// closeBody makes objects in a request body refuse properties that they do not
// list, so that a misspelt field of a client is found.
func closeBody(op *openapi3.Operation) {
	if op.RequestBody == nil || op.RequestBody.Value == nil {
		return
	}
	for _, media := range op.RequestBody.Value.Content {
		closeSchema(media.Schema, map[*openapi3.Schema]bool{})
	}
}

func closeSchema(ref *openapi3.SchemaRef, seen map[*openapi3.Schema]bool) {
	if ref == nil || ref.Value == nil || ref.Ref != "" || seen[ref.Value] {
		return
	}
	s := ref.Value
	seen[s] = true
	if len(s.Properties) > 0 && s.AdditionalProperties.Has == nil && s.AdditionalProperties.Schema == nil && len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) == 0 {
		no := false
		s.AdditionalProperties.Has = &no
	}
	for _, p := range s.Properties {
		closeSchema(p, seen)
	}
	closeSchema(s.Items, seen)
}
