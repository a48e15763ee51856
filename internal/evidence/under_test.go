package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

const (
	compose = "services:\n  agent:\n    image: agent\n    read_only: true\n    cap_drop: [ALL]\n  db:\n    image: db\n"
	twoStep = "FROM python AS build\nRUN make\nUSER nobody:nogroup_restricted\nFROM slim\nCOPY x y\nCMD run\n"
	tools   = "DENY = [\n    'delete_everything_at_once',\n    'format_disk',\n]\nALLOW = [\n    'list_files',\n]\n"
)

// In data a line belongs to what it stands under.
func TestLinesUnderAnotherParent(t *testing.T) {
	for _, c := range []change{
		{"to another service", "c.yml", "4-5", compose, "services:\n  agent:\n    image: agent\n  db:\n    image: db\n    read_only: true\n    cap_drop: [ALL]\n", false},
		{"the next service's name moved above", "c.yml", "5", compose, "services:\n  agent:\n    image: agent\n    read_only: true\n  db:\n    cap_drop: [ALL]\n    image: db\n", false},
		{"a service added above", "c.yml", "4-5", compose, "services:\n  agent:\n    image: agent\n  sidecar:\n    read_only: true\n    cap_drop: [ALL]\n  db:\n    image: db\n", false},
		{"a service added before", "c.yml", "4-5", compose, "services:\n  sidecar:\n    image: x\n" + compose[len("services:\n"):], true},
		{"its service renamed", "c.yml", "4-5", compose, "services:\n  worker:\n    image: agent\n    read_only: true\n    cap_drop: [ALL]\n  db:\n    image: db\n", true},
		{"the services in another order", "c.yml", "4-5", compose, "services:\n  db:\n    image: db\n  agent:\n    image: agent\n    read_only: true\n    cap_drop: [ALL]\n", true},
		{"keys in another order", "c.yml", "4-5", compose, "services:\n  agent:\n    read_only: true\n    cap_drop: [ALL]\n    image: agent\n  db:\n    image: db\n", true},
		{"to another document", "c.yml", "2", "a: 1\nread_only_filesystem_on: true\nc: 3\n---\nd: 4\n", "a: 1\nc: 3\n---\nd: 4\nread_only_filesystem_on: true\n", false},
		{"a document's mark above all", "c.yml", "2", "a: 1\nb: 2\n", "# all\n---\na: 1\nb: 2\n", true},
		{"to another list", "c.yml", "2", "deny:\n- delete_everything_at_once\n- b\nallow:\n- c\n", "deny:\n- b\nallow:\n- c\n- delete_everything_at_once\n", false},
		{"to another table", "c.toml", "2", "[sandbox]\nread_only_filesystem = true\nx = 1\n[other]\ny = 2\n", "[sandbox]\nx = 1\n[other]\ny = 2\nread_only_filesystem = true\n", false},
		{"a table added above", "c.toml", "3", "[sandbox]\nx = 1\nread_only = true\n", "[sandbox]\nx = 1\n[other]\nread_only = true\n", false},
		{"a table added before", "c.toml", "3", "[sandbox]\nx = 1\nread_only = true\n", "[new]\nz = 2\n[sandbox]\nx = 1\nread_only = true\n", true},
		{"the top into a table", "c.toml", "1", "read_only = true\n", "[other]\nread_only = true\n", false},
		{"to another section", "c.ini", "2", "[sandbox]\nread_only_filesystem = true\nx = 1\n[other]\ny = 2\n", "[sandbox]\nx = 1\n[other]\ny = 2\nread_only_filesystem = true\n", false},
		{"to another object", "c.json", "3", "{\n  \"agent\": {\n    \"read_only_filesystem\": true,\n    \"x\": 1\n  },\n  \"db\": {\n    \"y\": 2\n  }\n}\n", "{\n  \"agent\": {\n    \"x\": 1\n  },\n  \"db\": {\n    \"read_only_filesystem\": true,\n    \"y\": 2\n  }\n}\n", false},
		{"an object of a list added before", "c.json", "3", "[\n  {\n    \"a\": 1\n  }\n]\n", "[\n  {\n    \"b\": 2\n  },\n  {\n    \"a\": 1\n  }\n]\n", true},
		{"to another resource", "c.tf", "2", "resource \"a\" \"x\" {\n  encrypted_at_rest_always = true\n  n = 1\n}\nresource \"a\" \"y\" {\n  m = 1\n}\n", "resource \"a\" \"x\" {\n  n = 1\n}\nresource \"a\" \"y\" {\n  m = 1\n  encrypted_at_rest_always = true\n}\n", false},
		{"to another list of a program", "c.py", "2", tools, "DENY = [\n    'format_disk',\n]\nALLOW = [\n    'list_files',\n    'delete_everything_at_once',\n]\n", false},
		{"to another place of its list", "c.py", "2", tools, "DENY = [\n    'format_disk',\n    'delete_everything_at_once',\n]\nALLOW = [\n    'list_files',\n]\n", true},
		{"to another call", "c.ts", "2", "run({\n  readOnlyFilesystem: true,\n  a: 1,\n});\nlog({\n  b: 2,\n});\n", "run({\n  a: 1,\n});\nlog({\n  readOnlyFilesystem: true,\n  b: 2,\n});\n", false},
		{"to another stage", "Dockerfile", "3", twoStep, "FROM python AS build\nRUN make\nFROM slim\nCOPY x y\nUSER nobody:nogroup_restricted\nCMD run\n", false},
		{"a stage added below", "Dockerfile", "2", "FROM a\nUSER nobody\nCMD run\n", "FROM a\nUSER nobody\nFROM b\nCMD run\n", false},
		{"a stage added below that builds on it", "Dockerfile", "2", "FROM a AS x\nUSER nobody\nCMD run\n", "FROM a AS x\nUSER nobody\nFROM x\nCMD run\n", true},
		{"a stage added before", "Dockerfile", "2", "FROM a\nUSER nobody\nCMD run\n", "FROM z AS build\nRUN make\nFROM a\nUSER nobody\nCMD run\n", true},
		{"a file indented as a whole", "Dockerfile", "3", "FROM a\nRUN make\nUSER nobody\nCMD run\n", "  FROM a\n  RUN make\n  USER nobody\n  CMD run\n", true},
		{"an indented stage added above", "Dockerfile", "2", "FROM a\nUSER nobody\nCMD run\n", "FROM a\n\tfrom b\nUSER nobody\nCMD run\n", false},
		{"an indented stage added below", "Dockerfile", "2", "FROM a\nUSER nobody\nCMD run\n", "FROM a\nUSER nobody\n  FROM b\nCMD run\n", false},
		{"a word of a command that looks like a stage", "Dockerfile", "4", "FROM a\nRUN ask \\\n  for x\nUSER nobody\n", "FROM a\nRUN ask \\\n  from x\nUSER nobody\n", true},
		{"to another method that says what it returns", "c.ts", "3", "class A {\n  path(): string {\n    return join(this.sessionDir, 'activity.jsonl');\n  }\n  other(): string {\n    return '';\n  }\n}\n",
			"class A {\n  path(): string {\n    return other();\n  }\n  other(): string {\n    return join(this.sessionDir, 'activity.jsonl');\n  }\n}\n", true},
		{"to another function whose arguments are a pattern", "c.js", "4", "export default function A({\n  a,\n}) {\n  const approved = askTheUser(a);\n}\nexport async function B({\n  b,\n}) {\n  log(b);\n}\n",
			"export default function A({\n  a,\n}) {\n}\nexport async function B({\n  b,\n}) {\n  const approved = askTheUser(a);\n  log(b);\n}\n", true},
		{"to another component", "c.tsx", "5", "const Toggle: React.FC<Props> = ({\n  checked,\n  label,\n}) => {\n  const approved = askTheUser(label);\n  return <b/>;\n};\nconst View: React.FC<Props> = ({\n  label,\n}) => {\n  return <i/>;\n};\n",
			"const Toggle: React.FC<Props> = ({\n  checked,\n  label,\n}) => {\n  return <b/>;\n};\nconst View: React.FC<Props> = ({\n  label,\n}) => {\n  const approved = askTheUser(label);\n  return <i/>;\n};\n", true},
		{"to another object of a call", "c.ts", "2", "run({\n  readOnlyFilesystem: true,\n}, () => {\n  go();\n});\nlog({\n  b: 2,\n}, () => {\n  stop();\n});\n", "run({\n}, () => {\n  go();\n});\nlog({\n  readOnlyFilesystem: true,\n  b: 2,\n}, () => {\n  stop();\n});\n", false},
		{"another version of its stage", "Dockerfile", "2", "FROM a:1\nUSER nobody\nCMD run\n", "FROM a:2\nUSER nobody\nCMD run\n", true},
	} {
		c.check(t)
	}
	split := tree{"a.yml": compose}
	it := follow(t, split, tree{"a.yml": "services:\n  db:\n    image: db\n", "b.yml": "services:\n  agent:\n    image: agent\n    read_only: true\n    cap_drop: [ALL]\n"}, cite(t, "a.yml:4-5"))
	assert.Equal(t, outcome.Moved, it.State, "with its parents to another file: %s", it.Reason)
	it = follow(t, split, tree{"a.yml": "services:\n  db:\n    image: db\n", "b.yml": "services:\n  other:\n    image: agent\n    read_only: true\n    cap_drop: [ALL]\n"}, cite(t, "a.yml:4-5"))
	assert.Equal(t, outcome.Edited, it.State, "to another parent in another file: %s", it.Reason)
}

