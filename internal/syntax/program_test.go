package syntax

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// said is all that the text says by its reading; "" where there is none.
func said(name, content string) string {
	d := textOf(name, content)
	if d.Reading() == nil {
		return ""
	}
	return string(d.ReadingLayout(1, d.Text.Len()).Text)
}

// signsOfRust are tokens, of which some may be left out without changing what a program says.
var signsOfRust = []string{"a", "'b", "'c'", `"d e"`, `r#"f g"#`, "1.5", "return", "match", "(", ")", "[", "]", "{", "}", "<", ">", "|", "||", "=>", "->", "=", "==", "&", "&&", ",", ";", "::", ":", "..", "!", "#", "-", "?", "."}

// However the tokens of a program of Rust are laid out, it says the same.
func TestRustLayoutSaysNothing(t *testing.T) {
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		tokens := rapid.SliceOfN(rapid.SampledFrom(signsOfRust), 1, 30).Draw(t, "tokens")
		var b strings.Builder
		for _, s := range tokens {
			b.WriteString(s + rapid.SampledFrom([]string{" ", "  ", "\n", "\n\t", " \r\n    "}).Draw(t, "blanks"))
		}
		plain := said("a.rs", strings.Join(tokens, " ")+"\n")
		assert.Equal(t, plain, said("a.rs", b.String()+"\n"), "%s", b.String())
		if plain != "" {
			read++
		}
	})
	assert.Positive(t, read)
}

// sayings are statements of Rust of which none says what another does.
var sayings = []string{
	"f(a);", "f((a,));", "f((a));", "f(a, b);", "f([a]);", "f(a)?;", "f!(a);", "f!(a,);", "f![a];", "return a;", "f(|a| b);", "f(|a| { b; });", "f(|a| -b);",
	"f(a | b);", "f(a || b);", "f(a & &b);", "f(a && b);", "match a { b => c }", "match a { b => { c; } }", "match a { b => c, d => e }", "match a { b | d => c }",
	"match a { b => { c } - 1 => d }", "match a { b => c - 1, _ => d }", "if a { b } else { c } - 1;", "f(|a| if a { b } else { c } - 1);", "f(|a| { if a { b } else { c } - 1 });",
	`f("a");`, `f("a ");`, `f(b"a");`, `f(r"a");`, `f(r"\a");`, "f('a');", "f::<'a>();", "f(1.0);", "f(1..0);", "use a::b;", "use a::{b, c};", "use a::{c, b};", "// f(a);", "/* f(a); */", "/// f(a);",
	"#[a]", "#![a]", "#[a(b)]", "#[a(b,)]", "unsafe { a }", "{ a }", "{ a; }", "let a = b;", "let a: b = c;", "let (a,) = b;", "let (a) = b;", "let A(a) = b;",
}

func TestRustSayingsDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, s := range sayings {
		text := said("a.rs", "fn f() { g();\n"+s+"\nh(); }\n")
		require.NotEmpty(t, text, s)
		assert.Empty(t, seen[text], "%s", s)
		seen[text] = s
	}
}

// sampleGo holds what a mutation may take something of.
const sampleGo = "package a\n\nimport \"b\"\n\n// T is one.\ntype T struct {\n\tA, B int `json:\"a\"`\n}\n\nvar x = []T{{1, 2}, {A: 3}}\n\n" +
	"func (t *T) f(a int, b ...string) (c int, err error) {\n\tif v := a &^ 0644; v < -1 && len(b) > 0 {\n\t\treturn v - 1, nil // why\n\t}\n" +
	"\tfor i := range b {\n\t\tswitch {\n\t\tcase i > 2, a == 'x':\n\t\t\tgo func() { t.f(1, b...) }()\n\t\tdefault:\n\t\t\tx[i].A++\n\t\t}\n\t}\n\tvar d chan int\n\td <- *&a\n\treturn\n}\n"

// meaningOfGo is the program as its parser sees it, without places; ok is false where it
// is none. Remarks are their words.
func meaningOfGo(t require.TestingT, content string) (meaning string, ok bool) {
	set := gotoken.NewFileSet()
	file, err := parser.ParseFile(set, "a.go", content, parser.ParseComments)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	require.NoError(t, ast.Fprint(&b, nil, file, func(name string, v reflect.Value) bool {
		return !slices.Contains([]string{"Unresolved", "Scope", "Obj", "Doc", "Comment", "Comments"}, name) && v.Type() != reflect.TypeFor[gotoken.Pos]()
	}))
	for _, group := range file.Comments {
		for _, remark := range group.List {
			b.WriteString(strings.TrimRight(strings.TrimPrefix(remark.Text[2:], " "), " \t") + "\n")
		}
	}
	return b.String(), true
}

// What is read alike is the same program to the parser of Go, whatever byte of it was
// taken out, put in or moved.
func TestGoReadAlikeIsParsedAlike(t *testing.T) {
	was := said("a.go", sampleGo)
	meaning, whole := meaningOfGo(t, sampleGo)
	require.True(t, whole)
	alike := 0
	for at := range sampleGo {
		for _, with := range []string{"", " ", "\n", "\t", ",", ";", "(", ")", "{", "}", "-", "+", "&", "<", "=", ":", ".", "*", "!", "/", "//", "\"", "'", "`", "x", "0"} {
			for taken := range 2 {
				text := sampleGo[:at] + with + sampleGo[at+taken:]
				if text == sampleGo || said("a.go", text) != was {
					continue
				}
				if now, ok := meaningOfGo(t, text); ok { // of what is no program nothing need be said
					alike++
					assert.True(t, meaning == now, "%s", text)
				}
			}
		}
	}
	assert.Positive(t, alike)
}

// A program of too many tokens is not read: what is held for them is bounded.
func TestTokensAreBounded(t *testing.T) {
	for _, name := range []string{"a.rs", "a.go"} {
		assert.NotEmpty(t, said(name, strings.Repeat("a;", maxTokens/2-1)+"\n"), name)
		assert.Empty(t, said(name, strings.Repeat("a;", maxTokens/2+1)+"\n"), name)
	}
}
