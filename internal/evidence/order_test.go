package evidence_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// The order of statements in a function is a part of what they do; that of
// definitions, of entries and of lines at the margin of a program is not, but for calls on
// the same thing.
func TestChangedPlaces(t *testing.T) {
	f := func(lines ...string) string {
		return "def f(u):\n    x = 1\n    " + lines[0] + "\n    " + lines[1] + "\n    return x\n"
	}
	const early = "def f(a):\n    if a:\n        return\n    x(a)\n    return\n\ndef g(b):\n    y(b)\n    return\n"
	for _, c := range []change{
		{"the upper of two statements", "a.py", "3", f("check(u)", "run(u)"), f("run(u)", "check(u)"), false},
		{"the lower of two statements", "a.py", "4", f("check(u)", "run(u)"), f("run(u)", "check(u)"), false},
		{"statements that say much", "a.py", "3", f("check_permission_of(user, scope)", "run_command_as(user, command)"), f("run_command_as(user, command)", "check_permission_of(user, scope)"), false},
		{"several lines past one", "a.py", "3-4", "def f(u):\n    x = 1\n    check_permission_of(u)\n    check_token_of(u)\n    run_command_as(u)\n", "def f(u):\n    x = 1\n    run_command_as(u)\n    check_permission_of(u)\n    check_token_of(u)\n", false},
		{"past a statement that others surround", "a.py", "2", "def f(u):\n    check_permission_of(u)\n    with lock:\n        run_command_as(u)\n", "def f(u):\n    with lock:\n        run_command_as(u)\n    check_permission_of(u)\n", false},
		{"in braces", "a.ts", "2", "function f(u) {\n  check(u);\n  run(u);\n}\n", "function f(u) {\n  run(u);\n  check(u);\n}\n", false},
		{"in a shell", "a.sh", "1", "check \"$u\"\nrun \"$u\"\n", "run \"$u\"\ncheck \"$u\"\n", false},
		{"calls on the same thing in a module", "a.ts", "2", "const app = x();\napp.use(requireAuthOfEveryCall);\napp.post('/run', handler);\n", "const app = x();\napp.post('/run', handler);\napp.use(requireAuthOfEveryCall);\n", false},
		{"in a container file", "Dockerfile", "2", "FROM a\nUSER nobody\nRUN build\nCMD x\n", "FROM a\nRUN build\nUSER nobody\nCMD x\n", false},
		{"a common line", "a.py", "5", early, "def f(a):\n    if a:\n        return\n    return\n    x(a)\n\ndef g(b):\n    y(b)\n    return\n", false},

		{"calls on other things in a module", "a.ts", "2", "const app = x();\napp.use(requireAuthOfEveryCall);\nlog.info('/run', handler);\n", "const app = x();\nlog.info('/run', handler);\napp.use(requireAuthOfEveryCall);\n", true},
		{"past a function that calls on the same thing", "a.py", "2", "app = x()\napp.use(require_auth_of_every_call)\n\ndef f():\n    app.run()\n", "app = x()\n\ndef f():\n    app.run()\n\napp.use(require_auth_of_every_call)\n", true},
		{"a label of a container file", "Dockerfile", "2", "FROM a\nUSER nobody\nLABEL v=1\nCMD x\n", "FROM a\nLABEL v=1\nUSER nobody\nCMD x\n", true},
		{"imports", "a.py", "1", "import a_module_of_ours\nimport b\nx()\n", "import b\nimport a_module_of_ours\nx()\n", true},
		{"settings", "a.py", "1", "SANDBOX_EVERYTHING = True\nTIMEOUT = 30\n", "TIMEOUT = 30\nSANDBOX_EVERYTHING = True\n", true},
		{"methods", "a.py", "2-3", "class A:\n    def check_permission(self):\n        deny(self)\n    def run(self):\n        go(self)\n", "class A:\n    def run(self):\n        go(self)\n    def check_permission(self):\n        deny(self)\n", true},
		{"fields", "a.py", "2", "class A:\n    sandbox_everything: bool = True\n    timeout: int = 30\n", "class A:\n    timeout: int = 30\n    sandbox_everything: bool = True\n", true},
		{"entries", "a.py", "3", "def f():\n    return dict(\n        sandbox_everything=True,\n        timeout=30,\n    )\n", "def f():\n    return dict(\n        timeout=30,\n        sandbox_everything=True,\n    )\n", true},
		{"into a function of their own", "a.py", "2", "def f(u):\n    check_permission_of(u)\n    run_command_as(u)\n", "def f(u):\n    guard(u)\n    run_command_as(u)\n\ndef guard(u):\n    check_permission_of(u)\n", true},
		{"the same condition over something else", "a.py", "2-3", "def f(u):\n    check_permission_of(u)\n    check_token_of(u)\n    if win:\n        a(u)\n", "def f(u):\n    if win:\n        b(u)\n    check_permission_of(u)\n    check_token_of(u)\n", true},
	} {
		c.check(t)
	}
}

// A line that stands in many places is told by what it stands under.
func TestCommonLines(t *testing.T) {
	const base = "def f(a):\n    if a:\n        pass\n    else:\n        x()\n\ndef g(b):\n    pass\n\ndef h(c):\n    pass\n"
	gone := func(lines, old, new string) {
		it := follow(t, tree{"a.py": base}, tree{"a.py": strings.Replace(base, old, new, 1)}, cite(t, "a.py:"+lines))
		assert.Equal(t, outcome.Gone, it.State, "%s of %q: %s", lines, old, it.Reason)
	}
	gone("3", "        pass\n", "        y()\n")
	gone("8", "def g(b):\n    pass", "def g(b):\n    y()")
	gone("8", "def g(b):\n    pass\n\n", "")
	for _, c := range []change{
		{"another one went", "a.py", "8", base, strings.Replace(base, "\ndef h(c):\n    pass\n", "", 1), true},
		{"shifted", "a.py", "8", base, "import x\n" + base, true},
		{"under a condition", "a.py", "8", base, strings.Replace(base, "def g(b):\n    pass", "def g(b):\n    if b:\n        pass", 1), false},
	} {
		c.check(t)
	}
}
