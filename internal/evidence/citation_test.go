package evidence_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// gate is a cited block of several kinds of lines, in a file of its own.
var gate = []string{
	"def approve(call):",
	"    if not call.confirmed:",
	"        raise PermissionError(call.name)",
	"    return run(call)",
}

// around puts the gate into a file, before it at lines of padding.
func withGate(at int) []string { return splice(program(12), at+1, 0, gate...) }

func TestCitationWithinItsFile(t *testing.T) {
	base := withGate(4) // the gate is lines 5-8
	for _, c := range []struct {
		name  string
		head  []string
		state outcome.State
		lines string
	}{
		{"lines added above", splice(base, 1, 0, "import os", "import sys"), outcome.Moved, "7-10"},
		{"lines added right above", splice(base, 5, 0, "x = 1"), outcome.Moved, "6-9"},
		{"lines added right below", splice(base, 9, 0, "x = 1"), outcome.Intact, "5-8"},
		{"lines added far below", append(base[:len(base):len(base)], "x = 1"), outcome.Intact, "5-8"},
		{"lines removed above", splice(base, 2, 2), outcome.Moved, "3-6"},
		{"a neighbour edited", splice(splice(base, 4, 1, "other"), 9, 1, "another"), outcome.Intact, "5-8"},
		{"a line added inside", splice(base, 7, 0, "        log(call)"), outcome.Edited, "5-9"},
		{"a word edited", splice(base, 6, 1, "    if not call.allowed:"), outcome.Edited, "5-8"},
		{"the last line edited", splice(base, 8, 1, "    return run(call, force=True)"), outcome.Edited, "5-8"},
		{"the first line removed", splice(base, 5, 1), outcome.Edited, "5-7"},
		{"the last line removed", splice(base, 8, 1), outcome.Edited, "5-7"},
		{"the check removed", splice(base, 6, 2), outcome.Edited, "5-6"},
		{"two lines swapped", splice(base, 6, 2, base[6], base[5]), outcome.Edited, ""},
		{"all removed", splice(base, 5, 4), outcome.Gone, "5-8"},
		{"replaced by something else", splice(base, 5, 4, "class Unrelated:", "    pass"), outcome.Gone, "5-8"},
		{"a copy added below", append(base[:len(base):len(base)], gate...), outcome.Intact, "5-8"},
		{"a copy added right below", splice(base, 9, 0, gate...), outcome.Intact, "5-8"},
		{"a copy added above", splice(base, 2, 0, gate...), outcome.Moved, "9-12"},
		{"moved down past other code", append(splice(base, 5, 4), gate...), outcome.Moved, "13-16"},
		{"moved up past other code", splice(splice(base, 5, 4), 2, 0, gate...), outcome.Moved, "2-5"},
		{"everything else replaced", append([]string{"a", "b"}, gate...), outcome.Moved, "3-6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			it := follow(t, tree{"a.py": block(base...)}, tree{"a.py": block(c.head...)}, cite(t, "a.py:5-8"))
			assert.Equal(t, c.state, it.State, it.Reason)
			assert.Equal(t, "a.py", it.After.File)
			if c.lines != "" {
				assert.Equal(t, c.lines, it.After.Lines.String())
			}
			if !it.State.Holds() {
				assert.Equal(t, gate, it.Quote)
			}
		})
	}
}

