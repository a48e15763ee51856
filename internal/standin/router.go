package standin

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

// audience says who may call an operation.
type audience int

const (
	anyone         audience = iota // also without credentials, where the resource is public
	theApp                         // the App's JWT
	anInstallation                 // an installation token
)

// need is a permission an operation asks for. Of several, one is enough.
type need struct{ name, level string }

func read(name string) need  { return need{name, "read"} }
func write(name string) need { return need{name, "write"} }

// operation is one entry of GitHub's API description that the stand-in answers.
type operation struct {
	name     string // "GET /repos/{owner}/{repo}"
	method   string
	pattern  *regexp.Regexp
	params   []string
	literals int
	who      audience
	needs    []need
	handle   func(*call) reply
}

// contentWrite reports whether GitHub counts the operation as creating content.
func (o *operation) contentWrite() bool {
	return o.method != http.MethodGet && strings.HasPrefix(o.name, o.method+" /repos/")
}

type router struct{ operations []*operation }

var pathParameter = lazy.Regexp(`\{([a-z_]+)(\.\.\.)?\}`)

// on adds an operation. {name} stands for a segment, {name...} for one or more.
func (r *router) on(name string, who audience, handle func(*call) reply, needs ...need) {
	method, path, _ := strings.Cut(name, " ")
	op := &operation{name: strings.ReplaceAll(name, "...}", "}"), method: method, who: who, needs: needs, handle: handle}
	var expr strings.Builder
	last := 0
	for _, m := range pathParameter().FindAllStringSubmatchIndex(path, -1) {
		expr.WriteString(regexp.QuoteMeta(path[last:m[0]]))
		op.params = append(op.params, path[m[2]:m[3]])
		if m[4] >= 0 {
			expr.WriteString("(.+)")
		} else {
			expr.WriteString("([^/]+)")
		}
		last = m[1]
	}
	expr.WriteString(regexp.QuoteMeta(path[last:]))
	op.pattern = regexp.MustCompile("^" + expr.String() + "$")
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" && !strings.HasPrefix(segment, "{") {
			op.literals++
		}
	}
	r.operations = append(r.operations, op)
}

// sort puts the more literal patterns first.
func (r *router) sort() {
	slices.SortStableFunc(r.operations, func(a, b *operation) int { return cmp.Compare(b.literals, a.literals) })
}

// find returns the operation of a request and the values in its path, or nil.
func (r *router) find(method, escapedPath string) (*operation, map[string]string) {
	for _, op := range r.operations {
		if op.method != method {
			continue
		}
		m := op.pattern.FindStringSubmatch(escapedPath)
		if m == nil {
			continue
		}
		params := map[string]string{}
		for i, name := range op.params {
			value, err := url.PathUnescape(m[i+1])
			if err != nil {
				return nil, nil
			}
			params[name] = value
		}
		return op, params
	}
	return nil, nil
}
