package cardfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// decoder takes a tree of JSON apart and keeps the first error. Its methods return
// zero values once there is one.
type decoder struct {
	file string
	text string
	err  *SyntaxError
}

func (d *decoder) fail(n *node, path, msg, fix string) {
	if d.err != nil {
		return
	}
	at := 0
	if n != nil {
		at = n.start
	}
	d.err = jsonError(d.file, d.text, at, path, msg, fix)
}

// fields is an object that is being taken apart; every member must be asked for.
type fields struct {
	d    *decoder
	n    *node
	path string
	used []bool // by member
}

// object begins an object.
func (d *decoder) object(n *node, path string) *fields {
	if n == nil || n.kind != objectNode {
		d.fail(n, path, "want an object", "")
		n = &node{kind: objectNode}
	}
	return &fields{d: d, n: n, path: path, used: make([]bool, len(n.members))}
}

// done refuses members that nobody asked for.
func (f *fields) done() {
	for i, m := range f.n.members {
		if !f.used[i] {
			f.d.fail(m.value, f.at(m.name), "this key is not part of an entry, schema version "+scorecard.SchemaVersion, "remove it, or correct its spelling")
		}
	}
}

func (f *fields) at(name string) string {
	if strings.ContainsAny(name, "~/") {
		name = strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	return f.path + "/" + name
}

// member returns a member and notes that it was asked for.
func (f *fields) member(name string) *node {
	for i, m := range f.n.members {
		if m.name == name {
			f.used[i] = true
			return m.value
		}
	}
	return nil
}

// get returns a member that must be there.
func (f *fields) get(name string) *node {
	n := f.find(name)
	if n == nil && f.d.err == nil {
		f.d.fail(f.n, f.at(name), "this key is missing", "")
	}
	return n
}

// find returns a member that may be missing or null as nil.
func (f *fields) find(name string) *node {
	if n := f.member(name); n != nil && !n.isNull() {
		return n
	}
	return nil
}

// nullable returns a member that must be there and may be null.
func (f *fields) nullable(name string) *node {
	n := f.member(name)
	if n == nil {
		f.d.fail(f.n, f.at(name), "this key is missing", "give it, or null")
		return nil
	}
	if n.isNull() {
		return nil
	}
	return n
}

func (f *fields) str(name string) string { return f.text(name, f.get(name)) }
func (f *fields) opt(name string) string { return f.text(name, f.find(name)) }

func (f *fields) text(name string, n *node) string {
	if n == nil {
		return ""
	}
	if n.kind != scalarNode || !strings.HasPrefix(n.raw, `"`) {
		f.d.fail(n, f.at(name), "want a string", "")
		return ""
	}
	return unquote(n.raw)
}

// one returns a string out of a set.
func (f *fields) one(name string, set ...string) string {
	s := f.str(name)
	if f.d.err == nil && !slices.Contains(set, s) {
		f.d.fail(f.n.get(name), f.at(name), fmt.Sprintf("%q is none of %s", excerpt(s), strings.Join(set, ", ")), "")
	}
	return s
}

func (f *fields) boolean(name string) bool {
	n := f.get(name)
	if n != nil && (n.kind != scalarNode || n.raw != "true" && n.raw != "false") {
		f.d.fail(n, f.at(name), "want true or false", "")
	}
	return n != nil && n.raw == "true"
}

// integer returns a whole number from 0 to most.
func (f *fields) integer(name string, most int) int {
	n := f.get(name)
	if n == nil {
		return 0
	}
	i, err := strconv.Atoi(n.raw)
	if n.kind != scalarNode || err != nil || i < 0 || i > most {
		f.d.fail(n, f.at(name), fmt.Sprintf("want a whole number from 0 to %d", most), "")
		return 0
	}
	return i
}

// number returns the text of a number that must be there.
func (f *fields) number(name string) string { return f.figure(name, f.get(name)) }

func (f *fields) figure(name string, n *node) string {
	if n == nil {
		return ""
	}
	if _, err := strconv.ParseFloat(n.raw, 64); n.kind != scalarNode || err != nil {
		f.d.fail(n, f.at(name), "want a number", "")
	}
	return n.raw
}

// array returns the items of an array that must be there.
func (f *fields) array(name string) []*node { return f.list(name, f.get(name)) }

func (f *fields) list(name string, n *node) []*node {
	if n == nil {
		return nil
	}
	if n.kind != arrayNode {
		f.d.fail(n, f.at(name), "want an array", "")
		return nil
	}
	if len(n.items) > MaxItems {
		f.d.fail(n, f.at(name), fmt.Sprintf("more than %d items", MaxItems), "")
		return nil
	}
	return n.items
}

func (f *fields) strings(name string) []string {
	var out []string
	for i, n := range f.array(name) {
		out = append(out, f.text(name+"/"+strconv.Itoa(i), n))
	}
	return out
}
