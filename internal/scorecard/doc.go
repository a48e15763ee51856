// Package scorecard is the card itself: one agent's ten criteria at one pinned
// commit, the arithmetic that turns levels into scores, and the validation that
// every card we build on has to pass.
//
// It is pure: no I/O, no git, no file formats (package cardfile reads and writes
// those). It may import package rubric for the method's data and nothing else of
// this module.
package scorecard
