package cardfile

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// maxSplits bounds how many places of one line are tried as the start of its
// evidence, so that a hostile line stays cheap.
const maxSplits = 16

// link is the address behind a citation, as far as it has the usual form.
type link struct {
	commit, path, lines string
	usual               bool
}

// evidenceList is a parsed list of evidence items.
type evidenceList struct {
	items []scorecard.Evidence
	links []link // one for each citation
	spans []span
}

// fault is a place in a line and what was expected there.
type fault struct {
	pos int
	msg string
}

// parseEvidence reads the items in s[from:to], which they fill.
func parseEvidence(s string, from, to int) (evidenceList, *fault) {
	var l evidenceList
	c := cursor{s: s, pos: from, end: to}
	for {
		e, bad := l.item(&c)
		if bad != nil {
			return l, bad
		}
		l.items = append(l.items, e)
		if c.pos == to {
			l.spans = c.spans
			return l, nil
		}
		if len(l.items) == MaxItems {
			return l, &fault{c.pos, "more than " + strconv.Itoa(MaxItems) + " evidence items"}
		}
		if !startsNext(c.rest()) {
			return l, &fault{c.pos, `want "; " and the next evidence item, or the end`}
		}
		c.pos += len("; ")
	}
}

func startsItem(s string) bool {
	return strings.HasPrefix(s, "[") || strings.HasPrefix(s, "searched `")
}

func startsNext(s string) bool {
	return strings.HasPrefix(s, "; ") && startsItem(s[len("; "):])
}

func (l *evidenceList) item(c *cursor) (e scorecard.Evidence, bad *fault) {
	if c.lit("searched `") {
		e, bad = search(c)
	} else if c.lit("[") {
		e, bad = l.citation(c)
	} else {
		return e, &fault{c.pos, "want a link [file:lines](address) or searched `command` in `scope` → N hits"}
	}
	if bad == nil {
		e.Note = note(c)
	}
	return e, bad
}

// citation reads "file:lines](address)".
func (l *evidenceList) citation(c *cursor) (e scorecard.Evidence, bad *fault) {
	start := c.pos
	at := textEnd(c)
	file, lines, ok := "", scorecard.LineRange{}, false
	if at >= 0 {
		file, lines, ok = cutLines(c.s[start:at])
	}
	if !ok {
		return e, &fault{start, "want a link [file:lines](address)"}
	}
	e.File, e.Lines = file, lines
	c.take(tFile, start+len(file))
	c.pos++
	c.take(tLines, at)
	c.pos += len("](")
	end := addressEnd(c)
	if end < 0 {
		return e, &fault{c.pos, `want the address of the link and ")"`}
	}
	l.links = append(l.links, address(c, end))
	c.pos = end + 1
	return e, nil
}

// textEnd finds the "](" that ends the text of a link; brackets inside the text
// come in pairs.
func textEnd(c *cursor) int {
	depth := 0
	for i := c.pos; i < c.end; i++ {
		switch c.s[i] {
		case '[':
			depth++
		case ']':
			if depth == 0 {
				if strings.HasPrefix(c.s[i:c.end], "](") {
					return i
				}
				return -1
			}
			depth--
		}
	}
	return -1
}

// cutLines splits "file:lines" at the last colon.
func cutLines(text string) (string, scorecard.LineRange, bool) {
	const longest = len("100000000-100000000") + 1
	i := strings.LastIndexByte(text[max(0, len(text)-longest):], ':')
	if i < 0 {
		return "", scorecard.LineRange{}, false
	}
	i += max(0, len(text)-longest)
	lines, err := scorecard.ParseLines(text[i+1:])
	return text[:i], lines, err == nil && i > 0
}

// addressEnd finds the parenthesis that ends an address: the first one after which
// the item may end.
func addressEnd(c *cursor) int {
	for i := c.pos; i < c.end; i++ {
		switch c.s[i] {
		case ' ', '\t':
			return -1
		case ')':
			next := c.s[i+1 : c.end]
			if next == "" || startsNext(next) || strings.HasPrefix(next, " (") {
				return i
			}
		}
	}
	return -1
}

