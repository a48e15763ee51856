package scorecard_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

// A citation names its file as git does: any other spelling would never be found
// among the changed files, and the criterion would be carried whatever happens.
func TestCitationPathIsGits(t *testing.T) {
	for spelling, ok := range map[string]bool{
		"agent/loop.py": true, "agent/.env": true, "a b.py": true,
		"./agent/loop.py": false, "agent//loop.py": false, "agent/loop.py/": false, "agent/./loop.py": false,
		"/agent/loop.py": false, "agent/../loop.py": false, `agent\loop.py`: false, "a\tb.py": false, "a\nb.py": false, "": false,
	} {
		c := cardtest.Heron()
		p := &c.ByID("C9").Mechanisms[0].Parameters[0]
		p.Evidence = append(p.Evidence, scorecard.Evidence{File: spelling, Lines: scorecard.LineRange{First: 1, Last: 1}})
		for _, s := range []scorecard.Strictness{scorecard.Lenient, scorecard.Strict} {
			assert.Equal(t, !ok, scorecard.HasErrors(scorecard.Validate(c, s)), "%q", spelling)
		}
	}
	// A scope may be written in any way ripgrep takes.
	c := cardtest.Heron()
	p := &c.ByID("C9").Mechanisms[0].Parameters[0]
	p.Evidence = append(p.Evidence, scorecard.Evidence{Search: "rg -n 'x'", Scope: "./agent/ deploy/"})
	assert.False(t, scorecard.HasErrors(scorecard.Validate(c, scorecard.Strict)))
}
