package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What rustfmt chooses, and what only looks like it.
var rereadRust = []rereading{
	{"arguments on lines of their own", "a.rs", "let x = check(user, role);", "let x = check(\n    user,\n    role,\n);", true},
	{"a tuple of one item", "a.rs", "let x = (user,);", "let x = (user);", false},
	{"a tuple of one item behind a keyword", "a.rs", "return (user,);", "return (user);", false},
	{"a type that is a tuple of one item", "a.rs", "fn f(a: &'a (B,)) {}", "fn f(a: &'a (B)) {}", false},
	{"a tuple of two items", "a.rs", "let x = (user, role);", "let x = (\n    user,\n    role,\n);", true},
	{"a comma that a macro is given", "a.rs", "check!(user, role);", "check!(user, role,);", false},
	{"a comma deep in what a macro is given", "a.rs", "check!(f(user));", "check!(f(user,));", false},
	{"a macro's arguments on lines of their own", "a.rs", "check!(user, role);", "check!(\n    user,\n    role\n);", true},
	{"signs that a macro sees apart", "a.rs", "check!(a =>= b);", "check!(a => = b);", false},
	{"what is no macro", "a.rs", "if !(ask(user)) {}", "if !(ask(user,)) {}", true},
	{"a list", "a.rs", "let x = [1, 2];", "let x = [\n    1,\n    2,\n];", true},
	{"items of a struct", "a.rs", "struct A { b: u8, c: u8 }", "struct A {\n    b: u8,\n    c: u8,\n}", true},
	{"types in angle brackets", "a.rs", "let x: Map<Vec<u8>, u8> = f();", "let x: Map<\n    Vec<u8>,\n    u8,\n> = f();", true},
	{"bounds", "a.rs", "fn f<T>(t: T) where T: A, { g(t) }", "fn f<T>(t: T)\nwhere\n    T: A\n{\n    g(t)\n}", true},
	{"derived", "a.rs", "#[derive(A, B)]\nstruct C;", "#[derive(\n    A,\n    B,\n)]\nstruct C;", true},
	{"an attribute that is nobody's here", "a.rs", "#[guard(a, b)]\nstruct C;", "#[guard(a, b,)]\nstruct C;", false},
	{"a block around an arm", "a.rs", "match a { B => c(d), E => f }", "match a {\n    B => {\n        c(d)\n    }\n    E => f,\n}", true},
	{"a block around an arm before a negative number", "a.rs", "match a { 1 => { b } -1 => c, _ => d }", "match a { 1 => b - 1, _ => d }", false},
	{"a statement in an arm", "a.rs", "match a { B => c(d), _ => e }", "match a { B => { c(d); } _ => e }", false},
	{"two statements in an arm", "a.rs", "match a { B => d(), _ => e }", "match a { B => { c(); d() } _ => e }", false},
	{"an arm that is unsafe", "a.rs", "match a { B => c(d), _ => e }", "match a { B => unsafe { c(d) }, _ => e }", false},
	{"a comma behind an arm in braces", "a.rs", "match a { B => { c(); } _ => e }", "match a {\n    B => {\n        c();\n    },\n    _ => e,\n}", true},
	{"a comma behind a struct in an arm", "a.rs", "match a { B => C { d }, _ => e }", "match a {\n    B => {\n        C { d }\n    }\n    _ => e,\n}", true},
	{"a block that is the base of a call", "a.rs", "match a { B => { c }.d(), _ => e }", "match a { B => c.d(), _ => e }", false},
	{"a block around a closure", "a.rs", "a.map(|b| check(b));", "a.map(|b| {\n    check(b)\n});", true},
	{"a block around a closure without parameters", "a.rs", "a.or(|| fail!(b));", "a.or(|| {\n    fail!(b)\n});", true},
	{"a block that is only a part of a closure", "a.rs", "let f = |a| { b } as u8;", "let f = |a| b as u8;", false},
	{"a statement that ends before the value", "a.rs", "a(|b| { if c { d } else { e } -1 });", "a(|b| if c { d } else { e } - 1);", false},
	{"an operator before a block", "a.rs", "let a = b | { c };", "let a = b | c;", false},
	{"a semicolon in a closure", "a.rs", "a.map(|b| check(b));", "a.map(|b| { check(b); });", false},
	{"a remark in a closure", "a.rs", "a.map(|b| check(b));", "a.map(|b| { /* why */ check(b) });", false},
	{"a function in a closure", "a.rs", "a(|b| { fn c() {} });", "a(|b| fn c() {});", false},
	{"a semicolon behind a return", "a.rs", "fn f() { if a { return b } c() }", "fn f() {\n    if a {\n        return b;\n    }\n    c()\n}", true},
	{"a semicolon behind a value", "a.rs", "fn f() { check(a) }", "fn f() { check(a); }", false},
	{"a semicolon behind a value that holds a return", "a.rs", "fn f() { let x = 1; ask(return) }", "fn f() { let x = 1; ask(return); }", false},
	{"a string over several lines", "a.rs", "f(\"one \\\n   two\");", "f(\"one \\\n        two\");", true},
	{"a string that was joined", "a.rs", "f(\"one \\\n   two\");", "f(\"one two\");", true},
	{"blanks in a string that count", "a.rs", "f(\"one\n  two\");", "f(\"one\n two\");", false},
	{"blanks in a raw string", "a.rs", "f(r#\"one \\\n  two\"#);", "f(r#\"one \\\n two\"#);", false},
	{"a backslash that is escaped", "a.rs", "f(\"one \\\\\n  two\");", "f(\"one \\\\\n two\");", false},
	{"two signs that make one", "a.rs", "let a = b & &c;", "let a = b && c;", false},
	{"what ends angle brackets", "a.rs", "let a: B<C<D> >=f();", "let a: B<C<D>> = f();", true},
	{"a lifetime and a character", "a.rs", "f::<'a>('a', b);", "f::<'a>(\n    'a',\n    b,\n);", true},
	{"the words of a foreign function", "a.rs", "extern fn f();", "extern \"C\" fn f();", true},
	{"a crate", "a.rs", "extern crate f;", "extern \"C\" crate f;", false},
	{"a remark that takes code in", "a.rs", "a(); // why\nb();", "a(); // why b();", false},
	{"a remark in a remark", "a.rs", "/* a /* b */ c(); */ d();", "/* a /* b */ */ c(); d();", false},
	{"a remark indented in another way", "a.rs", "fn f() {\n    /* one\n       two */\n}", "fn f() {\n        /* one\n           two */\n}", true},
	{"documentation indented in another way", "a.rs", "/** one\n       two */\nfn f() {}", "/** one\n   two */\nfn f() {}", false},
	{"imports in another order", "a.rs", "use a::{b, c};", "use a::{c, b};", false},
	{"statements in another order", "a.rs", "a();\nb();", "b();\na();", false},
}

