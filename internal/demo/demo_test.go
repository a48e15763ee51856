package demo

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/testenv"
)

// The whole demo, as `rescore demo --once` plays it: Run itself fails when an
// answer is not what the pull request deserves.
func TestDemoOnce(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var out, progress bytes.Buffer
	require.NoError(t, Run(ctx, Options{Out: &out, Err: &progress, Once: true, Version: "v0.0.0-test", Width: 100}), "%s", progress.String())
	t.Logf("%s\n%s", progress.String(), out.String())
	for _, want := range []string{
		"#1 Make approvals quieter", "Rescore: failure", "C2 S fell from L3 to L2",
		"#2 Tidy the modules", "Rescore: success", "5.0 holds",
		"#3 Harden the sandbox", "Rescore: neutral", "C4 may have improved",
		"/rescore C2", "reacted with +1",
	} {
		assert.Contains(t, out.String(), want)
	}
	assert.NotContains(t, out.String(), "\x1b", "no colour was asked for")
	for _, line := range readmeSample(t) {
		assert.Contains(t, out.String(), line, "README.md shows what the demo does not say")
	}
	assert.NotContains(t, progress.String(), "http://127.0.0.1:", "a page that is gone")
	assert.Contains(t, progress.String(), "All 3 pull requests were answered as they should be.")
}

// readmeSample returns the lines that README.md shows of the demo.
func readmeSample(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(t), "README.md"))
	require.NoError(t, err)
	text, _, ok := strings.Cut(string(data), "## Quick start")
	require.True(t, ok)
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if sample, ok := strings.CutPrefix(line, "    "); ok {
			out = append(out, sample)
		}
	}
	require.Greater(t, len(out), 10)
	return out
}
