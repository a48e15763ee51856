// Package policy is the file .github/rescore.yml: what it may say, and what it
// decides about an outcome.
//
// The file is written by whoever can write to the repository, so it is parsed
// strictly and within bounds, and it can only choose among what is offered here.
// A file that cannot be used is an error with its line and the way to mend it;
// no other policy is guessed in its place.
//
// It is pure: no I/O, no clock. Of this module it may import outcome, scorecard
// and rubric.
package policy