// What gofmt, gofumpt and golines choose, and what only looks like it.
var rereadGo = []rereading{
	{"arguments on lines of their own", "a.go", "var x = check(user, role)", "var x = check(\n\tuser,\n\trole,\n)", true},
	{"a statement that ends at the line", "a.go", "func f() { a(); b() }", "func f() {\n\ta()\n\tb()\n}", true},
	{"two statements that a line break makes", "a.go", "func f() { x = a - b }", "func f() {\n\tx = a\n\t-b\n}", false},
	{"a value behind a return", "a.go", "func f() { return a }", "func f() {\n\treturn\n\ta\n}", false},
	{"an operator at the line's end", "a.go", "func f() { return a && b }", "func f() {\n\treturn a &&\n\t\tb\n}", true},
	{"items of a list", "a.go", "var x = []T{{1}, {2}}", "var x = []T{\n\t{1},\n\t{2},\n}", true},
	{"a loop without a statement behind", "a.go", "func f() { for a(); b(); { c() } }", "func f() { for a(); b() { c() } }", false},
	{"a variable of no given type", "a.go", "func f() {\n\tvar x = g()\n\th(x)\n}", "func f() {\n\tx := g()\n\th(x)\n}", true},
	{"a variable that is there", "a.go", "func f() {\n\tx := g()\n\th(x)\n}", "func f() {\n\tx = g()\n\th(x)\n}", false},
	{"two variables of which one may be there", "a.go", "func f() { var x, err = g() }", "func f() { x, err := g() }", false},
	{"a variable of a given type", "a.go", "func f() { var x T = g() }", "func f() { x := g() }", false},
	{"constants in parentheses", "a.go", "const a = iota\nconst b = iota", "const (\n\ta = iota\n\tb = iota\n)", false},
	{"an import that becomes another's name", "a.go", "import b \"c\"", "import \"c\"", false},
	{"a number of base eight", "a.go", "var x = 0644", "var x = 0o644", true},
	{"another base", "a.go", "var x = 0644", "var x = 644", false},
	{"a string in backticks", "a.go", "var x = `a\n  b`", "var x = `a\nb`", false},
	{"another kind of quotes", "a.go", "var x = `a\\n`", "var x = \"a\\n\"", false},
	{"a blank behind a remark's marker", "a.go", "//Why\nvar x = 1", "// Why\nvar x = 1", true},
	{"what a tool reads in a remark", "a.go", "//go:embed a\nvar x string", "// go:embed a\nvar x string", false},
	{"a tool's remark that gets a blank", "a.go", "a() //nolint:errcheck", "a() // nolint:errcheck", false},
	{"a tool's remark on another line", "a.go", "a() //nolint:errcheck\nb()", "a()\n//nolint:errcheck\nb()", false},
	{"a remark that takes code in", "a.go", "a() // why\nb()", "a() // why b()", false},
	{"two signs that make one", "a.go", "var x = a & ^b", "var x = a &^ b", false},
	{"a sign that touches what follows", "a.go", "var x = a <- b", "var x = a < -b", false},
	{"a label's statement", "a.go", "func f() {\nx:\n\tfor {\n\t}\n}", "func f() {\nx:\n\tfor {}\n}", true},
	{"statements in another order", "a.go", "func f() {\n\ta()\n\tb()\n}", "func f() {\n\tb()\n\ta()\n}", false},
}

