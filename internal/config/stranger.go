package config

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/lazy"
	"github.com/rescore-app/rescore/internal/nearest"
)

// ownPrefix begins the variables that are this program's alone.
const ownPrefix = "RESCORE_"

// forTests are variables with that prefix which the tests of this program read.
var forTests = []string{"RESCORE_SHARED", "RESCORE_MIRRORS"}

// serviceLink is how Kubernetes tells every container of a service that is called
// rescore, or has a name that begins so.
var serviceLink = lazy.Regexp(`_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$`)

// maxSlip is how far a variable without our prefix may be from one that is read, to
// be taken for a slip of the pen.
const maxSlip = 2

// strangers warns of variables that look like settings and are none: their writer
// thinks that they are read. It is no error, for the environment belongs to others
// too. A Lookup cannot list what it knows, so the names are those of this process.
func (l *loader) strangers() {
	known := Variables()
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		value, ok := l.env(name)
		if !ok || strings.TrimSpace(value) == "" || slices.Contains(known, name) {
			continue
		}
		near := nearest.Word(name, known)
		switch {
		case strings.HasPrefix(name, ownPrefix) && !isForeign(name, value):
			fix := "README.md lists those that are"
			if near != "" {
				fix = "did you mean " + near + "?"
			}
			l.warn(name, "no such setting, so that it is not read", fix)
		case !strings.HasPrefix(name, ownPrefix) && near != "" && nearest.Distance(name, near) <= maxSlip && !l.given(near):
			l.warn(name, "is not read", "did you mean "+near+"?")
		}
	}
	slices.SortStableFunc(l.warnings, func(a, b Problem) int { return strings.Compare(a.Where, b.Where) })
}

// isForeign reports whether a variable with our prefix is somebody else's.
func isForeign(name, value string) bool {
	return slices.Contains(forTests, name) || strings.HasPrefix(name, "RESCORE_TEST_") || serviceLink().MatchString(name) ||
		(strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://"))
}

// given reports whether a variable is set.
func (l *loader) given(name string) bool {
	v, ok := l.env(name)
	return ok && strings.TrimSpace(v) != ""
}

func (l *loader) warn(where, what, fix string) {
	l.warnings = append(l.warnings, Problem{Where: where, What: what, Fix: fix})
}

// didYouMean proposes the nearest of the known words, else names all of them.
func didYouMean(got string, known []string) string {
	if near := nearest.Word(got, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "there is " + strings.Join(known, ", ")
}
