package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/policy"
	"github.com/rescore-app/rescore/internal/report"
	"github.com/rescore-app/rescore/internal/scorecard"
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

// writeDoubts says which ratings of the card at the end wait for a person: each step
// tells of a doubt once, and the card carries it on as an inferred rating. written
// tells that the card at the end is.
func writeDoubts(w io.Writer, start, end *scorecard.Card, written bool) error {
	var doubts []string
	for i := range end.Criteria {
		c := &end.Criteria[i]
		for j := range c.Mechanisms {
			for k := range c.Mechanisms[j].Parameters {
				p := &c.Mechanisms[j].Parameters[k]
				if p.Status == scorecard.Inferred && start.Criteria[i].Mechanisms[j].Parameters[k].Status != scorecard.Inferred {
					doubts = append(doubts, scorecard.ParameterName(c.ID, c.Mechanisms[j].Kind, p.ID))
				}
			}
		}
	}
	if len(doubts) == 0 {
		return nil
	}
	wait := "1 rating waits"
	if len(doubts) > 1 {
		wait = fmt.Sprintf("%d ratings wait", len(doubts))
	}
	_, err := fmt.Fprintf(w, "At the end %s for review, inferred since their evidence changed:\n  %s\n", wait, strings.Join(doubts, ", "))
	if err == nil && !written {
		_, err = fmt.Fprintln(w, "--out-card writes the card to settle them in.")
	}
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
