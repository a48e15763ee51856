package cardfile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/scorecard"
)

// gapLine reads "- summary (ASI01, T6; C5) — evidence" or
// "- summary (ASI01, T6; C5). Evidence: evidence".
func (p *parser) gapLine(c *cursor) error {
	n := len(p.card.CriticalGaps)
	where := "critical gap " + strconv.Itoa(n+1)
	if !c.lit("- ") {
		return p.unknown()
	}
	text, style, styled, list, bad := splitEvidence(c.s, c.pos, c.end)
	if bad != nil {
		return p.errorf(bad.pos+1, where, "evidence cannot be read: %s", bad.msg)
	}
	open, semicolon, stop, ok := gapLabels(c.s, c.pos, text)
	if !ok {
		if strings.HasPrefix(c.rest(), "None") && !styled {
			return p.know(key{kind: kNoGap}, nil)
		}
		e := p.errorf(c.pos+1, where, "no OWASP labels and one criterion in parentheses")
		e.Fix = "write: - summary (ASI01, T6; C5) — [file:lines](address)"
		return e
	}
	if n == MaxItems {
		return p.errorf(0, where, "more than %d critical gaps", MaxItems)
	}
	if styled {
		p.style(style)
	}
	g := scorecard.CriticalGap{Summary: c.takeTrimmed(tText, open), Evidence: list.items}
	c.pos = open + len(" (")
	g.OWASP = splitList(c.takeTrimmed(tOWASP, semicolon))
	c.pos = semicolon + len(";")
	g.Criterion = c.takeTrimmed(tCriterion, stop)
	c.spans = append(c.spans, list.spans...)
	p.links(where, list)
	p.card.CriticalGaps = append(p.card.CriticalGaps, g)
	return p.know(key{kind: kGap, a: n}, c)
}

// gapLabels finds " (", ";" and ")" of the labels that end the text of a gap.
func gapLabels(s string, from, to int) (open, semicolon, stop int, ok bool) {
	text := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(s[from:to], " \t"), "."), " \t")
	open = strings.LastIndex(text, " (")
	if open < 0 || !strings.HasSuffix(text, ")") {
		return 0, 0, 0, false
	}
	semicolon = strings.LastIndexByte(text, ';')
	if semicolon < open || criterionNumber(strings.TrimSpace(text[semicolon+1:len(text)-1])) == 0 {
		return 0, 0, 0, false
	}
	return from + open, from + semicolon, from + len(text) - 1, true
}

