package evidence_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/testenv"
)

// tally counts what became of the mutants of one kind.
type tally struct{ tried, wrong, same int }

// check runs a mutant and returns what is wrong with its outcome, or "".
func (s subject) check(t require.TestingT, m mutant) string {
	old := s.tree
	if m.old != nil {
		old = m.old
	}
	it := follow(t, old, m.head, s.e)
	switch {
	case m.holds && !it.State.Holds():
		return fmt.Sprintf("false alarm: %s: %s", it.State, it.Reason)
	case !m.holds && it.State.Holds():
		return fmt.Sprintf("missed: %s at %s:%s", it.State, it.After.File, it.After.Lines)
	case m.holds && (it.After.File != m.file || it.After.Lines != m.lines):
		return fmt.Sprintf("wrong lines: %s:%s instead of %s:%s", it.After.File, it.After.Lines, m.file, m.lines)
	case m.holds && it.State != m.state && !(m.state == "moved" && it.State == "intact"):
		return fmt.Sprintf("wrong state: %s instead of %s", it.State, m.state)
	}
	return ""
}

// TestMutationsOfRealRepositories makes every kind of change to every citation
// of two audited agents.
func TestMutationsOfRealRepositories(t *testing.T) {
	for name, mirror := range map[string]string{"taskweaver": "microsoft+TaskWeaver", "qwen-agent": "QwenLM+Qwen-Agent"} {
		t.Run(name, func(t *testing.T) {
			a := corpus(t, name)
			c := openClone(t, testenv.Mirror(t, mirror))
			base := tree{}
			for _, e := range a.citations {
				data, ok := c.object(a.commit + ":" + e.File)
				require.True(t, ok, e.File)
				base[e.File] = string(data)
			}
			tallies := map[string]*tally{}
			for _, e := range a.citations {
				mutateAll(t, newSubject(base, e), tallies)
			}
			report(t, tallies)
		})
	}
}

func mutateAll(t *testing.T, s subject, tallies map[string]*tally) {
	for _, m := range append(s.harmless(), s.harmful()...) {
		n := tallies[m.kind]
		if n == nil {
			n = &tally{}
			tallies[m.kind] = n
		}
		if !m.holds && !m.off && s.survives(m.head) {
			n.same++
			continue
		}
		n.tried++
		if wrong := s.check(t, m); wrong != "" {
			n.wrong++
			assert.Fail(t, wrong, "%s:%s, %s\n%s", s.e.File, s.e.Lines, m.kind, strings.Join(s.block(), "\n"))
		}
	}
}

func report(t *testing.T, tallies map[string]*tally) {
	for _, kind := range slices.Sorted(maps.Keys(tallies)) {
		n := tallies[kind]
		t.Logf("%-45s tried %5d  wrong %d  no change in effect %d", kind, n.tried, n.wrong, n.same)
	}
}
