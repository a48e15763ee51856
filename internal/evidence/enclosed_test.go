package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// Lines that come under a condition of their function that was there before, or into a
// try that passes over what they raise, no longer do what they did.
func TestLinesThatSlipUnderSomething(t *testing.T) {
	const ts = "function run(call) {\n  if (call.fast) {\n    warm(call);\n  }\n  check(call);\n  return go(call);\n}\n"
	const try = "function run(call) {\n  try {\n    warm(call);\n  } catch {}\n  check(call);\n  return go(call);\n}\n"
	const py = "def run(call):\n    if call.fast:\n        warm(call)\n    check(call)\n    return go(call)\n"
	for _, c := range []change{
		{"its brace moved below them", "a.ts", "5", ts, "function run(call) {\n  if (call.fast) {\n    warm(call);\n  check(call);\n  }\n  return go(call);\n}\n", false},
		{"its brace moved below them, and they indented", "a.ts", "5", ts, "function run(call) {\n  if (call.fast) {\n    warm(call);\n    check(call);\n  }\n  return go(call);\n}\n", false},
		{"its brace moved to the end", "a.ts", "5", ts, "function run(call) {\n  if (call.fast) {\n    warm(call);\n  check(call);\n  return go(call);\n  }\n}\n", false},
		{"a try's brace moved below them", "a.ts", "5", try, "function run(call) {\n  try {\n    warm(call);\n  check(call);\n  } catch {}\n  return go(call);\n}\n", false},
		{"indented with all that follows", "a.py", "4", py, "def run(call):\n    if call.fast:\n        warm(call)\n        check(call)\n        return go(call)\n", false},
		{"under a manager that passes over what they raise", "a.py", "4", "def run(call):\n    with suppress(Denied):\n        warm(call)\n    check(call)\n    return go(call)\n", "def run(call):\n    with suppress(Denied):\n        warm(call)\n        check(call)\n    return go(call)\n", false},

		{"out of it", "a.ts", "3", ts, "function run(call) {\n  warm(call);\n  if (call.fast) {\n    log(call);\n  }\n  check(call);\n  return go(call);\n}\n", true},
		{"from one condition to another", "a.py", "3", "def f(c):\n    if c.a:\n        gate_of_calls(c)\n    if c.b:\n        x(c)\n", "def f(c):\n    if c.b:\n        gate_of_calls(c)\n        x(c)\n", true},
		{"a block and nothing more", "a.ts", "3", "function f() {\n  a();\n  gate();\n  b();\n}\n", "function f() {\n  a();\n  {\n    gate();\n  }\n  b();\n}\n", true},
		{"a condition before a statement on the line above", "a.ts", "2", "a();\ngate();\n", "a(); if (strict)\ngate();\n", false},
		{"two statements on the line above", "a.ts", "2", "a();\ngate();\n", "a(); b(x)\ngate();\n", true},
	} {
		c.check(t)
	}
}

// Lines that went to another file and stand there under more conditions than they did,
// or where what they raise is passed over.
func TestLinesUnderConditionsElsewhere(t *testing.T) {
	at := func(margin string) string {
		return margin + "if not call.confirmed_by_the_operator:\n" + margin + "    raise DeniedByOperator(call)\n"
	}
	base := tree{"a.py": "def run(call):\n    log(call)\n" + at("    ") + "    return go(call)\n"}
	left := "def run(call):\n    log(call)\n    return go(call)\n"
	for _, c := range []struct {
		name, other string
		state       outcome.State
	}{
		{"a function of its own", "def f(call):\n" + at("    "), outcome.Moved},
		{"under a lock", "def f(call):\n    with lock:\n" + at("        "), outcome.Reformatted},
		{"under a condition that makes no difference", "def f(call):\n    if True:\n" + at("        "), outcome.Reformatted},
		{"under a condition", "def f(call):\n    if STRICT:\n" + at("        "), outcome.Edited},
		{"suppressed in a coroutine", "async def f(call):\n    async with suppress(Exception):\n" + at("        "), outcome.Edited},
		{"suppressed", "def f(call):\n    with suppress(Exception):\n" + at("        "), outcome.Edited},
		{"in a try that passes over all", "def f(call):\n    try:\n" + at("        ") + "    except Exception:\n        pass\n", outcome.Edited},
		{"in a try that passes on", "def f(call):\n    try:\n" + at("        ") + "    except Exception:\n        raise\n", outcome.Reformatted},
	} {
		it := follow(t, base, tree{"a.py": left, "b.py": c.other}, cite(t, "a.py:3-4"))
		assert.Equal(t, c.state, it.State, "%s: %s", c.name, it.Reason)
	}
	it := follow(t, tree{"a.py": "def run(call):\n    if call.x:\n" + at("        ")}, tree{"a.py": "X = 1\n", "b.py": "def f(call):\n    if call.y:\n" + at("        ")}, cite(t, "a.py:3-4"))
	assert.True(t, it.State.Holds(), "under as many: %s", it.Reason)
}

