package report

import (
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report/escape"
)

// Notice is what the app says when there is no outcome to report: no scorecard,
// a policy or a card that cannot be used, work that could not be done. Its texts
// may quote a repository; they are escaped like everything else, and parts in
// single backticks are shown as code.
type Notice struct {
	Conclusion outcome.Conclusion // "" is neutral
	Title      string             // one line that names the fix
	Why        string             // one sentence
	Steps      []string           // what to do, one sentence each
	Excerpt    string             // lines of the file in question; "" for none
}

// maxExcerptLines bounds a notice's excerpt.
const maxExcerptLines = 30

// Check returns the notice as a check run, within GitHub's limits.
func (n Notice) Check(opts Options) CheckRun {
	c := n.Conclusion
	if c == "" {
		c = outcome.Neutral
	}
	title := escape.ClipBytes(visible(n.Title), MaxTitle)
	return CheckRun{
		Conclusion: c,
		Title:      title,
		Summary:    fit(n.sections("### "+escape.Markdown(title)+"\n"), MaxCheckText, wholeAt(opts)),
	}
}

// Comment returns the notice as the body of the comment.
func (n Notice) Comment(opts Options) string {
	head := "### Rescore: " + escape.Markdown(escape.ClipBytes(visible(n.Title), MaxTitle)) + "\n"
	if opts.Marker != "" {
		head = opts.Marker + "\n\n" + head
	}
	return fit(n.sections(head), MaxComment, wholeAt(opts))
}

func (n Notice) sections(head string) []section {
	out := []section{{head: head, keep: true}}
	if n.Why != "" {
		out = append(out, section{head: text(sentence(n.Why)) + "\n", keep: true})
	}
	steps := render(len(n.Steps), func(i int) string { return "- " + text(n.Steps[i]) })
	out = append(out, section{head: "**What to do**\n\n", lines: steps.lines, left: steps.left, noun: "step"})
	if lines := strings.Split(strings.TrimRight(n.Excerpt, "\n"), "\n"); n.Excerpt != "" {
		shown := appendBounded(nil, lines, maxExcerptLines, func(s string) string { return s })
		out = append(out, section{lines: []string{escape.Fence("", shown)}, noun: "excerpt"})
	}
	return out
}
