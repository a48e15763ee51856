// Package report turns an outcome, a verification or a card into what people and
// programs read: the pull request comment, the check run with its annotations,
// the terminal text, JSON, SARIF, HTML and badges.
//
// Every form is rendered from one view of the outcome, so that they never tell
// different stories. Text that others wrote reaches a reader through package
// escape only.
//
// It is pure: no I/O, no clock, no git. Of this module it imports outcome,
// scorecard, linemap, rubric and its own subpackages.
package report
