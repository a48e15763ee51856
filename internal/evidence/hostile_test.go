package evidence_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/outcome"
)

// Files of which some part is repeated without end, with a line of code below it, are
// followed in a time that does not grow with the square of it.
func TestRepeatedSurroundings(t *testing.T) {
	if testing.Short() {
		t.Skip("large files are left out with -short")
	}
	const many = 50_000
	for name, c := range map[string]struct{ file, begin, text, end string }{
		"brackets on the line above":           {"a.ts", "", "{", "\n"},
		"brackets of calls above":              {"a.ts", "", "f(", "\n"},
		"brackets, each on its line":           {"a.ts", "", "if (x) {\n", ""},
		"blocks of HCL on a line":              {"a.tf", "", "a {", "\n"},
		"blocks of HCL":                        {"a.tf", "", "a {\n", ""},
		"a long line that holds others":        {"a.ts", "x = {" + strings.Repeat("a, ", many), "\n  \"b\": 1,", "\n"},
		"members of a class on a long line":    {"a.ts", "class A { " + strings.Repeat("a; ", many), "\n  b = 1;", "\n"},
		"text of Python":                       {"a.py", `x = """`, "a\n", "\"\"\"\n"},
		"lines in a bracket of Python":         {"a.py", "x = (\n", "a,\n", ")\n"},
		"remarks of Python":                    {"a.py", "", "# a\n", ""},
		"returns of Python":                    {"a.py", "def f():\n", "    if a: return\n", ""},
		"conditions of Python":                 {"a.py", "", "if a: b = 1\n", ""},
		"imports of Python":                    {"a.py", "from a import (\n", "b,\n", ")\n"},
		"switches of YAML":                     {"a.yml", "", "a:\n  enabled: false\n", ""},
		"switches under one key of YAML":       {"a.yml", "a:\n", "  enabled: false\n", ""},
		"items of YAML":                        {"a.yml", "a:\n", "- b: c\n", ""},
		"a text of YAML":                       {"a.yml", "a: |\n", "  b\n", ""},
		"templates in YAML":                    {"a.yml", "", "{{ if a }}\n", ""},
		"functions of a shell":                 {"a.sh", "", "f() { a; }\n", ""},
		"conditions of a shell":                {"a.sh", "", "if a; then\n", ""},
		"stages of a container":                {"Dockerfile", "FROM a\n", "RUN b \\\n", "c\n"},
		"variables of a container":             {"Dockerfile", "FROM a\n", "ENV a=b \\\n", "c=d\n"},
		"tables of TOML":                       {"a.toml", "", "[a]\nb = 1\n", ""},
		"headings":                             {"a.md", "", "# a\n", ""},
		"attributes of Rust":                   {"a.rs", "", "#[a]\n", ""},
		"empty lines":                          {"a.c", "", "\n", ""},
		"directives of C":                      {"a.c", "", "#if A\n", ""},
		"attributes of Rust above a function":  {"a.rs", "", "#[a]\n", "fn f() {\n" + strings.Repeat("for a in b {\ncontinue;\n}\n", 600)},
		"empty lines above a function of Rust": {"a.rs", "", "\n", "fn f() {\n" + strings.Repeat("for a in b {\ncontinue;\n}\n", 600)},
	} {
		old := "begin one\n" + c.begin + c.end + "the_cited = line(of, code)\nthe_next = other\n"
		head := "begin one\n" + c.begin + strings.Repeat(c.text, many) + c.end + "the_cited = line(of, code)\nthe_next = other\n"
		for way, pair := range map[string][2]string{"added": {old, head}, "removed": {head, old}} {
			s := newSource(tree{c.file: pair[0]}, tree{c.file: pair[1]})
			e := cite(t, c.file+":1")
			e.Lines = e.Lines.At(strings.Count(pair[0], "\n")-1, 1)
			start := time.Now()
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			it, err := s.follower().Follow(ctx, e)
			cancel()
			require.NoError(t, err)
			took := time.Since(start)
			t.Logf("%s, %s: %v, %s", name, way, took.Round(time.Millisecond), it.State)
			assert.Less(t, took, 20*time.Second, "%s, %s", name, way)
		}
	}
}

// Statements that may leave, in the place of one that did behind many others, are told
// from it in linear time.
func TestReturnsInThePlaceOfManyLines(t *testing.T) {
	const many = 50_000
	for file, c := range map[string][2]string{"a.ts": {"function f() {\n", "  if (a) { return }\n"}, "a.sh": {"f() {\n", "  a || return\n"}} {
		end := "    the_cited = line(of, code)\n    the_next = other\n"
		var went strings.Builder
		for i := range many {
			fmt.Fprintf(&went, "    other_%d()\n", i)
		}
		was := c[0] + went.String() + "    return b\n" + end
		s := newSource(tree{file: was}, tree{file: c[0] + strings.Repeat(c[1], many) + end})
		e := cite(t, file+":1")
		e.Lines = e.Lines.At(many+3, 1)
		start := time.Now()
		it, err := s.follower().Follow(context.Background(), e)
		require.NoError(t, err)
		assert.Equal(t, outcome.Moved, it.State, it.Reason)
		assert.Empty(t, it.Reason)
		took := time.Since(start)
		t.Logf("%s: %v", file, took.Round(time.Millisecond))
		assert.Less(t, took, 10*time.Second, file)
	}
}

// Whatever the language, a long line and many hunks cost little, for the first citation
// and for others of the file. What grows with the square of the line takes longer.
func TestLongLinesAndManyHunks(t *testing.T) {
	if testing.Short() {
		t.Skip("large files are left out with -short")
	}
	const line, hunks = 128 << 10, 20_000
	var old, head strings.Builder
	for i := range hunks {
		fmt.Fprintf(&old, "a%d = x\nb = y\n", i)
		fmt.Fprintf(&head, "c%d = x\nb = y\n", i)
	}
	around := func(s string) string { return "begin = 1\n" + s + "\nthe_cited = line(of, code)\nend = 2\n" }
	texts := map[string][2]string{"hunks": {around(old.String()), around(head.String())}}
	for _, word := range []string{"a b ", "'a' ", `"`, "/", "{", "a: ", "<!-- ", "<<E ", "a, ", "#{", "`", "|", "- ", "if "} {
		long := strings.Repeat(word, line/len(word))
		texts["a line of "+word] = [2]string{around(long), around("z" + long)}
	}
	for _, file := range []string{"a.py", "a.ts", "a.yml", "a.toml", "a.css", "a.scss", "a.c", "a.java", "a.rs", "a.go", "a.sh", "a.md", "a.vue", "a.rb", "a.tf", "a.json", "Dockerfile", "a.sql", "a.php", "a.lua", "a.ini", "a.html"} {
		for name, pair := range texts {
			f := newSource(tree{file: pair[0]}, tree{file: pair[1]}).follower()
			start := time.Now()
			for n := range 5 {
				e := cite(t, file+":1")
				e.Lines = e.Lines.At(strings.Count(pair[0], "\n")-1-n/2, 1)
				if n%2 == 1 {
					e.Lines = e.Lines.At(1+n/2, 1)
				}
				_, err := f.Follow(context.Background(), e)
				require.NoError(t, err)
			}
			took := time.Since(start)
			if took > time.Second {
				t.Logf("%s, %s: %v", file, name, took.Round(time.Millisecond))
			}
			assert.Less(t, took, 10*time.Second, "%s, %s", file, name)
		}
	}
}
