package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/testenv"
)

// The README names every command, and every form that one writes its result in.
func TestTheReadmeNamesEveryCommand(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(t), "README.md"))
	require.NoError(t, err)
	forms := 0
	for _, c := range newRoot(streams{}).Commands() {
		if c.Name() == versionCommand(streams{}).Name() || !c.IsAvailableCommand() {
			continue
		}
		assert.Regexp(t, `\brescore `+c.Name()+`\b`, string(data), "README.md does not name the command")
		forms += namedForms(t, string(data), c)
	}
	assert.Greater(t, forms, len(outcomeForms)+len(cardForms), "the forms were looked for")
}

// namedForms looks for the forms of the command, and returns how many it has.
func namedForms(t *testing.T, readme string, c *cobra.Command) int {
	t.Helper()
	flag := c.Flags().Lookup("format")
	if flag == nil {
		return 0
	}
	allowed := flag.Value.(formatValue).allowed
	for _, name := range allowed {
		named := regexp.MustCompile("`(--format )?" + name + "`|[ |]" + name + `(\\\||` + "`" + `)|prints ` + name + `|--format ` + name)
		assert.Regexp(t, named, readme, "README.md does not name the form that %s writes", c.Name())
	}
	return len(allowed)
}

// What --format may say is what is written: every form is one of its own.
func TestEveryFormIsItsOwn(t *testing.T) {
	c := newClone(t)
	c.Write("src/gate.py", "def ask(command):\n    return True\n")
	c.Commit("no question")
	seen := map[string]string{}
	for _, f := range outcomeForms {
		r := cli(t, c.args("diff", "--head", "HEAD", "--format", f.name)...)
		require.Equal(t, exitOK, r.status, "%s: %s", f.name, r.err)
		assert.NotContains(t, seen, r.out, "%s prints what another form does", f.name)
		seen[r.out] = f.name
	}
	for _, f := range cardForms {
		r := cli(t, "render", "--card", c.card, "--format", f.name)
		require.Equal(t, exitOK, r.status, "%s: %s", f.name, r.err)
		assert.NotContains(t, seen, r.out, "%s prints what another form does", f.name)
		seen[r.out] = f.name
	}
}
