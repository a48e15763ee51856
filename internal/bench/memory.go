package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// sampling is the time between two looks at a process.
const sampling = time.Millisecond

// peakMemory runs a command and returns the most memory it held, in bytes, as it
// was last seen while the command ran. What the system itself reports at the end
// includes the process that started it. Where there is no /proc it is 0.
func peakMemory(ctx context.Context, dir string, argv ...string) (int64, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, environment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("%s: %w", argv[0], err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	tick := time.NewTicker(sampling)
	defer tick.Stop()
	var peak int64
	for {
		select {
		case err := <-done:
			if err != nil {
				return 0, fmt.Errorf("%s: %w: %s", argv[0], err, bytes.TrimSpace(stderr.Bytes()))
			}
			return peak, nil
		case <-tick.C:
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			if err == nil && bytes.HasPrefix(status, []byte("Name:\t"+shortName(argv[0])+"\n")) {
				peak = max(peak, highWater(string(status)))
			}
		}
	}
}

// shortName is how the system names the process once it runs the command; before
// that it is still this one.
func shortName(argv0 string) string {
	name := argv0[strings.LastIndexByte(argv0, '/')+1:]
	return name[:min(len(name), 15)]
}

// highWater reads the peak of resident memory from a process's status, in bytes.
func highWater(status string) int64 {
	for line := range strings.Lines(status) {
		rest, ok := strings.CutPrefix(line, "VmHWM:")
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
		if err != nil {
			return 0
		}
		return n << 10
	}
	return 0
}