func TestCitationOfOneLine(t *testing.T) {
	base := block("timeout = 30", "privileged = False", "user = 'nobody'")
	for _, c := range []struct {
		name, head string
		state      outcome.State
		lines      string
	}{
		{"value changed", block("timeout = 30", "privileged = True", "user = 'nobody'"), outcome.Edited, "2"},
		{"shifted", block("", "timeout = 30", "privileged = False", "user = 'nobody'"), outcome.Moved, "3"},
		{"removed", block("timeout = 30", "user = 'nobody'"), outcome.Gone, "2"},
		{"commented out", block("timeout = 30", "# privileged = False", "user = 'nobody'"), outcome.Edited, "2"},
		{"trailing blank", block("timeout = 30", "privileged = False ", "user = 'nobody'"), outcome.Reformatted, "2"},
	} {
		it := follow(t, tree{"a.py": base}, tree{"a.py": c.head}, cite(t, "a.py:2"))
		assert.Equal(t, c.state, it.State, "%s: %s", c.name, it.Reason)
		assert.Equal(t, c.lines, it.After.Lines.String(), c.name)
	}
	// The form of a range is kept.
	it := follow(t, tree{"a.py": base}, tree{"a.py": "\n" + base}, cite(t, "a.py:2-2"))
	assert.Equal(t, "3-3", it.After.Lines.String())
}

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		name, file string
		base, head string
		lines      string
		state      outcome.State
		want       string
	}{
		{"line ends to CRLF", "a.py", "x\nif a:\n    b()\ny\n", "x\r\nif a:\r\n    b()\r\ny\r\n", "2-3", outcome.Reformatted, "2-3"},
		{"line ends to LF", "a.py", "x\r\nif a:\r\n    b()\r\ny\r\n", "x\nif a:\n    b()\ny\n", "2-3", outcome.Reformatted, "2-3"},
		{"tabs for blanks", "a.py", "if a:\n    b()\n", "if a:\n\tb()\n", "1-2", outcome.Reformatted, "1-2"},
		{"two blanks for four", "a.py", "if a:\n    if b:\n        c()\n    d()\n", "if a:\n  if b:\n    c()\n  d()\n", "1-4", outcome.Reformatted, "1-4"},
		{"the whole block indented", "a.py", "if a:\n    b()\n", "with c:\n    if a:\n        b()\n", "1-2", outcome.Reformatted, "2-3"},
		{"a line slips out of its condition", "a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n", "1-3", outcome.Edited, "1-3"},
		{"a key slips into another", "a.yaml", "a:\n  b: 1\nc: 2\n", "a:\n  b: 1\n  c: 2\n", "1-3", outcome.Edited, "1-3"},
		{"indentation in a language of braces", "a.go", "if a {\n\tb()\n}\n", "if a {\nb()\n    }\n", "1-3", outcome.Reformatted, "1-3"},
		{"a recipe that loses its tab", "Makefile", "all:\n\tgo test\n", "all:\n    go test\n", "1-2", outcome.Edited, "1-2"},
		{"blanks beside operators", "a.py", "run(a,b = 1)\n", "run(a, b=1)\n", "1", outcome.Reformatted, "1"},
		{"blanks inside a string", "a.py", "deny('rm  -rf')\n", "deny('rm -rf')\n", "1", outcome.Edited, "1"},
		{"a blank that makes a word", "a.py", "not allowed\n", "notallowed\n", "1", outcome.Edited, "1"},
		{"a blank that makes an operator", "a.ts", "a! = b\n", "a != b\n", "1", outcome.Edited, "1"},
		{"a blank that makes a yaml key", "a.yaml", "user: root\n", "user:root\n", "1", outcome.Edited, "1"},
		{"blank lines inside", "a.py", "def f():\n    a()\n    b()\n", "def f():\n\n    a()\n\n    b()\n", "1-3", outcome.Reformatted, "1-5"},
		{"an argument list wrapped", "a.py", "x = 1\ndef f(first, second, third):\n    pass\n", "x = 1\ndef f(\n    first,\n    second, third\n):\n    pass\n", "2", outcome.Reformatted, "2-5"},
		{"an argument list joined", "a.py", "def f(\n    first,\n    second\n):\n    pass\n", "def f(first, second):\n    pass\n", "1-5", outcome.Reformatted, "1-2"},
		{"part of a list that was joined", "a.py", "x = 1\nf(\n    first,\n    second\n)\ny = 2\n", "x = 1\nf(first, second)\ny = 2\n", "3", outcome.Reformatted, "2"},
		{"statements joined", "a.py", "f(a)\ng(b)\n", "f(a) g(b)\n", "1-2", outcome.Edited, "1"},
		{"a line joined to a comment", "a.ts", "allow() // why\ncheck(user)\n", "allow() // why check(user)\n", "1-2", outcome.Edited, "1"},
		{"a chain wrapped", "a.ts", "api.users.find(id).then(check)\n", "api.users\n  .find(id)\n  .then(check)\n", "1", outcome.Reformatted, "1-3"},
		{"a value parted from its return", "a.ts", "function f() {\n  return check(user)\n}\n", "function f() {\n  return\n    check(user)\n}\n", "1-3", outcome.Edited, "1-4"},
		{"a paragraph filled", "a.md", "# Title\n\nThe agent asks before\nit runs code.\n", "# Title\n\nThe agent asks\nbefore it runs code.\n", "3-4", outcome.Reformatted, "3-4"},
		{"a list joined", "a.md", "- asks first\n- runs code\n", "- asks first - runs code\n", "1-2", outcome.Edited, "1"},
		{"a word changed and moved line ends", "a.py", "f(\n    first,\n    second\n)\n", "f(first, third)\n", "1-4", outcome.Gone, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			it := follow(t, tree{c.file: c.base}, tree{c.file: c.head}, cite(t, c.file+":"+c.lines))
			assert.Equal(t, c.state, it.State, it.Reason)
			if c.want != "" {
				assert.Equal(t, c.want, it.After.Lines.String())
			}
		})
	}
}