// Lines of Rust and Go that a formatter laid out anew hold only while what they are told
// to do is done: what else keeps lines from holding keeps these as well.
func TestProgramsReadAmongChanges(t *testing.T) {
	for _, c := range []change{
		{"a statement of the arm's value", "a.rs", "2", "match a {\n    B => check(c),\n    _ => d,\n}\n", "match a {\n    B => {\n        check(c);\n    }\n    _ => d,\n}\n", false},
		{"one argument more", "a.rs", "1-4", "check(\n    user,\n    role,\n);\n", "check(\n    user,\n    role, None,\n);\n", false},
		{"formatted under a condition", "a.rs", "2", "fn f() {\n    check(user, role);\n}\n", "fn f() {\n    if strict {\n        check(\n            user, role,\n        );\n    }\n}\n", false},
		{"formatted behind a return", "a.rs", "2", "fn f() {\n    check(user, role);\n}\n", "fn f() {\n    return;\n    check(\n        user,\n        role,\n    );\n}\n", false},
		{"formatted in a remark", "a.rs", "2", "fn f() {\n    check(user, role);\n}\n", "fn f() {\n    /* check(\n        user, role\n    ); */\n}\n", false},
		{"formatted beside a new line", "a.rs", "2", "fn f() {\n    check(user, role);\n}\n", "fn f() {\n    log(user);\n    check(\n        user,\n        role,\n    );\n}\n", true},
		{"formatted under a condition", "a.go", "2", "func f() {\n\tcheck(user, role)\n}\n", "func f() {\n\tif strict {\n\t\tcheck(\n\t\t\tuser,\n\t\t\trole,\n\t\t)\n\t}\n}\n", false},
		{"formatted behind a return", "a.go", "2", "func f() {\n\tcheck(user, role)\n}\n", "func f() {\n\treturn\n\tcheck(\n\t\tuser,\n\t\trole,\n\t)\n}\n", false},
		{"formatted beside a new line", "a.go", "2", "func f() {\n\tcheck(user, role)\n}\n", "func f() {\n\tlog(user)\n\tcheck(\n\t\tuser,\n\t\trole,\n\t)\n}\n", true},
	} {
		c.check(t)
	}
}

// Parentheses around declarations say nothing, and no line that only has them is cited.
func TestDeclarationsInParentheses(t *testing.T) {
	for _, c := range []change{
		{"variables", "a.go", "1-2", "var a = 1\nvar b T = 2\n", "var (\n\ta   = 1\n\tb T = 2\n)\n", true},
		{"a variable with its documentation", "a.go", "1-3", "// Why.\nvar a = 1\nvar b = 2\n", "var (\n\t// Why.\n\ta = 1\n\tb = 2\n)\n", true},
		{"types", "a.go", "1-2", "type A struct{ B int }\ntype C int\n", "type (\n\tA struct {\n\t\tB int\n\t}\n\tC int\n)\n", true},
		{"imports", "a.go", "1-2", "import \"a\"\nimport b \"c\"\n", "import (\n\t\"a\"\n\tb \"c\"\n)\n", true},
		{"parentheses that go", "a.go", "1-4", "var (\n\ta = 1\n\tb = 2\n)\n", "var a = 1\nvar b = 2\n", true},
		{"a type of that name", "a.go", "1-2", "var a int\nvar b T\n", "type (\n\ta int\n\tb T\n)\n", false},
		{"another value", "a.go", "1-2", "var a = 1\nvar b = 2\n", "var (\n\ta = 1\n\tb = 3\n)\n", false},
		{"constants, which may count", "a.go", "1-2", "const a = iota\nconst b = iota\n", "const (\n\ta = iota\n\tb = iota\n)\n", false},
	} {
		it := follow(t, tree{c.file: c.base}, tree{c.file: c.head}, cite(t, c.file+":"+c.lines))
		assert.Equal(t, c.holds, it.State.Holds(), "%s: %s %s", c.name, it.State, it.Reason)
	}
}
