package cardfile

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// link is the address behind a citation, as far as it has the usual form.
type link struct {
	commit, path, lines string
	usual, empty        bool
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
	for i := c.pos; i < min(c.end, c.pos+scorecard.MaxPath); i++ {
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

// maxAddress is the longest address of a link: an escaped path takes three bytes
// for one.
const maxAddress = 3*scorecard.MaxPath + 1024

// addressEnd finds the parenthesis that ends an address: the first one after which
// the item may end.
func addressEnd(c *cursor) int {
	for i := c.pos; i < min(c.end, c.pos+maxAddress); i++ {
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
			return link{commit: commit, path: path[:hash], lines: path[hash:], usual: true}
		}
	}
	c.take(tURL, end)
	return link{empty: text == ""}
}

// leadsElsewhere reports whether the address says another place than the citation
// does. An empty address says nothing; and where the card has no commit that an
// address could name, every one would be reported for that single fault.
func (l link) leadsElsewhere(e scorecard.Evidence, commit string) bool {
	return !l.empty && isCommit(commit) && !l.agrees(e, commit)
}

// isCommit reports whether the text is a full commit hash.
func isCommit(s string) bool {
	const digits = 40
	return len(s) == digits && strings.Trim(s, "0123456789abcdef") == ""
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
		end := c.find("`")
		if end < 0 {
			return e, &fault{c.pos, "the scope has no closing backtick"}
		}
		e.Scope = c.take(tScope, end)
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
	most := min(c.end, c.pos+scorecard.MaxCommand)
	for at := c.pos; at < most; at++ {
		i := strings.IndexByte(c.s[at:most], '`')
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
	return -1, false
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
	for i := c.pos + 1; i < min(c.end, c.pos+scorecard.MaxText); i++ {
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
