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
		{"before a return that was there", "a.py", "4", "def f(c):\n    if c.old:\n        return\n    gate(c)\n", "def f(c):\n    return run(c)\n    if c.old:\n        return\n    gate(c)\n", false},
		{"before the value that lines stand in", "a.py", "3", "def f():\n    return [\n        'ask',\n    ]\n", "def f():\n    return []\n    return [\n        'ask',\n    ]\n", false},
		{"an exit of the module before their function", "a.py", "2", "def f(call):\n    gate(call)\n", "run()\nsys.exit(0)\ndef f(call):\n    gate(call)\n", false},
		ts("  { return run(call); }\n"), ts("  {\n    return run(call);\n  }\n"),
		{"goto", "a.c", "2", "void f() {\n\tgate();\n\trun();\n}\n", "void f() {\n\tgoto run;\n\tgate();\nrun:\n\trun();\n}\n", false},
		{"goto", "a.go", "2", "func f() {\n\tgate()\n\trun()\n}\n", "func f() {\n\tgoto run\n\tgate()\nrun:\n\trun()\n}\n", false},
		{"_exit", "a.c", "2", "void f() {\n\tgate();\n}\n", "void f() {\n\t_exit(0);\n\tgate();\n}\n", false},
		{"Goexit", "a.go", "2", "func f() {\n\tgate()\n}\n", "func f() {\n\truntime.Goexit()\n\tgate()\n}\n", false},
		{"fatalError", "a.swift", "2", "func f() {\n    gate()\n}\n", "func f() {\n    fatalError()\n    gate()\n}\n", false},
		{"exitProcess", "a.kt", "2", "fun f() {\n    gate()\n}\n", "fun f() {\n    exitProcess(0)\n    gate()\n}\n", false},
		{"todo!", "a.rs", "2", "fn f() {\n    gate();\n}\n", "fn f() {\n    todo!();\n    gate();\n}\n", false},
		{"a return of Ruby", "a.rb", "2", "def f(c)\n  gate(c)\nend\n", "def f(c)\n  return run(c)\n  gate(c)\nend\n", false},
		{"a return of Perl", "a.pl", "2", "sub f {\n  gate();\n}\n", "sub f {\n  return run();\n  gate();\n}\n", false},
		{"a return of Lua", "a.lua", "2", "function f(c)\n  gate(c)\nend\n", "function f(c)\n  do return run(c) end\n  gate(c)\nend\n", false},
		{"a shell's exit before their function", "a.sh", "2", "gate() {\n  check\n}\ngate\n", "run; exit\ngate() {\n  check\n}\ngate\n", false},
		{"a shell's exit behind another command", "a.sh", "2", "f\ngate\n", "f\necho \"bye; now\"; exit 0\ngate\n", false},
		{"a shell's exit anyway", "a.sh", "2", "f\ngate\n", "f\ntrue && exit 0\ngate\n", false},
		{"a shell's exit under no condition", "a.sh", "2", "f\ngate\n", "f\nif true; then exit 0; fi\ngate\n", false},

		{"a property of C# with its block on a line", "a.cs", "5", "class A {\n    int P {\n        set\n        {\n            gate();\n        }\n    }\n}\n", "class A {\n    int P {\n        get\n        { return p; }\n        set\n        {\n            gate();\n        }\n    }\n}\n", true},
		{"a method of C++ with its block on a line", "a.cc", "3", "struct A {\n    int g()\n    { return gate(); }\n};\n", "struct A {\n    int f()\n    { return 1; }\n    int g()\n    { return gate(); }\n};\n", true},
		{"a goto to what is before them", "a.c", "2", "void f() {\n\tgate();\n}\n", "void f() {\n\tgoto in;\nin:\n\tgate();\n}\n", true},
		{"a goto under a condition", "a.c", "2", "void f() {\n\tgate();\n\trun();\n}\n", "void f() {\n\tif (bad) goto out;\n\tgate();\n\trun();\nout:\n\tend();\n}\n", true},
		{"an exit in a function above", "a.py", "2", "def f(call):\n    gate(call)\n", "def stop():\n    sys.exit(0)\n\ndef f(call):\n    gate(call)\n", true},
		{"a return of Ruby under a condition", "a.rb", "2", "def f(c)\n  gate(c)\nend\n", "def f(c)\n  return run(c) if c.safe\n  gate(c)\nend\n", true},
		{"a return of Ruby in a block", "a.rb", "2", "def f(c)\n  gate(c)\nend\n", "def f(c)\n  if c.safe\n  return run(c)\n  end\n  gate(c)\nend\n", true},
		{"a shell's exit in a group", "a.sh", "2", "f\ngate\n", "f\n(\n  cd x\n  exit 0\n)\ngate\n", true},
		{"a shell's exit in a function on a line", "a.sh", "2", "f\ngate\n", "f\ndie() { echo \"$1\"; exit 1; }\ngate\n", true},
		{"a shell's exit where a command fails", "a.sh", "2", "f\ngate\n", "f\ncheck || { echo no; exit 1; }\ngate\n", true},
		{"a shell's exit in a branch of its line", "a.sh", "2", "f\ngate\n", "f\nif x; then exit 1; fi\ngate\n", true},

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