func splitList(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func (p *parser) twoLine(c *cursor) error {
	k := key{kind: kTwo}
	if p.seen[k] != 0 || !c.lit(strings.TrimRight(twoA, " ")) {
		return p.unknown()
	}
	t := &p.card.RuleOfTwo
	for _, leg := range []struct {
		into *string
		next string
	}{{&t.UntrustedInput, twoB}, {&t.SensitiveData, twoC}, {&t.StateChangeOrEgress, twoSame}} {
		next := strings.Trim(leg.next, " ")
		text, ok := c.until(tText, next)
		if !ok {
			return p.errorf(c.pos+1, "Rule-of-Two check", "want %q later in this line", next)
		}
		*leg.into = text
		c.pos += len(next)
	}
	switch answer := c.all(tValue); strings.ToLower(answer) {
	case "yes":
		t.SameSession = true
	case "no":
	default:
		return p.errorf(0, "Rule-of-Two check", "%q: want Yes or No for the same default session", answer)
	}
	return p.know(k, c)
}

// fixLine reads "1. summary — C2 S L0→L3, +0.225 before caps (Playbook 5)" or
// "1. summary (C2 S L0→L3, +0.225 before caps; Playbook 5)".
func (p *parser) fixLine(c *cursor) error {
	n := len(p.card.Fixes)
	where := "improvement " + strconv.Itoa(n+1)
	digits := c.pos
	for digits < c.end && c.s[digits] >= '0' && c.s[digits] <= '9' {
		digits++
	}
	if digits == c.pos || !strings.HasPrefix(c.s[digits:c.end], ". ") {
		if strings.HasPrefix(c.rest(), "- None") {
			return p.know(key{kind: kNoFix}, nil)
		}
		return p.unknown()
	}
	c.take(tOrdinal, digits)
	c.pos += len(". ")
	if n == MaxItems {
		return p.errorf(0, where, "more than %d improvements", MaxItems)
	}
	f, ok := fix(c, p.style)
	if !ok {
		e := p.errorf(c.pos+1, where, "no parameter and gain at its end")
		e.Fix = "write: 1. summary — C2 S L0→L3, +0.225 before caps (Playbook 5)"
		return e
	}
	if s := c.spans[6]; c.s[s.start:s.end] != gain(f) {
		printed := c.s[s.start:s.end]
		p.warnings = addWarning(p.warnings, Warning{Line: p.n + 1, Figure: Figure{where, printed, gain(f)},
			Message: fmt.Sprintf("%s: the report prints %s before caps, the levels give %s", where, printed, gain(f))})
	}
	p.card.Fixes = append(p.card.Fixes, f)
	return p.know(key{kind: kFix, a: n}, c)
}

func fix(c *cursor, style func(Style)) (f scorecard.Fix, ok bool) {
	const before = " before caps"
	mid := c.findLast(before)
	if mid < 0 {
		return f, false
	}
	head := cursor{s: c.s, pos: c.pos, end: mid}
	dash, paren := head.findLast(" — "), head.findLast(" (")
	sep, width, st := dash, len(" — "), Dash
	if paren > dash {
		sep, width, st = paren, len(" ("), Colon
	}
	if sep < 0 {
		return f, false
	}
	f.Summary = head.takeTrimmed(tText, sep)
	head.pos = sep + width
	step := "→"
	if head.find(step) < 0 {
		step = "->"
	}
	words := []struct {
		tag  tag
		stop string
	}{{tCriterion, " "}, {tParameter, " "}, {tLevel, step}, {tLevelTo, ", "}}
	got := make([]string, len(words))
	for i, w := range words {
		if got[i], ok = head.until(w.tag, w.stop); !ok {
			return f, false
		}
		head.pos += len(w.stop)
	}
	head.all(tFigure)
	from, okFrom := levelOf(got[2])
	to, okTo := levelOf(got[3])
	f.Criterion, f.From, f.To = got[0], from, to
	f.Parameter, ok = parameterOf(got[1])
	if !ok || !okFrom || !okTo || criterionNumber(f.Criterion) == 0 {
		return f, false
	}
	c.spans = append(c.spans, head.spans...)
	c.pos = mid + len(before)
	if ok = playbook(c, st, &f); ok {
		style(st)
	}
	return f, ok
}

// playbook reads what stands behind the gain.
func playbook(c *cursor, st Style, f *scorecard.Fix) bool {
	open, end := " (", ")"
	if st == Colon {
		if c.rest() == ")" {
			return true
		}
		open = "; "
	} else if c.rest() == "" {
		return true
	}
	if !c.lit(open) || !strings.HasSuffix(c.rest(), end) {
		return false
	}
	f.Playbook = c.takeTrimmed(tPlaybook, c.end-len(end))
	return f.Playbook != ""
}

func levelOf(s string) (scorecard.Level, bool) {
	if len(s) != 2 || s[0] != 'L' || s[1] < '0' || s[1] > '0'+byte(scorecard.MaxLevel) {
		return 0, false
	}
	return scorecard.Level(s[1] - '0'), true
}

func parameterOf(s string) (scorecard.ParameterID, bool) {
	for _, id := range scorecard.ParameterIDs {
		if string(id) == s {
			return id, true
		}
	}
	return "", false
}

// logLine reads "- C1 S: L2 → L1. reason" or "- No changes.".
func (p *parser) logLine(c *cursor) error {
	n := len(p.card.ReauditLog)
	where := "re-audit log entry " + strconv.Itoa(n+1)
	if !c.lit("- ") {
		return p.unknown()
	}
	if strings.HasPrefix(c.rest(), "No changes") || strings.HasPrefix(c.rest(), "None") {
		return p.know(key{kind: kNoLog}, nil)
	}
	if n == MaxItems {
		return p.errorf(0, where, "more than %d entries", MaxItems)
	}
	e, ok := logEntry(c)
	if !ok {
		bad := p.errorf(c.pos+1, where, "not a change of level")
		bad.Fix = "write: - C1 S: L2 → L1. reason"
		return bad
	}
	p.card.ReauditLog = append(p.card.ReauditLog, e)
	return p.know(key{kind: kLog, a: n}, c)
}

func logEntry(c *cursor) (e scorecard.LogEntry, ok bool) {
	step := "→"
	if c.find(step) < 0 {
		step = "->"
	}
	words := []struct {
		tag  tag
		stop string
	}{{tCriterion, " "}, {tParameter, ":"}, {tLevel, step}, {tLevelTo, "."}}
	got := make([]string, len(words))
	for i, w := range words {
		if got[i], ok = c.until(w.tag, w.stop); !ok {
			return e, false
		}
		c.pos += len(w.stop)
	}
	e = scorecard.LogEntry{Criterion: got[0], From: got[2], To: got[3], Reason: c.all(tText)}
	e.Parameter, ok = parameterOf(got[1])
	return e, ok && criterionNumber(e.Criterion) > 0 && isLevelWord(e.From) && isLevelWord(e.To)
}

func isLevelWord(s string) bool {
	_, ok := levelOf(s)
	return ok || s == "SA"
}

func (p *parser) limitLine(c *cursor) error {
	n := len(p.card.Limitations)
	if !c.lit("- ") {
		return p.unknown()
	}
	if n == MaxItems {
		return p.errorf(0, "", "more than %d limitations", MaxItems)
	}
	p.card.Limitations = append(p.card.Limitations, c.all(tText))
	return p.know(key{kind: kLimit, a: n}, c)
}
