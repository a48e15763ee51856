package cardfile

import (
	"fmt"
	"reflect"
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
	for _, s := range l.lines {
		if s.key.kind != kUnknown {
			m.source[s.key] = true
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
		if was, ok := m.before[l.key]; ok && was.equal(l) {
			continue // the author left this line out
		}
		run = append(run, l)
	}
	flush(nil)
}

func (m *merger) text() string {
	m.insert(m.first)
	for _, s := range m.layout.lines {
		m.insert(m.pre[s.key])
		m.keep(s)
		m.insert(m.post[s.key])
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
	case rendered && was.equal(now):
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

// pairLists renames the keys of list entries in after so that an entry that only
// changed its place keeps the key that it has in before.
func pairLists(before, after []line) {
	type group struct {
		kind kind
		a    int
	}
	of := func(k key) (group, bool) {
		switch k.kind {
		case kGap, kFix, kLog, kLimit, kHeadline:
			return group{k.kind, 0}, true
		case kSummary:
			return group{k.kind, k.a}, true
		}
		return group{}, false
	}
	collect := func(lines []line) map[group][]*line {
		out := map[group][]*line{}
		for i := range lines {
			if g, ok := of(lines[i].key); ok {
				out[g] = append(out[g], &lines[i])
			}
		}
		return out
	}
	old := collect(before)
	for g, list := range collect(after) {
		pairs := align(entryTexts(old[g]), entryTexts(list))
		for i, l := range list {
			if pairs[i] >= 0 {
				l.key = old[g][pairs[i]].key
				continue
			}
			l.key = key{kind: g.kind, a: g.a, b: i, c: newEntry}
		}
	}
}

// newEntry marks the key of a list entry that the source does not have.
const newEntry = 1

// entryTexts renders list entries without their ordinals.
func entryTexts(lines []*line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		var b strings.Builder
		for _, s := range l.segs {
			if s.tag != tOrdinal {
				b.WriteString(s.text)
			}
		}
		out[i] = b.String()
	}
	return out
}

// align pairs the entries of a new list with those of an old one, in order: equal
// entries first, and what lies between them one to one where as many lie there on
// either side. It returns for each new entry the old one's index or -1.
func align(old, now []string) []int {
	out := make([]int, len(now))
	for i := range out {
		out[i] = -1
	}
	where := map[string][]int{}
	for i, s := range old {
		where[s] = append(where[s], i)
	}
	next := 0
	for i, s := range now {
		for _, j := range where[s] {
			if j >= next {
				out[i], next = j, j+1
				break
			}
		}
	}
	for i := 0; i < len(now); {
		if out[i] >= 0 {
			i++
			continue
		}
		end := i
		for end < len(now) && out[end] < 0 {
			end++
		}
		from, to := 0, len(old)
		if i > 0 {
			from = out[i-1] + 1
		}
		if end < len(now) {
			to = out[end]
		}
		if to-from == end-i {
			for j := i; j < end; j++ {
				out[j] = from + j - i
			}
		}
		i = end
	}
	return out
}

// WriteMarkdown writes the card as a new report in the style. It fails when the
// report would not read back the same; MarkdownView says what a report holds.
func WriteMarkdown(card *scorecard.Card, style Style) ([]byte, error) {
	var b strings.Builder
	for _, l := range render(card, style) {
		for range l.blank {
			b.WriteByte('\n')
		}
		for _, s := range l.segs {
			b.WriteString(s.text)
		}
		b.WriteByte('\n')
	}
	out := []byte(b.String())
	if err := checkMarkdown(out, card); err != nil {
		return nil, err
	}
	return out, nil
}

// checkMarkdown reads what has been written and compares it with the card, so that
// no text of the card can pass for another part of the report.
func checkMarkdown(out []byte, card *scorecard.Card) error {
	d, err := readMarkdown("report", strings.TrimPrefix(string(out), ""))
	if err != nil {
		return fmt.Errorf("write report: the card cannot be held in Markdown: %w", err)
	}
	got, want := MarkdownView(d.Card), MarkdownView(card)
	if reflect.DeepEqual(got, want) {
		return nil
	}
	a, b := render(got, Dash), render(want, Dash)
	for i := range b {
		if i >= len(a) || !a[i].equal(b[i]) {
			return fmt.Errorf("write report: %q would not read back the same; reword it or keep the card as JSON", excerpt(b[i].String()))
		}
	}
	return fmt.Errorf("write report: the card would not read back the same; keep it as JSON")
}
