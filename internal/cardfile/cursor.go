package cardfile

import "strings"

// cursor walks over one line and records where fields stand. end excludes
// trailing white space.
type cursor struct {
	s        string
	pos, end int
	spans    []span
}

func newCursor(raw string) cursor {
	c := cursor{s: raw, end: len(strings.TrimRight(raw, " \t"))}
	for c.pos < c.end && (raw[c.pos] == ' ' || raw[c.pos] == '\t') {
		c.pos++
	}
	return c
}

// rest is what lies between the position and the end.
func (c *cursor) rest() string { return c.s[c.pos:c.end] }

// lit steps over a literal text.
func (c *cursor) lit(text string) bool {
	if !strings.HasPrefix(c.rest(), text) {
		return false
	}
	c.pos += len(text)
	return true
}

// fold steps over an ASCII literal text regardless of case.
func (c *cursor) fold(text string) bool {
	if len(c.rest()) < len(text) || !strings.EqualFold(c.rest()[:len(text)], text) {
		return false
	}
	c.pos += len(text)
	return true
}

// space steps over blanks.
func (c *cursor) space() {
	for c.pos < c.end && (c.s[c.pos] == ' ' || c.s[c.pos] == '\t') {
		c.pos++
	}
}

// take records the text up to the offset to as a field and steps over it.
func (c *cursor) take(t tag, to int) string {
	c.spans = append(c.spans, span{t, c.pos, to})
	text := c.s[c.pos:to]
	c.pos = to
	return text
}

// takeTrimmed is take without white space at either end of the text.
func (c *cursor) takeTrimmed(t tag, to int) string {
	text := c.s[c.pos:to]
	start := c.pos + len(text) - len(strings.TrimLeft(text, " \t"))
	end := start + len(strings.Trim(text, " \t"))
	if end < start {
		end = start
	}
	c.spans = append(c.spans, span{t, start, end})
	c.pos = to
	return c.s[start:end]
}

// until takes the text before the literal, or reports that it is not there.
func (c *cursor) until(t tag, literal string) (string, bool) {
	i := strings.Index(c.rest(), literal)
	if i < 0 {
		return "", false
	}
	return c.takeTrimmed(t, c.pos+i), true
}

// all takes everything up to the end.
func (c *cursor) all(t tag) string { return c.takeTrimmed(t, c.end) }

// find returns the offset of the literal from the position on, or -1.
func (c *cursor) find(literal string) int {
	i := strings.Index(c.rest(), literal)
	if i < 0 {
		return -1
	}
	return c.pos + i
}

// findLast returns the offset of the last occurrence of the literal, or -1.
func (c *cursor) findLast(literal string) int {
	i := strings.LastIndex(c.rest(), literal)
	if i < 0 {
		return -1
	}
	return c.pos + i
}
