package main

import (
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
	_, err := w.Write(report.JSONLine(o))
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
