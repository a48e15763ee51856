package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// Lines that are equal and no longer reached do not hold; lines with something
// harmless before them do.
func TestLinesSwitchedOffFromOutside(t *testing.T) {
	const gate = "    if not call.confirmed:\n        raise Denied(call)\n"
	for _, c := range []struct {
		name, file, base, head, lines string
		holds                         bool
	}{
		{"in a string", "a.py", "def f(call):\n" + gate, "def f(call):\n    \"\"\"\n" + gate + "    \"\"\"\n", "2-3", false},
		{"after a docstring", "a.py", "def f(call):\n" + gate, "def f(call):\n    \"\"\"Ask.\n\n    First.\n    \"\"\"\n" + gate, "2-3", true},
		{"a docstring in quotes of the other kind", "a.py", "def f(call):\n" + gate, "def f(call):\n    '''Don\"\"\"t.'''\n" + gate, "2-3", true},
		{"three quotes in a comment", "a.py", "def f(call):\n" + gate, "def f(call):\n    # \"\"\"\n" + gate, "2-3", true},
		{"in a string before and after", "a.py", "P = \"\"\"\n" + gate + "\"\"\"\n", "x = 1\nP = \"\"\"\n" + gate + "\"\"\"\n", "2-3", true},
		{"in a docstring drawn out below", "a.py", "def f(call):\n    \"\"\"\n    Ask.\n    \"\"\"\n" + gate, "def f(call):\n    \"\"\"\n    Ask.\n" + gate + "    \"\"\"\n", "5-6", false},
		{"in a string that never ends", "a.py", "def f(call):\n" + gate, "def f(call):\n    \"\"\"\n" + gate, "2-3", true},
		{"between docstrings that each lost a mark", "a.py", "\"\"\"\nAsk.\n\"\"\"\n" + gate + "\"\"\"\nRun.\n\"\"\"\n", "\"\"\"\nAsk.\n" + gate + "Run.\n\"\"\"\n", "4-5", false},
		{"in a block comment", "a.ts", "f()\ngate(call)\ng()\n", "f()\n/*\ngate(call)\n*/\ng()\n", "2", false},
		{"a glob that looks like a comment", "a.ts", "f()\ngate(call)\n", "f('src/**/*.ts')\ngate(call)\n", "2", true},
		{"a comment above", "a.ts", "f()\ngate(call)\n", "f()\n/* the gate */\ngate(call)\n", "2", true},
		{"in a template", "a.ts", "f()\ngate(call)\ng()\n", "f(`\ngate(call)\n`)\ng()\n", "2", false},
		{"in an HTML comment", "a.html", "<p>\n<form action=x>\n</p>\n", "<p>\n<!--\n<form action=x>\n-->\n</p>\n", "2", false},
		{"under a condition that is never met", "a.py", "a()\nif not ok:\n    stop()\n", "a()\nif False:\n    if not ok:\n        stop()\n", "2-3", false},
		{"under a condition that may be met", "a.py", "a()\nif not ok:\n    stop()\n", "a()\nif strict:\n    if not ok:\n        stop()\n", "2-3", false},
		{"under a condition in braces that may be met", "a.ts", "a()\nstop()\n", "a()\nif (strict) {\nstop()\n}\n", "2", false},
		{"under # if 0", "a.c", "a();\ngate();\n", "a();\n# if 0\ngate();\n# endif\n", "2", false},
		{"under #  ifdef", "a.c", "a();\ngate();\n", "a();\n#  ifdef NEVER\ngate();\n#  endif\n", "2", false},
		{"under # else", "a.c", "#if A\na();\ngate();\n#endif\n", "#if A\na();\n# else\ngate();\n#endif\n", "3", false},
		{"under #if 0", "a.c", "a();\ngate();\n", "a();\n#if 0\ngate();\n#endif\n", "2", false},
		{"behind a return", "a.py", "def f(call):\n" + gate, "def f(call):\n    return run(call)\n" + gate, "2-3", false},
		{"behind a return of a function above", "a.py", "def f():\n    a()\n\ndef g():\n    b()\n", "def f():\n    a()\n    return 1\n\ndef g():\n    b()\n", "4-5", true},
		{"behind a return under a condition", "a.py", "def f(call):\n" + gate, "def f(call):\n    if call.free:\n        return run(call)\n" + gate, "2-3", true},
		{"behind a return of another case", "a.go", "switch x {\ncase 2:\n\tgate()\n}\n", "switch x {\ncase 1:\nreturn nil\ncase 2:\n\tgate()\n}\n", "2-3", true},
		{"behind a return in braces", "a.go", "func f() {\n\tgate()\n}\n", "func f() {\n\treturn\n\tgate()\n}\n", "2", false},
		{"behind a return that goes on", "a.ts", "f()\n.gate()\n", "return a +\n.gate()\n", "2", true},
		{"behind a throw", "a.java", "f();\ngate();\n", "throw new X();\ngate();\n", "2", false},
		{"a return that was there", "a.py", "return x\ngate()\n", "y = 1\nreturn x\ngate()\n", "2", true},
		{"the word return in a document", "a.md", "intro\nThe gate asks.\n", "return home\nThe gate asks.\n", "2", true},
	} {
		it := follow(t, tree{c.file: c.base}, tree{c.file: c.head}, cite(t, c.file+":"+c.lines))
		assert.Equal(t, c.holds, it.State.Holds(), "%s: %s %s", c.name, it.State, it.Reason)
		if !c.holds {
			assert.Equal(t, outcome.Edited, it.State, c.name)
		}
	}
}
