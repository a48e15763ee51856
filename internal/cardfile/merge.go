package cardfile

import (
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// markdownLayout is a report as it was read: its lines, what each of them is, and
// the card they made.
type markdownLayout struct {
	bom    bool
	lines  []sourceLine
	card   *scorecard.Card // as read
	styles [kinds]Style    // of new lines, by kind
	byKey  map[key]Style   // of lines that are there
	heads  map[int]bool    // criteria that print a head for their only mechanism
	eol    string          // of new lines
}

func newMarkdownLayout(p *parser, bom bool) *markdownLayout {
	l := &markdownLayout{bom: bom, lines: p.lines, card: p.card.Clone(), byKey: map[key]Style{}, heads: map[int]bool{}, eol: "\n"}
	var votes [kinds]int
	all, crlf := 0, 0
	for _, s := range p.lines {
		if s.styled {
			vote := 1 - 2*int(Colon)*int(s.style)
			votes[s.key.kind] += vote
			all += vote
			l.byKey[s.key] = s.style
		}
		if s.key.kind == kMechanism && len(p.details[s.key.a].criterion.Mechanisms) == 1 {
			l.heads[s.key.a] = true
		}
		if s.eol == "\r\n" {
			crlf++
		}
	}
	for i, v := range votes {
		if v < 0 || v == 0 && all < 0 {
			l.styles[i] = Colon
		}
	}
	if 2*crlf > len(p.lines) {
		l.eol = "\r\n"
	}
	return l
}

func (l *markdownLayout) styleOf(k key) Style {
	if s, ok := l.byKey[k]; ok {
		return s
	}
	return l.styles[k.kind]
}

func (l *markdownLayout) printsMechanism(criterion int) bool { return l.heads[criterion] }

func (l *markdownLayout) write(card *scorecard.Card) ([]byte, error) {
	before, after := render(l.card, l), render(card, l)
	pairLists(before, after)
	m := merger{layout: l, before: index(before), after: index(after), source: map[key]bool{}}
	m.changed = !slices.EqualFunc(before, after, line.equal)
	for _, s := range l.lines {
		if s.key.kind != kUnknown {
			m.source[s.key] = true
			m.table = m.table || s.key.kind == kRow
		}
	}
	m.place(after)
	out := []byte(m.text())
	if err := checkMarkdown(out, card); err != nil {
		return nil, err
	}
	return out, nil
}

func index(lines []line) map[key]line {
	out := make(map[key]line, len(lines))
	for _, l := range lines {
		out[l.key] = l
	}
	return out
}

// merger puts a changed card into a report: lines that render as before stay as
// they were written, others are replaced, dropped or added.
type merger struct {
	layout        *markdownLayout
	changed       bool // the card is another one than was read
	table         bool // the source has a row of the table
	before, after map[key]line
	source        map[key]bool
	pre, post     map[key][]line // new lines before and after a line of the source
	first         []line         // new lines before everything
	out           []sourceLine
}

// place decides where the lines that the source does not have go.
func (m *merger) place(after []line) {
	m.pre, m.post = map[key][]line{}, map[key][]line{}
	var last key
	var run []line
	flush := func(next *line) {
		if len(run) == 0 {
			return
		}
		switch {
		case next != nil && run[0].blank > 0 && next.blank == 0:
			m.pre[next.key] = run
		case last.kind == kUnknown:
			m.first = run
		default:
			m.post[last] = run
		}
		run = nil
	}
	for i := range after {
		l := after[i]
		if m.source[l.key] {
			flush(&l)
			last = l.key
			continue
		}
		if was, ok := m.before[l.key]; ok && was.equal(l) && !m.owes(l.key.kind) {
			continue // the author left this line out
		}
		run = append(run, l)
	}
	flush(nil)
}

// owes reports whether a line of the kind is added although its author left it out
// and it is as before. A card that changed is written with its figures: rows of
// the criteria that changed alone would be no table.
func (m *merger) owes(k kind) bool {
	switch k {
	case kScore, kTableHead, kTableRule, kRow, kApplicable:
		return m.changed && !m.table
	}
	return false
}

func (m *merger) text() string {
	m.insert(m.first)
	tableEnd := false
	for _, s := range m.layout.lines {
		if tableEnd && strings.TrimSpace(s.raw) != "" { // it would be read as one more row
			m.out = append(m.out, sourceLine{eol: m.layout.eol})
		}
		m.insert(m.pre[s.key])
		m.keep(s)
		m.insert(m.post[s.key])
		tableEnd = !m.table && len(m.post[s.key]) > 0 && s.key.kind == kScore
	}
	var b strings.Builder
	if m.layout.bom {
		b.WriteString(byteOrderMark)
	}
	open := len(m.layout.lines) == 0 || m.layout.lines[len(m.layout.lines)-1].eol == ""
	for i, s := range m.out {
		b.WriteString(s.raw)
		switch {
		case i == len(m.out)-1 && open:
		case s.eol == "":
			b.WriteString(m.layout.eol)
		default:
			b.WriteString(s.eol)
		}
	}
	return b.String()
}

func (m *merger) insert(lines []line) {
	for _, l := range lines {
		if l.blank > 0 && len(m.out) > 0 && strings.TrimSpace(m.out[len(m.out)-1].raw) != "" {
			m.out = append(m.out, sourceLine{eol: m.layout.eol})
		}
		m.out = append(m.out, sourceLine{raw: l.String(), eol: m.layout.eol})
	}
}

// keep emits a line of the source: as it is, with changed fields replaced, written
// afresh, or not at all when the card no longer has it.
func (m *merger) keep(s sourceLine) {
	was, rendered := m.before[s.key]
	now, still := m.after[s.key]
	switch {
	case s.key.kind == kUnknown || !rendered && !still:
	case !still:
		return
	case rendered && was.equal(now) && !(m.changed && s.bare):
	default:
		if text, ok := splice(s, was, now); ok {
			s.raw = text
			break
		}
		tail := s.raw[len(strings.TrimRight(s.raw, " \t")):]
		s.raw = now.String() + s.rest + tail
	}
	m.out = append(m.out, s)
}

// splice replaces the fields of a line that changed. It works when the line, its
// old rendering and its new one have the same fields.
func splice(s sourceLine, was, now line) (string, bool) {
	a, b := was.fields(), now.fields()
	if len(a) != len(b) || len(a) != len(s.spans) {
		return "", false
	}
	var out strings.Builder
	pos := 0
	for i := range a {
		sp := s.spans[i]
		if a[i].tag != b[i].tag || a[i].tag != sp.tag || sp.start < pos {
			return "", false
		}
		if a[i].text == b[i].text {
			continue
		}
		out.WriteString(s.raw[pos:sp.start])
		out.WriteString(b[i].text)
		pos = sp.end
	}
	out.WriteString(s.raw[pos:])
	return out.String(), true
}
