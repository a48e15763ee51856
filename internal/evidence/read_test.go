package evidence_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// rereading is a pair of ways to write lines, the cited ones, and whether they mean the
// same.
type rereading struct {
	name, file, base, head string
	same                   bool
}

// reread are those of all languages that are read.
var reread = slices.Concat(rereadData, rereadRust, rereadGo, rereadComponents)

var rereadData = []rereading{
	{"a list at the column of its key", "a.yml", "steps:\n- run: make\n  if: always", "steps:\n  - run: make\n    if: always", true},
	{"another unit to indent", "a.yml", "a:\n    b:\n        c: 1\n    d: 2", "a:\n  b:\n    c: 1\n  d: 2", true},
	{"a key that slips out of its mapping", "a.yml", "a:\n  b:\n    c: 1\n    d: 2", "a:\n  b:\n    c: 1\n  d: 2", false},
	{"an item that slips into another", "a.yml", "- a: 1\n- b: 2", "- a: 1\n  b: 2", false},
	{"the other quotes", "a.yml", `a: 'it''s "so"'`, `a: "it's \"so\""`, true},
	{"an escape is none in single quotes", "a.yml", `a: 'x\n'`, `a: "x\n"`, false},
	{"quotes that make a text of a number", "a.yml", `a: 1`, `a: "1"`, false},
	{"a wrapped value", "a.yml", "a: one two three four", "a: one two\n  three four", true},
	{"a value below its key", "a.yml", "a: 'one two'", "a:\n  'one\n  two'", true},
	{"an empty line in a wrapped value", "a.yml", "a: 'one\n\n  two'", "a: 'one\n  two'", false},
	{"an escaped line break", "a.yml", "a: \"one\\\n  \\ two\"", "a: \"one two\"", true},
	{"blanks inside a value", "a.yml", "a: one  two", "a: one two", false},
	{"a list in brackets, wrapped", "a.yml", "a: [one, {b: c}]", "a:\n  [\n    one,\n    { b: c },\n  ]", true},
	{"a colon that touches what follows", "a.yml", "a: {b: c}", "a: {b:c}", false},
	{"two items that become one", "a.yml", "a: [b, c]", "a: [b c]", false},
	{"a text indented in another way", "a.yml", "a: |\n    one\n      two", "a: |\n  one\n    two", true},
	{"a line of a text indented in another way", "a.yml", "a: |\n    one\n      two", "a: |\n  one\n   two", false},
	{"a folded text instead", "a.yml", "a: |\n  one", "a: >\n  one", false},
	{"a remark that takes a key in", "a.yml", "a: 1 # b\nc: 2", "a: 1 # b c: 2", false},
	{"an anchor for a mapping and for its key", "a.yml", "a: &x\n  b: 1", "a:\n  &x b: 1", false},
	{"another tag", "a.yml", "a: !x 1", "a: !y 1", false},
	{"the mark of another document", "a.yml", "a: 1\nb: 2", "a: 1\n---\nb: 2", false},

	{"one line for several", "a.c", "int f(int a,\n      int b) { return a; }", "int f(int a, int b)\n{\n    return a;\n}", true},
	{"a sign that two make", "a.c", "x = a - -b;", "x = a --b;", false},
	{"a sign that touches what follows", "a.c", "x =  - 1;", "x = -1;", true},
	{"a macro's value wrapped", "a.c", "#define A 1", "#define A \\\n  1", true},
	{"a macro that takes an argument", "a.c", "#define A (x)", "#define A(x)", false},
	{"a directive that takes the next line in", "a.c", "#define A 1\nint b;", "#define A 1 int b;", false},
	{"a remark's words on other lines", "a.c", "/* one two\n * three */\nint a;", "/* one\n * two three\n */\nint a;", true},
	{"remarks one after another", "a.c", "// one two\n// three\nint a;", "// one\n// two three\nint a;", true},
	{"a remark that takes code in", "a.c", "// one\nint a;", "// one int a;", false},
	{"a string in two", "a.c", `f("one two");`, "f(\"one \"\n  \"two\");", true},
	{"a string in two without the blank", "a.c", `f("one two");`, "f(\"one\"\n  \"two\");", false},
	{"a number of a character that grows", "a.c", `f("\x1" "2");`, `f("\x12");`, false},
	{"a word that may be a part of a string", "a.cc", `f("one"_x);`, `f("one" _x);`, false},
	{"a word behind a string", "a.cc", `f("one" X);`, "f(\"one\"\n  X);", true},
	{"two strings that are arguments", "a.c", `f("one", "two");`, `f("one" "two");`, false},
	{"a remark behind the end of a namespace", "a.cc", "namespace a {\nint b;\n} // end a namespace", "namespace a {\nint b;\n}  // namespace a", true},
	{"what a tool reads in a remark", "a.c", "//nolint:all\nint a;", "// nolint:all\nint a;", false},
	{"one line for several", "a.java", "class A { int f(int a) { return a; } }", "class A {\n  int f(int a) {\n    return a;\n  }\n}", true},
	{"two strings side by side", "a.java", `f("a" + "b");`, `f("ab");`, false},

	{"a table without white space for nothing", "a.toml", "  [ a.b ]\n  c   = [ 1,2 , 3 ]\n  d.\"e\" = 'f'", "[a.b]\nc = [\n  1,\n  2,\n  3,\n]\nd . \"e\" = 'f'", true},
	{"one table more", "a.toml", "[[a]]\nb = 1", "[a]\nb = 1", false},
	{"a key in another table", "a.toml", "[a]\nb = 1\nc = 2", "[a]\nb = 1\n[d]\nc = 2", false},
	{"a blank inside a string", "a.toml", `a = "b c"`, `a = "b  c"`, false},
	{"the other quotes", "a.toml", `a = 'b\n'`, `a = "b\n"`, false},
	{"a list in a list", "a.toml", "a = [[1], [2]]", "a = [[1, 2]]", false},
	{"a remark that takes a key in", "a.toml", "a = 1 # b\nc = 2", "a = 1 # b c = 2", false},
	{"two statements on a line", "a.toml", "a = 1\nb = 2", "a = 1 b = 2", false},
	{"a text of several lines", "a.toml", "a = '''\nb\n  c'''", "a = '''\nb\nc'''", false},

	{"another sign for an item", "a.md", "* one\n* two\n\n\n  three", "- one\n- two\n\n  three", true},
	{"an item that slips into another", "a.md", "- one\n- two", "- one\n  - two", false},
	{"a paragraph that slips out of an item", "a.md", "- one\n\n  two", "- one\n\ntwo", false},
	{"another heading", "a.md", "One\n===\ntwo", "# One\n\ntwo", true},
	{"a heading deeper", "a.md", "# One", "## One", false},
	{"emphasis", "a.md", "one _two_ __three__", "one *two* **three**", true},
	{"emphasis that is none", "a.md", "one_two_three", "one*two*three", false},
	{"words wrapped", "a.md", "one two three four", "one two\nthree four", true},
	{"a line that makes an item of words", "a.md", "one two - three", "one two\n- three", false},
	{"a table drawn in another way", "a.md", "one|two\n---|:-:\n`a`|b", "| one | two |\n| --- | :-: |\n| `a` | b   |", true},
	{"a cell in another column", "a.md", "|one|two|\n|---|---|\n|a|b|", "|one|two|\n|---|---|\n||a b|", false},
	{"a script in a document", "a.md", "```js\nf('a')\n```", "```js\nf(\"a\");\n```", true},
	{"another script in a document", "a.md", "```js\nf('a')\n```", "```js\nf(a);\n```", false},
	{"a shell's words in a document", "a.md", "```sh\na 'b  c'\n```", "```sh\na 'b c'\n```", false},
	{"code that is none any more", "a.md", "one\n\n    two", "one\n\ntwo", false},
	{"a fence that takes a heading in", "a.md", "```\none\n```\n# two", "```\none\n# two\n```", false},
	{"words in a remark", "a.md", "<!-- one -->\ntwo", "<!-- one\ntwo -->", false},
	{"words in a quotation", "a.md", "> one\ntwo", "> one\n> two", true},
	{"words behind a quotation", "a.md", "> one\n\ntwo", "> one\n> two", false},
	{"a mapping at the top of a document", "a.md", "---\na: 'b'\n---\n# One", "---\na: \"b\"\n---\n\n# One", true},

	{"where a link leads to", "a.md", "[p](_policy_.md)", "[p](*policy*.md)", false},
	{"where a reference leads to", "a.md", "[p]: _policy_.md", "[p]: *policy*.md", false},
	{"the name of a reference", "a.md", "[p][_a_]", "[p][*a*]", false},
	{"what a tag says", "a.md", `one <img src="_a_">`, `one <img src="*a*">`, false},
	{"an address", "a.md", "see <http://_a_.b>", "see <http://*a*.b>", false},
	{"a bare address", "a.md", "see http://a.b/_c_ so", "see http://a.b/*c* so", false},
	{"emphasis beside a link", "a.md", "_one_ [_p_](q_r.md) _two_", "*one* [*p*](q_r.md) *two*", true},
	{"emphasis in a note", "a.md", "[^1]: _one_", "[^1]: *one*", true},
	{"an empty item with words behind it", "a.md", "-\n\n  a", "- a", false},
	{"an item whose words begin below", "a.md", "-\n  a", "- a", true},
	{"a break made by a backslash", "a.md", "a\\\nb", "a\\ b", false},
	{"a backslash that is escaped", "a.md", "a\\\\\nb", "a\\\\ b", true},

	{"a loop's words on a line", "a.sh", "for x in a b\ndo\n  f $x\ndone", "for x in a b; do\n\tf $x\ndone", true},
	{"a function's bracket", "a.sh", "f ()\n{\n  g\n}", "f() {\n\tg\n}", true},
	{"commands put into a word", "a.sh", "x=`f a|g`", "x=$(f a | g)", true},
	{"white space beside a sign", "a.sh", "f >a&&g", "f > a &&\n  g", true},
	{"a number before a sign", "a.sh", "f 2>a", "f 2 >a", false},
	{"two commands that become one", "a.sh", "f\ng", "f g", false},
	{"a word that looks as if a command followed", "a.sh", "f then\ng", "f then g", false},
	{"one command that goes on to another", "a.sh", "f; g", "f | g", false},
	{"a command in the background", "a.sh", "f\ng", "f &\ng", false},
	{"blanks in a string", "a.sh", `f "a  b"`, `f "a b"`, false},
	{"the other quotes", "a.sh", `f 'a'`, `f "a"`, false},
	{"a text's line indented", "a.sh", "f <<E\n a\nE", "f <<E\na\nE", false},
	{"tabs that say nothing in a text", "a.sh", "f <<-E\n\ta\nE", "f <<-E\n\t\ta\n\tE", true},
	{"what is counted", "a.sh", "x=$((a+1))", "x=$((a + 1))", true},
	{"another thing that is counted", "a.sh", "x=$((a - -1))", "x=$((a--1))", false},
	{"the mark behind the last pattern", "a.sh", "case $x in\na) f ;;\n*) g\nesac", "case $x in\na) f ;;\n*)\n  g\n  ;;\nesac", true},
	{"a pattern's command in another's", "a.sh", "case $x in\na) f ;;\nb) g ;;\nesac", "case $x in\na) f ;;\nb) ;;\nesac\ng", false},
	{"a list wrapped", "a.sh", "x=(a\n  b)\nf", "x=(a b)\nf", true},
	{"a setting for one command", "a.sh", "x=(a b)\nf", "x=(a b) f", false},
	{"a remark that takes a command in", "a.sh", "f # a\ng", "f # a g", false},
	{"a command that slips out of a condition", "a.sh", "if f; then\n  g\n  h\nfi", "if f; then\n  g\nfi\nh", false},

	{"a declaration a line", "a.css", "a{color:red;margin:0 .50px}", "a {\n  color: red;\n  margin: 0 0.5px;\n}", true},
	{"a selector a line", "a.css", "a,b>c{top:0}", "a,\nb > c {\n  top: 0;\n}", true},
	{"a blank that makes a descendant", "a.css", "a.b { top: 0 }", "a .b { top: 0 }", false},
	{"a blank before a state", "a.css", "a:hover { top: 0 }", "a :hover { top: 0 }", false},
	{"a blank that parts two values", "a.css", "a { margin: 1px -2px }", "a { margin: 1px-2px }", false},
	{"a sum without blanks", "a.css", "a { top: calc(1px + 2px) }", "a { top: calc(1px +2px) }", false},
	{"the other quotes", "a.css", "a[b='c'] { content: 'x' }", "a[b=\"c\"] { content: \"x\" }", true},
	{"a value of an attribute in quotes", "a.css", "a[b=c] { top: 0 }", "a[b=\"c\"] { top: 0 }", true},
	{"another number", "a.css", "a { top: 0.05px }", "a { top: 0.5px }", false},
	{"the case of a colour", "a.css", "a { color: #FFF }", "a { color: #fff }", true},
	{"the case of a name", "a.css", "#FFF { top: 0 }", "#fff { top: 0 }", false},
	{"a condition wrapped", "a.css", "@media (min-width:1px) and (max-width:2px){a{top:0}}", "@media (min-width: 1px) and (max-width: 2px) {\n  a {\n    top: 0;\n  }\n}", true},
	{"a declaration in a remark", "a.css", "a { /* b */ top: 0 }", "a { /* b top: 0 */ }", false},
	{"a rule in another", "a.css", "a { top: 0 }\nb { top: 1 }", "a { top: 0;\nb { top: 1 } }", false},
	{"the case of a colour in a property that is made up", "a.css", "a { --b: #FFF }", "a { --b: #fff }", false},
	{"a property that is made up, a line", "a.css", "a{--b:#FFF;top:0}", "a {\n  --b: #FFF;\n  top: 0;\n}", true},
	{"a sign of an attribute in two", "a.css", "a[b~=c] { top: 0 }", "a[b~ =c] { top: 0 }", false},
	{"quotes behind a sign of two", "a.css", "a[b~=c] { top: 0 }", "a[b~=\"c\"] {\n  top: 0;\n}", true},
	{"blanks in a string that is put into a name", "a.scss", "a: f-#{'b  c'};", "a: f-#{'b c'};", false},
	{"quotes and blanks of what is put into a name", "a.scss", "a: f-#{ g( 'b  c' ,$d ) };", "a: f-#{g(\"b  c\", $d)};", true},
	{"a map a line", "a.scss", "$a: (b: 1, c: 2);", "$a: (\n  b: 1,\n  c: 2,\n);", true},
	{"what is put into a name, wrapped", "a.scss", "--#{$a}b: #{f($c, $d)};", "--#{$a}b: #{f(\n    $c,\n    $d\n  )};", true},
	{"a remark that takes a declaration in", "a.scss", "// a\ntop: 0;", "// a top: 0;", false},
}

