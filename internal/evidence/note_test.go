package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A statement that was added above the lines in their function and can leave before
// them is no alarm, and is named.
func TestAddedEarlyReturnsAreNoted(t *testing.T) {
	py := func(guard string) string {
		return "class A:\n    def ask(self, command):\n        log(command)\n" + guard + "        shown = repr(command)\n        return input(shown) == 'yes'\n"
	}
	loop := func(guard string) string {
		return "def run(calls):\n    for call in calls:\n        log(call)\n" + guard + "        ask_person(call)\n        execute(call)\n"
	}
	ts := func(guard string) string {
		return "function ask(command) {\n  log(command);\n" + guard + "  const shown = render(command);\n  return prompt(shown) === 'yes';\n}\n"
	}
	sh := func(guard string) string {
		return "ask() {\n  log \"$1\"\n" + guard + "  read -r answer\n  test \"$answer\" = yes\n}\n"
	}
	for _, c := range []struct {
		name, file, cited, base, head, place string
	}{
		{"a return under a condition", "a.py", "4-5", py(""), py("        if command.startswith('git '):\n            return True\n"), "a.py:5"},
		{"on one line", "a.py", "4-5", py(""), py("        if command in safe: return True\n"), "a.py:4"},
		{"on one line, of what is called next", "a.py", "4-5", py(""), py("        if command in safe: return next(command)\n"), "a.py:4"},
		{"in a manager on one line", "a.py", "4-5", py(""), py("        with lock: return True\n"), "a.py:4"},
		{"what is called next", "a.py", "4-5", py(""), py("        next(command)\n"), ""},
		{"of Ruby", "a.rb", "3", "def f(c)\n  log(c)\n  gate(c)\nend\n", "def f(c)\n  log(c)\n  return true if c.safe\n  gate(c)\nend\n", "a.rb:3"},
		{"of Rust, behind else", "a.rs", "3", "fn f(c: C) {\n    log(c);\n    gate(c);\n}\n", "fn f(c: C) {\n    log(c);\n    let Some(x) = c.x else { return };\n    gate(c);\n}\n", "a.rs:3"},
		{"goto", "a.c", "3", "void f(int c)\n{\n\tgate(c);\n\trun(c);\n}\n", "void f(int c)\n{\n\tif (c) goto run;\n\tgate(c);\nrun:\n\trun(c);\n}\n", "a.c:3"},
		{"a raised refusal", "a.py", "4-5", py(""), py("        if command in banned:\n            raise Denied(command)\n"), ""},
		{"in another function above", "a.py", "4-5", py(""), "def f(x):\n    if x:\n        return True\n\n\n" + py(""), ""},
		{"in a function inside", "a.py", "4-5", py(""), py("        def f(x):\n            if x:\n                return True\n"), ""},
		{"in a text", "a.py", "4-5", py(""), py("        note = \"\"\"\n        return True\n        \"\"\"\n"), ""},
		{"one that was there, in other words", "a.py", "6-7", py("        if command in safe:\n            return True\n"), py("        if command in known:\n            return True\n"), ""},
		{"one that says something else now", "a.py", "6-7", py("        if command in safe:\n            return False\n"), py("        if command in safe:\n            return None\n"), ""},
		{"the next round of the same loop", "a.py", "4-5", loop(""), loop("        if call.safe:\n            continue\n"), "a.py:5"},
		{"the next round of a loop above", "a.py", "4-5", loop(""), loop("        for part in call:\n            if not part:\n                continue\n            log(part)\n"), ""},
		{"in braces", "a.ts", "3-4", ts(""), ts("  if (command.startsWith('git ')) {\n    return true;\n  }\n"), "a.ts:4"},
		{"in braces on one line", "a.ts", "3-4", ts(""), ts("  if (safe(command)) return true;\n"), "a.ts:3"},
		{"in a callback above", "a.ts", "3-4", ts(""), ts("  each((x) => {\n    if (x) {\n      return 1;\n    }\n  });\n"), ""},
		{"in a shell", "a.sh", "3-4", sh(""), sh("  [ \"$1\" = git ] && return 0\n"), "a.sh:3"},
		{"a formatter that wraps one", "a.py", "6-7", py("        if command in safe:\n            return 'a' + command\n"), py("        if command in safe:\n            return (\n                \"a\" + command\n            )\n"), ""},
	} {
		it := follow(t, tree{c.file: c.base}, tree{c.file: c.head}, cite(t, c.file+":"+c.cited))
		assert.True(t, it.State.Holds(), "%s: %s %s", c.name, it.State, it.Reason)
		want := ""
		if c.place != "" {
			want = c.place + ", added above in the same function, can leave before them"
		}
		assert.Equal(t, want, it.Reason, c.name)
	}
}

// Lines that went to another function hold with a note, wherever that is; lines whose
// own function was renamed, or moved with them, have none.
func TestLinesInAnotherFunctionAreNoted(t *testing.T) {
	gate := "    shown = repr(call.arguments)\n    answer = input(f'run {shown}?')\n"
	before := "import os\n\n\ndef ask(call):\n" + gate + "    return answer == 'yes'\n\n\ndef other(x):\n    return x + os.getpid()\n"
	moved := "import os\n\n\ndef ask(call):\n    return confirm(call)\n\n\ndef other(x):\n    return x + os.getpid()\n\n\n"
	for _, c := range []struct {
		name string
		head tree
		note string
	}{
		{"to a new function", tree{"a.py": moved + "def confirm(call):\n" + gate + "    return answer == 'yes'\n"}, `they stood under "def ask(call):" and now stand under "def confirm(call):"`},
		{"to a new file", tree{"a.py": moved, "b.py": "def confirm(call):\n" + gate + "    return answer == 'yes'\n"}, `they stood under "def ask(call):" and now stand under "def confirm(call):" in b.py`},
		{"with their function to a new file", tree{"a.py": "import os\n", "b.py": "def ask(call):\n" + gate + "    return answer == 'yes'\n"}, ""},
		{"in a function renamed", tree{"a.py": "import os\n\n\ndef confirm(call):\n" + gate + "    return answer == 'yes'\n\n\ndef other(x):\n    return x + os.getpid()\n"}, ""},
		{"in a function with one more parameter", tree{"a.py": "import os\n\n\ndef ask(call, user):\n" + gate + "    return answer == 'yes'\n\n\ndef other(x):\n    return x + os.getpid()\n"}, ""},
		{"in a function with its header wrapped", tree{"a.py": "import os\n\nX = 1\n\ndef ask(\n    call,\n):\n" + gate + "    return answer == 'yes'\n\n\ndef other(x):\n    return x + os.getpid()\n"}, ""},
	} {
		it := follow(t, tree{"a.py": before}, c.head, cite(t, "a.py:5-6"))
		assert.True(t, it.State.Holds(), "%s: %s %s", c.name, it.State, it.Reason)
		if c.note == "" {
			assert.Empty(t, it.Reason, c.name)
			continue
		}
		assert.Contains(t, it.Reason, c.note, c.name)
	}
}
