package evidence_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// respelled are pairs of spellings: of the cited lines, and whether they mean the same.
var respelled = []struct {
	name, file, base, head string
	same                   bool
}{
	{"the other quotes", "a.py", `x = f('a b', "c")`, `x = f("a b", 'c')`, true},
	{"quotes in quotes", "a.py", `x = 'it\'s "so"'`, `x = "it's \"so\""`, true},
	{"quotes of a text", "a.py", "x = '''a\n b'''", "x = \"\"\"a\n b\"\"\"", true},
	{"a text's content", "a.py", "x = '''a\n b'''", "x = \"\"\"a\n  b\"\"\"", false},
	{"the case of a prefix", "a.py", `x = F'{a}' + B'b' + u'c'`, `x = f"{a}" + b"b" + "c"`, true},
	{"another prefix", "a.py", `x = f'{a}'`, `x = '{a}'`, false},
	{"bytes for text", "a.py", `x = b'a'`, `x = 'a'`, false},
	{"quotes inside a value of an f-string", "a.py", `x = f'{a["b"]}'`, `x = f"{a['b']}"`, false},
	{"an escape in a raw string", "a.py", `x = r'\''`, `x = r"'"`, false},
	{"an escape and the character itself", "a.py", `x = '\\n'`, `x = "\n"`, false},
	{"a string and a name", "a.py", `x = 'a'`, `x = a`, false},
	{"a comma behind the last argument", "a.py", "f(a, b=2)", "f(\n    a,\n    b=2,\n)", true},
	{"a comma behind the only argument", "a.py", "f(a)", "f(\n    a,\n)", true},
	{"a comma behind the last item", "a.py", "x = [a, {b: 1}]", "x = [\n    a,\n    {b: 1,},\n]", true},
	{"a comma that makes a tuple", "a.py", "x = (a)", "x = (a,)", false},
	{"a comma that makes a tuple, bare", "a.py", "x = 1", "x = 1,", false},
	{"a comma that makes an index a tuple", "a.py", "x = a[1]", "x = a[1,]", false},
	{"parentheses around a value", "a.py", "x = a + b", "x = (\n    a\n    + b\n)", true},
	{"parentheses around a condition", "a.py", "if a and b:\n    f()", "if (\n    a\n    and b\n):\n    f()", true},
	{"parentheses around what is returned", "a.py", "return a and b", "return (\n    a\n    and b\n)", true},
	{"parentheses around a part", "a.py", "if a and (b or c):\n    f()", "if a and b or c:\n    f()", false},
	{"parentheses that are not all of a condition", "a.py", "if (a or b) and c:\n    f()", "if a or b and c:\n    f()", false},
	{"parentheses that make an assertion always true", "a.py", "assert a, b", "assert (a, b)", false},
	{"parentheses behind a word that binds", "a.py", "x = not (a or b)", "x = not a or b", false},
	{"parentheses behind in", "a.py", "return a in (b or c)", "return a in b or c", false},
	{"a tuple behind in", "a.py", "return a in (b, c)", "return a in b, c", false},
	{"parentheses of a call", "a.py", "x = (f)", "x = f()", false},
	{"wrapped imports", "a.py", "from a import b, c", "from a import (\n    b,\n    c,\n)", true},
	{"a backslash for parentheses", "a.py", "x = a + \\\n    b", "x = (\n    a +\n    b\n)", true},
	{"a semicolon at the end", "a.py", "f();", "f()", true},
	{"a blank behind the hash", "a.py", "f()  #why so", "f()  # why so", true},
	{"another remark for a tool", "a.py", "f()  # noqa", "f()", false},
	{"the case of a number", "a.py", "x = 0XFF + 1E5", "x = 0xff + 1e5", true},
	{"another number", "a.py", "x = 0xFF", "x = 0xFE", false},
	{"the case of a name", "a.py", "x = A1", "x = a1", false},
	{"a comma inside a string", "a.py", `x = ("a,", b)`, `x = ("a", b)`, false},

	{"the other quotes", "a.ts", `x = f('a b', "c")`, `x = f("a b", 'c')`, true},
	{"quotes in quotes", "a.ts", `x = 'it\'s "so"'`, `x = "it's \"so\""`, true},
	{"a template for a string", "a.ts", "x = `${a}`", `x = "${a}"`, false},
	{"semicolons at line ends", "a.ts", "f();\nlet a = b;\nreturn;", "f()\nlet a = b\nreturn", true},
	{"a semicolon before a bracket", "a.ts", "let a = b;\n(c)(d);", "let a = b\n(c)(d)", false},
	{"a semicolon put before the bracket", "a.ts", "let a = b;\n(c)(d);", "let a = b\n;(c)(d)", true},
	{"a semicolon that is a body", "a.ts", "if (a);\ngate();", "if (a)\ngate();", false},
	{"a semicolon that ends a return", "a.ts", "return;\ngate();", "return gate();", false},
	{"a value behind a return", "a.ts", "return (\n  gate()\n);", "return\n  gate();", false},
	{"a value behind a return, wrapped", "a.ts", "return gate() || deny();", "return (\n  gate() ||\n  deny()\n);", true},
	{"a semicolon of a loop", "a.ts", "for (;;) {\n}", "for (;) {\n}", false},
	{"a member that looks like a word", "a.ts", "class A {\n  get;\n  f() {}\n}", "class A {\n  get\n  f() {}\n}", false},
	{"a semicolon behind a type that is a word", "a.ts", "type A = {\n  f: () => void;\n  (a: B): void;\n  (c: D): B;\n};", "type A = {\n  f: () => void\n  (a: B): void\n  (c: D): B\n}", true},
	{"a semicolon behind the last type", "a.ts", "type A = {\n  f: () => void;\n};", "type A = {\n  f: () => void\n}", true},
	{"a semicolon behind nested types", "a.ts", "type A = {\n  b: C<D<E>>;\n  f: G;\n};", "type A = {\n  b: C<D<E>>\n  f: G\n}", true},
	{"a member of that name that is called", "a.ts", "a.void;\n(b);", "a.void\n(b);", false},
	{"a semicolon that is an empty else", "a.ts", "function f() { if (a) b(); else; }", "function f() { if (a) b(); else }", false},
	{"a semicolon that is an empty loop", "a.ts", "function f() { while (a()); }", "function f() { while (a()) }", false},
	{"a comma behind the last argument", "a.ts", "f(a, b);", "f(\n  a,\n  b,\n);", true},
	{"a hole in a list", "a.ts", "x = [a, ,];", "x = [a,];", false},
	{"parentheses of one parameter", "a.ts", "x.map(a => a + 1);", "x.map((a) => a + 1);", true},
	{"parentheses of a call", "a.ts", "x = f(a);", "x = f a;", false},
	{"an object as a body", "a.ts", "x = () => ({ a });", "x = () => { a };", false},
	{"two values in parentheses", "a.ts", "x = (a, b);", "x = a, b;", false},
	{"a quoted key", "a.ts", "x = { 'a': 1, b: 2 };", "x = { a: 1, b: 2 };", true},
	{"a case that looks like a key", "a.ts", "switch (x) { case 'a': f(); }", "switch (x) { case a: f(); }", false},
	{"a quoted key that needs it", "a.ts", "x = { 'a-b': 1 };", "x = { a-b: 1 };", false},
	{"a remark for a tool", "a.ts", "f(); // eslint-disable-line", "f();", false},
	{"the first of several types", "a.ts", "type A = B | C;", "type A =\n  | B\n  | C;", true},

	{"the other quotes of a shell", "a.sh", `x='a$b'`, `x="a$b"`, false},
	{"the other quotes of PHP", "a.php", `$x = 'a\n';`, `$x = "a\n";`, false},
	{"the other quotes of Ruby", "a.rb", `x = 'a\n'`, `x = "a\n"`, false},
	{"the other quotes of Perl", "a.pl", `$x = 'a$b';`, `$x = "a$b";`, false},
	{"the other quotes of YAML", "a.yml", `x: 'a\n'`, `x: "a\n"`, false},
	{"the other quotes of C", "a.c", `char x = 'a';`, `char x = "a";`, false},
}

