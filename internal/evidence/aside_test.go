package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// A file that gets a name which nothing loads no longer does what it did, whether
// it kept every byte or was edited on the way.
func TestPutAside(t *testing.T) {
	src := block("services:", "  agent:", "    image: agent", "    read_only: true", "    cap_drop: [ALL]")
	for _, name := range []string{
		"docker-compose.yml.example", "docker-compose.yml.sample", "docker-compose.yml.dist", "docker-compose.yml.template",
		"docker-compose.yml.txt", "docker-compose.yml_", "docker-compose.yml~", "docker-compose.yml.bak", "docker-compose.yml.orig",
		"docker-compose.yml.off", "docker-compose.yml.old", "docker-compose.yml.disabled", "docker-compose.disabled.yml",
		"docker-compose.OLD.yml", "attic/docker-compose.yml", "archive/docker-compose.yml", "deploy/disabled/docker-compose.yml",
		"deprecated/docker-compose.yml", "docs/docker-compose.md", "docker-compose", "docker-compose.json",
	} {
		it := follow(t, tree{"docker-compose.yml": src}, tree{name: src}, cite(t, "docker-compose.yml:4-5"))
		assert.Equal(t, outcome.Gone, it.State, name)
		assert.Contains(t, it.Reason, "put aside", name)
		assert.Contains(t, it.Reason, name)
		it = follow(t, tree{"docker-compose.yml": src}, tree{name: "# kept\n" + src}, cite(t, "docker-compose.yml:4-5"))
		assert.Equal(t, outcome.Gone, it.State, name)
	}
	for _, name := range []string{"deploy/docker-compose.yml", "compose.yaml", "docker-compose.prod.yml", "old_stack/compose.yml"} {
		it := follow(t, tree{"docker-compose.yml": src}, tree{name: src}, cite(t, "docker-compose.yml:4-5"))
		assert.Equal(t, outcome.Moved, it.State, "%s: %s", name, it.Reason)
	}
	for name, state := range map[string]outcome.State{"chart/_labels.tpl": outcome.Moved, "tests/_helpers.tpl": outcome.Gone, "docs/_helpers.tpl": outcome.Gone, "_helpers.tpl.bak": outcome.Gone} {
		it := follow(t, tree{"chart/_helpers.tpl": src}, tree{name: src}, cite(t, "chart/_helpers.tpl:4-5"))
		assert.Equal(t, state, it.State, "a template goes to %s: %s", name, it.Reason)
	}
	it := follow(t, tree{"archive/zip.go": "package zip\n"}, tree{"archive/read.go": "package zip\n"}, cite(t, "archive/zip.go:1"))
	assert.Equal(t, outcome.Moved, it.State, "a name that was such a one before is none now: %s", it.Reason)
}

// A file that a tool finds by its name is not found under another.
func TestNamesByWhichFilesAreLoaded(t *testing.T) {
	for _, c := range []struct {
		old, new string
		state    outcome.State
	}{
		{".github/workflows/ci.yml", ".github/workflows/build.yaml", outcome.Moved},
		{".github/workflows/ci.yml", ".github/ci.yml", outcome.Gone},
		{".github/workflows/ci.yml", ".github/workflows/more/ci.yml", outcome.Gone},
		{"gate.go", "agent/gate.go", outcome.Moved},
		{"gate.go", "gate_windows.go", outcome.Gone},
		{"gate.go", "gate_arm64.go", outcome.Gone},
		{"gate.go", "_gate.go", outcome.Gone},
		{"gate.go", "gate_shell.go", outcome.Moved},
		{"gate_linux.go", "guard_linux.go", outcome.Moved},
		{"gate.py", "gate.pyi", outcome.Gone},
		{"gate.py", "graveyard/gate.py", outcome.Gone},
		{"gate.py", "unused/gate.py", outcome.Gone},
	} {
		text := "a: 1\nb: 2\nc: 3\n"
		it := follow(t, tree{c.old: text}, tree{c.new: text}, cite(t, c.old+":2"))
		assert.Equal(t, c.state, it.State, "%s to %s: %s", c.old, c.new, it.Reason)
	}
}
