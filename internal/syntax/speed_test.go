package syntax

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// repeated are files of one text, over and over: for what grows with the square of a
// file, or of a line.
var repeated = []struct{ name, file, begin, text, end string }{
	{"an ordinary style sheet", "a.css", "", ".menu a:hover {\n  color: #FFF;\n  margin: 0 auto;\n}\n", ""},
	{"an ordinary sheet of SCSS", "a.scss", "", "$a: #{$b}px;\n.menu {\n  &:hover {\n    width: calc(100% - #{$a});\n  }\n}\n", ""},
	{"a style sheet on a line", "a.css", "", "a{b:'c'}", ""},
	{"attributes on a line", "a.css", "", "[a=b]{}", ""},
	{"addresses that look like remarks", "a.css", "", "a:url(/*);\n", ""},
	{"addresses that look like what is put into names", "a.scss", "", "a:url(#{);\n", ""},
	{"what is put into names", "a.scss", "", "a#{b}", ""},
	{"remarks on a line of a style sheet", "a.css", "", "/* a */", ""},
	{"strings on a line of C", "a.c", "int x[]={", `"ab",`, "};"},
	{"strings on a line of Java", "A.java", "class A{String[] x={", `"ab",`, "};}"},
	{"closures of Rust", "a.rs", "", "a(|b| { c(&b) });\n", ""},
	{"arms of Rust", "a.rs", "fn f() { match a {", "B => { c },", "}}"},
	{"alternatives of Rust", "a.rs", "fn f() { a", "|{b}", "}"},
	{"lifetimes on a line of Rust", "a.rs", "f::<", "'a,", "'a>();"},
	{"arguments of a macro of Rust", "a.rs", "f! /* a */ (", "a,", ");"},
	{"remarks in a block of Go", "a.go", "func f() {\n", "// a\n", "}"},
	{"declarations in parentheses of Go", "a.go", "var (\n", "a = 1\n", ")"},
	{"strings on a line of Go", "a.go", "var x = []string{", `"ab",`, "}"},
	{"scripts of a component", "a.vue", "", "<script>\nf('a')\n</script>\n", ""},
	{"a template that grows deep", "a.vue", "", "<a>\n <b>\n  <c>\n", ""},
	{"scripts that never end", "a.vue", "", "<script>\n", ""},
	{"remarks in a template", "a.svelte", "", "<!-- a --> ", ""},
	{"quotes on a line of C", "a.c", "", "'", ""},
	{"remarks on a line of C", "a.c", "", "/* a */", ""},
	{"quotes on a line of a style sheet", "a.css", "a{b:", "'", "}"},
	{"quotes on a line of a shell", "a.sh", "", "'", ""},
	{"strings on a line of a shell", "a.sh", "", "'a' ", ""},
	{"here-documents on a line", "a.sh", "", "<<E ", ""},
	{"patterns on a line of a shell", "a.sh", "", "=~ ", ""},
	{"parts of a key", "a.toml", "", "a.", ""},
	{"strings on a line of TOML", "a.toml", "a = [", "'b', ", "]"},
	{"strings on a line of JSON", "a.json", "[", `"ab",`, "1]"},
	{"strings on a line of a script", "a.ts", "x = [", `"ab",`, "]"},
	{"slashes on a line of a script", "a.ts", "", "a/b;", ""},
	{"patterns that never end", "a.ts", "", "(/[", ""},
	{"quotes in a string that never ends", "a.ts", "' ", `\'`, ""},
	{"backslashes on a line of a script", "a.ts", "", `\ a `, ""},
	{"remarks of Python", "a.py", "", "#\n", ""},
	{"remarks on a line of a script", "a.ts", "", "/**/", ""},
	{"backslashes that join lines of Python", "a.py", "", "\\\n", ""},
	{"a text of many lines of Python", "a.py", `x = """`, "a\n", `"""`},
	{"statements in a bracket of Python", "a.py", "x = (\n", "a,\n", ")"},
	{"a sum of blanks in a shell", "a.sh", "((1", " ", "))"},
	{"here-documents of Ruby that do not end", "a.rb", "x <<A, ", "<<B, ", "\nA"},
	{"runs of backticks", "a.md", "", "` `` ``` ```` ````` `````` ", ""},
	{"links that never end", "a.md", "", "](a", ""},
	{"brackets that open", "a.ts", "", "({[", ""},
	{"keys of YAML", "a.yml", "", "a: b\n", ""},
	{"a text of YAML", "a.yml", "a: |\n", " b\n", ""},
	{"a list in brackets of YAML", "a.yml", "a: [", "b, ", "c]"},
	{"headings", "a.md", "", "# a\n", ""},
	{"a table", "a.md", "| a |\n|---|\n", "| b |\n", ""},
	{"cells of a table", "a.md", "| a |\n|---|\n", "| b ", "|"},
}

// ofSize is the file with that many bytes, at least.
func ofSize(begin, text, end string, size int) string {
	return begin + strings.Repeat(text, size/len(text)+1) + end + "\n"
}

// understand does all that reads a whole file.
func understand(name, content string) {
	d := textOf(name, content)
	d.Reading()
	d.scan()
	d.Spelled()
	if d.Text.Len() > 0 {
		d.Layout(d.Lang, 1, d.Text.Len())
		d.Layout(d.Lang.Loose(), 1, d.Text.Len())
	}
	for n := 1; n <= d.Text.Len(); n++ {
		d.Lang.canon(d.Text.Line(n))
	}
}

// The time to read a file grows with its size: where it grows with the square of that,
// it is many times as long for some of these.
func TestReadingIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("large files are left out with -short")
	}
	for _, c := range repeated {
		start := time.Now()
		understand(c.file, ofSize(c.begin, c.text, c.end, 1<<20))
		took := time.Since(start)
		t.Logf("%s: %v", c.name, took.Round(time.Millisecond))
		assert.Less(t, took, 10*time.Second, c.name)
	}
}

// BenchmarkRead reads files of several sizes.
func BenchmarkRead(b *testing.B) {
	for _, c := range repeated {
		for _, size := range []int{16 << 10, 64 << 10, 256 << 10} {
			b.Run(fmt.Sprintf("%s/%d KB", c.name, size>>10), func(b *testing.B) {
				content := ofSize(c.begin, c.text, c.end, size)
				b.SetBytes(int64(len(content)))
				for b.Loop() {
					understand(c.file, content)
				}
			})
		}
	}
}