// What a formatter chooses holds, in whatever company, and ends at the lines that
// say it; what only looks like that does not.
func TestSpellings(t *testing.T) {
	for _, c := range respelled {
		for _, around := range []struct{ above, below string }{{"", ""}, {"first_thing(here)\n", "last_thing(there)\n"}, {"changes(below)\n", "was_so(before)\n"}} {
			indented := func(s string) string { return around.above + s + "\n" + around.below }
			base, head := indented(c.base), indented(c.head)
			if around.above == "changes(below)\n" {
				head = around.above + c.head + "\nis_so(now)\n"
			}
			first := 1 + lines(around.above)
			e := cite(t, c.file+":"+span(first, lines(c.base+"\n")))
			it := follow(t, tree{c.file: base}, tree{c.file: head}, e)
			if !c.same {
				assert.False(t, it.State.Holds(), "%s: %s => %s: %s", c.name, c.base, c.head, it.State)
				continue
			}
			assert.Equal(t, outcome.Reformatted, it.State, "%s: %s => %s: %s", c.name, c.base, c.head, it.Reason)
			assert.Equal(t, span(first, lines(c.head+"\n")), it.After.Lines.String(), "%s: %s", c.name, c.head)
		}
	}
}

// The way back is as harmless, or not.
func TestSpellingsBothWays(t *testing.T) {
	for _, c := range respelled {
		e := cite(t, c.file+":"+span(1, lines(c.head+"\n")))
		it := follow(t, tree{c.file: c.head + "\n"}, tree{c.file: c.base + "\n"}, e)
		assert.Equal(t, c.same, it.State.Holds(), "%s: %s => %s: %s %s", c.name, c.head, c.base, it.State, it.Reason)
	}
}

