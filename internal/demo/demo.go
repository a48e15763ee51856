package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rescore-app/rescore/testdata"
)

// Options say how the demo is shown.
type Options struct {
	Out io.Writer // what was published
	Err io.Writer // progress
	// Once ends the demo when the pull requests are answered, with an error when
	// an answer is not what the change deserves. Otherwise it stays until ctx ends.
	Once    bool
	Listen  string // address of the local page; "" is 127.0.0.1:0
	Color   bool   // Out takes colours
	Width   int    // columns of Out; 0 takes 100
	Version string // of the program, shown in what the app publishes
}

// patience is how long one answer of the app may take. It takes a second; the rest
// is for machines that are busy with something else.
const patience = time.Minute

// Run plays the demo. It returns ctx's error when ctx ends first.
func Run(ctx context.Context, opts Options) (err error) {
	history, err := testdata.Heron()
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	dir, err := os.MkdirTemp("", "rescore-demo-")
	if err != nil {
		return fmt.Errorf("demo: make a directory for it: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	w := &writer{out: opts.Out, err: opts.Err, color: opts.Color, width: widthFor(opts.Width)}
	w.progress("Starting a GitHub on loopback with %s, and Rescore's app beside it.", history.FullName())
	st, err := raise(ctx, dir, history, opts.Version)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer func() { err = errors.Join(err, st.close()) }()
	url, stopPage, err := startPage(listenOr(opts.Listen), &page{hub: st.hub, intro: history.Description + "."})
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer stopPage()
	if !opts.Once { // else the page is gone before anybody has opened it
		w.progress("The same on a page: %s", url)
	}

	if err := play(ctx, st, history, w); err != nil {
		return fmt.Errorf("demo: %w", st.explain(err))
	}
	if opts.Once {
		if err := checkPage(ctx, url, st.numbers()); err != nil {
			return err
		}
		w.progress("All %d pull requests were answered as they should be. Without --once the demo stays, with the same on a page.", len(history.Pulls))
		return nil
	}
	w.progress("Everything above is on %s until you press Ctrl-C.", url)
	<-ctx.Done()
	return ctx.Err()
}

func listenOr(addr string) string {
	if addr == "" {
		return "127.0.0.1:0"
	}
	return addr
}

// play opens the pull requests one after the other, shows the answers, and lets a
// person ask for one more look. It returns what was wrong with the answers.
func play(ctx context.Context, st *stage, history *testdata.History, w *writer) error {
	run, err := st.baseline(ctx)
	if err != nil {
		return err
	}
	w.branch(history.DefaultBranch, run)
	var wrong []error
	for _, p := range history.Pulls {
		w.progress("%s opens a pull request: %s.", p.Author, p.Title)
		began := time.Now()
		a, err := st.open(ctx, p)
		if err != nil {
			return err
		}
		w.progress("Answered after %s.", time.Since(began).Round(time.Millisecond))
		w.answer(a)
		if err := judge(p.Expect, a); err != nil {
			wrong = append(wrong, fmt.Errorf("pull request %q: %w", p.Title, err))
		}
	}
	first := history.Pulls[0]
	w.progress("%s comments /rescore C2 on the first.", first.Author)
	c, err := st.command(ctx, 1, first.Author, "/rescore C2")
	if err != nil {
		return err
	}
	w.command(c)
	return errors.Join(wrong...)
}
