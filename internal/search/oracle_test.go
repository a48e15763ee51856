package search_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/shell"

	"github.com/rescore-app/rescore/internal/testenv"
)

// oracle is the real ripgrep in a checkout.
type oracle struct {
	rg, dir string
	env     []string
}

func newOracle(t testing.TB, dir string) *oracle {
	t.Helper()
	return &oracle{rg: testenv.Ripgrep(t), dir: dir, env: testenv.GitEnv(t)}
}

// run runs the command the way the count of an evidence search is defined: with
// the scope paths that exist and that the command does not have appended. ok is
// false when no scope path exists, and fatal when ripgrep refused the command.
func (o *oracle) run(t testing.TB, command, scope string) (out string, ok, fatal bool) {
	t.Helper()
	words, err := shell.Fields(command, func(string) string { return "" })
	require.NoError(t, err, command)
	clean := func(p string) string { return filepath.Clean(p) }
	ok = strings.TrimSpace(scope) == ""
	for _, p := range strings.Fields(scope) {
		if _, err := os.Stat(o.dir + "/" + p); err != nil {
			continue
		}
		ok = true
		named := false // on the command line, not as the value of a flag
		for i, w := range words[1:] {
			named = named || clean(w) == clean(p) && !strings.HasSuffix(words[i], "glob") && words[i] != "-g"
		}
		if !named {
			words = append(words, p)
		}
	}
	if !ok {
		return "", false, false
	}
	cmd := exec.Command(o.rg, words[1:]...)
	cmd.Dir, cmd.Env = o.dir, o.env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	code := cmd.ProcessState.ExitCode()
	return stdout.String(), true, code > 2 || code == 2 && !benign(stderr.String())
}

// benign reports whether ripgrep only complained of files and ignore files, and
// searched all the same.
func benign(stderr string) bool {
	for l := range strings.Lines(stderr) {
		known := false
		for _, part := range []string{"No such file", "Not a directory", "error parsing glob", "No files were searched", "Running with --debug", "stream did not contain valid UTF-8"} {
			known = known || strings.Contains(l, part)
		}
		if !known {
			return false
		}
	}
	return true
}

// nonBlank are the lines that count.
func nonBlank(out string) []string {
	var kept []string
	for l := range strings.SplitSeq(out, "\n") {
		if strings.TrimSpace(l) != "" {
			kept = append(kept, l)
		}
	}
	return kept
}