// A file that a formatter ran over keeps every citation of it, wherever that begins
// and ends.
func TestFormattedFileKeepsEveryRange(t *testing.T) {
	base := block("import os", "def ask(call, user):", "    #show it whole", "    shown = repr({'call': call, 'user': user})",
		"    if shown in ('a', 'b') and user.may('run', call) \\", "       and not call.hidden:", "        return input('run %s?' % shown) == 'yes'", "    audit('refused',", "          call)", "    audit('refused',", "          call)", "    return False")
	once := func(text string) string {
		text = strings.Replace(text, "audit('refused',\n          call)", "audit('denied',\n          user)", 1)
		return strings.Replace(text, `audit("refused", call)`, `audit("denied", user)`, 1)
	}
	head := block("import os", "", "", "def ask(call, user):", "    # show it whole", "    shown = repr(", "        {", `            "call": call,`, `            "user": user,`, "        }", "    )",
		"    if (", `        shown in ("a", "b")`, `        and user.may("run", call)`, "        and not call.hidden", "    ):", "        return (", `            input("run %s?" % shown)`, `            == "yes"`, "        )",
		`    audit("refused", call)`, `    audit("refused", call)`, "    return False")
	for first := 1; first <= 12; first++ {
		for last := first; last <= 12; last++ {
			it := follow(t, tree{"a.py": base}, tree{"a.py": head}, cite(t, "a.py:"+span(first, last-first+1)))
			assert.True(t, it.State.Holds(), "%d-%d: %s %s", first, last, it.State, it.Reason)
			it = follow(t, tree{"a.py": once(base)}, tree{"a.py": once(head) + "gate = None\n"}, cite(t, "a.py:"+span(first, last-first+1)))
			assert.True(t, it.State.Holds(), "with a line added, %d-%d: %s %s", first, last, it.State, it.Reason)
		}
	}
}

// Blank lines at the ends of what is cited stay in it.
func TestFormattedRangeKeepsItsBlankLines(t *testing.T) {
	base := block("def f(a):", "", "    x = f('a')", "", "    return x")
	it := follow(t, tree{"a.py": base}, tree{"a.py": strings.ReplaceAll(base, "'", `"`)}, cite(t, "a.py:2-4"))
	assert.Equal(t, outcome.Reformatted, it.State, it.Reason)
	assert.Equal(t, "2-4", it.After.Lines.String())
}

// A byte order mark is an editor's choice, but where it keeps a file from being run or
// read.
func TestByteOrderMark(t *testing.T) {
	const mark = "\ufeff"
	for name, c := range map[string]struct {
		src   string
		holds bool
	}{
		"a.cs": {"using System;\nclass A { }\n", true}, "a.py": {"import os\nx = 1\n", true}, "a.ts": {"import x from 'y'\nf(x)\n", true},
		"b.py": {"#!/usr/bin/env python3\nx = 1\n", false}, "a.sh": {"set -e\nrun\n", false}, "a.json": {"{\n}\n", false},
	} {
		for _, lines := range []string{"1", "1-2"} {
			it := follow(t, tree{name: c.src}, tree{name: mark + c.src}, cite(t, name+":"+lines))
			assert.Equal(t, c.holds, it.State.Holds(), "%s:%s with a mark: %s %s", name, lines, it.State, it.Reason)
			it = follow(t, tree{name: mark + c.src}, tree{name: c.src}, cite(t, name+":"+lines))
			assert.Equal(t, c.holds, it.State.Holds(), "%s:%s without: %s %s", name, lines, it.State, it.Reason)
			it = follow(t, tree{name: mark + c.src + "\n\n"}, tree{name: mark + c.src + "\n \n"}, cite(t, name+":"+lines))
			assert.True(t, it.State.Holds(), "%s:%s with blank lines at the end: %s %s", name, lines, it.State, it.Reason)
		}
	}
}
