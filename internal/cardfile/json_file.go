package cardfile

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// WriteJSON writes the card as a new entry, schema version 2.0. It fails when the
// entry would not read back the same; JSONView says what an entry holds.
func WriteJSON(card *scorecard.Card) ([]byte, error) {
	var b strings.Builder
	writeNode(&b, entry(card), "\n", indentStep)
	b.WriteByte('\n')
	out := []byte(b.String())
	if err := checkJSON(out, card); err != nil {
		return nil, err
	}
	return out, nil
}

// writeNode writes a value of our own making. newline begins a line of the
// enclosing value: a line break and its indentation; "" writes everything in one
// line.
func writeNode(b *strings.Builder, n *node, newline, step string) {
	open, end, count := "{", "}", len(n.members)
	if n.kind == arrayNode {
		open, end, count = "[", "]", len(n.items)
	}
	switch {
	case n.kind == scalarNode:
		b.WriteString(n.raw)
		return
	case count == 0:
		b.WriteString(open + end)
		return
	}
	inner := newline
	if newline != "" {
		inner += step
	}
	b.WriteString(open)
	for i := range count {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(inner)
		if n.kind == objectNode {
			b.WriteString(jsonString(n.members[i].name).raw + ":")
			if newline != "" {
				b.WriteByte(' ')
			}
			writeNode(b, n.members[i].value, inner, step)
		} else {
			writeNode(b, n.items[i], inner, step)
		}
	}
	b.WriteString(newline + end)
}

// JSONView returns the part of a card that an entry can hold: all of it but any cap
// beside the one that limits a mechanism.
func JSONView(card *scorecard.Card) *scorecard.Card {
	c := card.Clone()
	c.Printed = nil
	for i := range c.Criteria {
		k := &c.Criteria[i]
		k.OWASP, k.AbsenceEvidence = someOf(k.OWASP), someOf(k.AbsenceEvidence)
		if !k.Absent() {
			k.AbsenceEvidence = nil
		}
		for j := range k.Mechanisms {
			m := &k.Mechanisms[j]
			if limit, _, ok := m.EffectiveCap(); ok {
				m.Caps = []scorecard.Cap{limit}
			} else {
				m.Caps = nil
			}
			for q := range m.Parameters {
				m.Parameters[q].Evidence = someOf(m.Parameters[q].Evidence)
			}
		}
	}
	for i := range c.CriticalGaps {
		g := &c.CriticalGaps[i]
		g.OWASP, g.Evidence = someOf(g.OWASP), someOf(g.Evidence)
	}
	c.Profile, c.Criteria, c.CriticalGaps = someOf(c.Profile), someOf(c.Criteria), someOf(c.CriticalGaps)
	c.Fixes, c.ReauditLog, c.Limitations = someOf(c.Fixes), someOf(c.ReauditLog), someOf(c.Limitations)
	return c
}

// checkJSON reads what has been written and compares it with the card.
func checkJSON(out []byte, card *scorecard.Card) error {
	d, err := Read("entry.json", out)
	if err != nil {
		return fmt.Errorf("write entry: the card cannot be held in an entry: %w", err)
	}
	if !reflect.DeepEqual(JSONView(d.Card), JSONView(card)) {
		return errors.New("write entry: the card would not read back the same; its texts must be UTF-8")
	}
	return nil
}
