// Package regex matches regular expressions written in the syntax of Rust's
// regex crate, with the meaning ripgrep 13 gives them.
//
// The standard library's regexp is not enough for that: ripgrep searches bytes,
// so that "." and negated classes refuse bytes that are not UTF-8, its \w, \d,
// \s and \b follow Unicode, its classes nest and intersect, and -w and --crlf
// change the pattern in ways that show. The package therefore has a parser of
// that syntax, a compiler to byte automata, and two matchers, both linear in
// the text: a lazily built DFA that finds lines that match, and a Pike machine
// that finds where a match begins and ends. Nothing backtracks.
//
// What the parser does not know is an *Error with the place and the reason,
// never a guess.
//
// The package must import nothing but the standard library.
package regex

import "fmt"

// Error says why a pattern cannot be evaluated and where.
type Error struct {
	Offset int    // in characters, from the start of the pattern
	Reason string // a clause, lower case, without a full stop
}

func (e *Error) Error() string {
	return fmt.Sprintf("pattern, at character %d: %s", e.Offset+1, e.Reason)
}

// Limits of what is compiled. They are far above what a search in a scorecard
// needs and keep a hostile pattern from costing more than a moment. maxNesting
// and maxStacked together stay within ripgrep's own limit of 250 levels, so that
// what passes here passes there.
const (
	maxPatternRunes = 8 << 10 // characters in a pattern
	maxNesting      = 40      // groups and classes in each other; see maxStacked
	maxStacked      = 3       // repetitions of a repetition, as in a+{2}
	maxRepeat       = 10_000  // largest count in {n,m}
	maxProgram      = 100_000 // instructions of a compiled pattern
)
