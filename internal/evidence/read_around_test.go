package evidence_test

import "testing"

const (
	chart   = "{{- if .Values.x }}\n"
	secured = "k: 1\na:\n  secure: true\nz: 1\n"
)

// Lines of YAML say what they did only where they are read as they were.
func TestWhatLinesOfYAMLAreReadAs(t *testing.T) {
	for _, c := range []change{
		{"a key put above", "a.yml", "3", secured, "k: 1\na:\n  b:\n    secure: true\nz: 1\n", false},
		{"a key put above all", "a.yml", "1-2", "a: 1\nb: 2\n", "x:\n  a: 1\n  b: 2\n", false},
		{"a key put above a list", "a.yml", "1", "- deny\n", "allow:\n  - deny\n", false},
		{"a key put above a list at its column", "a.yml", "1", "- deny\n", "allow:\n- deny\n", false},
		{"a key put above a text", "a.yml", "2", "a: |\n  set -e\n", "b:\n  a: |\n    set -e\n", false},
		{"all indented in another way", "a.yml", "3", secured, "k: 2\na:\n    secure: true\nz: 1\n", true},
		{"a key put beside", "a.yml", "3", secured, "k: 1\na:\n  b:\n    c: 1\n  secure: true\nz: 1\n", true},
		{"a string opened above", "a.yml", "2", "a:\n  secure: true\n", "a: \"\n  secure: true\n  \"\n", false},
		{"a value put before an item", "a.yml", "2", "a:\n  - b\n", "a: x\n  - b\n", false},
		{"a text opened above", "a.yml", "2", "a:\n  secure: true\n", "a: |\n  secure: true\n", false},
		{"a text whose lines are joined", "a.yml", "2-3", "a: |\n  set -e\n  check\n", "a: >\n  set -e\n  check\n", false},
		{"a line added to a text", "a.yml", "1-2", "a: |\n  set -e\n", "a: |\n  set -e\n  check\n", true},
		{"an empty line in a text", "a.yml", "3", "a: |\n  set -e\n  check\nb: 1\n", "a: |\n  set -e\n\n  check\nb: 2\n", true},
		{"a value that goes on", "a.yml", "1", "mode: strict\n", "mode: strict\n  off\n", false},
		{"a value that no longer goes on", "a.yml", "1", "mode: strict\n  off\nb: 1\n", "mode: strict\nb: 1\n", false},
		{"a remark behind a value", "a.yml", "1", "mode: strict\n", "mode: strict\n  # off\n", true},
		{"a document behind a value", "a.yml", "1", "mode: strict\n", "mode: strict\n--- # next\na: 1\n", true},
		{"an item added to a list in brackets", "a.yml", "2", "a: [\n  b,\n  c\n]\n", "a: [\n  b,\n  c,\n  d\n]\n", true},
		{"a text that takes all in", "a.yml", "1-2", "a: 1\nb: 2\n", "--- |\n a: 1\n b: 2\n", false},
		{"a text that takes all in as it is", "a.yml", "1-2", "a: 1\nb: 2\n", "--- |\na: 1\nb: 2\n", false},
		{"another document that ends above", "a.yml", "1-2", "a: 1\nb: 2\n", "x: 1\n...\na: 1\nb: 2\n", false},
		{"the end of the document marked", "a.yml", "1-2", "a: 1\nb: 2\n", "a: 1\nb: 2\n...\n", true},

		{"a template's child that comes beside", "a.yml", "2-3", chart + "- securityContext:\n    runAsNonRoot: true\n", chart + "- securityContext:\n  runAsNonRoot: true\n", false},
		{"a template's child alone that comes beside", "a.yml", "3", chart + "- securityContext:\n    runAsNonRoot: true\n", chart + "- securityContext:\n  runAsNonRoot: true\n", false},
		{"a template's key that comes below", "a.yml", "3", chart + "- securityContext:\n  runAsNonRoot: true\n", chart + "- securityContext:\n    runAsNonRoot: true\n", false},
		{"blanks inside a template's value", "a.yml", "2", chart + "pattern: a  b\n", chart + "pattern: a b\n", false},
		{"a template indented", "a.yml", "3-4", chart + "a:\n  b:\n    c: 1\n", chart + "a:\n    b:\n      c: 1\n", true},
		{"a line added to a template", "a.yml", "3", chart + "a:\n  b: 1\n", chart + "a:\n  c: 2\n  b: 1\n", true},
		{"a key put above in a template", "a.yml", "3", chart + "a:\n  b: 1\n", chart + "a:\n  c:\n    b: 1\n", false},
		{"a text opened above in a template", "a.yml", "3", chart + "a:\n  b: 1\n", chart + "a: \"\n  b: 1\"\n", false},
		{"a template's value that goes on", "a.yml", "2", chart + "mode: strict\n", chart + "mode: strict\n  off\n", false},
		{"a template's key in another key's place", "a.yml", "3", "a:\n  {{ x }}: 1\n  b: 1\n", "a:\n  b: 1\n", true},
	} {
		c.check(t)
	}
}

// What heads the keys of TOML that follow it.
func TestTablesOfTOML(t *testing.T) {
	base := "[a]\nb = 1\nsecure = true\n"
	for _, header := range []string{`[c."d[0]"]`, `[c.'d]']`, "  [c]", "[[ c . d ]]", `["c"] # [d]`} {
		change{header + " above", "a.toml", "3", base, "[a]\nb = 1\n" + header + "\nsecure = true\n", false}.check(t)
		change{header + " before", "a.toml", "3", base, header + "\nx = 1\n" + base, true}.check(t)
	}
	change{"a list in brackets above", "a.toml", "3", base, "[a]\nb = [\n  [1, 2],\n  [\"x\", \"y\"]\n]\nsecure = true\n", true}.check(t)
}