// Lines of a program that come to stand under something that was added.
func TestLinesUnderSomethingNew(t *testing.T) {
	for _, head := range []string{"if x:", "else:", "try:", "def f():", "class A:", "while x:", "if x: # for now"} {
		change{head + " over the only line", "a.py", "1", "SANDBOX = True\n", head + "\n    SANDBOX = True\n", false}.check(t)
		change{head + " while all around changed", "a.py", "2", "import os\nSANDBOX = True\nprint(os)\n", "import sys\n" + head + "\n    SANDBOX = True\nlog(sys)\n", false}.check(t)
	}
	for _, c := range []change{
		{"a condition over what is around them as well", "a.py", "3", "def f(c):\n    a()\n    gate(c)\n    b()\n    return c\n", "def f(c):\n    if STRICT:\n        a()\n        gate(c)\n        b()\n    return c\n", false},
		{"a condition in place of another", "a.py", "3", "def f(c):\n    if c:\n        gate(c)\n", "def f(c):\n    if c and d:\n        gate(c)\n", true},
		{"a condition that makes no difference", "a.py", "1", "gate()\n", "if True:\n    gate()\n", true},
		{"a try that passes over all", "a.py", "3", "def f(c):\n    a()\n    gate(c)\n    b()\n", "def f(c):\n    try:\n        a()\n        gate(c)\n        b()\n    except Exception:\n        pass\n", false},
		{"a try that passes over all, in braces", "a.ts", "2", "a();\ngate(c);\nb();\n", "try {\n  a();\n  gate(c);\n  b();\n} catch (e) {\n}\n", false},
		{"a try that passes over all, on one line", "a.ts", "2", "a();\ngate(c);\nb();\n", "try {\n  a();\n  gate(c);\n  b();\n} catch {}\n", false},
		{"suppressed", "a.py", "2", "def f(c):\n    gate(c)\n    b()\n", "def f(c):\n    with suppress(Denied):\n        gate(c)\n        b()\n", false},
		{"a try that passes on", "a.py", "3", "def f(c):\n    a()\n    gate(c)\n    b()\n", "def f(c):\n    try:\n        a()\n        gate(c)\n        b()\n    except Exception:\n        log()\n        raise\n", true},
		{"a try with an end", "a.py", "3", "def f(c):\n    a()\n    gate(c)\n    b()\n", "def f(c):\n    try:\n        a()\n        gate(c)\n        b()\n    finally:\n        end()\n", true},
		{"never at run time", "a.py", "1", "gate_of_every_call()\nif TYPE_CHECKING:\n    a()\n    b()\n", "if TYPE_CHECKING:\n    a()\n    gate_of_every_call()\n    b()\n", false},
		{"a class over all", "a.py", "2", "def f():\n    gate()\n\ndef g():\n    pass\n", "class A:\n    def f():\n        gate()\n\n    def g():\n        pass\n", true},
		{"a condition in braces", "a.ts", "2", "f();\ngate();\ng();\n", "f();\nif (x) {\n  gate();\n}\ng();\n", false},
		{"a condition in braces further up", "a.go", "3", "func f() {\n\ta()\n\tgate()\n\tb()\n}\n", "func f() {\n\tif x {\n\t\ta()\n\t\tgate()\n\t}\n\tb()\n}\n", false},
		{"a condition without braces", "a.ts", "2", "f();\ngate();\ng();\n", "f();\nif (x)\n  gate();\ng();\n", false},
		{"a condition over several lines", "a.ts", "2", "f();\ngate();\ng();\n", "f();\nif (x &&\n    y) {\n  gate();\n}\ng();\n", false},
		{"a function around a statement", "a.ts", "2", "f();\ngate();\ng();\n", "f();\nfunction never() {\n  gate();\n}\ng();\n", false},
		{"a function before", "a.ts", "4", "f();\nfunction g() {\n  x();\n  gate();\n}\n", "f();\nfunction h() {\n  y();\n}\nfunction g() {\n  x();\n  gate();\n}\n", true},
		{"a namespace around all", "a.ts", "1-3", "function g() {\n  gate();\n}\nfunction h() {\n}\n", "namespace N {\nfunction g() {\n  gate();\n}\nfunction h() {\n}\n}\n", true},
		{"a condition of a shell", "a.sh", "2", "f\ngate\ng\n", "f\nif [ -n \"$X\" ]; then\n  gate\nfi\ng\n", false},
		{"a function of a shell", "a.sh", "2", "f\ngate\ng\n", "f\nnever() {\n  gate\n}\ng\n", false},
		{"a condition of a shell before", "a.sh", "2", "f\ngate\n", "f\nif x; then\n  y\nfi\ngate\n", true},
		{"a condition of the preprocessor", "a.c", "2", "f();\ngate();\ng();\n", "f();\n#ifdef X\ngate();\n#endif\ng();\n", false},
		{"an include guard", "a.h", "1", "int gate(void);\n", "#ifndef A_H\n#define A_H\nint gate(void);\n#endif\n", true},
		{"built for tests only", "a.rs", "1-3", "fn gate() {\n  check(user);\n}\n", "#[cfg(test)]\nfn gate() {\n  check(user);\n}\n", false},
		{"a build constraint", "a.go", "3-5", "package a\n\nfunc gate() {\n\tcheck()\n}\n", "//go:build ignore\n\npackage a\n\nfunc gate() {\n\tcheck()\n}\n", false},
		{"into a condition never met further up", "a.ts", "1", "gateForEveryCall(user);\nif (false) {\n  a();\n  b();\n}\n", "if (false) {\n  a();\n  gateForEveryCall(user);\n  b();\n}\n", false},
	} {
		c.check(t)
	}
}
