package evidence_test

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/linemap"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Whatever stands at base and at head, an answer comes, and lines that are said to hold
// are there.
func FuzzFollow(f *testing.F) {
	for _, seed := range []struct{ name, old, new string }{
		{"a.py", "def f(x):\n    if not ask(x):\n        return\n    run(x)\n", "def f(x):\n    return run(x) or True\n    if not ask(x):\n        return\n    run(x)\n"},
		{"a.ts", "export const A = ({\n  a,\n}) => {\n  const ok = ask(a);\n};\n", "export const A = ({a}) => {\n  if (x) {\n    const ok = ask(a)\n  }\n};\n"},
		{"a.go", "package a\n\nfunc f() {\n\tif err := ask(); err != nil {\n\t\treturn\n\t}\n\trun()\n}\n", "//go:build ignore\n\npackage a\n\nfunc f() {\n\trun()\n\tif err := ask(); err != nil {\n\t\treturn\n\t}\n}\n"},
		{"a.rs", "impl A {\n    fn f(&self) -> bool {\n        ask(self)?;\n        true\n    }\n}\n", "#[cfg(any())]\nimpl A {\n    fn f(&self) -> bool {\n        ask(self)?; true\n    }\n}\nmod b { fn f() {} }\n"},
		{"a.java", "class A {\n  void f() {\n    ask();\n  }\n}\n", "class A {\n  void f() {\n    /* ask(); */\n    ask()\n        .orElse(1);\n  }\n}\n"},
		{"a.cs", "\ufeffclass A {\n  void F() {\n    Ask();\n  }\n}\n\n", "class A {\n#if X\n  void F() {\n    Ask();\n  }\n#endif\n}\n"},
		{"a.rb", "def f\n  ask\n  run\nend\n", "def f\n  return\n  ask\n  s = 'a\n  run'\nend\n=begin\n=end\n"},
		{"a.php", "<?php\nfunction f() {\n  ask();\n}\n", "<?php\nfunction f() {\n  ?>\n  ask();\n<?php }\n"},
		{"a.kt", "fun f() {\n  when (x) {\n    1 -> ask()\n  }\n}\n", "fun f() {\n  /* /* */ */\n  if (false) ask()\n}\n"},
		{"a.c", "#define A(x) \\\n  ask(x)\nint f() { A(1); }\n", "#if 0\n#define A(x) ask(x)\n#endif\nint f() { A(1); }\n"},
		{"a.sh", "set -e\nask || exit 1\ncat <<A <<'B'\nx\nA\ny\nB\nrun\n", "set -e\n: <<'X'\nask || exit 1\nX\nrun &&\n"},
		{"a.yml", "a:\n  b: [1, 2]\n  c: |\n    d\n---\ne: &x 1\n", "a:\n  if: false\n  b:\n  - 1\n  - 2\n  c: >\n    d\n{{ x }}\n"},
		{"a.toml", "[a]\nb = 1\nc = [\n  'd',\n]\n", "[a]\nb = 1\n[x]\nc = ['d']\n[a.b]\n"},
		{"a.tf", "resource \"a\" \"b\" {\n  c = true\n}\n", "resource \"a\" \"b\" {\n  count = 0\n  c = true\n}\n"},
		{"a.json", "{\n  \"a\": {\n    \"b\": true\n  }\n}\n", "{\n  \"a\": {\n    \"b\": true,\n    \"b\": false\n  }\n}\n"},
		{"a.css", "@media x {\n  a { b: .5 }\n}\n", "a,\nb { b: 0.5; }\n"},
		{"a.vue", "<template>\n  <a />\n</template>\n<script>\nask()\n</script>\n", "<script setup lang=\"ts\">\n  ask();\n</script>\n<style>a{}</style>\n"},
		{"a.md", "# A\n\n- b\n  c\n\n```sh\nd\n```\n", "A\n=\n\n* b c\n\n~~~\nd\n"},
		{"a.sql", "SELECT 1;\nGRANT x TO y;\n", "SELECT '\nGRANT x TO y;\n';\n"},
		{"Dockerfile", "FROM a AS b\nUSER c\nFROM d\nCOPY --from=b e f\n", "FROM a AS b\nUSER c\nRUN <<E\nUSER root\nE\nFROM b\n"},
		{"Makefile", "all: a\n\tb\na:\n\tc\n", "all: a\n\tb\nifdef X\na:\n\tc\nendif\n"},
		{"a.conf", "[a]\nb = 1\n", "[b]\n[a]\n  b = 1\n"},
		{"a.lua", "function f()\n  ask()\nend\n", "function f() --[[\n  ask()\n]] end\n"},
	} {
		f.Add(seed.name, seed.old, seed.new, 2, 3)
	}
	f.Fuzz(func(t *testing.T, name, old, new string, first, last int) {
		const limit = 4096
		old, new = old[:min(len(old), limit)], new[:min(len(new), limit)]
		if name == "" || name != path.Clean(name) || strings.ContainsAny(name, "\x00\n\t") || path.IsAbs(name) || strings.HasPrefix(name, "..") || name == "." {
			return
		}
		if !linemap.Split([]byte(old)).Has(first, last) {
			return
		}
		e := scorecard.Evidence{File: name, Lines: scorecard.LineRange{First: first, Last: last}}
		for _, head := range []tree{{name: new}, {"moved/" + name: new}, {name: "x\n", "b_" + name: new}} {
			it := follow(t, tree{name: old}, head, e)
			if it.State.Holds() {
				require.True(t, linemap.Split([]byte(head[it.After.File])).Has(it.After.Lines.First, it.After.Lines.Last), "%+v", it)
			}
		}
	})
}
