package policy

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds of a policy file. Anything beyond them is no policy but an attack or a
// mistake.
const (
	MaxSize         = 64 * 1024 // bytes
	maxIndent       = 40        // blanks before a key: the form is three levels deep
	maxFlowDepth    = 8         // open brackets and braces
	maxExceptions   = 100
	maxParameters   = 100
	maxReasonLength = 500 // runes
	maxPathLength   = 400 // bytes
)

// Error says what in a policy file cannot be used, where, and how to mend it.
type Error struct {
	File    string
	Line    int // 1-based; 0 when the file as a whole is meant
	Column  int // likewise
	Msg     string
	Fix     string // "" when Msg says enough
	Excerpt string // the lines around the place, numbered; "" when Line is 0
}

// Error returns the place, the message and the fix on one line.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": " + e.Msg)
	if e.Fix != "" {
		b.WriteString("; " + e.Fix)
	}
	return b.String()
}

// file is the form of the policy file, version 1.
type file struct {
	Version    *int        `yaml:"version"`
	Card       *string     `yaml:"card"`
	Judges     []string    `yaml:"judges"`
	DryRun     bool        `yaml:"dry_run"`
	FailOn     failOn      `yaml:"fail_on"`
	Exceptions []exception `yaml:"exceptions"`
	Comment    comment     `yaml:"comment"`
}

type failOn struct {
	Drop           *float64 `yaml:"drop"`
	Minimum        *float64 `yaml:"minimum"`
	NewCriticalGap bool     `yaml:"new_critical_gap"`
	NeedsReview    bool     `yaml:"needs_review"`
	Parameters     []string `yaml:"parameters"`
}

type exception struct {
	Criterion string `yaml:"criterion"`
	Parameter string `yaml:"parameter"`
	Reason    string `yaml:"reason"`
	Expires   string `yaml:"expires"`
}

type comment struct {
	When *string `yaml:"when"`
}

// Parse reads a policy file. name is used in errors only. Every error is an
// *Error.
func Parse(name string, data []byte) (*Policy, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	s := &source{name: name, lines: strings.Split(string(data), "\n")}
	if err := s.bounds(data); err != nil {
		return nil, err
	}
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, s.fromYAML(err)
	}
	root, err := s.root(tree)
	if err != nil {
		return nil, err
	}
	s.body = root
	var f file
	if err := yaml.NewDecoder(bytes.NewReader(nil), yaml.Strict()).DecodeFromNode(root, &f); err != nil {
		return nil, s.fromYAML(err)
	}
	return s.policy(&f)
}

// source is the file being read.
type source struct {
	name  string
	lines []string
	body  ast.Node
}

// bounds refuses what is too large or too deep before the parser sees it.
func (s *source) bounds(data []byte) error {
	if len(data) > MaxSize {
		return s.errorf(0, 0, fmt.Sprintf("the file has more than the %d bytes a policy may have", MaxSize), "")
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return s.errorf(0, 0, "the file is not UTF-8 text", "save it as UTF-8")
	}
	depth := 0
	for i, line := range s.lines {
		if n := len(line) - len(strings.TrimLeft(line, " \t-?:")); n > maxIndent {
			return s.errorf(i+1, maxIndent, "this is indented deeper than any policy key", "see the form of the file")
		}
		for j := range len(line) {
			switch line[j] {
			case '[', '{':
				depth++
			case ']', '}':
				depth = max(0, depth-1)
			}
			if depth > maxFlowDepth {
				return s.errorf(i+1, j+1, "brackets are nested too deeply", "see the form of the file")
			}
		}
	}
	return nil
}

// root returns the one document's mapping.
func (s *source) root(tree *ast.File) (ast.Node, error) {
	var bodies []ast.Node
	for _, d := range tree.Docs {
		if d.Body != nil {
			bodies = append(bodies, d.Body)
		}
	}
	switch {
	case len(bodies) == 0:
		return nil, s.errorf(0, 0, "the file is empty", "write at least \"version: 1\", or delete the file")
	case len(bodies) > 1:
		line, col := position(bodies[1].GetToken())
		return nil, s.errorf(line, col, "a policy is one document", "remove the second one")
	}
	body := bodies[0]
	if k := body.Type(); k != ast.MappingType && k != ast.MappingValueType {
		line, col := position(body.GetToken())
		return nil, s.errorf(line, col, "a policy is a mapping of keys", "write at least \"version: 1\"")
	}
	w := &refuser{}
	ast.Walk(w, body)
	if w.found != nil {
		line, col := position(w.found.GetToken())
		return nil, s.errorf(line, col, "anchors, aliases, merge keys and tags are not allowed in a policy", "write the value out")
	}
	return body, nil
}

