package config

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// MaxFileSize bounds the configuration file and each secret's file, in bytes.
const MaxFileSize = 1 << 20

// setting is one value of the file.
type setting struct{ value, where string }

// exampleFix points to what may stand in the file.
const exampleFix = "config/rescore.example.yml shows every key"

// readFile reads the settings of the YAML file. A path of "" gives none. Each key that
// is unknown or holds what it cannot is a problem of its own, with its line.
func (l *loader) readFile(path string) {
	if path == "" {
		return
	}
	l.file = map[string]setting{}
	data, err := readBounded(path)
	if err != nil {
		l.unread = true
		l.problem(path, err.Error(), exampleFix)
		return
	}
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		l.unread = true
		// Without the excerpt of the source: it may show a secret put there by mistake.
		l.problem(path, yaml.FormatError(err, false, false), exampleFix)
		return
	}
	r := fileReader{loader: l, path: path}
	for i, doc := range tree.Docs {
		switch {
		case doc.Body == nil:
		case i > 0:
			l.problem(r.at(doc.Body), "a second document in the file", "keep all keys in one")
		default:
			r.section("", doc.Body)
		}
	}
}

// fileReader walks the file.
type fileReader struct {
	*loader
	path string
}

// at is the place of a node.
func (r fileReader) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", r.path, n.GetToken().Position.Line)
}

// section reads the keys below a dotted prefix.
func (r fileReader) section(prefix string, n ast.Node) {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.NullNode, *ast.CommentGroupNode:
		return
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		r.problem(r.at(n), "want keys here", exampleFix)
		return
	}
	for _, pair := range pairs {
		r.pair(prefix, pair)
	}
}

// pair reads one key.
func (r fileReader) pair(prefix string, pair *ast.MappingValueNode) {
	name := pair.Key.GetToken().Value
	full := prefix + name
	if isSection(full) {
		r.section(full+".", pair.Value)
		return
	}
	for _, k := range keys {
		switch {
		case k.inFile() == full:
			r.value(k, pair.Value)
			return
		case k.name == full: // a secret
			r.problem(r.at(pair), fmt.Sprintf("the secret itself in %s", name), fmt.Sprintf("write it to a file of its own and name that with %s_file", name))
			return
		}
	}
	r.problem(r.at(pair), fmt.Sprintf("unknown key %q", clip(name)), didYouMean(name, namesBelow(prefix)))
}

// value reads what a key holds.
func (r fileReader) value(k key, n ast.Node) {
	place := r.at(n)
	if list, ok := n.(*ast.SequenceNode); ok && k.list {
		words := make([]string, len(list.Values))
		for i, item := range list.Values {
			if words[i], ok = scalar(item); !ok {
				r.problem(r.at(item), "want a word here", exampleFix)
				return
			}
		}
		r.file[k.inFile()] = setting{strings.Join(words, ","), k.inFile() + " (" + place + ")"}
		return
	}
	if _, empty := n.(*ast.NullNode); empty {
		return
	}
	text, ok := scalar(n)
	if !ok {
		r.problem(place, fmt.Sprintf("%s wants one value", k.inFile()), exampleFix)
		return
	}
	r.file[k.inFile()] = setting{text, k.inFile() + " (" + place + ")"}
}

// scalar returns the text of a plain value as it stands in the file.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// isSection reports whether a dotted name has keys below it.
func isSection(name string) bool { return len(namesBelow(name+".")) > 0 }

// namesBelow lists the keys and sections right below a dotted prefix.
func namesBelow(prefix string) []string {
	var out []string
	for _, k := range keys {
		rest, ok := strings.CutPrefix(k.inFile(), prefix)
		if name, _, _ := strings.Cut(rest, "."); ok && (len(out) == 0 || out[len(out)-1] != name) {
			out = append(out, name)
		}
	}
	return out
}

// clip bounds a text of the file inside a message, in bytes.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err // it names the file
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	if len(data) > MaxFileSize {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, MaxFileSize)
	}
	return data, nil
}
