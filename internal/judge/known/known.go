// Package known lists the judges there are. A new one is added here and nowhere else:
// the configuration, the server and the commands take from this list.
//
// It may import the judges and package judge, and nothing else of this module.
package known

import (
	"slices"

	"github.com/rescore-app/rescore/internal/judge"
	"github.com/rescore-app/rescore/internal/judge/evidence"
)

// Default is the judge where nobody names one.
const Default = evidence.Name

// judges are all of them.
var judges = []judge.Judge{evidence.Judge{}}

// Names lists the judges by the names that a configuration, a policy and --judge use,
// sorted.
func Names() []string {
	var out []string
	for _, j := range judges {
		out = append(out, j.Name())
	}
	slices.Sort(out)
	return out
}

// ByName returns the judge of the name, and whether there is one.
func ByName(name string) (judge.Judge, bool) {
	i := slices.IndexFunc(judges, func(j judge.Judge) bool { return j.Name() == name })
	if i < 0 {
		return nil, false
	}
	return judges[i], true
}
