package escape

import (
	"regexp"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
)

// joint is a zero-width space. GitHub looks for mentions, references and links
// in the text that is left after Markdown and entities are resolved, so that only
// a character in between keeps it from acting on what it finds.
const joint = "\u200b"

// active lists what GitHub turns into a link or a notification although no
// Markdown asks for it, each with the place where a joint breaks it. A text
// without the trigger holds none.
var active = []struct {
	trigger string
	re      func() *regexp.Regexp
	with    string
}{
	// @user, @org/team and the @ of a mail address
	{"@", lazy.Regexp(`@`), "@" + joint},
	// #123 and owner/name#123
	{"#", lazy.Regexp(`#([0-9])`), "#" + joint + "$1"},
	// GH-123
	{"-", lazy.Regexp(`(?i)\b(gh)-([0-9])`), "$1-" + joint + "$2"},
	// https://..., ftp://..., anything with a scheme
	{"://", lazy.Regexp(`://`), ":" + joint + "//"},
	// www.example.org
	{".", lazy.Regexp(`(?i)\b(www)\.`), "$1" + joint + "."},
	// mailto:, xmpp: without a following //
	{":", lazy.Regexp(`(?i)\b(mailto|xmpp):`), "$1" + joint + ":"},
}

// digits matches what may be an abbreviated or full commit id, longest are those
// of SHA-256.
var digits = lazy.Regexp(`\b[0-9a-fA-F]{7,}\b`)

// maxDigits is the longest run of hexadecimal digits that is no commit id yet.
const maxDigits = 6

// split puts joints into a run of hexadecimal digits.
func split(s string) string {
	var b strings.Builder
	for len(s) > maxDigits {
		b.WriteString(s[:maxDigits] + joint)
		s = s[maxDigits:]
	}
	return b.String() + s
}

// muteEmoji breaks :name:, of which one colon may belong to two.
func muteEmoji(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte(s[i])
		if s[i] != ':' {
			continue
		}
		j := i + 1
		for j < len(s) && emojiByte(s[j]) {
			j++
		}
		if j > i+1 && j < len(s) && s[j] == ':' {
			b.WriteString(joint)
		}
	}
	return b.String()
}

func emojiByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '+' || c == '-'
}

// special escapes what Markdown or HTML gives a meaning. The pipe becomes an
// entity, as a backslash before it does not work everywhere in a table.
var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `~`, `\~`,
	`^`, `\^`, `#`, `\#`, `$`, `&#36;`, `|`, `&#124;`, `<`, `&lt;`, `>`, `&gt;`, `&`, `&amp;`,
)

// lineStart matches what begins a list, a heading underline, a rule or a table
// when it stands at the start of a line.
var lineStart = lazy.Regexp(`^([-+=:]|[0-9]+[.)](?: |$))`)

// Markdown returns s as one line of Markdown prose that shows s and does
// nothing. Parts that s encloses in single backticks become code spans. It can
// stand anywhere in a line, at its start and in a table cell included.
func Markdown(s string) string {
	return spans(s, func(code string) bool { return !strings.Contains(code, "|") }) // a pipe would end a cell
}

// Text is Markdown for a place that is no table cell: there a code span may hold a
// pipe, as the patterns of most searches do.
func Text(s string) string {
	return spans(s, func(string) bool { return true })
}

// spans returns s as prose with code spans in it, where it may hold them.
func spans(s string, may func(code string) bool) string {
	s = Line(s)
	parts := strings.Split(s, "`")
	if len(parts)%2 == 0 { // a backtick without its partner
		return prose(s)
	}
	var b strings.Builder
	for i, p := range parts {
		switch {
		case i%2 == 0:
			b.WriteString(prose(p))
		case strings.TrimSpace(p) == "" || !may(p): // no span of blanks exists
			b.WriteString(prose("`" + p + "`"))
		default:
			b.WriteString("`" + strings.TrimSpace(p) + "`")
		}
	}
	return b.String()
}

func prose(s string) string {
	for _, a := range active {
		if strings.Contains(s, a.trigger) {
			s = a.re().ReplaceAllString(s, a.with)
		}
	}
	s = muteEmoji(digits().ReplaceAllStringFunc(s, split))
	s = special.Replace(s)
	if m := lineStart().FindString(s); m != "" {
		i := strings.IndexAny(m, "-+=:.)")
		s = s[:i] + `\` + s[i:]
	}
	return s
}

// Code returns s as a code span, in which neither Markdown nor GitHub acts on
// anything. It must not stand in a table cell when s may hold a pipe.
func Code(s string) string {
	s = Line(s)
	if s == "" {
		return "(empty)"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// Fence returns the lines as a fenced code block of its own lines. info is a
// constant of ours such as "diff", or "".
func Fence(info string, lines []string) string {
	ticks := 2
	shown := make([]string, len(lines))
	for i, l := range lines {
		shown[i] = CodeLine(l)
		ticks = max(ticks, longestRun(shown[i], '`'))
	}
	fence := strings.Repeat("`", ticks+1)
	return fence + info + "\n" + strings.Join(append(shown, fence), "\n")
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