// What a formatter lays out anew holds, and ends at the lines that say it; what only
// looks like that does not. Both ways, and in whatever company.
func TestReadings(t *testing.T) {
	for _, c := range reread {
		for _, way := range [][2]string{{c.base, c.head}, {c.head, c.base}} {
			it := follow(t, tree{c.file: way[0] + "\n"}, tree{c.file: way[1] + "\n"}, cite(t, c.file+":"+span(1, lines(way[0]+"\n"))))
			if !c.same {
				assert.False(t, it.State.Holds(), "%s, %s: %s => %s: %s", c.file, c.name, way[0], way[1], it.State)
				continue
			}
			assert.Equal(t, outcome.Reformatted, it.State, "%s, %s: %s => %s: %s", c.file, c.name, way[0], way[1], it.Reason)
			assert.Equal(t, span(1, lines(way[1]+"\n")), it.After.Lines.String(), "%s, %s: %s", c.file, c.name, way[1])
		}
	}
}

// The rest of the file may change as well.
func TestReadingsBesideChanges(t *testing.T) {
	beside := map[string][2]string{".yml": {"first: 1\n", "last: 1\n"}, ".c": {"int first;\n", "int last;\n"}, ".css": {"first { top: 0 }\n", "last { top: 0 }\n"},
		".rs": {"mod first;\n", "mod last;\n"}, ".go": {"type first int\n", "type last int\n"}}
	for _, c := range reread {
		around, known := beside[c.file[strings.IndexByte(c.file, '.'):]]
		if !known || c.file == "a.yml" && strings.HasPrefix(c.base, "- ") {
			continue
		}
		base, head := around[0]+c.base+"\n"+around[1], "\n"+strings.Replace(around[0], "first", "changed", 1)+c.head+"\n"+strings.Replace(around[1], "last", "other", 1)
		it := follow(t, tree{c.file: base}, tree{c.file: head}, cite(t, c.file+":"+span(2, lines(c.base+"\n"))))
		assert.Equal(t, c.same, it.State.Holds(), "%s, %s: %s => %s: %s %s", c.file, c.name, c.base, c.head, it.State, it.Reason)
		if c.same {
			assert.Equal(t, span(3, lines(c.head+"\n")), it.After.Lines.String(), "%s, %s: %s", c.file, c.name, c.head)
		}
	}
}

// The ends of lines are no part of what they say.
func TestReadingsOfOtherLineEnds(t *testing.T) {
	for _, c := range reread {
		base, head := c.base+"\n", strings.ReplaceAll(c.base, "\n", "\r\n")+"\r\n"
		for _, way := range [][2]string{{base, head}, {head, base}} {
			it := follow(t, tree{c.file: way[0]}, tree{c.file: way[1]}, cite(t, c.file+":"+span(1, lines(base))))
			assert.Equal(t, outcome.Reformatted, it.State, "%s, %s: %q: %s", c.file, c.name, way[0], it.Reason)
		}
	}
}
