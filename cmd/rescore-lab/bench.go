package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/rescore-app/rescore/internal/bench"
)

type benchFlags struct {
	binary, dir string
	floors      bench.Floors
	quick       bool
	rounds      int
}

func benchCommand() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench --rescore FILE",
		Short: "Measure what the engine costs, as ratios",
		Long: `Generates repositories of 1,000, 10,000 and 100,000 files and compares an
incremental rescore with git's own tree diff, with checking everything again, and with
a script that re-runs every check. Needs git and ripgrep, and about a gigabyte of disk.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runBench(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), f)
		},
	}
	cmd.Flags().StringVar(&f.binary, "rescore", "", "the built rescore command")
	cmd.Flags().StringVar(&f.floors.Bare, "floor", "", "the built floor program, to compare the quiet commit with")
	cmd.Flags().StringVar(&f.floors.Linked, "floor-linked", "", "the same with the server's libraries linked in")
	cmd.Flags().StringVar(&f.dir, "dir", "", "where the repositories are generated (default a temporary directory)")
	cmd.Flags().BoolVar(&f.quick, "quick", false, "leave the largest repository out")
	cmd.Flags().IntVar(&f.rounds, "rounds", 21, "runs of each thing, of which the median counts")
	_ = cmd.MarkFlagRequired("rescore")
	return cmd
}

func runBench(ctx context.Context, out, log io.Writer, f benchFlags) error {
	engine, err := newEngine()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(f.dir, "rescore-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	sizes := []int{1_000, 10_000, 100_000}
	if f.quick {
		sizes = sizes[:2]
	}
	for _, name := range []*string{&f.floors.Bare, &f.floors.Linked} {
		if *name != "" {
			*name = absolute(*name)
		}
	}
	t, err := bench.Run(ctx, bench.Options{Dir: dir, Binary: absolute(f.binary), Floors: f.floors, Engine: engine, Sizes: sizes, Rounds: f.rounds, Log: log})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, %s, %d cores\n\n", time.Now().UTC().Format(time.DateOnly), runtime.Version(), runtime.NumCPU())
	return t.Write(out)
}

// absolute makes the name good for a process that runs in another directory.
func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}
