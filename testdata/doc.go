// Package testdata holds Heron, a small agent repository of our own: its files,
// its written history, three pull requests, and its scorecard in both formats.
// The demo serves it and tests rescore it.
//
// It is pure: history is given as a stream for `git fast-import`, which somebody
// else runs. It imports no other package of this module. (The go command leaves
// testdata out of "./..."; the tests of this package are in internal/demo.)
package testdata
