package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// Lines that keep their words and changed in what they do are edited.
func TestWhiteSpaceThatCounts(t *testing.T) {
	for _, c := range []struct{ name, file, base, head, lines string }{
		{"inside three quotes", "a.py", "S = \"\"\"\nrm -rf / tmp\n\"\"\"\n", "S = \"\"\"\nrm -rf /tmp\n\"\"\"\n", "1-3"},
		{"inside a raw string", "a.go", "const s = `\na:\n  b\n`\n", "const s = `\na:\nb\n`\n", "1-4"},
		{"inside a here-document", "a.sh", "python <<E\nif x:\n  a\n  b\nE\n", "python <<E\nif x:\n  a\nb\nE\n", "1-5"},
		{"joined to a hash comment", "a.php", "$x; # note\nauth();\n", "$x; # note auth();\n", "1-2"},
		{"joined behind a lifetime", "a.rs", "fn f(&'a s) { // gate\n  deny();\n}\n", "fn f(&'a s) { // gate deny();\n}\n", "1-3"},
		{"joined behind a separator", "a.cpp", "int x = 1'000; // cap\ncheck();\n", "int x = 1'000; // cap check();\n", "1-2"},
		{"joined behind a pattern", "a.js", "q = /'/; // strip\ncheck(q);\n", "q = /'/; // strip check(q);\n", "1-2"},
		{"a lone CR", "a.js", "return check(u)\n", "return\rcheck(u)\n", "1"},
		{"a blank behind a backslash", "a.sh", "run \\\n  --ro\n", "run \\ \n  --ro\n", "1-2"},
		{"one line that left its block", "a.py", "if a:\n    x()\n    gate()\n", "if a:\n    x()\ngate()\n", "3"},
		{"one key that left its mapping", "a.yml", "a:\n  b:\n    c: 1\n    d: 2\n", "a:\n  b:\n    c: 1\n  d: 2\n", "4"},
	} {
		it := follow(t, tree{c.file: c.base}, tree{c.file: c.head}, cite(t, c.file+":"+c.lines))
		assert.Equal(t, outcome.Edited, it.State, "%s: %s", c.name, it.Reason)
	}
}

// Lines under what switches them off are edited, however it is written.
func TestWaysToSwitchLinesOff(t *testing.T) {
	for _, c := range []struct{ name, file, base, head, lines string }{
		{"behind a comment", "a.py", "f()\ngate()\n", "f()\nif False:  # for now\n    gate()\n", "2"},
		{"not True", "a.py", "f()\ngate()\n", "f()\nif not True:\n    gate()\n", "2"},
		{"not the first line under it", "a.py", "f()\ngate()\n", "f()\nif 0:\n    pass\n    gate()\n", "2"},
		{"shell", "a.sh", "f\ngate\n", "f\nif false; then\ngate\nfi\n", "2"},
		{"exit", "a.sh", "f\ngate\n", "f\nexit 0\ngate\n", "2"},
		{"a here-document with a hyphen", "a.sh", "f\ngate\n", "f\n: <<END-OF\ngate\nEND-OF\n", "2"},
		{"a here-document with a point", "a.sh", "f\ngate\n", "f\n: <<E.F\ngate\nE.F\n", "2"},
		{"a here-document with a blank", "a.sh", "f\ngate\n", "f\n: <<'E F'\ngate\nE F\n", "2"},
		{"a here-document of old", "a.sh", "f\ngate\n", "f\n: <<!\ngate\n!\n", "2"},
		{"an unused here-document", "a.sh", "f\ngate\n", "f\n: <<'X'\ngate\nX\n", "2"},
		{"a workflow's step", "a.yml", "steps:\n  - name: x\n    run: gate\n", "steps:\n  - name: x\n    if: false\n    run: gate\n", "3"},
		{"Ruby", "a.rb", "f\ngate\n", "f\n=begin\ngate\n=end\n", "2"},
		{"Lua", "a.lua", "f()\ngate()\n", "f()\n--[[\ngate()\n]]\n", "2"},
		{"Jinja", "a.j2", "f\ngate\n", "f\n{#\ngate\n#}\n", "2"},
		{"HCL", "a.tf", "f\ngate = 1\n", "f\n/*\ngate = 1\n*/\n", "2"},
		{"the preprocessor", "a.c", "f();\ngate();\n", "f();\n#if 0 /* off */\ngate();\n#endif\n", "2"},
	} {
		it := follow(t, tree{c.file: c.base}, tree{c.file: c.head}, cite(t, c.file+":"+c.lines))
		assert.Equal(t, outcome.Edited, it.State, "%s: %s", c.name, it.Reason)
	}
}

// A mark of a string in a pattern or a comment opens nothing.
func TestStrayMarks(t *testing.T) {
	js := "gate();\nconst s = `x`;\n"
	it := follow(t, tree{"a.js": js}, tree{"a.js": "e = t.replace(/`/g, '');\n" + js}, cite(t, "a.js:1"))
	assert.Equal(t, outcome.Moved, it.State, it.Reason)
	php := "gate();\n/**\n * Doc\n */\n"
	it = follow(t, tree{"a.php": php}, tree{"a.php": "# matches src/*\n" + php}, cite(t, "a.php:1"))
	assert.Equal(t, outcome.Moved, it.State, it.Reason)
}