func TestCitationAcrossFiles(t *testing.T) {
	base := withGate(4)
	src, other := block(base...), block(program(30)[14:]...)
	without := block(splice(base, 5, 4)...)
	weaker := block(splice(base, 6, 1, "    if not call.seen:")...)
	for _, c := range []struct {
		name     string
		old, new tree
		state    outcome.State
		file     string
		lines    string
	}{
		{"renamed", tree{"a.py": src}, tree{"b/c.py": src}, outcome.Moved, "b/c.py", "5-8"},
		{"renamed and edited elsewhere", tree{"a.py": src}, tree{"b.py": block(splice(base, 2, 1, "x", "y", "z")...)}, outcome.Moved, "b.py", "7-10"},
		{"renamed and edited inside", tree{"a.py": src}, tree{"b.py": weaker}, outcome.Edited, "b.py", "5-8"},
		{"renamed and indented", tree{"a.py": src}, tree{"b.py": "if 1:\n    " + strings.ReplaceAll(strings.TrimSuffix(src, "\n"), "\n", "\n    ")}, outcome.Reformatted, "b.py", "6-9"},
		{"removed", tree{"a.py": src, "o.py": other}, tree{"o.py": other}, outcome.Gone, "a.py", "5-8"},
		{"removed while another was added", tree{"a.py": src}, tree{"o.py": other}, outcome.Gone, "a.py", "5-8"},
		{"moved to a new file", tree{"a.py": src}, tree{"a.py": without, "b.py": block(gate...)}, outcome.Moved, "b.py", "1-4"},
		{"moved to another changed file", tree{"a.py": src, "o.py": other}, tree{"a.py": without, "o.py": other + block(gate...)}, outcome.Moved, "o.py", "17-20"},
		{"moved and indented", tree{"a.py": src, "o.py": other}, tree{"a.py": without, "o.py": other + "class A:\n    " + strings.Join(gate, "\n    ") + "\n"}, outcome.Reformatted, "o.py", "18-21"},
		{"copied, and weakened in place", tree{"a.py": src}, tree{"a.py": weaker, "b.py": src}, outcome.Edited, "a.py", "5-8"},
		{"copied", tree{"a.py": src}, tree{"a.py": "# new\n" + src, "b.py": src}, outcome.Moved, "a.py", "6-9"},
		{"gone, a copy stood elsewhere before", tree{"a.py": src, "o.py": other + block(gate...)}, tree{"a.py": without, "o.py": "# x\n" + other + block(gate...)}, outcome.Gone, "a.py", "5-8"},
		{"gone, another file with a copy was renamed", tree{"a.py": src, "o.py": other + block(gate...)}, tree{"a.py": without, "p.py": "# x\n" + other + block(gate...)}, outcome.Gone, "a.py", "5-8"},
		{"gone with its file, a copy stood elsewhere before", tree{"a.py": src, "o.py": src}, tree{"o.py": src}, outcome.Gone, "a.py", "5-8"},
		{"split in two", tree{"a.py": src}, tree{"a.py": without, "b.py": block(gate[:2]...), "c.py": block(gate[2:]...)}, outcome.Edited, "", ""},
		{"a half moved", tree{"a.py": src}, tree{"a.py": block(splice(base, 7, 2)...), "b.py": block(gate[2:]...)}, outcome.Edited, "a.py", "5-6"},
		{"put aside", tree{"a.py": src}, tree{"a.py.bak": src}, outcome.Gone, "a.py", "5-8"},
		{"into a document", tree{"a.py": src}, tree{"a.py": without, "a.md": block(gate...)}, outcome.Gone, "a.py", "5-8"},
		{"the old name now something else", tree{"a.py": src}, tree{"a.py": other, "b.py": src}, outcome.Moved, "b.py", "5-8"},
		{"the old name a link to the new one", tree{"a.py": src}, tree{"a.py": "mode 120000", "b.py": src}, outcome.Moved, "b.py", "5-8"},
		{"names swapped", tree{"a.py": src, "b.py": other}, tree{"a.py": other, "b.py": src}, outcome.Moved, "b.py", "5-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			it := follow(t, c.old, c.new, cite(t, "a.py:5-8"))
			assert.Equal(t, c.state, it.State, it.Reason)
			if c.file != "" {
				assert.Equal(t, c.file, it.After.File)
				assert.Equal(t, c.lines, it.After.Lines.String())
			}
		})
	}
}
