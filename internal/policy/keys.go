package policy

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/rescore-app/rescore/internal/nearest"
)

// unknownKey is the error for a key that the form does not have at that place: with
// the one that was meant, or the place where the key belongs, or the keys there.
func (s *source) unknownKey(line, column int, key string) error {
	return s.errorf(line, column, fmt.Sprintf("unknown key %q", clip(key)), keyFix(s.parentOf(line, column), key))
}

// keyFix says how to mend a key that is unknown under the parent, "" for the file.
func keyFix(parent, key string) string {
	forms := keysByParent()
	here := forms[parent]
	if near := nearest.Word(key, here); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	for _, other := range slices.Sorted(maps.Keys(forms)) {
		near := nearest.Word(key, forms[other])
		switch {
		case other == parent || near == "":
		case other == "":
			return fmt.Sprintf("%q stands at the left margin, under no other key", near)
		default:
			return fmt.Sprintf("%q stands under %q", near, other)
		}
	}
	if parent == "" {
		return "known keys: " + strings.Join(here, ", ")
	}
	return fmt.Sprintf("known keys under %q: %s", parent, strings.Join(here, ", "))
}

// parentOf is the key under which the key at that place stands, "" for none.
func (s *source) parentOf(line, column int) string {
	if s.body == nil {
		return ""
	}
	w := &finder{line: line, column: column}
	ast.Walk(w, s.body)
	path := strings.Split(strings.TrimPrefix(w.path, "$."), ".")
	if len(path) < 2 {
		return ""
	}
	parent, _, _ := strings.Cut(path[0], "[") // the number of an item
	return parent
}

// finder finds the path of the key at a place.
type finder struct {
	line, column int
	path         string
}

// Visit implements ast.Visitor.
func (f *finder) Visit(n ast.Node) ast.Visitor {
	if v, ok := n.(*ast.MappingValueNode); ok {
		if line, column := position(v.Key.GetToken()); line == f.line && column == f.column {
			f.path = v.Key.GetPath()
		}
	}
	return f
}

// clip bounds a text of the file inside a message, in bytes.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// keysByParent lists the keys of the form under each key that holds some, those of
// the file under "". The form is two keys deep.
func keysByParent() map[string][]string {
	out := map[string][]string{}
	top := reflect.TypeFor[file]()
	for i := range top.NumField() {
		name := top.Field(i).Tag.Get("yaml")
		out[""] = append(out[""], name)
		t := top.Field(i).Type
		if t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			continue
		}
		for j := range t.NumField() {
			out[name] = append(out[name], t.Field(j).Tag.Get("yaml"))
		}
	}
	return out
}
