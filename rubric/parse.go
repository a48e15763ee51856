package rubric

import (
	"bytes"
	"embed"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed *.yaml
var files embed.FS

const (
	methodFile = "method.yaml"
	rulesFile  = "rules.yaml"
)

// criterionFiles names the file of each criterion.
var criterionFiles = map[string]string{
	"C1": "c01-identity.yaml", "C2": "c02-approval.yaml", "C3": "c03-scoping.yaml",
	"C4": "c04-isolation.yaml", "C5": "c05-untrusted-input.yaml", "C6": "c06-memory.yaml",
	"C7": "c07-extensions.yaml", "C8": "c08-secrets.yaml", "C9": "c09-audit.yaml",
	"C10": "c10-limits.yaml",
}

// File returns an embedded YAML file by its name, for example "method.yaml".
func File(name string) ([]byte, error) { return files.ReadFile(name) }

func mustRead(name string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the file is embedded: only a typing error in this package can lead here
	}
	return data
}

// source is one YAML file that is being checked; it turns a path inside the
// document into an error with file and line.
type source struct {
	name string
	data []byte
}

// decode reads the file into v and refuses unknown and duplicate keys.
func (s source) decode(v any) error {
	dec := yaml.NewDecoder(bytes.NewReader(s.data), yaml.Strict())
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

// errorf reports a fault at the place that the YAML path names, or at the nearest
// enclosing place that exists.
func (s source) errorf(path, format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	for p := path; ; {
		if line := s.line(p); line > 0 {
			return fmt.Errorf("%s:%d: %s: %s", s.name, line, strings.TrimPrefix(path, "$."), msg)
		}
		cut := strings.LastIndexAny(p, ".[")
		if cut <= 0 {
			return fmt.Errorf("%s:1: %s: %s", s.name, strings.TrimPrefix(path, "$."), msg)
		}
		p = p[:cut]
	}
}

func (s source) line(path string) int {
	p, err := yaml.PathString(path)
	if err != nil {
		return 0
	}
	node, err := p.ReadNode(bytes.NewReader(s.data))
	if err != nil || node == nil || node.GetToken() == nil {
		return 0
	}
	return node.GetToken().Position.Line
}

// required reports the first empty value among path, value pairs.
func (s source) required(pairs ...string) error {
	for i := 0; i < len(pairs); i += 2 {
		if strings.TrimSpace(pairs[i+1]) == "" {
			return s.errorf(pairs[i], "is missing or empty")
		}
	}
	return nil
}
