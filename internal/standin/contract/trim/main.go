// Command trim makes testdata/description.json from GitHub's own API description:
// the operations that operations.txt names, the webhooks that webhooks.txt names,
// and the components they reach, without prose and examples.
//
//	go run ./internal/standin/contract/trim api.github.com.json internal/standin/contract/testdata
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

type object = map[string]any

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: trim DESCRIPTION.json TESTDATA-DIRECTORY")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "trim:", err)
		os.Exit(1)
	}
}

func run(source, dir string) error {
	data, err := os.ReadFile(source)
	if err != nil {
		return fmt.Errorf("read description: %w", err)
	}
	var doc object
	if err := json.Unmarshal(data, &doc); err != nil {
		return fmt.Errorf("read description: %w", err)
	}
	t := &trimmer{doc: doc, paths: object{}, components: map[string]object{}}
	if err := errors.Join(t.eachLine(filepath.Join(dir, "operations.txt"), t.operation), t.eachLine(filepath.Join(dir, "webhooks.txt"), t.webhook)); err != nil {
		return err
	}
	t.collect(t.paths)
	out, err := json.Marshal(object{
		"openapi": doc["openapi"], "info": object{"title": "GitHub REST API, trimmed", "version": doc["info"].(object)["version"]},
		"paths": t.paths, "components": t.components, "x-outside": t.outside(),
	})
	if err != nil {
		return fmt.Errorf("write description: %w", err)
	}
	return os.WriteFile(filepath.Join(dir, "description.json"), append(out, '\n'), 0o644)
}

type trimmer struct {
	doc        object
	paths      object
	components map[string]object
}

func (t *trimmer) eachLine(file string, use func(string) error) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read list: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := use(line); err != nil {
			return err
		}
	}
	return nil
}

// operation keeps one "METHOD /path".
func (t *trimmer) operation(line string) error {
	method, path, _ := strings.Cut(line, " ")
	item, _ := t.doc["paths"].(object)[path].(object)
	op, ok := item[strings.ToLower(method)].(object)
	if !ok {
		return fmt.Errorf("find operation %q: the description has none", line)
	}
	kept, ok := t.paths[path].(object)
	if !ok {
		kept = object{}
		t.paths[path] = kept
	}
	kept[strings.ToLower(method)] = t.bareOperation(op)
	return nil
}

// webhook keeps the payload of one event, "name" or "name action", as the request
// body of a path that GitHub does not have.
func (t *trimmer) webhook(line string) error {
	name := strings.ReplaceAll(strings.ReplaceAll(line, " ", "-"), "_", "-")
	hook, ok := t.doc["x-webhooks"].(object)[name].(object)
	if !ok {
		return fmt.Errorf("find webhook %q: the description has none", line)
	}
	body := hook["post"].(object)["requestBody"]
	t.paths["/webhook/"+strings.ReplaceAll(line, " ", "/")] = object{"post": t.bareOperation(object{"requestBody": body})}
	return nil
}

// bareOperation keeps what validation reads.
func (t *trimmer) bareOperation(op object) object {
	out := object{"responses": object{}}
	if p, ok := op["parameters"]; ok {
		out["parameters"] = bare(p, false)
	}
	if b, ok := op["requestBody"].(object); ok {
		out["requestBody"] = bareBody(b)
	}
	if r, ok := op["responses"].(object); ok {
		kept := object{}
		for status, response := range r {
			kept[status] = bareBody(response.(object))
		}
		out["responses"] = kept
	}
	return out
}

// bareBody keeps the schemas of a request body or a response.
func bareBody(b object) object {
	if _, isRef := b["$ref"]; isRef {
		return b
	}
	out := object{}
	if required, ok := b["required"]; ok {
		out["required"] = required
	}
	if content, ok := b["content"].(object); ok {
		kept := object{}
		for media, m := range content {
			kept[media] = object{"schema": bare(m.(object)["schema"], false)}
		}
		out["content"] = kept
	}
	return out
}

// prose are the keywords that validation does not read. Properties may bear the
// same names, so names tells that the keys are names of properties.
var prose = []string{"description", "title", "default", "example", "examples", "externalDocs", "deprecated"}

func bare(x any, names bool) any {
	switch v := x.(type) {
	case object:
		out := object{}
		for key, value := range v {
			keyword := !names
			if keyword && (slices.Contains(prose, key) || strings.HasPrefix(key, "x-") && key != "x-multi-segment") {
				continue
			}
			if keyword && key == "format" && value != "date-time" {
				continue
			}
			out[key] = bare(value, keyword && key == "properties")
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, item := range v {
			out = append(out, bare(item, false))
		}
		return out
	}
	return x
}

// collect keeps the components that x refers to.
func (t *trimmer) collect(x any) {
	switch v := x.(type) {
	case object:
		if ref, ok := v["$ref"].(string); ok {
			t.component(ref)
			return
		}
		for _, value := range v {
			t.collect(value)
		}
	case map[string]object:
		for _, value := range v {
			t.collect(value)
		}
	case []any:
		for _, item := range v {
			t.collect(item)
		}
	}
}

func (t *trimmer) component(ref string) {
	kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
	if t.components[kind] == nil {
		t.components[kind] = object{}
	}
	if _, done := t.components[kind][name]; done {
		return
	}
	source := t.doc["components"].(object)[kind].(object)[name]
	var kept any
	switch kind {
	case "responses":
		kept = bareBody(source.(object))
	default:
		kept = bare(source, false)
	}
	t.components[kind][name] = kept
	t.collect(kept)
}

// outside lists the other paths of repositories below a kept path whose last
// parameter may hold several segments: without them it would swallow theirs.
func (t *trimmer) outside() []string {
	var out []string
	for path := range t.doc["paths"].(object) {
		for _, kept := range slices.Sorted(maps.Keys(t.paths)) {
			at := strings.LastIndex(kept, "{")
			if t.paths[path] == nil && at > 0 && strings.Contains(kept[:at], "{repo}") && strings.HasPrefix(path, kept[:at]) {
				out = append(out, path)
				break
			}
		}
	}
	slices.Sort(out)
	return out
}