// A try that was put around lines and catches what they raise, whereupon the program goes
// on as if nothing had been, passes over it. One that ends the function does not.
func TestRaisedAndCaught(t *testing.T) {
	const base = "def f(c):\n    a(c)\n    if not c.ok:\n        raise Denied(c)\n    b(c)\n    return run(c)\n"
	with := func(handler, rest string) string {
		return "def f(c):\n    try:\n        a(c)\n        if not c.ok:\n            raise Denied(c)\n        b(c)\n" + handler + rest
	}
	const goes = "    return run(c)\n"
	ts := func(handler string) string {
		return "function f(c) {\n  try {\n    a(c);\n    if (!c.ok) throw new Denied(c);\n    b(c);\n  } " + handler + "\n  run(c);\n}\n"
	}
	const tsBase = "function f(c) {\n    a(c);\n    if (!c.ok) throw new Denied(c);\n    b(c);\n  run(c);\n}\n"
	for _, c := range []change{
		{"all, and logged", "a.py", "3-4", base, with("    except Exception as e:\n        log(e)\n", goes), false},
		{"by name", "a.py", "3-4", base, with("    except (Other, Denied):\n        log(c)\n", goes), false},
		{"without a type", "a.py", "3-4", base, with("    except:\n        log(c)\n    finally:\n        end()\n", goes), false},
		{"of another type", "a.py", "3-4", base, with("    except KeyError:\n        log(c)\n", goes), true},
		{"raised again", "a.py", "3-4", base, with("    except Exception as e:\n        log(e)\n        raise Other from e\n", goes), true},
		{"and left", "a.py", "3-4", base, with("    except Denied:\n        log(c)\n        return refuse(c)\n", goes), true},
		{"at the end of the function", "a.py", "3-4", base, with("        return run(c)\n    except Exception as e:\n        log(e)\n", ""), true},
		{"lines that raise nothing themselves", "a.py", "2", base, with("    except Exception as e:\n        log(e)\n", goes), true},
		{"in braces", "a.ts", "3", tsBase, ts("catch (e) {\n    log(e);\n  }"), false},
		{"in braces, on one line", "a.ts", "3", tsBase, ts("catch (e) { log(e); }"), false},
		{"in braces, thrown again", "a.ts", "3", tsBase, ts("catch (e) {\n    log(e);\n    throw e;\n  }"), true},
		{"in braces, handed on", "a.ts", "3", tsBase, ts("catch (e) {\n    next(e);\n  }"), true},
	} {
		c.check(t)
	}
}

