package cardfile

import (
	"strings"
	"unicode"
)

// maxSplits bounds how many places of one line are tried as the start of its
// evidence, so that a hostile line stays cheap.
const maxSplits = 16

// splitEvidence finds where the text in s[from:to] ends and its evidence begins. It
// tries the places where a separator is followed by an item, from the left. Without
// any such place the whole is text. bad is set when there is something that is meant
// as evidence and cannot be read.
func splitEvidence(s string, from, to int) (text int, style Style, styled bool, list evidenceList, bad *fault) {
	at := from
	for range maxSplits {
		sep, start, st := nextSeparator(s, at, to)
		if sep < 0 {
			break
		}
		l, f := parseEvidence(s, start, to)
		if f == nil {
			return sep, st, true, l, nil
		}
		if bad == nil && (len(l.items) > 0 || st == Colon || meansEvidence(s[start:to])) {
			bad = f
		}
		at = sep + 1
	}
	if bad == nil {
		bad = bareCitation(s, from, to)
	}
	return to, Dash, false, evidenceList{}, bad
}

// meansEvidence tells a broken item from prose that happens to follow a dash: it is
// a search, a link into the repository, or has the text of a citation.
func meansEvidence(s string) bool {
	c := cursor{s: s, end: len(s)}
	if !c.lit("[") {
		return true
	}
	end := textEnd(&c)
	if end < 0 {
		return false
	}
	_, _, ok := cutLines(s[c.pos:end])
	address, _, _ := strings.Cut(s[end:], ")")
	return ok || strings.Contains(address, "/blob/")
}

// bareCitation finds a place that was cited without a link where evidence was
// expected: "finding — src/gate.py:3-9". Read as prose it would prove nothing, and
// nobody would be told.
func bareCitation(s string, from, to int) *fault {
	for _, sep := range []string{" — ", " Evidence: "} {
		i := strings.LastIndex(s[from:to], sep)
		if i < 0 {
			continue
		}
		start := from + i + len(sep)
		text, _, _ := strings.Cut(strings.ReplaceAll(s[start:to], ", ", "; "), "; ")
		text = strings.Trim(text, "` \t")
		path, _, ok := cutLines(text)
		if ok && !strings.ContainsAny(path, " \t[(") && strings.ContainsFunc(path, unicode.IsLetter) {
			return &fault{start, "a place is cited as a link; write [" + text + "](address), or [" + text + "]() to have the address computed"}
		}
	}
	return nil
}

// nextSeparator finds the next place where evidence may begin: the offset of the
// separator, of the first item, and the style that it shows.
func nextSeparator(s string, from, to int) (sep, start int, style Style) {
	const dash, colon = " — ", " Evidence: "
	for at := from; at < to; {
		i := strings.IndexByte(s[at:to], ' ')
		if i < 0 {
			break
		}
		at += i
		if rest := s[at:to]; strings.HasPrefix(rest, dash) && startsItem(rest[len(dash):]) {
			return at, at + len(dash), Dash
		} else if strings.HasPrefix(rest, colon) && startsItem(rest[len(colon):]) {
			return at, at + len(colon), Colon
		}
		at++
	}
	return -1, -1, Dash
}