// refuser finds the first node that could multiply or retype the document.
type refuser struct{ found ast.Node }

// Visit implements ast.Visitor.
func (r *refuser) Visit(n ast.Node) ast.Visitor {
	if r.found != nil {
		return nil
	}
	switch n.Type() {
	case ast.AnchorType, ast.AliasType, ast.MergeKeyType, ast.TagType:
		r.found = n
		return nil
	}
	return r
}

func position(t *token.Token) (line, column int) {
	if t == nil || t.Position == nil {
		return 0, 0
	}
	return t.Position.Line, t.Position.Column
}

// fromYAML turns an error of the YAML library into one of ours.
func (s *source) fromYAML(err error) error {
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) {
		line, col := position(unknown.Token)
		return s.unknownKey(line, col, unknown.Token.Value)
	}
	var at yaml.Error
	if errors.As(err, &at) {
		line, col := position(at.GetToken())
		msg := plainMessage(at.GetMessage())
		return s.errorf(line, col, msg, kindFix(msg))
	}
	return s.errorf(0, 0, plainMessage(err.Error()), "")
}

// kindFix says how to mend what plainMessage says, "" where that is clear.
func kindFix(msg string) string {
	switch {
	case strings.HasSuffix(msg, "true or false is wanted"):
		return "write true or false, without quotes"
	case strings.HasSuffix(msg, "a number is wanted"):
		return "write it in digits, without quotes"
	case strings.HasSuffix(msg, "a list is wanted"):
		return "write it in brackets, with commas"
	case msg == tabMessage:
		return "indent with blanks"
	}
	return ""
}

const tabMessage = "a tab stands where YAML takes none"

// plainMessage keeps the first line of the library's message and says in words
// what the file's author knows which kind of value stands where.
func plainMessage(msg string) string {
	msg, _, _ = strings.Cut(strings.TrimSpace(msg), "\n")
	if strings.HasPrefix(msg, "found character '\t'") {
		return tabMessage
	}
	if got, want, ok := strings.Cut(msg, " was used where "); ok {
		return fmt.Sprintf("a %s stands where %s is wanted", got, kindWords(strings.TrimSuffix(want, " is expected")))
	}
	if got, into, ok := strings.Cut(strings.TrimPrefix(msg, "cannot unmarshal "), " into Go "); ok {
		_, want, _ := strings.Cut(into, "of type ")
		return fmt.Sprintf("a %s stands where %s is wanted", got, kindWords(want))
	}
	return msg
}

func kindWords(kind string) string {
	switch {
	case strings.HasPrefix(kind, "[]") || kind == "sequence":
		return "a list"
	case kind == "bool":
		return "true or false"
	case kind == "string":
		return "a text"
	case kind == "int", kind == "float64":
		return "a number"
	}
	return "a mapping"
}

// errorf makes an Error with the lines around the place.
func (s *source) errorf(line, column int, msg, fix string) *Error {
	return &Error{File: s.name, Line: line, Column: column, Msg: msg, Fix: fix, Excerpt: s.excerpt(line, column)}
}

// excerptWidth bounds a line of an excerpt, in bytes.
const excerptWidth = 120

// excerpt returns the line with its neighbours and a mark under the column.
func (s *source) excerpt(line, column int) string {
	if line < 1 || line > len(s.lines) {
		return ""
	}
	var b strings.Builder
	for n := max(1, line-2); n <= min(len(s.lines), line+1); n++ {
		text := strings.TrimRight(s.lines[n-1], "\r")
		if len(text) > excerptWidth {
			text = strings.ToValidUTF8(text[:excerptWidth], "") + "…"
		}
		mark := "  "
		if n == line {
			mark = "> "
		}
		fmt.Fprintf(&b, "%s%3d | %s\n", mark, n, text)
		if n == line && column > 0 && column <= excerptWidth {
			fmt.Fprintf(&b, "      | %s^\n", strings.Repeat(" ", column-1))
		}
	}
	return b.String()
}