// Attributes, directives and macros that decide whether lines are compiled count wherever
// they stand above.
func TestLinesCompiledInSomeCases(t *testing.T) {
	const rs = "use x;\n\npub fn run(c: &Call) -> bool {\n    check(c);\n    true\n}\n\nfn other() {}\n"
	above := func(lines string) string {
		return "use x;\n\n" + lines + "pub fn run(c: &Call) -> bool {\n    check(c);\n    true\n}\n\nfn other() {}\n"
	}
	const swift = "func f() {\n    a()\n    gate()\n    b()\n}\n"
	const helm = "spec:\n  box:\n    read_only: true\n  x: 1\n"
	const mk = "all: b\nscan:\n\ttrivy fs .\ntest:\n\tgo test\n"
	const php = "<?php\nf();\ngate($c);\ng();\n"
	const nginx = "http {\n  server {\n    a x;\n    deny all;\n  }\n}\n"
	for _, c := range []change{
		{"of a function", "a.rs", "4", rs, above("#[cfg(feature = \"strict\")]\n"), false},
		{"of a function, with another between", "a.rs", "4", rs, above("#[cfg(any())]\n#[inline]\n/// Runs.\n"), false},
		{"by another attribute", "a.rs", "4", rs, above("#[cfg_attr(all(), cfg(any()))]\n"), false},
		{"of the file", "a.rs", "4", rs, "#![allow(dead_code)]\n#![cfg(test)]\n" + rs, false},
		{"in a macro", "a.rs", "4", rs, "macro_rules! old {\n    () => {\n" + rs + "    };\n}\n", false},
		{"in cfg_if", "a.rs", "4", rs, "cfg_if::cfg_if! { if #[cfg(x)] {\n" + rs + "} }\n", false},
		{"an attribute that does not", "a.rs", "4", rs, above("#[inline]\n#[cfg_attr(feature = \"serde\", derive(Serialize))]\n"), true},
		{"of the function before", "a.rs", "4", rs, above("#[cfg(x)]\nfn y() {}\n\n"), true},
		{"of the file, which changes none", "a.rs", "4", rs, "#![deny(unsafe_code)]\n" + rs, true},
		{"an attribute of C#", "a.cs", "3", "class A {\n    void F() {\n        Gate();\n    }\n}\n", "class A {\n    [Conditional(\"NEVER\")]\n    void F() {\n        Gate();\n    }\n}\n", false},
		{"an attribute of C# that does not", "a.cs", "3", "class A {\n    void F() {\n        Gate();\n    }\n}\n", "class A {\n    [Authorize]\n    void F() {\n        Gate();\n    }\n}\n", true},
		{"a directive of Swift", "a.swift", "3", swift, "func f() {\n    a()\n    #if DEBUG\n    gate()\n    #endif\n    b()\n}\n", false},
		{"one that ended before", "a.swift", "3", swift, "func f() {\n    #if DEBUG\n    a()\n    #endif\n    gate()\n    b()\n}\n", true},
		{"a template", "a.yaml", "3", helm, "spec:\n  box:\n    {{- if .Values.strict }}\n    read_only: true\n    {{- end }}\n  x: 1\n", false},
		{"a template that ended before", "a.yaml", "3", helm, "spec:\n  {{- if .Values.strict }}\n  y: 2\n  {{- end }}\n  box:\n    read_only: true\n  x: 1\n", true},
		{"a prompt", "a.j2", "2", "Be kind.\nAsk before you run anything.\n", "Be kind.\n{% if strict %}\nAsk before you run anything.\n{% endif %}\n", false},
		{"a condition of make", "Makefile", "2-3", mk, "all: b\nifdef STRICT\nscan:\n\ttrivy fs .\nendif\ntest:\n\tgo test\n", false},
		{"a definition of make", "Makefile", "2-3", mk, "all: b\ndefine old\nscan:\n\ttrivy fs .\nendef\ntest:\n\tgo test\n", false},
		{"a condition of make before", "Makefile", "2-3", mk, "all: b\nifdef STRICT\nX = 1\nendif\nscan:\n\ttrivy fs .\ntest:\n\tgo test\n", true},
		{"a condition of PHP in words", "a.php", "3", php, "<?php\nf();\nif (STRICT):\ngate($c);\nendif;\ng();\n", false},
		{"a condition of nginx", "a.conf", "4", nginx, "http {\n  server {\n    a x;\n    if ($x) {\n    deny all;\n    }\n  }\n}\n", false},
		{"a location of nginx before", "a.conf", "4", nginx, "http {\n  server {\n    a x;\n    location / {\n      b y;\n    }\n    deny all;\n  }\n}\n", true},
	} {
		c.check(t)
	}
}

