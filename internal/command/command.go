// Package command reads what a person asks for in a comment on a pull request:
// `/rescore` and its words, on a line of its own, outside quotes and code.
//
// It is pure and imports no room of this module. Whether the person may ask is decided
// elsewhere.
package command

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Verb is what is asked.
type Verb string

// The verbs. An empty Verb in a Command means that nothing was asked.
const (
	Rescore Verb = "rescore" // post the result again; with criteria or All, verify those anew
	Help    Verb = "help"
	Unknown Verb = "unknown"
)

const (
	// Word begins every command.
	Word = "/rescore"
	// MaxBody bounds the comments that are read: GitHub's own limit is 65,536
	// characters, of at most four bytes each.
	MaxBody = 4 * 65_536
	// maxWord bounds what is kept of a word that was not understood.
	maxWord = 60
	// criteria is how many criteria a scorecard has.
	criteria = 10
)

// Command is what a comment asks.
type Command struct {
	Verb     Verb
	Criteria []string // "C2", "C4": in order, each once; none means the usual ones
	All      bool     // every criterion anew
	Text     string   // Unknown: what was not understood, bounded, without control characters
}

// Parse returns the first command in the comment; ok is false when there is none.
// Later lines with commands are passed over: one comment, one answer.
func Parse(body string) (c Command, ok bool) {
	if len(body) > MaxBody || !strings.Contains(body, Word) {
		return Command{}, false
	}
	line, ok := firstLine(body)
	if !ok {
		return Command{}, false
	}
	return parseLine(line), true
}

// parseLine reads the words after /rescore.
func parseLine(line string) Command {
	words := strings.FieldsFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	switch {
	case len(words) == 0:
		return Command{Verb: Rescore}
	case len(words) == 1 && strings.EqualFold(words[0], "all"):
		return Command{Verb: Rescore, All: true}
	case len(words) == 1 && strings.EqualFold(words[0], "help"):
		return Command{Verb: Help}
	}
	var numbers []int
	for _, w := range words {
		n, ok := criterion(w)
		if !ok {
			return Command{Verb: Unknown, Text: printable(line)}
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	c := Command{Verb: Rescore}
	for _, n := range slices.Compact(numbers) {
		c.Criteria = append(c.Criteria, "C"+strconv.Itoa(n))
	}
	return c
}

// criterion reads "C1".."C10", in either case.
func criterion(word string) (int, bool) {
	if len(word) < 2 || len(word) > 3 || (word[0] != 'C' && word[0] != 'c') || word[1] == '0' {
		return 0, false
	}
	n, err := strconv.ParseUint(word[1:], 10, 8)
	return int(n), err == nil && n >= 1 && n <= criteria
}

// printable makes text of a stranger fit to be shown inside a code span.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '`' || r == utf8.RuneError || unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxWord {
		s = string(r[:maxWord]) + "…"
	}
	return s
}

// help lists the commands, as Markdown.
const help = "| comment | what happens |\n" +
	"|---|---|\n" +
	"| `/rescore` | the result for this pull request is worked out and posted again |\n" +
	"| `/rescore C2 C4` | the evidence of these criteria is verified anew, also where nothing touched it |\n" +
	"| `/rescore all` | the evidence of every criterion is verified anew |\n" +
	"| `/rescore help` | this list |\n" +
	"\n" +
	"A command stands at the start of its own line. People with write access may give it.\n"

// Reply is the Markdown that answers Help and Unknown; "" for other verbs.
func Reply(verb Verb, text string) string {
	switch verb {
	case Help:
		return "Commands of Rescore:\n\n" + help
	case Unknown:
		if text = printable(text); text == "" {
			return "This is not a command of Rescore. These are:\n\n" + help
		}
		return "`" + Word + " " + text + "` is not a command of Rescore. These are:\n\n" + help
	}
	return ""
}
