package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/policy"
	"github.com/rescore-app/rescore/internal/report"
)

// writeStep prints the outcome of one step on one line.
func writeStep(w io.Writer, format string, o *outcome.Outcome) error {
	policy.Default().Apply(o, time.Now())
	if format != "jsonl" {
		_, err := fmt.Fprintf(w, "%.12s  %s\n", o.Head, o.Title)
		return err
	}
	data, err := report.JSON(o)
	if err != nil {
		return fmt.Errorf("format the outcome: %w", err)
	}
	var line bytes.Buffer
	if err := json.Compact(&line, data); err != nil {
		return fmt.Errorf("format the outcome: %w", err)
	}
	line.WriteByte('\n')
	_, err = w.Write(line.Bytes())
	return err
}

// progress returns a bar on the writer when it is a terminal, else a silent one.
func progress(w io.Writer, steps int) *progressbar.ProgressBar {
	if !isTerminal(w) {
		return progressbar.DefaultSilent(int64(steps))
	}
	return progressbar.NewOptions(steps, progressbar.OptionSetWriter(w), progressbar.OptionShowCount(),
		progressbar.OptionSetDescription("rescoring"), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
}
