package bench

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/rescore-app/rescore/internal/rescore"
)

// Options say what to measure with.
type Options struct {
	Dir    string // for the generated repositories; emptied by the caller
	Binary string // the built rescore command
	Floors Floors
	Engine *rescore.Engine
	Sizes  []int // numbers of files, ascending
	Rounds int   // runs of each thing, of which the median counts
	Log    io.Writer
}

// Floors are the two builds of testdata/floor, a program that only runs git; "" leaves
// its row out.
type Floors struct{ Bare, Linked string }

// Repetitions inside one round of work in this process, and rounds of work that
// takes seconds.
const (
	repeatQuiet = 20
	repeatFive  = 5
	slowRounds  = 3
)

// Run measures everything and returns the table.
func Run(ctx context.Context, o Options) (*Table, error) {
	t := &Table{Sizes: o.Sizes}
	var subjects []*subject
	defer func() {
		for _, s := range subjects {
			s.close()
		}
	}()
	for _, n := range o.Sizes {
		fmt.Fprintf(o.Log, "generating %d files\n", n)
		s, err := newSubject(ctx, o, n)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, s)
	}
	for i, s := range subjects {
		fmt.Fprintf(o.Log, "measuring on %d files\n", s.Files)
		for _, part := range []func(context.Context, Options, *subject, *Table, int) error{quiet, five, wide, serving} {
			if err := part(ctx, o, s, t, i); err != nil {
				return nil, fmt.Errorf("%d files: %w", s.Files, err)
			}
		}
	}
	fmt.Fprintln(o.Log, "measuring growth")
	return t, growth(ctx, o, subjects, t)
}

// quiet measures a commit that touches no evidence.
func quiet(ctx context.Context, o Options, s *subject, t *Table, at int) error {
	cost, err := s.expect(ctx)
	if err != nil {
		return err
	}
	floors, jobs := s.floors(o.Floors), []job{s.command(s.narrowFile, s.Quiet), s.diffTree(s.Quiet),
		process("program start", s.Dir, s.binary, "version"), s.inside(repeatQuiet, s.narrow, s.Quiet)}
	first := len(jobs)
	for _, f := range floors {
		jobs = append(jobs, f.job)
	}
	c, err := compare(ctx, o.Rounds, jobs...)
	if err != nil {
		return err
	}
	t.ratio("quiet commit, command: wall, times `git diff-tree`", "at most 2.5", at, c[0].Wall, c[1].Wall)
	t.ratio("quiet commit, command: CPU, times `git diff-tree`", "", at, c[0].CPU, c[1].CPU)
	for i, f := range floors {
		t.ratio(f.row, "", at, c[first+i].Wall, c[1].Wall)
	}
	t.ratio("start of the program alone: CPU, times `git diff-tree`", "", at, c[2].CPU, c[1].CPU)
	t.set("quiet commit, in process: own CPU, ms", "under 1", at, milliseconds(c[3].CPU))
	t.set("quiet commit: blobs read, git processes", "0, 1", at, fmt.Sprintf("%d, %d", cost.BlobsRead, cost.GitProcesses))
	return s.memory(ctx, t, at, "quiet commit, command: peak memory, MB", s.narrowFile, s.Quiet)
}

// five measures a commit of five files, four of them cited, with searches over the
// directory they are in.
func five(ctx context.Context, o Options, s *subject, t *Table, at int) error {
	everything := append(citationCommands(s.narrow, s.Five), searchCommands(s.narrow, "agent")...)
	c, err := compare(ctx, max(o.Rounds/3, slowRounds), s.command(s.narrowFile, s.Five), s.diffTree(s.Five), s.inside(repeatFive, s.narrow, s.Five),
		s.verify(s.narrow), script("script", s.Dir, everything))
	if err != nil {
		return err
	}
	t.ratio("five files, command: wall, times `git diff-tree`", "", at, c[0].Wall, c[1].Wall)
	t.ratio("script of `git show` and `rg`: wall, times the command", "", at, c[4].Wall, c[0].Wall)
	t.ratio("script of `git show` and `rg`: CPU, times the command", "", at, c[4].CPU, c[0].CPU)
	t.ratio("full verification: wall, times five files, in process", "", at, c[3].Wall, c[2].Wall)
	t.ratio("full verification: own CPU, times five files, in process", "", at, c[3].CPU, c[2].CPU)
	return nil
}

// wide measures the same commit with ten searches over the whole tree.
func wide(ctx context.Context, o Options, s *subject, t *Table, at int) error {
	c, err := compare(ctx, slowRounds, s.command(s.wideFile, s.Five), s.inside(repeatFive, s.wide, s.Five),
		script("rg", s.Dir, searchCommands(s.wide, ".")))
	if err != nil {
		return err
	}
	t.ratio("ten searches of the whole tree with `rg`: wall, times five files in process", "at least 50 at 100,000", at, c[2].Wall, c[1].Wall)
	t.ratio("ten searches of the whole tree with `rg`: wall, times the command", "", at, c[2].Wall, c[0].Wall)
	t.ratio("ten searches of the whole tree with `rg`: CPU, times the command", "", at, c[2].CPU, c[0].CPU)
	return s.memory(ctx, t, at, "five files, searches of the whole tree, command: peak memory, MB", s.wideFile, s.Five)
}

// memory measures how much the command holds at its largest.
func (s *subject) memory(ctx context.Context, t *Table, at int, name, card, head string) error {
	n, err := peakMemory(ctx, s.Dir, s.argv(card, head)...)
	if err != nil {
		return err
	}
	t.set(name, "no growth", at, fmt.Sprintf("%.0f", float64(n)/1e6))
	return nil
}

// growth measures the commit of five files on all repositories in turn.
func growth(ctx context.Context, o Options, subjects []*subject, t *Table) error {
	var commands, works []job
	for _, s := range subjects {
		commands = append(commands, s.command(s.narrowFile, s.Five))
		works = append(works, s.inside(repeatFive, s.wide, s.Five))
	}
	c, err := compare(ctx, o.Rounds, append(commands, works...)...)
	if err != nil {
		return err
	}
	for i := range subjects {
		n := len(subjects)
		t.ratio("five files, command: wall, times the smallest repository", "at most 1.2", i, c[i].Wall, c[0].Wall)
		t.ratio("five files, command: CPU, times the smallest repository", "at most 1.2", i, c[i].CPU, c[0].CPU)
		t.ratio("five files, searches of the whole tree, in process: wall, times the smallest", "at most 1.2", i, c[n+i].Wall, c[n].Wall)
		t.ratio("five files, searches of the whole tree, in process: own CPU, times the smallest", "at most 1.2", i, c[n+i].CPU, c[n].CPU)
	}
	return nil
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f", float64(d)/float64(time.Millisecond))
}
