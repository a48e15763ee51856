// Package lazy makes patterns that are compiled when they are first used. Every
// package-level pattern is one of these: a command that does not use a pattern must
// not wait for it, and the program starts many times a minute in a commit hook.
//
// It imports nothing of this module.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles the pattern once and returns it from then
// on; it may be called from several goroutines. A pattern that does not compile
// panics at its first use; internal/archtest compiles every one of them.
func Regexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
