package demo

import (
	"fmt"
	"io"
	"strings"

	"github.com/rescore-app/rescore/internal/standin"
)

const (
	widthLeast   = 60
	widthMost    = 120
	widthDefault = 100
)

// widthFor is the width asked for, in sensible bounds.
func widthFor(asked int) int {
	if asked <= 0 {
		return widthDefault
	}
	return min(max(asked, widthLeast), widthMost)
}

// writer shows the demo in a terminal.
type writer struct {
	out, err io.Writer
	color    bool
	width    int
}

// progress says what happens, apart from what was published.
func (w *writer) progress(format string, args ...any) {
	fmt.Fprintf(w.err, format+"\n", args...)
}

// looks gives a conclusion its colour.
func looks(conclusion string) style {
	switch conclusion {
	case "success":
		return good
	case "failure":
		return bad
	}
	return open
}

// branch shows the check of a branch.
func (w *writer) branch(name string, run standin.CheckRun) {
	w.rule()
	w.line(span{name, bold})
	w.line()
	w.check(run)
	w.line()
}

func (w *writer) check(run standin.CheckRun) {
	w.line(span{"check    ", faint}, span{run.Name + ": ", plain}, span{run.Conclusion, bold | looks(run.Conclusion)})
	w.block("         ", wrap([]span{{run.Title, plain}}, w.width-9))
}

// answer shows a check run and a comment.
func (w *writer) answer(a answer) {
	w.rule()
	w.line(span{fmt.Sprintf("#%d %s", a.Pull.Number, a.Pull.Title), bold}, span{" by " + a.Pull.User, faint})
	w.line()
	w.check(a.Run)
	w.line(span{"comment  ", faint}, span{a.Comment.User, plain})
	w.line()
	w.block("  │ ", terminalLines(a.Comment.Body, w.width-4))
	w.line()
}

// command shows a person's command and what came of it.
func (w *writer) command(e exchange) {
	w.rule()
	w.line(span{e.Said.User, plain}, span{" said ", faint}, span{e.Said.Body, code})
	for _, r := range e.Said.Reactions {
		who, content, _ := strings.Cut(r, " ")
		w.line(span{"  " + who, plain}, span{" reacted with ", faint}, span{content, plain})
	}
	w.line(span{"  check ", faint}, span{e.Run.Conclusion, bold | looks(e.Run.Conclusion)}, span{": " + e.Run.Title, plain})
	w.line()
}

func (w *writer) rule() { w.line(span{strings.Repeat("━", w.width), faint}) }

func (w *writer) line(spans ...span) { fmt.Fprintln(w.out, paint(spans, w.color)) }

func (w *writer) block(prefix string, lines [][]span) {
	for _, l := range lines {
		text := paint(append([]span{{prefix, faint}}, l...), w.color)
		fmt.Fprintln(w.out, strings.TrimRight(text, " "))
	}
}
