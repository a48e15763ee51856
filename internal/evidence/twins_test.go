package evidence_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// A file that turned into a directory of its name is loaded by nothing that
// loaded the file.
func TestFileThatBecameADirectory(t *testing.T) {
	src := block(withGate(4)...)
	for name, head := range map[string]tree{
		"whole":                 {"a.py/x.py": src},
		"as a package":          {"a.py/__init__.py": src},
		"edited elsewhere":      {"a.py/x.py": "import os\n" + src},
		"something else":        {"a.py/x.py": block(program(30)[14:]...)},
		"the cited lines alone": {"a.py/x.py": block(gate...)},
	} {
		it := follow(t, tree{"a.py": src}, head, cite(t, "a.py:5-8"))
		assert.Equal(t, outcome.Gone, it.State, "%s: %s", name, it.Reason)
	}
	it := follow(t, tree{"a.py": src}, tree{"a/__init__.py": src}, cite(t, "a.py:5-8"))
	assert.Equal(t, outcome.Moved, it.State, "a module that became a package: %s", it.Reason)
}

// Code among tests, documents and examples protects nothing, whether the file
// went there or the lines did.
func TestMovedOutOfTheProgram(t *testing.T) {
	for _, c := range []struct{ old, new string }{
		{"src/a.py", "tests/a.py"}, {"src/a.py", "src/test_a.py"}, {"src/a.py", "src/a_test.py"}, {"src/a.py", "src/conftest.py"},
		{"a.go", "a_test.go"}, {"a.go", "testdata/a.go"}, {"src/a.ts", "src/a.spec.ts"}, {"src/a.ts", "src/a.test.ts"},
		{"src/a.ts", "src/__tests__/a.ts"}, {"src/A.java", "src/ATest.java"}, {"lib/a.rb", "lib/a_spec.rb"},
		{"src/a.py", "docs/a.py"}, {"src/a.py", "examples/a.py"}, {"src/a.py", "src/a.md"}, {"src/a.py", "src/a.txt"},
		{"src/a.js", "node_modules/x/a.js"}, {"src/a.go", "vendor/x/a.go"},
	} {
		src := block(withGate(4)...)
		it := follow(t, tree{c.old: src}, tree{c.new: src}, cite(t, c.old+":5-8"))
		assert.Equal(t, outcome.Gone, it.State, "%s to %s: %s", c.old, c.new, it.Reason)
		rest := block(splice(withGate(4), 5, 4)...)
		it = follow(t, tree{c.old: src}, tree{c.old: rest, c.new: block(gate...)}, cite(t, c.old+":5-8"))
		assert.Equal(t, outcome.Gone, it.State, "lines of %s to %s: %s", c.old, c.new, it.Reason)
	}
	for _, c := range []struct{ old, new string }{
		{"tests/a.py", "tests/unit/a.py"}, {"docs/conf.py", "docs/source/conf.py"}, {"src/a.py", "src/contest/a.py"},
		{"src/a.py", "src/attest.py"}, {"src/a.java", "src/latest.java"}, {"src/a.py", "src/docstore/a.py"}, {"a.yml", "agent.spec.yml"},
	} {
		src := block(withGate(4)...)
		it := follow(t, tree{c.old: src}, tree{c.new: src}, cite(t, c.old+":5-8"))
		assert.Equal(t, outcome.Moved, it.State, "%s to %s: %s", c.old, c.new, it.Reason)
	}
}

// A copy of the file made beside it is known as one where its lines say little, too.
func TestCopyOfAFileOfLikeLines(t *testing.T) {
	var lines []string
	for _, side := range []string{"%s + 1:", "1 + %s:"} {
		lines = append(lines, "match pattern_of_one_side:")
		for _, pattern := range []string{"Foo()", "x", "_", "(1 | 2)", "[1, 2]", "{True: 1}", "1j", "-1j", "Foo(a as b)"} {
			lines = append(lines, "    case "+fmt.Sprintf(side, pattern), "        pass")
		}
		lines = append(lines, "")
	}
	src := block(lines...)
	for cut := 2; cut < len(lines)-9; cut++ {
		e := cite(t, "a.py:1")
		e.Lines = e.Lines.At(cut, 9)
		it := follow(t, tree{"a.py": src}, tree{"a.py": block(splice(slices.Clone(lines), cut, 9)...), "b.py": src}, e)
		assert.False(t, it.State.Holds(), "from line %d on: %s", cut, it.Reason)
	}
}

// A copy that stood elsewhere before does not become the home of evidence that
// went, under its old name or a new one. Where it may as well be the evidence
// itself, that is said.
func TestCopiesThatStoodBefore(t *testing.T) {
	src := block(withGate(4)...)
	without := block(splice(withGate(4), 5, 4)...)
	weaker := strings.Replace(src, "confirmed", "seen", 1)
	other := block(program(60)[40:]...) + block(gate...)
	for _, c := range []struct {
		name      string
		old, head tree
		state     outcome.State
		ambiguous bool
	}{
		{"removed, the copy untouched", tree{"a.py": src, "b.py": src}, tree{"b.py": src}, outcome.Gone, false},
		{"removed, the copy edited", tree{"a.py": src, "b.py": src}, tree{"b.py": "x\n" + src}, outcome.Gone, false},
		{"removed, the copy renamed", tree{"a.py": src, "b.py": src}, tree{"c.py": src}, outcome.Edited, true},
		{"removed, the copy renamed and edited", tree{"a.py": src, "b.py": src}, tree{"c.py": "x\n" + src}, outcome.Edited, true},
		{"edited, the copy renamed", tree{"a.py": src, "b.py": src}, tree{"a.py": weaker, "c.py": src}, outcome.Edited, false},
		{"cut out, the copy renamed", tree{"a.py": src, "b.py": src}, tree{"a.py": without, "c.py": src}, outcome.Gone, false},
		{"cut out, a copy of the file put beside it", tree{"a.py": src}, tree{"a.py": without, "c.py": src}, outcome.Edited, false},
		{"the file moved, its name kept for those who load it", tree{"a.py": src}, tree{"a.py": "from c import ask\n", "c.py": src}, outcome.Moved, false},
		{"cut out, the copy's file renamed", tree{"a.py": src, "b.py": other}, tree{"a.py": without, "c.py": other}, outcome.Gone, false},
		{"cut out, the copy cut out of a removed file", tree{"a.py": src, "b.py": other}, tree{"a.py": without, "c.py": block(gate...)}, outcome.Edited, true},
		{"cut out, the copy cut out of its file", tree{"a.py": src, "b.py": other}, tree{"a.py": without, "b.py": "x\n", "c.py": block(gate...)}, outcome.Edited, true},
		{"cut out and put into a new file, a copy stays", tree{"a.py": src, "b.py": other}, tree{"a.py": without, "b.py": "x\n" + other, "c.py": block(gate...)}, outcome.Moved, false},
		{"both directories moved", tree{"x/a.py": src, "x/b.py": src}, tree{"y/a.py": src, "y/b.py": src}, outcome.Moved, false},
		{"both directories moved and edited", tree{"x/a.py": src, "x/b.py": src}, tree{"y/a.py": "x\n" + src, "y/b.py": "x\n" + src}, outcome.Moved, false},
	} {
		at := "a.py:5-8"
		if _, ok := c.old["a.py"]; !ok {
			at = "x/" + at
		}
		it := follow(t, c.old, c.head, cite(t, at))
		assert.Equal(t, c.state, it.State, "%s: %s", c.name, it.Reason)
		assert.Equal(t, c.ambiguous, it.Ambiguous, "%s: %s", c.name, it.Reason)
	}
}