// address takes the parts of a permalink as fields, or the whole address as one.
func address(c *cursor, end int) link {
	text := c.s[c.pos:end]
	blob := strings.Index(text, "/blob/")
	if blob >= 0 {
		commit, path, ok := strings.Cut(text[blob+len("/blob/"):], "/")
		hash := strings.LastIndexByte(path, '#')
		if ok && hash >= 0 {
			c.take(tLinkBase, c.pos+blob)
			c.pos += len("/blob/")
			c.take(tLinkCommit, c.pos+len(commit))
			c.pos++
			c.take(tLinkPath, c.pos+hash)
			c.take(tLinkLines, end)
			return link{commit, path[:hash], path[hash:], true}
		}
	}
	c.take(tURL, end)
	return link{}
}

// agrees reports whether the address leads where the citation says.
func (l link) agrees(e scorecard.Evidence, commit string) bool {
	if !l.usual {
		return false
	}
	path, err := url.PathUnescape(l.path)
	lines := l.lines == scorecard.Fragment(e.Lines) ||
		e.Lines.First == e.Lines.Last && l.lines == "#L"+strconv.Itoa(e.Lines.First)
	return err == nil && l.commit == commit && lines && (path == e.File || l.path == e.File)
}

// search reads "command` in `scope` → N hits".
func search(c *cursor) (e scorecard.Evidence, bad *fault) {
	start := c.pos
	end, scoped := commandEnd(c)
	if end < 0 {
		return e, &fault{start, "want searched `command` in `scope` → N hits"}
	}
	e.Search = c.take(tCommand, end)
	c.pos++
	if scoped {
		c.pos += len(" in `")
		close := c.find("`")
		if close < 0 {
			return e, &fault{c.pos, "the scope has no closing backtick"}
		}
		e.Scope = c.take(tScope, close)
		c.pos++
	}
	if !c.lit(" → ") && !c.lit(" -> ") {
		return e, &fault{c.pos, "want → and the number of hits"}
	}
	digits := c.pos
	for digits < c.end && c.s[digits] >= '0' && c.s[digits] <= '9' {
		digits++
	}
	hits, err := strconv.Atoi(c.s[c.pos:digits])
	if err != nil || hits > scorecard.MaxLine {
		return e, &fault{c.pos, "want the number of hits"}
	}
	e.Hits = hits
	c.take(tHits, digits)
	if !c.lit(" hits") && !c.lit(" hit") {
		return e, &fault{c.pos, `want "hits" after the number`}
	}
	if e.Search == "" {
		return e, &fault{start, "the search has no command"}
	}
	return e, nil
}

// commandEnd finds the backtick that ends a command: the first one that is followed
// by a scope or an arrow.
func commandEnd(c *cursor) (end int, scoped bool) {
	for at := c.pos; ; at++ {
		i := strings.IndexByte(c.s[at:c.end], '`')
		if i < 0 {
			return -1, false
		}
		at += i
		next := c.s[at+1 : c.end]
		if strings.HasPrefix(next, " in `") {
			return at, true
		}
		if strings.HasPrefix(next, " → ") || strings.HasPrefix(next, " -> ") {
			return at, false
		}
	}
}

// note takes " (note)" after an item, or nothing. A note may hold parentheses and
// semicolons: it ends at the parenthesis that balances it and after which the item
// may end, or else at the first parenthesis after which the item may end.
func note(c *cursor) string {
	if !strings.HasPrefix(c.rest(), " (") {
		c.take(tNote, c.pos)
		return ""
	}
	depth, first := 0, -1
	for i := c.pos + 1; i < c.end; i++ {
		switch c.s[i] {
		case '(':
			depth++
		case ')':
			depth--
			next := c.s[i+1 : c.end]
			if next != "" && !startsNext(next) {
				continue
			}
			if depth == 0 {
				return unwrap(c.take(tNote, i+1))
			}
			if first < 0 {
				first = i
			}
		}
	}
	if first >= 0 {
		return unwrap(c.take(tNote, first+1))
	}
	c.take(tNote, c.pos)
	return ""
}

func unwrap(s string) string { return strings.Trim(s[len(" ("):len(s)-1], " \t") }

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
