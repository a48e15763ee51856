package testenv

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Environment variables that tell tests where inputs outside the module lie.
const (
	// SharedEnv names the directory with seeds, corpus and rubric facts.
	// Its default is "../shared", relative to the module root.
	SharedEnv = "RESCORE_SHARED"
	// MirrorsEnv names the directory with bare clones of scored repositories,
	// each at NAME/repo. Its default is "../.mirror", relative to the module root.
	MirrorsEnv = "RESCORE_MIRRORS"
)

// ModuleRoot returns the absolute path of the directory that holds go.mod.
func ModuleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("find module root: %v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("find module root: no go.mod in the working directory or above it")
		}
		dir = parent
	}
}

// Shared returns the absolute path of a file or directory among the shared
// inputs, for example "seeds/taskweaver.md". The test is skipped when it is absent.
func Shared(t testing.TB, rel string) string {
	t.Helper()
	return external(t, SharedEnv, filepath.Join("..", "shared"), rel)
}

// Mirror returns the absolute path of the bare git directory of a scored
// repository, for example "microsoft+TaskWeaver". The test is skipped when it is
// absent. The directory is read-only by agreement.
func Mirror(t testing.TB, name string) string {
	t.Helper()
	return external(t, MirrorsEnv, filepath.Join("..", ".mirror"), filepath.Join(name, "repo"))
}

// external finds rel below the directory that env names, or below fallback.
func external(t testing.TB, env, fallback, rel string) string {
	t.Helper()
	base := os.Getenv(env)
	if base == "" {
		base = fallback
	}
	if !filepath.IsAbs(base) {
		base = filepath.Join(ModuleRoot(t), base)
	}
	path := filepath.Join(base, filepath.FromSlash(rel))
	_, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.Skipf("%s not present; set %s to the directory that holds it", rel, env)
	case err != nil:
		t.Fatalf("look for %s: %v", rel, err)
	}
	return path
}

// ripgrepVersion is the ripgrep that searches are evaluated as, and its next releases
// print other lines.
const ripgrepVersion = "13."

// Ripgrep returns the path of the rg executable, the oracle for searches. The
// test is skipped when it is not installed, or when it is another version.
func Ripgrep(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("ripgrep not installed: differential test skipped; install ripgrep 13")
	}
	out, err := exec.CommandContext(t.Context(), path, "--version").Output()
	if err != nil {
		t.Fatalf("ask %s for its version: %v", path, err)
	}
	version, _, _ := strings.Cut(strings.TrimPrefix(string(out), "ripgrep "), "\n")
	if !strings.HasPrefix(version, ripgrepVersion) {
		t.Skipf("%s is ripgrep %s: differential test skipped; searches are evaluated as ripgrep 13 does", path, version)
	}
	return path
}
