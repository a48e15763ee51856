package cardfile

import (
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// Texts that reports and this package share.
const (
	defaultLabel = "default configuration"

	sectionGaps    = "## Critical gaps"
	sectionDetails = "## Criterion details"
	sectionTwo     = "## Rule-of-Two check"
	sectionFixes   = "## Highest-impact improvements"
	sectionLog     = "## Re-audit log"
	sectionLimits  = "## Limitations"

	tableHead = "| # | Criterion | S | C | D | B | Raw | Cap | Score | Confidence |"
	tableRule = "|---|---|---|---|---|---|---|---|---|---|"

	twoA    = "[A] untrusted input: "
	twoB    = " · [B] sensitive data/systems: "
	twoC    = " · [C] state change / egress: "
	twoSame = " · Same default session? "

	arrow       = " → "
	countedMark = " ← counted"
)

// form decides what a card alone does not: the style of each line, and which
// criteria with a single mechanism print a head for it.
type form interface {
	styleOf(k key) Style
	printsMechanism(criterion int) bool
}

// styleOf and printsMechanism make a Style the form of a new report.
func (s Style) styleOf(key) Style        { return s }
func (s Style) printsMechanism(int) bool { return false }

// renderer turns a card into the lines of a report. It is a pure function of the
// card and the form.
type renderer struct {
	form form
	card *scorecard.Card
	out  []line
	segs []seg

	// blank lines before the line with index mark in out
	pending, mark int
}

func render(card *scorecard.Card, f form) []line {
	r := &renderer{form: f, card: card, out: make([]line, 0, 256)}
	r.head()
	r.table()
	r.gaps()
	r.static(key{kind: kDetailsSection}, sectionDetails, 1)
	for i := range card.Criteria {
		r.criterion(&card.Criteria[i])
	}
	r.two()
	r.fixes()
	r.log()
	r.limits()
	return r.out
}

// lit adds literal text to the current line, field a piece that comes from the card.
func (r *renderer) lit(s string)          { r.segs = append(r.segs, seg{text: s}) }
func (r *renderer) field(t tag, s string) { r.segs = append(r.segs, seg{tag: t, text: s}) }

// end completes the current line; blank lines stand before it in a new report.
func (r *renderer) end(k key, blank int) {
	r.out = append(r.out, line{k, r.segs, blank})
	r.segs = nil
}

func (r *renderer) colon(k key) bool { return r.form.styleOf(k) == Colon }

// either adds one of two literal texts by the style of the line.
func (r *renderer) either(k key, dash, colon string) {
	if r.colon(k) {
		r.lit(colon)
		return
	}
	r.lit(dash)
}

// static is a line without fields.
func (r *renderer) static(k key, text string, blank int) {
	r.lit(text)
	r.end(k, blank)
}

// labelled is a line of the head, "**Label:** text".
func (r *renderer) labelled(kd kind, label, text string) {
	r.lit("**" + label + ":** ")
	r.field(tText, oneLine(text))
	r.end(key{kind: kd}, 0)
}

func (r *renderer) head() {
	c := r.card
	k := key{kind: kTitle}
	r.either(k, "# Defense-in-Depth Score: ", "# Defense-in-depth score: ")
	r.field(tName, oneLine(c.Name))
	r.end(k, 0)

	r.lit("**Repo:** ")
	r.field(tURL, c.RepoURL)
	if c.Subpath != "" {
		r.lit(" (`")
		r.field(tSubpath, c.Subpath)
		r.lit("`)")
	}
	r.lit(" · **Commit:** `")
	r.field(tCommit, c.PinnedCommit)
	r.lit("`")
	if c.Version != "" {
		r.lit(" (")
		r.field(tVersion, oneLine(c.Version))
		r.lit(")")
	}
	r.lit(" · **Reviewed:** ")
	r.field(tDate, c.ScoredDate)
	r.end(key{kind: kRepo}, 1)

	r.labelled(kAbout, "What it is", c.Description)
	r.labelled(kCategory, "Category", categoryLabel(c.Category))
	r.labelled(kConfiguration, "Scored configuration", c.ScoredConfiguration)
	r.lit("**Agent surface (default):**")
	for i, p := range c.Profile {
		if i > 0 {
			r.lit(" ·")
		}
		r.lit(" ")
		r.field(tName, capabilityName(p.ID))
		r.lit(" ")
		r.field(tValue, capabilityLabel(p.Value))
	}
	r.end(key{kind: kSurface}, 0)
}

func (r *renderer) table() {
	total := r.card.Total()
	r.lit("## Score: ")
	r.field(tFigure, scorecard.Format1(total))
	r.lit(" / 10.0 (")
	r.field(tBand, scorecard.BandOf(total).Label)
	r.lit(")")
	r.end(key{kind: kScore}, 1)
	r.static(key{kind: kTableHead}, tableHead, 1)
	r.static(key{kind: kTableRule}, tableRule, 0)
	for i := range r.card.Criteria {
		r.row(&r.card.Criteria[i])
	}
	blank := 2
	if a := r.card.Applicable(); a.Absent > 0 {
		r.field(tText, a.String())
		r.end(key{kind: kApplicable}, 1)
		blank = 1
	}
	for i, l := range textLines(r.card.Headline) {
		r.field(tText, l)
		r.end(key{kind: kHeadline, a: i}, blank)
		blank = 0
	}
}

func (r *renderer) row(c *scorecard.Criterion) {
	k := key{kind: kRow, a: criterionNumber(c.ID)}
	r.lit("| " + c.ID + " | ")
	r.field(tName, oneLine(c.Name))
	levels, raw, mark := [4]string{"SA", "SA", "SA", "SA"}, c.Score(), " (SA)"
	if m := c.Counted(); m != nil && !c.Absent() {
		raw, mark = m.Raw(), ""
		for i, p := range m.Parameters {
			levels[i] = p.LevelString()
		}
		if m.Kind == scorecard.Alt {
			mark = " (alt)"
		}
	}
	for _, level := range levels {
		r.lit(" | ")
		r.field(tCell, level)
	}
	r.lit(" | ")
	r.field(tFigure, scorecard.Format2(raw))
	r.lit(" | ")
	if limit, _, ok := c.EffectiveCap(); ok {
		r.field(tCap, limit.ID)
	} else if r.colon(k) {
		r.field(tCap, "none")
	} else {
		r.field(tCap, "—")
	}
	r.lit(" | ")
	r.field(tScoreCell, "**"+scorecard.Format2(c.Score())+"**"+mark)
	r.lit(" | ")
	confidence := string(c.Confidence())
	r.field(tConfidence, strings.ToUpper(confidence[:1])+confidence[1:])
	r.lit(" |")
	r.end(k, 0)
}

func (r *renderer) gaps() {
	r.static(key{kind: kGapsSection}, sectionGaps, 1)
	if len(r.card.CriticalGaps) == 0 {
		r.static(key{kind: kNoGap}, "- None: no criterion owes one at this commit.", 0)
	}
	for i, g := range r.card.CriticalGaps {
		k := key{kind: kGap, a: i}
		r.lit("- ")
		r.field(tText, oneLine(g.Summary))
		r.lit(" (")
		r.field(tOWASP, strings.Join(g.OWASP, ", "))
		r.lit("; ")
		r.field(tCriterion, g.Criterion)
		r.lit(")")
		if len(g.Evidence) > 0 {
			r.either(k, " — ", ". Evidence: ")
			r.evidence(g.Evidence)
		}
		r.end(k, 0)
	}
}

// criterionNumber returns 4 for "C4", and 0 for anything else.
func criterionNumber(id string) int {
	if len(id) < 2 || id[0] != 'C' || id[1] == '0' {
		return 0
	}
	n, err := strconv.Atoi(id[1:])
	if err != nil || n < 1 || n > scorecardCriteria {
		return 0
	}
	return n
}

// scorecardCriteria is the number of criteria of a card.
const scorecardCriteria = 10
