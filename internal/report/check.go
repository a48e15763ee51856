package report

import (
	"fmt"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report/escape"
)

// CheckRun is the content of a check run, within GitHub's limits.
type CheckRun struct {
	Conclusion  outcome.Conclusion
	Title       string // plain text, at most MaxTitle bytes
	Summary     string // Markdown, at most MaxCheckText bytes
	Text        string // Markdown, at most MaxCheckText bytes; "" when there is nothing to add
	Annotations []Annotation
}

// Annotation is a note at lines of a file at head. Its texts are plain.
type Annotation struct {
	Path       string
	StartLine  int
	EndLine    int
	Level      AnnotationLevel
	Title      string // at most MaxTitle bytes
	Message    string // at most MaxAnnotationText bytes
	RawDetails string // likewise; "" when there is nothing to add
}

// AnnotationLevel is how loud an annotation is.
type AnnotationLevel string

// The levels used. None is "failure": whether a check fails is the policy's word.
const (
	LevelNotice  AnnotationLevel = "notice"
	LevelWarning AnnotationLevel = "warning"
)

// Check returns the content of the check run. The summary holds the verdict, the
// table of changed criteria and the re-audit log; the text holds the evidence.
func Check(o *outcome.Outcome, opts Options) CheckRun {
	v := newView(o)
	m := newMD(v, opts.RepoURL)
	notes, more := annotations(v, opts.MaxAnnotations)
	title := checkTitle(o)
	summary := []section{{head: "### " + escape.Markdown(title) + "\n", keep: true}}
	summary = append(summary, m.mainSections(opts)...)
	if more > 0 {
		summary = append(summary, section{keep: true, head: fmt.Sprintf("%s beyond the annotated ones: see the evidence in the text.\n", plural(more, "place"))})
	}
	summary = append(summary, section{head: m.footer(), keep: true})
	run := CheckRun{
		Conclusion:  o.Conclusion,
		Title:       title,
		Summary:     fit(summary, MaxCheckText, wholeAt(opts)),
		Annotations: notes,
	}
	if text := fit(m.detailSections(), MaxCheckText, wholeAt(opts)); strings.TrimSpace(text) != "" {
		run.Text = text
	}
	return run
}

// checkTitle is plain text: GitHub shows it as it is.
func checkTitle(o *outcome.Outcome) string {
	return escape.ClipBytes(visible(verdict(o)), MaxTitle)
}
