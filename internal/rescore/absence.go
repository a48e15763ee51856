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

// absence turns a lost item into evidence of the loss: a search, counted at
// head, that shows that the cited file or lines are not there. It reports false
// when no such search can be written or run; the parameter then has no evidence.
func (s *step) absence(ctx context.Context, it outcome.Item) (scorecard.Evidence, bool) {
	if it.State != outcome.Gone {
		return scorecard.Evidence{}, false
	}
	e := absenceSearch(it)
	if e.Search == "" {
		return scorecard.Evidence{}, false
	}
	checks, err := evidence.VerifyAll(ctx, s.repo.At(s.in.head), []scorecard.Evidence{e})
	if err != nil || checks[0].State == outcome.CheckUnrunnable {
		return scorecard.Evidence{}, false
	}
	e.Hits = checks[0].Hits
	if checks[0].State == outcome.CheckMissing { // the file went with its lines
		e.Search, e.Scope = "rg -l '' -g "+quote("/"+escapeGlob(it.Before.File)), "."
		checks, err = evidence.VerifyAll(ctx, s.repo.At(s.in.head), []scorecard.Evidence{e})
		if err != nil || checks[0].State == outcome.CheckUnrunnable {
			return scorecard.Evidence{}, false
		}
		e.Hits = checks[0].Hits
	}
	return e, true
}

// absenceSearch writes the search for a lost item, without its count.
func absenceSearch(it outcome.Item) scorecard.Evidence {
	if it.Before.IsSearch() {
		dir := strings.Fields(it.Before.Scope)
		if len(dir) != 1 || !plain(dir[0]) {
			return scorecard.Evidence{}
		}
		clean := path.Clean(dir[0])
		return scorecard.Evidence{
			Search: "rg -l '' -g " + quote("/"+escapeGlob(clean)+"/**") + " -g " + quote("/"+escapeGlob(clean)),
			Scope:  ".", Note: "the searched path is no longer there",
		}
	}
	q := distinctive(it)
	if q == "" || !plain(it.Before.File) || strings.ContainsAny(it.Before.File, " \t") {
		return scorecard.Evidence{}
	}
	return scorecard.Evidence{
		Search: "rg -n -F -e " + quote(q), Scope: it.Before.File,
		Note: "the lines cited before, " + it.Before.Lines.String() + ", are not there any more",
	}
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

// escapeGlob makes a path literal in a ripgrep glob.
func escapeGlob(p string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`, `!`, `\!`).Replace(p)
}
