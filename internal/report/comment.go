package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/rubric"
)

// Options is what a report on GitHub needs beside the outcome. Its fields are
// set by the app and trusted; the outcome is not.
type Options struct {
	Marker     string // first line of a comment, an HTML comment; see Marker
	RepoURL    string // where permalinks lead; "" takes the outcome's own
	CardPath   string // where the committed card lies; "" when none is committed
	DetailsURL string // page that shows the whole; "" when there is none
	Commands   bool   // `/rescore` works where this is read
	// Notes are paragraphs of Markdown by the app itself, to show under the verdict.
	// Whatever they quote has passed package escape already.
	Notes []string
	// MaxAnnotations bounds a check's annotations; 0 takes DefaultMaxAnnotations.
	MaxAnnotations int
}

// Marker returns the hidden line by which the app knows its comment again. key
// is the app's own; anything but letters, digits and "=:._-/ " is left out.
func Marker(key string) string {
	clean := strings.Map(func(r rune) rune {
		if r < 0x80 && strings.ContainsRune("=:._/ ", r) || isAlnum(r) {
			return r
		}
		if r == '-' {
			return '_' // two hyphens in a row would end the comment
		}
		return -1
	}, key)
	return "<!-- rescore:" + strings.TrimSpace(clean) + " -->"
}

func isAlnum(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// Comment returns the body of the one comment on a pull request: marker,
// verdict, the changed criteria, the re-audit log, what was carried from where,
// and the rest by falling weight. It is at most MaxComment bytes long; details
// are cut first, the marker, the verdict and the table never.
func Comment(o *outcome.Outcome, opts Options) string {
	v := newView(o)
	m := newMD(v, opts.RepoURL)
	sections := []section{{head: commentHead(o, opts), keep: true}}
	sections = append(sections, m.mainSections(opts)...)
	sections = append(sections, m.detailSections()...)
	sections = append(sections, section{head: m.footer(), keep: true})
	return fit(sections, MaxComment, wholeAt(opts))
}

func commentHead(o *outcome.Outcome, opts Options) string {
	head := ""
	if opts.Marker != "" {
		head = opts.Marker + "\n\n"
	}
	return head + "### Rescore: " + escape.Markdown(checkTitle(o)) + "\n"
}

// mainSections are what a reader sees without opening anything. Reasons, table
// and steps are sure to stay.
func (m md) mainSections(opts Options) []section {
	shown, _ := m.brokenLines()
	log, noted := m.log(), m.groupLines(m.v.noted)
	return []section{
		{lines: paragraphs(opts.Notes), noun: "note"},
		{lines: m.reasons(), noun: "reason", keep: len(m.v.o.Reasons) > 0},
		{head: tableHead, lines: m.table(), tail: m.legend(), noun: "criterion", keep: len(m.v.rows) > 0},
		{head: "**Evidence that no longer holds**\n\n", lines: shown.lines, noun: "evidence item"},
		{head: "**" + notedHead + "**\n\n", lines: noted.lines, left: noted.left, noun: "note"},
		{head: "**What to do**\n\n", lines: m.next(opts), noun: "step", keep: len(m.v.next) > 0},
		{head: "**Re-audit log**\n\n", lines: log.lines, left: log.left, noun: "re-audit log entry"},
		{lines: m.unchanged(), noun: "summary line"},
	}
}

// detailSections are folded away, and cut first.
func (m md) detailSections() []section {
	_, more := m.brokenLines()
	return []section{
		folded("More evidence that no longer holds", more, "evidence item"),
		folded("What the card says of these ratings", m.findings(), "finding"),
		folded("The lines behind it", m.changes(), "excerpt"),
		folded("Evidence that moved and still holds", m.groupLines(m.v.moved), "moved evidence item"),
		folded("Changed lines that may bear on a criterion, cited nowhere", m.watch(), "watch signal"),
		folded("Places named in the card's prose", m.prose(), "place in prose"),
	}
}

// folded returns a section that opens on a click; summary is a constant of ours.
func folded(summary string, r rendered, noun string) section {
	return section{
		head:  fmt.Sprintf("<details><summary>%s (%d)</summary>\n\n", summary, r.count()),
		lines: r.lines,
		left:  r.left,
		tail:  "\n</details>\n",
		noun:  noun,
	}
}

// legend explains the marks that the table really uses.
func (m md) legend() string {
	linked := slices.ContainsFunc(m.v.rows, func(r row) bool {
		return slices.ContainsFunc(r.cells[:], func(c cell) bool { return c.evidence != nil && m.head.lines(*c.evidence) != "" })
	})
	var parts []string
	if m.v.review {
		parts = append(parts, reviewLegend)
	}
	if linked {
		parts = append(parts, "Linked levels lead to the evidence at "+code(short(m.v.o.Head))+".")
	}
	if len(parts) == 0 {
		return ""
	}
	return "\n<sub>" + strings.Join(parts, " ") + "</sub>\n"
}

// next lists the steps, with the commands where they work.
func (m md) next(opts Options) []string {
	out := prefixed("- ", m.v.next)
	if len(out) > 0 && opts.CardPath != "" {
		out = append(out, "- The card is "+code(opts.CardPath)+" on the base branch.")
	}
	if ids := m.v.askAgain(); opts.Commands && len(ids) > 0 {
		out = append(out, "- "+askWords(ids))
	}
	return out
}

// footer says what produced the report, so that it can be produced again.
func (m md) footer() string {
	o := m.v.o
	parts := []string{
		"Rescore " + text(o.Scorer.Version),
		"rubric " + text(o.Scorer.Rubric),
		"judges " + text(strings.Join(o.Scorer.Judges, ", ")),
		"band " + text(band(o)),
		code(short(o.Base)) + arrow + code(short(o.Head)),
		"card of " + code(short(o.CardCommit)) + text(reviewed(o)),
	}
	return "\n<sub>" + strings.Join(parts, " · ") + "</sub>\n"
}

// wholeAt says where what was cut can be read.
func wholeAt(opts Options) string {
	if opts.DetailsURL != "" {
		return "The whole is at " + opts.DetailsURL + "."
	}
	return "`rescore diff` on a clone shows the whole."
}

// paragraphs ends each text with an empty line.
func paragraphs(in []string) []string {
	out := make([]string, 0, len(in))
	for _, s := range in {
		out = append(out, strings.TrimRight(s, "\n")+"\n")
	}
	return out
}

// prefixed escapes the texts and puts the prefix before each.
func prefixed(prefix string, in []string) []string {
	out := make([]string, 0, len(in))
	for _, s := range in {
		out = append(out, prefix+text(s))
	}
	return out
}

// criterionName is the method's name of the criterion. The card's own is not
// used: it could say anything.
func criterionName(c *outcome.Criterion) string {
	head, _ := rubric.Head(c.ID)
	return head.Name
}
