package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whoever cannot be given the result is told so, by every command that has one.
func TestEveryCommandTellsAWriteError(t *testing.T) {
	c := newClone(t)
	md := filepath.Join(t.TempDir(), "card.md")
	require.Equal(t, exitOK, cli(t, "render", "--card", c.card, "-o", md).status)
	c.Write("README.md", "an agent, described\n")
	c.Commit("quiet")
	lines := map[string][][]string{
		"diff": {
			c.args("diff", "--head", "HEAD"), c.args("diff", "--head", "HEAD", "--format", "json"), c.args("diff", "--head", "HEAD", "--format", "markdown"),
			c.args("diff", "--head", "HEAD", "--format", "sarif"), c.args("diff", "--head", "HEAD", "--format", "html"),
		},
		"verify": {c.args("verify"), c.args("verify", "--format", "json")},
		"replay": {
			c.args("replay", "--from", c.first, "--to", "HEAD"), c.args("replay", "--from", c.first, "--to", "HEAD", "--format", "jsonl"),
		},
		"search": {
			{"search", "--repo", c.Dir(), "--rev", "HEAD", "--", "rg -n shown", "src"},
			{"search", "--repo", c.Dir(), "--rev", "HEAD", "--count", "--", "rg -n shown", "src"},
		},
		"import":  {{"import", c.card}, {"import", md}},
		"render":  {c.args("render"), c.args("render", "--format", "json"), c.args("render", "--format", "html"), c.args("render", "--format", "badge"), c.args("render", "--format", "svg")},
		"explain": {{"explain", "C4"}, {"explain", "C4.S", "--card", c.card}},
		"lint":    {{"lint", c.card}, {"lint", md}, {"lint", c.card, "--repo", c.Dir()}},
		"schema":  {{"schema", "entry"}},
		"version": {{"version"}},
		"demo":    nil, // these serve, and have no result
		"serve":   nil,
	}
	for _, cmd := range newRoot(streams{}).Commands() {
		args, listed := lines[cmd.Name()]
		require.True(t, listed, "say here how %s is tried", cmd.Name())
		for _, line := range args {
			var errs bytes.Buffer
			status := run(context.Background(), line, streams{in: strings.NewReader(""), out: brokenPipe{}, err: &errs})
			assert.Equal(t, exitOther, status, "%v", line)
			assert.Contains(t, errs.String(), os.ErrClosed.Error(), "%v", line)
		}
	}
}
