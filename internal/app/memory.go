package app

import (
	"os"
	"runtime/debug"
)

// gcPercent is how much garbage may gather between two collections, in percent of
// what is in use. Go's own is 100. The server holds little and makes little garbage,
// so that collecting twice as often costs next to nothing, and a server that waits
// for the next push most of the time should not hold what it does not use.
const gcPercent = 50

// collectSooner sets gcPercent, and returns what sets it back. Where the operator
// said how much is to be held, by GOGC or GOMEMLIMIT, it leaves all as it is.
func collectSooner() (restore func()) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if _, set := os.LookupEnv(name); set {
			return func() {}
		}
	}
	was := debug.SetGCPercent(gcPercent)
	return func() { debug.SetGCPercent(was) }
}
