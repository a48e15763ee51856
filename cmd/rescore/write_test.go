package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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
		"version": {
			{"version"}, {"--version"}, {}, {"help"}, {"--help"}, {"help", "diff"}, {"diff", "--help"}, {"completion", "bash"}, // and what cobra brings
		},
		"demo":  {{"demo", "--once"}},
		"serve": nil, // has no result
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

// What is no ordinary file is written to and stays what it is; a link goes on leading
// to its file; a file keeps its mode.
func TestOutputStaysWhatItIs(t *testing.T) {
	c := newClone(t)
	dir := t.TempDir()
	lines := func(out string) [][]string {
		return [][]string{
			{"import", c.card, "-o", out}, {"render", "--card", c.card, "--format", "json", "-o", out},
			c.args("diff", "--head", "HEAD", "--out-card", out), c.args("replay", "--from", "HEAD", "--to", "HEAD", "--out-card", out),
		}
	}
	pipe, file, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "card.json"), filepath.Join(dir, "link.json")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Symlink("card.json", link))
	for _, line := range lines(pipe) {
		read := make(chan []byte)
		go func() {
			data, _ := os.ReadFile(pipe)
			read <- data
		}()
		require.Equal(t, exitOK, cli(t, line...).status, "%v", line)
		assert.Contains(t, string(<-read), `"schema_version"`, "%v", line)
		info, err := os.Lstat(pipe)
		require.NoError(t, err)
		assert.NotZero(t, info.Mode()&os.ModeNamedPipe, "%v", line)
	}
	for _, line := range lines(link) {
		require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
		require.Equal(t, exitOK, cli(t, line...).status, "%v", line)
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(data), `"schema_version"`, "%v", line)
		to, err := os.Readlink(link)
		require.NoError(t, err)
		assert.Equal(t, "card.json", to, "%v", line)
		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode(), "%v", line)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 3, "nothing else was made")
}

func TestOutputThroughALinkToNothing(t *testing.T) {
	c := newClone(t)
	link := filepath.Join(t.TempDir(), "link.json")
	require.NoError(t, os.Symlink("nowhere.json", link))
	r := cli(t, "import", c.card, "-o", link)
	assert.Equal(t, exitInput, r.status)
	assert.Contains(t, r.err, "it is a link that leads nowhere")
}

// The name that leads to standard output is standard output, also where that is a file.
func TestOutputToStandardOutput(t *testing.T) {
	c := newClone(t)
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer out.Close()
	var errs bytes.Buffer
	status := run(context.Background(), []string{"import", c.card, "-o", out.Name()}, streams{in: strings.NewReader(""), out: out, err: &errs})
	require.Equal(t, exitOK, status, errs.String())
	at, err := out.Seek(0, io.SeekCurrent)
	require.NoError(t, err)
	assert.NotZero(t, at, "it was written through the open file")
}
