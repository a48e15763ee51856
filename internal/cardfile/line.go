package cardfile

import (
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// kind is what a line of a report is.
type kind uint8

// The kinds of line, in no particular order. The zero kind is a line that is not
// understood, or blank.
const (
	kUnknown kind = iota
	kTitle
	kRepo
	kAbout
	kCategory
	kConfiguration
	kSurface
	kScore
	kTableHead
	kTableRule
	kRow
	kApplicable
	kHeadline
	kGapsSection
	kGap
	kNoGap
	kDetailsSection
	kCriterion
	kSummary
	kMechanism
	kParameter
	kNext
	kCap
	kNotes
	kAbsence
	kTwoSection
	kTwo
	kFixesSection
	kFix
	kNoFix
	kLogSection
	kLog
	kNoLog
	kLimitsSection
	kLimit
	kinds // how many there are
)

// key names one line of a report. a, b and c number the criterion, mechanism and
// parameter, or the entry of a list, whichever the kind has.
type key struct {
	kind    kind
	a, b, c int
}

// place names the line for a reader.
func (k key) place() string {
	criterion := "C" + strconv.Itoa(k.a)
	switch k.kind {
	case kRow:
		return criterion + " in the table"
	case kCriterion:
		return criterion
	case kMechanism, kAbsence:
		return criterion + " mechanism"
	case kCap:
		return criterion + " cap"
	case kNotes:
		return criterion + " notes"
	case kParameter, kNext:
		mechanism := []scorecard.MechanismKind{scorecard.Default, scorecard.Alt}[min(k.b, 1)]
		place := criterion + " " + string(mechanism) + " " + string(scorecard.ParameterIDs[k.c])
		if k.kind == kNext {
			return place + " next level"
		}
		return place
	}
	return "this line"
}

// tag is the meaning of a piece of a line that comes from the card.
type tag uint8

// The tags. Text that is not from the card has none.
const (
	tNone tag = iota
	tText
	tIndent
	tURL
	tSubpath
	tCommit
	tVersion
	tDate
	tName
	tValue
	tFigure
	tBand
	tCell
	tScoreCell
	tConfidence
	tOWASP
	tCriterion
	tParameter
	tLevel
	tLevelTo
	tStatus
	tCap
	tNoCap
	tReason
	tMark
	tFile
	tLines
	tLinkBase
	tLinkCommit
	tLinkPath
	tLinkLines
	tNote
	tCommand
	tScope
	tHits
	tOrdinal
	tPlaybook
)

// seg is a piece of a line that we write: literal text, or a field of the card.
type seg struct {
	tag  tag
	text string
}

// line is a line of a report as we would write it.
type line struct {
	key   key
	segs  []seg
	blank int // blank lines before it in a report of our own
}

func (l line) String() string {
	var b strings.Builder
	for _, s := range l.segs {
		b.WriteString(s.text)
	}
	return b.String()
}

func (l line) equal(m line) bool {
	if len(l.segs) != len(m.segs) {
		return l.String() == m.String()
	}
	for i := range l.segs {
		if l.segs[i] != m.segs[i] {
			return l.String() == m.String()
		}
	}
	return true
}

// fields returns the pieces that come from the card.
func (l line) fields() []seg {
	out := make([]seg, 0, len(l.segs))
	for _, s := range l.segs {
		if s.tag != tNone {
			out = append(out, s)
		}
	}
	return out
}

// span is where a field stands in a line that was read.
type span struct {
	tag        tag
	start, end int
}

// sourceLine is one line of a file that was read.
type sourceLine struct {
	raw   string // without its line ending
	eol   string // "\n", "\r\n", or "" at the end of the file
	key   key
	spans []span
	style Style
	// styled says that the line itself shows its style.
	styled bool
	// bare says that the line leaves out its figures, which are printed once the card
	// changes.
	bare bool
	// rest is text of the line that has no place in the card. It stands in raw, and
	// is put at the end when the line has to be written afresh.
	rest string
}

// splitLines cuts text into lines and keeps each line's ending.
func splitLines(text string) []sourceLine {
	out := make([]sourceLine, 0, strings.Count(text, "\n")+1)
	for text != "" {
		i := strings.IndexByte(text, '\n')
		if i < 0 {
			return append(out, sourceLine{raw: text})
		}
		l := sourceLine{raw: text[:i], eol: "\n"}
		if strings.HasSuffix(l.raw, "\r") {
			l.raw, l.eol = l.raw[:i-1], "\r\n"
		}
		out = append(out, l)
		text = text[i+1:]
	}
	return out
}

// oneLine makes a text fit into one line: line breaks with the white space around
// them become one space.
func oneLine(s string) string {
	s = strings.Trim(s, " \t\r\n")
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' })
	out := parts[:0]
	for _, p := range parts {
		if p = strings.Trim(p, " \t"); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// textLines cuts a text of several lines; white space at the ends of lines and
// blank lines at either end of the text go.
func textLines(s string) []string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.Trim(l, " \t\r")
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