// Keys of data that switch off what they stand beside.
func TestSwitchedOffByAKey(t *testing.T) {
	const ci = "jobs:\n  scan:\n    runs-on: x\n    steps:\n      - name: Scan\n        run: make scan\n      - run: make test\n"
	job := func(key string) string { return "jobs:\n  scan:\n    " + key + "\n" + ci[len("jobs:\n  scan:\n"):] }
	step := func(key string) string {
		return "jobs:\n  scan:\n    runs-on: x\n    steps:\n      - name: Scan\n        run: make scan\n        " + key + "\n      - run: make test\n"
	}
	const tf = "resource \"a\" \"b\" {\n  encrypted = true\n  name = \"x\"\n}\n"
	block := func(line string) string {
		return "resource \"a\" \"b\" {\n  encrypted = true\n  " + line + "\n  name = \"x\"\n}\n"
	}
	for _, c := range []change{
		{"a job under a condition", "a.yml", "5-6", ci, job("if: github.event_name == 'schedule'"), false},
		{"a step under a condition", "a.yml", "5-6", ci, step("if: github.actor == 'x'"), false},
		{"a job that is never run", "a.yml", "5-6", ci, job("when: never"), false},
		{"a job that somebody has to start", "a.yml", "5-6", ci, job("when: manual"), false},
		{"a job that is always run", "a.yml", "5-6", ci, job("when: always"), true},
		{"a job that is run anyway", "a.yml", "5-6", ci, job("if: ${{ always() }}"), true},
		{"a step that is run anyway", "a.yml", "5-6", ci, step("if: success()"), true},
		{"a condition in other words", "a.yml", "6-7", job("if: a"), job("if: b"), true},
		{"a condition of another step", "a.yml", "5-6", ci, ci + "        if: x\n", true},
		{"none of a resource", "a.tf", "2", tf, block("count = 0"), false},
		{"none of them", "a.tf", "2", tf, block("for_each = {}"), false},
		{"one of a resource", "a.tf", "2", tf, block("count = 1"), true},
		{"none of another resource", "a.tf", "2", tf, tf + "resource \"a\" \"c\" {\n  count = 0\n}\n", true},
	} {
		c.check(t)
	}
}

// Lines that a program reads as several are not compared by line feeds alone.
func TestLineBreaksOfOtherKinds(t *testing.T) {
	const py, ts = "def f(c):\n    gate(c)\n    run(c)\n", "function f(c) {\n  gate(c);\n  run(c);\n}\n"
	for _, c := range []change{
		{"a carriage return in a comment", "a.py", "2", py, "def f(c):\n    # fast\r    return run(c)\n    gate(c)\n    run(c)\n", false},
		{"one below", "a.py", "2", py, "def f(c):\n    gate(c)\n    # on\r    f = run\n    run(c)\n", false},
		{"a line separator", "a.ts", "2", ts, "function f(c) {\n  // fast\u2028  return run(c);\n  gate(c);\n  run(c);\n}\n", false},
		{"a paragraph separator", "a.ts", "2", ts, "function f(c) {\n  // fast\u2029  return run(c);\n  gate(c);\n  run(c);\n}\n", false},
		{"a form feed before code", "a.py", "2", py, "def f(c):\n\f    return run(c)\n    gate(c)\n    run(c)\n", false},

		{"carriage returns at line ends", "a.py", "2", py, "def f(c):\r\n    # fast\r\n    gate(c)\r\n    run(c)\r\n", true},
		{"two at a line's end", "a.py", "2", py, "def f(c):\n    # fast\r\r\n    gate(c)\n    run(c)\n", true},
		{"one that was there", "a.py", "3", "# a\rb\ndef f(c):\n    gate(c)\n", "# a\rb\nX = 1\ndef f(c):\n    gate(c)\n", true},
		{"a form feed on a line of its own", "a.py", "2", py, "\f\ndef f(c):\n    gate(c)\n    run(c)\n", true},
		{"a line separator in Python", "a.py", "2", py, "def f(c):\n    x = 'a\u2028b'\n    gate(c)\n    run(c)\n", true},
	} {
		c.check(t)
	}
}
