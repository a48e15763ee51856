package bench

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// Cost is what one run of something took.
type Cost struct {
	Wall, CPU time.Duration
}

// job is something that is measured.
type job struct {
	name string
	run  func(ctx context.Context) (Cost, error)
}

// compare runs the jobs in turn, n times each, so that whatever else the machine
// does falls on all of them alike, and returns each job's medians. The first round
// warms the caches and is not counted.
func compare(ctx context.Context, n int, jobs ...job) ([]Cost, error) {
	all := make([][]Cost, len(jobs))
	for round := range n + 1 {
		for i, j := range jobs {
			c, err := j.run(ctx)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", j.name, err)
			}
			if round > 0 {
				all[i] = append(all[i], c)
			}
		}
	}
	out := make([]Cost, len(jobs))
	for i, costs := range all {
		out[i] = Cost{
			Wall: median(costs, func(c Cost) time.Duration { return c.Wall }),
			CPU:  median(costs, func(c Cost) time.Duration { return c.CPU }),
		}
	}
	return out, nil
}

func median(costs []Cost, of func(Cost) time.Duration) time.Duration {
	values := make([]time.Duration, len(costs))
	for i, c := range costs {
		values[i] = of(c)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// process measures a command from start to end, with what it starts itself.
// Status 1 of ripgrep is an answer, not a failure: it found nothing.
func process(name string, dir string, argv ...string) job {
	return job{name, func(ctx context.Context) (Cost, error) { return runProcess(ctx, dir, argv) }}
}

func runProcess(ctx context.Context, dir string, argv []string) (Cost, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, environment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	c := Cost{Wall: time.Since(start)}
	if err != nil && (argv[0] != "rg" || cmd.ProcessState.ExitCode() != 1) {
		return c, fmt.Errorf("%s: %w: %s", argv[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	c.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return c, nil
}

// script measures several commands, one after another, as one.
func script(name, dir string, commands [][]string) job {
	return job{name, func(ctx context.Context) (Cost, error) {
		var sum Cost
		for _, argv := range commands {
			c, err := runProcess(ctx, dir, argv)
			if err != nil {
				return sum, err
			}
			sum.Wall += c.Wall
			sum.CPU += c.CPU
		}
		return sum, nil
	}}
}

// inside measures work in this process: its own CPU, children not counted. The
// work is repeated so often that the clock of the CPU can tell.
func inside(name string, times int, work func(ctx context.Context) error) job {
	return job{name, func(ctx context.Context) (Cost, error) {
		cpu, start := ownCPU(), time.Now()
		for range times {
			if err := work(ctx); err != nil {
				return Cost{}, err
			}
		}
		return Cost{Wall: time.Since(start) / time.Duration(times), CPU: (ownCPU() - cpu) / time.Duration(times)}, nil
	}}
}

// ownCPU is the time that this process has spent so far; 0 where that cannot be
// told.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
