package cardfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// node is a JSON value. raw is the text of a scalar; a value that was read also
// knows where it stands in the file.
type node struct {
	kind       nodeKind
	raw        string // of a scalar
	members    []member
	items      []*node
	start, end int // bytes of the file; end is 0 for a value of our own making
}

type nodeKind int

const (
	scalarNode nodeKind = iota
	objectNode
	arrayNode
)

type member struct {
	name  string
	value *node
}

func (n *node) get(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func (n *node) isNull() bool { return n.kind == scalarNode && n.raw == "null" }

// jsonReader builds the tree from encoding/json's tokens.
type jsonReader struct {
	file string
	text string
	dec  *json.Decoder
}

func parseJSON(file, text string) (*node, error) {
	r := &jsonReader{file: file, text: text, dec: json.NewDecoder(strings.NewReader(text))}
	r.dec.UseNumber()
	n, err := r.value(0)
	if err != nil {
		return nil, r.explain(err)
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, jsonError(file, text, int(r.dec.InputOffset()), "", "there is more after the end of the entry", "keep one JSON object")
	}
	return n, nil
}

// explain gives an error of the decoder its place.
func (r *jsonReader) explain(err error) error {
	if e, ok := err.(*SyntaxError); ok {
		return e
	}
	at := int(r.dec.InputOffset())
	if e, ok := err.(*json.SyntaxError); ok {
		at = int(e.Offset)
	}
	msg := err.Error()
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		msg = "the file ends in the middle of a value"
	}
	return jsonError(r.file, r.text, at, "", "not valid JSON: "+msg, "")
}

// jsonError is an error at a byte of the file.
func jsonError(file, text string, at int, where, msg, fix string) *SyntaxError {
	at = min(max(at, 0), len(text))
	line := strings.Count(text[:at], "\n") + 1
	column := at - strings.LastIndexByte(text[:at], '\n')
	return &SyntaxError{File: file, Line: line, Column: column, Where: where, Msg: msg, Fix: fix}
}

// value reads one value. The start of a token is where the previous one ended,
// without the white space and punctuation between them.
func (r *jsonReader) value(depth int) (*node, error) {
	start := r.skip(int(r.dec.InputOffset()))
	if depth > MaxDepth {
		return nil, jsonError(r.file, r.text, start, "", fmt.Sprintf("values are nested more than %d deep", MaxDepth), "")
	}
	t, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	n := &node{start: start, end: int(r.dec.InputOffset())}
	switch t {
	case json.Delim('{'):
		n.kind = objectNode
		err = r.object(n, depth)
	case json.Delim('['):
		n.kind = arrayNode
		for err == nil && r.dec.More() {
			var item *node
			if item, err = r.value(depth + 1); err == nil {
				n.items = append(n.items, item)
			}
		}
	default:
		n.raw = r.text[start:n.end]
		return n, nil
	}
	if err != nil {
		return nil, err
	}
	_, err = r.dec.Token()
	n.end = int(r.dec.InputOffset())
	return n, err
}

func (r *jsonReader) object(n *node, depth int) error {
	seen := map[string]bool{}
	for r.dec.More() {
		at := r.skip(int(r.dec.InputOffset()))
		t, err := r.dec.Token()
		if err != nil {
			return err
		}
		name, ok := t.(string)
		if !ok {
			return jsonError(r.file, r.text, at, "", "want the name of a member", "")
		}
		if seen[name] {
			return jsonError(r.file, r.text, at, "", fmt.Sprintf("the key %q is given twice", excerpt(name)), "remove one of the two")
		}
		seen[name] = true
		v, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.members = append(n.members, member{name, v})
	}
	return nil
}

func (r *jsonReader) skip(at int) int {
	for at < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[at]) >= 0 {
		at++
	}
	return at
}

// Making values.

func jsonString(s string) *node {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return &node{raw: strings.TrimSuffix(b.String(), "\n")}
}

func jsonInt(i int) *node       { return &node{raw: strconv.Itoa(i)} }
func jsonBool(v bool) *node     { return &node{raw: strconv.FormatBool(v)} }
func jsonNull() *node           { return &node{raw: "null"} }
func jsonArray(l []*node) *node { return &node{kind: arrayNode, items: l} }

func jsonStrings(list []string) *node {
	out := &node{kind: arrayNode}
	for _, s := range list {
		out.items = append(out.items, jsonString(s))
	}
	return out
}

// jsonOptional is null for an empty string.
func jsonOptional(s string) *node {
	if s == "" {
		return jsonNull()
	}
	return jsonString(s)
}

// jsonMilli prints thousandths with as many decimals as they need, at least one.
func jsonMilli(milli int) *node {
	s := strings.TrimRight(strconv.FormatFloat(float64(milli)/1000, 'f', 3, 64), "0")
	if strings.HasSuffix(s, ".") {
		s += "0"
	}
	return &node{raw: s}
}

// object builds an object in order.
type object struct{ node }

func newObject() *object { return &object{node{kind: objectNode}} }

func (o *object) set(name string, v *node) *object {
	o.members = append(o.members, member{name, v})
	return o
}

func (o *object) str(name, s string) *object { return o.set(name, jsonString(s)) }

// opt adds a string unless it is empty.
func (o *object) opt(name, s string) *object {
	if s == "" {
		return o
	}
	return o.str(name, s)
}

// equalNodes compares two values of our own making.
func equalNodes(a, b *node) bool {
	return a.kind == b.kind && a.raw == b.raw &&
		slices.EqualFunc(a.items, b.items, equalNodes) &&
		slices.EqualFunc(a.members, b.members, func(x, y member) bool { return x.name == y.name && equalNodes(x.value, y.value) })
}
