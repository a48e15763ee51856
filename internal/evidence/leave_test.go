package evidence_test

import "testing"

// Lines behind a statement that leaves are not reached, whatever it is and however
// they came there.
func TestBehindAStatementThatLeaves(t *testing.T) {
	py := func(before string) change {
		return change{before, "a.py", "2", "def f(call):\n    gate(call)\n", "def f(call):\n" + before + "    gate(call)\n", false}
	}
	ts := func(before string) change {
		return change{before, "a.ts", "2", "function f(call) {\n  gate(call);\n}\n", "function f(call) {\n" + before + "  gate(call);\n}\n", false}
	}
	for _, c := range []change{
		py("    sys.exit(0)\n"), py("    os._exit(0)\n"), py("    raise SystemExit\n"), py("    assert False\n"), py("    return run(\n        call,\n    )\n"),
		py("    return {\n        'a': call,\n    }\n"), py("    return {'a': 1}\n"), py("    if True:\n        return\n"), py("    if True: return\n"),
		py("    x(); return\n"), py("    return call\n\n    def g():\n        pass\n\n"), py("    return \"\"\"\n    text (\n    \"\"\"\n"),
		ts("  process.exit(0);\n"), ts("  return { ok: true };\n"), ts("  return run(call);\n  log(1);\n"), ts("  if (true) {\n    return;\n  }\n"),
		ts("  return run({\n    a: 1,\n  });\n"), ts("  log(1); return;\n"), ts("  throw new Error('x');\n  if (a) {\n    b();\n  }\n"),
		{"os.Exit", "a.go", "2", "func f() {\n\tgate()\n}\n", "func f() {\n\tos.Exit(0)\n\tgate()\n}\n", false},
		{"panic", "a.go", "2", "func f() {\n\tgate()\n}\n", "func f() {\n\tpanic(\"x\")\n\tgate()\n}\n", false},
		{"a shell's exit with a code", "a.sh", "2", "f\ngate\n", "f\nexit \"$?\"\nh\ngate\n", false},
		{"exec", "a.sh", "2", "f\ngate\n", "f\nexec run \"$@\"\ngate\n", false},
		{"a return around them", "a.py", "3", "def f(call):\n    with lock:\n        gate(call)\n", "def f(call):\n    return call\n    with lock:\n        gate(call)\n", false},
		{"moved behind a return", "a.py", "2-3", "def f(call):\n    if not call.confirmed:\n        raise PermissionError(call.name)\n    x = run(call)\n    return x\n\ny()\n", "def f(call):\n    x = run(call)\n    return x\n    if not call.confirmed:\n        raise PermissionError(call.name)\n\ny()\n", false},
		{"moved behind another function's return", "a.py", "2", "def f(call):\n    gate_for_every_call(call)\n\ndef g():\n    return 1\n", "def f(call):\n    pass\n\ndef g():\n    return 1\n    gate_for_every_call(call)\n", false},
		{"changed places with a return", "a.go", "3", "func f(u U) int {\n\tx := 1\n\tcheckUser(u)\n\treturn x\n}\n", "func f(u U) int {\n\tx := 1\n\treturn x\n\tcheckUser(u)\n}\n", false},

		{"an exit under a condition", "a.py", "2", "def f(call):\n    gate(call)\n", "def f(call):\n    if bad:\n        sys.exit(1)\n    gate(call)\n", true},
		{"an exit under a condition, on one line", "a.py", "2", "def f(call):\n    gate(call)\n", "def f(call):\n    if bad: sys.exit(1)\n    gate(call)\n", true},
		{"an exit in an expression", "a.py", "2", "def f(call):\n    gate(call)\n", "def f(call):\n    sys.exit(1) if bad(call) else go(1)\n    gate(call)\n", true},
		{"a return under a condition without braces", "a.ts", "2", "function f(call) {\n  gate(call);\n}\n", "function f(call) {\n  if (x)\n    return;\n  gate(call);\n}\n", true},
		{"a return in a callback", "a.ts", "2", "function f(call) {\n  gate(call);\n}\n", "function f(call) {\n  run(() => {\n    return 1;\n  });\n  gate(call);\n}\n", true},
		{"a return in another branch", "a.py", "5", "def f(c):\n    if c:\n        x()\n    else:\n        gate(c)\n", "def f(c):\n    if c:\n        return x()\n    else:\n        gate(c)\n", true},
		{"a shell's exit in another branch", "a.sh", "4", "if x; then\n  f\nelse\n  gate\nfi\n", "if x; then\n  exit 1\nelse\n  gate\nfi\n", true},
		{"a shell's exit in a case", "a.sh", "5", "case $1 in\na)\n  f\n  ;;\nb) gate\n  ;;\nesac\n", "case $1 in\na)\n  exit 1\n  ;;\nb) gate\n  ;;\nesac\n", true},
		{"a break of another case", "a.ts", "5", "switch (x) {\ncase 1:\n  a();\ncase 2:\n  gate();\n}\n", "switch (x) {\ncase 1:\n  break;\ncase 2:\n  gate();\n}\n", true},
		{"a function that is called exit", "a.py", "2", "def f(call):\n    gate(call)\n", "def f(call):\n    exit_code = exits(0)\n    gate(call)\n", true},
		{"a function that returns before", "a.ts", "2", "function f(call) {\n  gate(call);\n}\n", "function g() {\n  return 1;\n}\nfunction f(call) {\n  gate(call);\n}\n", true},
		{"a class after a module's exit under a condition", "a.py", "1-2", "class A:\n    x = 1\n", "if bad:\n    sys.exit(1)\n\nclass A:\n    x = 1\n", true},
	} {
		c.check(t)
	}
}
