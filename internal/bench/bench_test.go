package bench

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/judge"
	judgeevidence "github.com/rescore-app/rescore/internal/judge/evidence"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/testenv"
)

// What is measured is what is meant: the cards are valid and verify, the quiet
// commit is quiet, the other is not.
func TestSubject(t *testing.T) {
	ctx := context.Background()
	engine, err := rescore.NewEngine(rescore.Options{Version: "test", Judges: []judge.Judge{judgeevidence.Judge{}}})
	require.NoError(t, err)
	s, err := newSubject(ctx, Options{Dir: t.TempDir(), Engine: engine}, 200)
	require.NoError(t, err)
	defer s.close()
	tracked, err := s.output(ctx, "-C", s.Dir, "ls-tree", "-r", "--name-only", s.Base)
	require.NoError(t, err)
	assert.Len(t, strings.Split(tracked, "\n"), 200)
	for _, card := range []*scorecard.Card{s.narrow, s.wide} {
		assert.Empty(t, scorecard.Validate(card, scorecard.Strict))
		_, err := s.verify(card).run(ctx)
		require.NoError(t, err)
	}
	cost, err := s.expect(ctx)
	require.NoError(t, err)
	assert.Zero(t, cost.BlobsRead)
	assert.EqualValues(t, 1, cost.GitProcesses)
}

// The server answers what the bench asks of it, and its memory can be told.
func TestServing(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	engine, err := rescore.NewEngine(rescore.Options{Version: "test", Judges: []judge.Judge{judgeevidence.Judge{}}})
	require.NoError(t, err)
	o := Options{Dir: t.TempDir(), Engine: engine, Binary: filepath.Join(t.TempDir(), "rescore")}
	build := exec.CommandContext(ctx, "go", "build", "-o", o.Binary, "./cmd/rescore")
	build.Dir = testenv.ModuleRoot(t)
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	s, err := newSubject(ctx, o, 200)
	require.NoError(t, err)
	defer s.close()
	table := &Table{Sizes: []int{200}}
	require.NoError(t, serving(ctx, o, s, table, 0))
	require.Len(t, table.rows, 1)
	megabytes, err := strconv.Atoi(table.rows[0].cells[0])
	require.NoError(t, err)
	assert.Greater(t, megabytes, 10, "a Go program with SQLite holds more")
	assert.Less(t, megabytes, 150)
}

func TestCompareTakesMediansAndDropsTheFirstRound(t *testing.T) {
	times := []time.Duration{100, 1, 5, 3}
	n := 0
	c, err := compare(context.Background(), 3, job{"counted", func(context.Context) (Cost, error) {
		n++
		return Cost{Wall: times[n-1], CPU: 2 * times[n-1]}, nil
	}})
	require.NoError(t, err)
	assert.Equal(t, []Cost{{Wall: 3, CPU: 6}}, c)
}

func TestProcessesAreMeasured(t *testing.T) {
	ctx := context.Background()
	c, err := process("version", t.TempDir(), "git", "--version").run(ctx)
	require.NoError(t, err)
	assert.Positive(t, c.Wall)
	_, err = process("nonsense", t.TempDir(), "git", "no-such-command").run(ctx)
	assert.ErrorContains(t, err, "no-such-command", "what git says is kept")
	assert.EqualValues(t, 12<<10, highWater("Name:\tx\nVmHWM:\t      12 kB\n"))
}

func TestTable(t *testing.T) {
	table := &Table{Sizes: []int{10, 20}}
	table.ratio("a", "at most 2", 0, 30, 20)
	table.ratio("a", "at most 2", 1, 30, 0)
	table.set("b", "", 1, "x")
	var b bytes.Buffer
	require.NoError(t, table.Write(&b))
	assert.Equal(t, "| what | 10 files | 20 files | target |\n|---|---:|---:|---|\n| a | 1.5 | - | at most 2 |\n| b |  | x | - |\n", b.String())
}

// The floor does what it is there for, and links nothing that the program does not.
func TestFloors(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	run := func(name string, args ...string) string {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = testenv.ModuleRoot(t)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	dir, source := t.TempDir(), "./internal/bench/testdata/floor"
	f := Floors{Bare: filepath.Join(dir, "bare"), Linked: filepath.Join(dir, "linked")}
	run("go", "build", "-o", f.Bare, source)
	run("go", "build", "-tags", "linked", "-o", f.Linked, source)
	program := strings.Fields(run("go", "list", "-deps", "./cmd/rescore"))
	for _, library := range strings.Fields(run("go", "list", "-tags", "linked", "-f", `{{join .Imports " "}}`, source)) {
		assert.Contains(t, program, library)
	}

	repo, err := Generate(ctx, filepath.Join(dir, "repo"), 100)
	require.NoError(t, err)
	for _, binary := range []string{f.Bare, f.Linked} {
		cmd := exec.CommandContext(ctx, binary, repo.Base, repo.Quiet)
		cmd.Dir = repo.Dir
		out, err := cmd.Output()
		require.NoError(t, err)
		assert.Contains(t, string(out), "\x00"+quietFile+"\x00")
	}
	s := &subject{Repository: repo}
	assert.Len(t, s.floors(f), 2)
	assert.Empty(t, s.floors(Floors{}))
}
