package cardfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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

// jsonReader builds the tree of a text that encoding/json has found valid, so that
// the reader only has to find where values begin and end.
type jsonReader struct {
	file string
	text string
	pos  int
	seen int // values so far
}

func parseJSON(file, text string) (*node, error) {
	if !json.Valid([]byte(text)) {
		return nil, explainJSON(file, text)
	}
	r := &jsonReader{file: file, text: text}
	return r.value(0)
}

// explainJSON says where a text stops being JSON.
func explainJSON(file, text string) error {
	var v json.RawMessage
	err := json.Unmarshal([]byte(text), &v)
	at, msg := len(text), "not valid JSON"
	if bad := (*json.SyntaxError)(nil); errors.As(err, &bad) {
		at, msg = int(bad.Offset)-1, msg+": "+bad.Error()
	}
	return jsonError(file, text, at, "", msg, "")
}

// jsonError is an error at a byte of the file.
func jsonError(file, text string, at int, where, msg, fix string) *SyntaxError {
	at = min(max(at, 0), len(text))
	line := strings.Count(text[:at], "\n") + 1
	column := at - strings.LastIndexByte(text[:at], '\n')
	return &SyntaxError{File: file, Line: line, Column: column, Where: where, Msg: msg, Fix: fix}
}

// skip steps over white space and the punctuation between values.
func (r *jsonReader) skip() byte {
	for {
		switch c := r.text[r.pos]; c {
		case ' ', '\t', '\r', '\n', ',', ':':
			r.pos++
		default:
			return c
		}
	}
}

func (r *jsonReader) value(depth int) (*node, error) {
	first := r.skip()
	n := &node{start: r.pos}
	if depth > MaxDepth {
		return nil, jsonError(r.file, r.text, r.pos, "", fmt.Sprintf("values are nested more than %d deep", MaxDepth), "")
	}
	if r.seen++; r.seen > MaxValues {
		return nil, jsonError(r.file, r.text, r.pos, "", fmt.Sprintf("the entry has more than %d values", MaxValues), "")
	}
	var err error
	switch first {
	case '{':
		n.kind = objectNode
		err = r.object(n, depth)
	case '[':
		n.kind = arrayNode
		r.pos++
		for err == nil && r.skip() != ']' {
			var item *node
			item, err = r.value(depth + 1)
			n.items = append(n.items, item)
		}
		r.pos++
	case '"':
		n.raw = r.str()
	default:
		end := strings.IndexAny(r.text[r.pos:], " \t\r\n,:]}")
		if end < 0 {
			end = len(r.text) - r.pos
		}
		n.raw = r.text[r.pos : r.pos+end]
		r.pos += end
	}
	n.end = r.pos
	return n, err
}

// str returns the string literal at the position.
func (r *jsonReader) str() string {
	start := r.pos
	for r.pos++; r.text[r.pos] != '"'; r.pos++ {
		if r.text[r.pos] == '\\' {
			r.pos++
		}
	}
	r.pos++
	return r.text[start:r.pos]
}

func (r *jsonReader) object(n *node, depth int) error {
	r.pos++
	for r.skip() != '}' {
		at := r.pos
		name := unquote(r.str())
		if n.get(name) != nil {
			return jsonError(r.file, r.text, at, "", fmt.Sprintf("the key %q is given twice", excerpt(name)), "remove one of the two")
		}
		if len(n.members) == MaxItems {
			return jsonError(r.file, r.text, at, "", fmt.Sprintf("an object with more than %d keys", MaxItems), "")
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.members = append(n.members, member{name, v})
	}
	r.pos++
	return nil
}

// unquote returns what a valid string literal stands for.
func unquote(raw string) string {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	var s string
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		panic(err) // json.Valid has accepted it
	}
	return s
}

// Making values.

func jsonString(s string) *node {
	plain := !strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError || r == '\u2028' || r == '\u2029'
	})
	if plain {
		return &node{raw: `"` + s + `"`}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return &node{raw: strings.TrimSuffix(b.String(), "\n")}
}

func jsonInt(i int) *node   { return &node{raw: strconv.Itoa(i)} }
func jsonBool(v bool) *node { return &node{raw: strconv.FormatBool(v)} }
func jsonNull() *node       { return &node{raw: "null"} }

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

// jsonNumber is a number of our own, without superfluous zeros.
func jsonNumber(s string) *node {
	s = strings.TrimRight(s, "0")
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
