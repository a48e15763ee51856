package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// noted checks that the lines hold, with the note or without any.
func noted(t *testing.T, name, place, base, head, note string) {
	t.Helper()
	e := cite(t, place)
	it := follow(t, tree{e.File: base}, tree{e.File: head}, e)
	assert.True(t, it.State.Holds(), "%s: %s %s", name, it.State, it.Reason)
	assert.Equal(t, note, it.Reason, name)
}

// A key beside lines of data that may switch them off is named; what reads it decides.
func TestAddedSwitchesAreNoted(t *testing.T) {
	const compose = "services:\n  agent:\n    image: a\n    read_only: true\n  db:\n    image: b\n"
	agent := func(key string) string {
		return "services:\n  agent:\n    image: a\n    read_only: true\n    " + key + "\n  db:\n    image: b\n"
	}
	for key, note := range map[string]string{
		`profiles: ["debug"]`:     `"profiles: [\"debug\"]" was added beside them, c.yml:5, and may switch them off`,
		"enabled: false":          `"enabled: false" was added beside them, c.yml:5, and may switch them off`,
		"continue-on-error: true": `"continue-on-error: true" was added beside them, c.yml:5, and may switch them off`,
		"allow_failure: true":     `"allow_failure: true" was added beside them, c.yml:5, and may switch them off`,
		"scale: 0":                `"scale: 0" was added beside them, c.yml:5, and may switch them off`,
		"enabled: true":           "",
		"disabled: false":         "",
		"replicas: 2":             "",
		"user: root":              "",
	} {
		noted(t, key, "c.yml:4", compose, agent(key), note)
	}
	noted(t, "beside what they stand under", "c.yml:4", compose, "services:\n  disabled: true\n"+compose[len("services:\n"):], `"disabled: true" was added beside them, c.yml:2, and may switch them off`)
	noted(t, "beside other lines", "c.yml:4", compose, compose+"    enabled: false\n", "")
	noted(t, "of TOML", "c.toml:2", "[box]\nread_only = true\n", "[box]\nread_only = true\nenabled = false\n", `"enabled = false" was added beside them, c.toml:3, and may switch them off`)
	noted(t, "of another table", "c.toml:2", "[box]\nread_only = true\n", "[box]\nread_only = true\n[log]\nenabled = false\n", "")
	noted(t, "of HCL", "c.tf:2", "resource \"a\" \"b\" {\n  x = 1\n}\n", "resource \"a\" \"b\" {\n  x = 1\n  enabled = false\n}\n", `"enabled = false" was added beside them, c.tf:3, and may switch them off`)
	noted(t, "of JSON", "c.json:2", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 1,\n  \"enabled\": false,\n  \"b\": 2\n}\n", `"\"enabled\":false," was added beside them, c.json:3, and may switch them off`)
	noted(t, "in a program", "a.py:1", "x = 1\n", "x = 1\nenabled = 0\n", "")
}

// A decorator that came or went above what lines stand in is named, and so is what was
// put around their function.
func TestDecoratorsAndWrappersAreNoted(t *testing.T) {
	const py = "import x\n\n\n@app.post('/run')\n@needs(Role.ADMIN)\ndef run(call):\n    log(call)\n    return go(call)\n\n\ndef other():\n    pass\n"
	noted(t, "one that went", "a.py:7", py, "import x\n\n\n@app.post('/run')\ndef run(call):\n    log(call)\n    return go(call)\n\n\ndef other():\n    pass\n", `"@needs(Role.ADMIN)", which stood above "def run(call):", went`)
	noted(t, "one that went above the cited line", "a.py:6", py, "import x\n\n\n@app.post('/run')\ndef run(call):\n    log(call)\n    return go(call)\n\n\ndef other():\n    pass\n", `"@needs(Role.ADMIN)", which stood above "def run(call):", went`)
	noted(t, "one that came", "a.py:7", py, "import x\n\n\n@skip\n@app.post('/run')\n@needs(Role.ADMIN)\ndef run(call):\n    log(call)\n    return go(call)\n\n\ndef other():\n    pass\n", `"@skip" was added above "def run(call):", a.py:4`)
	noted(t, "one with other arguments", "a.py:7", py, "import x\n\n\n@app.post('/go')\n@needs(Role.ADMIN)\ndef run(call):\n    log(call)\n    return go(call)\n\n\ndef other():\n    pass\n", "")
	noted(t, "in another order", "a.py:7", py, "import x\n\n\n@needs(Role.ADMIN)\n@app.post('/run')\ndef run(call):\n    log(call)\n    return go(call)\n\n\ndef other():\n    pass\n", "")
	noted(t, "above another function", "a.py:7", py, py[:len(py)-len("def other():\n    pass\n")]+"@skip\ndef other():\n    pass\n", "")
	noted(t, "a function around theirs", "a.ts:3", "function run(c) {\n  log(c);\n  check(c);\n  go(c);\n}\nother();\n", "const old = () => {\nfunction run(c) {\n  log(c);\n  check(c);\n  go(c);\n}\n};\nother();\n", `"const old=()=>{" was added around their function, a.ts:1`)
	noted(t, "another name of the class around it", "a.ts:3", "class A {\n  run(c) {\n    check(c);\n  }\n}\n", "class B {\n  run(c) {\n    check(c);\n  }\n}\n", "")
}
