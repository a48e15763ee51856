package policy

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/nearest"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

// judges are the names that a policy may choose from.
var judges = []string{"evidence", "signals", "llm", "attest"}

// policy checks every value and returns the policy.
func (s *source) policy(f *file) (*Policy, error) {
	p := Default()
	p.Name, p.DryRun = s.name, f.DryRun
	p.FailOn.NewCriticalGap, p.FailOn.NeedsReview = f.FailOn.NewCriticalGap, f.FailOn.NeedsReview
	for _, step := range []func(*file, *Policy) error{
		s.version, s.card, s.judges, s.figures, s.parameters, s.exceptions, s.comment,
	} {
		if err := step(f, p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// at makes an error at the node of the path, for example "$.fail_on.drop".
func (s *source) at(where, msg, fix string) error {
	line, column := 0, 0
	if p, err := yaml.PathString(where); err == nil {
		if n, err := p.FilterNode(s.body); err == nil && n != nil {
			line, column = position(n.GetToken())
		}
	}
	return s.errorf(line, column, msg, fix)
}

func (s *source) version(f *file, _ *Policy) error {
	switch {
	case f.Version == nil:
		return s.errorf(1, 1, "the key \"version\" is missing", "write \"version: 1\"")
	case *f.Version != Version:
		return s.at("$.version", fmt.Sprintf("version %d is not known", *f.Version), "write \"version: 1\"")
	}
	return nil
}

func (s *source) card(f *file, p *Policy) error {
	if f.Card == nil {
		return nil
	}
	c := *f.Card
	const fix = "give the path of a .json or .md file inside the repository"
	switch ext := path.Ext(c); {
	case c == "" || len(c) > maxPathLength || strings.ContainsFunc(c, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }):
		return s.at("$.card", "this is no path of a card", fix)
	case path.IsAbs(c) || path.Clean(c) != c || c == ".." || strings.HasPrefix(c, "../"):
		return s.at("$.card", "the card's path leaves the repository or is not in its plain form", fix)
	case ext != ".json" && ext != ".md":
		return s.at("$.card", fmt.Sprintf("a card is JSON or Markdown, not %q", clip(ext)), fix)
	}
	p.Card = c
	return nil
}

func (s *source) judges(f *file, p *Policy) error {
	for i, j := range f.Judges {
		where := fmt.Sprintf("$.judges[%d]", i)
		if !slices.Contains(judges, j) {
			return s.at(where, fmt.Sprintf("no judge %q", clip(j)), oneOf(j, judges))
		}
		if slices.Contains(f.Judges[:i], j) {
			return s.at(where, fmt.Sprintf("judge %q is named twice", j), "name each once, in the order in which they are asked")
		}
	}
	p.Judges = f.Judges
	return nil
}

// oneOf says what may stand there, the nearest first where one is near.
func oneOf(got string, words []string) string {
	if near := nearest.Word(got, words); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "choose from " + strings.Join(words, ", ")
}

func (s *source) figures(f *file, p *Policy) error {
	for _, x := range []struct {
		where string
		from  *float64
		to    *int
		fix   string
	}{
		{"$.fail_on.drop", f.FailOn.Drop, &p.FailOn.Drop, "give the fall of the total that fails, above 0 and at most 10, for example 0.1"},
		{"$.fail_on.minimum", f.FailOn.Minimum, &p.FailOn.Minimum, "give the lowest total that passes, above 0 and at most 10, for example 3.0"},
	} {
		if x.from == nil {
			continue
		}
		milli := math.Round(*x.from * rubric.Milli)
		if math.IsNaN(milli) || milli < 1 || milli > scorecard.MaxTotal {
			return s.at(x.where, "this is no figure of points", x.fix)
		}
		*x.to = int(milli)
	}
	return nil
}

var selectorForm = lazy.Regexp(`^(C[1-9]|C10|\*)\.([SCDB*])$`)

func (s *source) parameters(f *file, p *Policy) error {
	if len(f.FailOn.Parameters) > maxParameters {
		return s.at("$.fail_on.parameters", fmt.Sprintf("more than %d entries", maxParameters), "use C4.* or *.S for many at once")
	}
	for i, text := range f.FailOn.Parameters {
		m := selectorForm().FindStringSubmatch(text)
		if m == nil {
			return s.at(fmt.Sprintf("$.fail_on.parameters[%d]", i), fmt.Sprintf("%q names no parameter", clip(text)),
				"write C4.S, C4.* or *.S with S, C, D or B")
		}
		p.FailOn.Parameters = append(p.FailOn.Parameters, Selector{m[1], scorecard.ParameterID(m[2])})
	}
	return nil
}

func (s *source) exceptions(f *file, p *Policy) error {
	if len(f.Exceptions) > maxExceptions {
		return s.at("$.exceptions", fmt.Sprintf("more than %d exceptions", maxExceptions), "remove those that have expired")
	}
	for i, e := range f.Exceptions {
		x, err := s.exception(fmt.Sprintf("$.exceptions[%d]", i), e)
		if err != nil {
			return err
		}
		p.Exceptions = append(p.Exceptions, x)
	}
	return nil
}

func (s *source) exception(where string, e exception) (Exception, error) {
	if _, ok := rubric.Head(e.Criterion); !ok {
		return Exception{}, s.at(under(where, "criterion", e.Criterion), fmt.Sprintf("the exception names no criterion (%q)", clip(e.Criterion)), "write C1 to C10")
	}
	id := scorecard.ParameterID(e.Parameter)
	if id != "" && !slices.Contains(scorecard.ParameterIDs[:], id) {
		return Exception{}, s.at(where+".parameter", fmt.Sprintf("no parameter %q", clip(e.Parameter)), "write S, C, D or B, or leave the key out for the whole criterion")
	}
	reason := strings.TrimSpace(e.Reason)
	if reason == "" {
		return Exception{}, s.at(under(where, "reason", e.Reason), "an exception needs a reason", "say why the weakness is accepted: it is shown in every check")
	}
	if utf8.RuneCountInString(reason) > maxReasonLength {
		return Exception{}, s.at(where+".reason", fmt.Sprintf("the reason is longer than %d characters", maxReasonLength), "shorten it and link to the rest")
	}
	day, err := time.Parse(time.DateOnly, e.Expires)
	if err != nil {
		return Exception{}, s.at(under(where, "expires", e.Expires), "an exception needs the last day on which it holds", "write expires: YYYY-MM-DD")
	}
	return Exception{Criterion: e.Criterion, Parameter: id, Reason: reason, Expires: day}, nil
}

// under points at the key when it has a value, at the whole entry otherwise.
func under(where, key, value string) string {
	if value == "" {
		return where
	}
	return where + "." + key
}

func (s *source) comment(f *file, p *Policy) error {
	if f.Comment.When == nil {
		return nil
	}
	words := []string{string(Changed), string(Always), string(Never)}
	if !slices.Contains(words, *f.Comment.When) {
		return s.at("$.comment.when", fmt.Sprintf("%q is no choice", clip(*f.Comment.When)), oneOf(*f.Comment.When, words))
	}
	p.Comment = When(*f.Comment.When)
	return nil
}
