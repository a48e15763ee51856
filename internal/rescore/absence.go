package rescore

import (
	"context"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Bounds of a quote that a generated search looks for: shorter ones are in every
// file, longer ones make unreadable cards.
const (
	minQuote = 8
	maxQuote = 100
)

// absence turns a lost item into evidence of the loss: a search, counted at head, that
// shows that the cited lines, or else their file, are not there. It reports false when
// the item is not lost, or head cannot be read.
func (s *step) absence(ctx context.Context, it outcome.Item) (scorecard.Evidence, bool) {
	if it.State != outcome.Gone {
		return scorecard.Evidence{}, false
	}
	for _, e := range absences(it) {
		checks, err := evidence.VerifyAll(ctx, s.repo.At(s.in.head), []scorecard.Evidence{e})
		if err == nil && checks[0].State != outcome.CheckUnrunnable && checks[0].State != outcome.CheckMissing {
			e.Hits = checks[0].Hits
			return e, true
		}
	}
	return scorecard.Evidence{}, false
}

// absences writes the searches that show that an item is lost, without their counts, the
// best first. The last can always be run.
func absences(it outcome.Item) []scorecard.Evidence {
	if it.Before.IsSearch() {
		var globs []string
		for _, p := range strings.Fields(it.Before.Scope) {
			if p = path.Clean(p); p != "." {
				globs = append(globs, "/"+escapeGlob(p), "/"+escapeGlob(p)+"/**")
			}
		}
		return []scorecard.Evidence{noFiles("the searched paths are no longer there", globs...)}
	}
	note := "the lines cited before, " + it.Before.Lines.String() + ", are not there any more"
	last := noFiles(note, "/"+escapeGlob(it.Before.File))
	q := distinctive(it)
	if q == "" || !plain(it.Before.File) || strings.ContainsAny(it.Before.File, " \t") {
		return []scorecard.Evidence{last}
	}
	return []scorecard.Evidence{{Search: "rg -n -F -e " + quote(q), Scope: it.Before.File, Note: note}, last}
}

// noFiles lists the files that globs name, whatever ignore files say.
func noFiles(note string, globs ...string) scorecard.Evidence {
	command := "rg -l --hidden --no-ignore ''"
	for _, g := range globs {
		command += " -g " + quote(g)
	}
	return scorecard.Evidence{Search: command, Scope: ".", Note: note}
}

// distinctive picks the longest cited line that a search can look for.
func distinctive(it outcome.Item) string {
	best := ""
	for _, line := range append([]string{it.Before.Contains}, it.Quote...) {
		line = strings.TrimSpace(line)
		if len(line) > maxQuote {
			line = cutRunes(line, maxQuote)
		}
		if len(line) > len(best) && len(line) >= minQuote && plain(line) {
			best = line
		}
	}
	return best
}

// cutRunes cuts to at most n bytes without splitting a character.
func cutRunes(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// plain reports whether the text is printable and safe to put into a command
// that is printed in a report between backticks.
func plain(s string) bool {
	if s == "" || !utf8.ValidString(s) || strings.Contains(s, "`") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// quote writes one shell word in single quotes.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// globMeaning are the characters that mean something in a glob.
const globMeaning = "\\*?[]{}!"

// escapeGlob makes a path literal in a ripgrep glob. What cannot be printed in a report
// stands for any character.
func escapeGlob(p string) string {
	var b strings.Builder
	for _, r := range p {
		switch {
		case strings.ContainsRune(globMeaning, r):
			b.WriteString(`\` + string(r))
		case r != utf8.RuneError && plain(string(r)):
			b.WriteRune(r)
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}
