package cardfile

import (
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

const indentStep = "  "

// jsonLayout is an entry as it was read.
type jsonLayout struct {
	bom  bool
	text string
	tree *node
	card *scorecard.Card
}

// write replaces what changed between the card as read and the given one, and
// nothing else: order, indentation and numbers of the file stay.
func (l *jsonLayout) write(card *scorecard.Card) ([]byte, error) {
	p := patcher{text: l.text, step: indentStep}
	p.detect(l.tree)
	var b strings.Builder
	if l.bom {
		b.WriteString(byteOrderMark)
	}
	b.WriteString(l.text[:l.tree.start])
	p.patch(&b, l.tree, entry(l.card), entry(card), p.newline)
	b.WriteString(l.text[l.tree.end:])
	out := []byte(b.String())
	if err := checkJSON(out, card); err != nil {
		return nil, err
	}
	return out, nil
}

// patcher writes a file anew with some values changed.
type patcher struct {
	text    string
	newline string // "\n" or "\r\n"; "" when the file is one line
	step    string
}

// detect learns the file's indentation from its first member.
func (p *patcher) detect(tree *node) {
	inside := p.text[tree.start+1:]
	inside = inside[:len(inside)-len(strings.TrimLeft(inside, " \t\r\n"))]
	line := strings.LastIndexByte(inside, '\n')
	if line < 0 {
		return
	}
	p.newline, p.step = "\n", inside[line+1:]
	if strings.Contains(inside, "\r\n") {
		p.newline = "\r\n"
	}
}

// patch writes the value that stood in the file as src and was rendered as was, now
// that it renders as now.
func (p *patcher) patch(b *strings.Builder, src, was, now *node, newline string) {
	switch {
	case src == nil:
		writeNode(b, now, newline, p.step)
	case was != nil && equalNodes(was, now):
		b.WriteString(p.text[src.start:src.end])
	case was == nil || src.kind != now.kind || was.kind != now.kind || now.kind == scalarNode:
		writeNode(b, now, newline, p.step)
	case now.kind == objectNode:
		p.object(b, src, was, now, newline)
	default:
		p.array(b, src, was, now, newline)
	}
}

// object patches members in the file's order; new ones go where our own order has
// them, and those that are gone go.
func (p *patcher) object(b *strings.Builder, src, was, now *node, newline string) {
	var names []string
	for _, m := range src.members {
		if now.get(m.name) != nil || was.get(m.name) == nil {
			names = append(names, m.name)
		}
	}
	same := len(names) == len(src.members)
	for i, m := range now.members {
		old := was.get(m.name)
		if src.get(m.name) != nil || old != nil && equalNodes(old, m.value) {
			continue // there already, or left out by the author
		}
		at := 0
		for j := i - 1; j >= 0 && at == 0; j-- {
			at = indexOf(names, now.members[j].name) + 1
		}
		names = append(names[:at], append([]string{m.name}, names[at:]...)...)
		same = false
	}
	if same {
		p.inPlace(b, src, len(src.members), func(i int) (*node, func(string)) {
			m := src.members[i]
			return m.value, func(inner string) { p.member(b, m.name, src, was, now, inner) }
		}, newline)
		return
	}
	p.list(b, "{", "}", len(names), newline, func(i int, inner string) {
		b.WriteString(jsonString(names[i]).raw + ":")
		if newline != "" {
			b.WriteByte(' ')
		}
		p.member(b, names[i], src, was, now, inner)
	})
}

func (p *patcher) member(b *strings.Builder, name string, src, was, now *node, newline string) {
	next := now.get(name)
	if next == nil { // kept although we would not write it, for example a null
		old := src.get(name)
		b.WriteString(p.text[old.start:old.end])
		return
	}
	p.patch(b, src.get(name), was.get(name), next, newline)
}

// array patches items one to one, or pairs those that did not change.
func (p *patcher) array(b *strings.Builder, src, was, now *node, newline string) {
	if len(src.items) != len(was.items) {
		writeNode(b, now, newline, p.step)
		return
	}
	if len(src.items) == len(now.items) {
		p.inPlace(b, src, len(src.items), func(i int) (*node, func(string)) {
			return src.items[i], func(inner string) { p.patch(b, src.items[i], was.items[i], now.items[i], inner) }
		}, newline)
		return
	}
	pairs := align(itemTexts(was), itemTexts(now))
	p.list(b, "[", "]", len(now.items), newline, func(i int, inner string) {
		if j := pairs[i]; j >= 0 {
			p.patch(b, src.items[j], was.items[j], now.items[i], inner)
			return
		}
		writeNode(b, now.items[i], inner, p.step)
	})
}

// inPlace writes n children between the text that stands around them in the file.
func (p *patcher) inPlace(b *strings.Builder, src *node, n int, child func(int) (*node, func(string)), newline string) {
	pos := src.start
	inner := newline
	if newline != "" {
		inner += p.step
	}
	for i := range n {
		value, write := child(i)
		b.WriteString(p.text[pos:value.start])
		write(inner)
		pos = value.end
	}
	b.WriteString(p.text[pos:src.end])
}

func (p *patcher) list(b *strings.Builder, open, end string, n int, newline string, child func(int, string)) {
	if n == 0 {
		b.WriteString(open + end)
		return
	}
	inner := newline
	if newline != "" {
		inner += p.step
	}
	b.WriteString(open)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(inner)
		child(i, inner)
	}
	b.WriteString(newline + end)
}

func itemTexts(n *node) []string {
	out := make([]string, len(n.items))
	for i, item := range n.items {
		var b strings.Builder
		writeNode(&b, item, "", "")
		out[i] = b.String()
	}
	return out
}

func indexOf(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}
