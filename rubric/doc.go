// Package rubric is the method as data: what the ten criteria ask, what each
// level of each parameter takes, which caps and rules apply, and which changed
// files or lines may bear on a criterion.
//
// The YAML files beside this one are the source. They are embedded and strictly
// parsed: an unknown key, a missing anchor or a pattern that does not compile is
// an error with file and line. A criterion file or the rules are parsed when they
// are first asked for; the figures that the arithmetic needs are generated from
// the YAML into figures.go, so that adding up a card parses nothing.
//
// The package imports nothing of this module.
package rubric

//go:generate go test -run TestFiguresAreGenerated -update .
