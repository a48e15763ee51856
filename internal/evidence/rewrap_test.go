package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// A formatter that wraps one statement over several lines moves nothing, however
// deep it indents what stands inside the brackets.
func TestWrappedStatementsHold(t *testing.T) {
	for name, tc := range map[string]struct{ old, now string }{
		"a constant": {
			"A = 1\nWORK = getenv('DIR', cwd() + '/room/')\nB = 2\n",
			"A = 1\nWORK = getenv('DIR',\n              cwd() + '/room/')\nB = 2\n",
		},
		"a header": {
			"class X:\n    def call(self, a: str, b: int = 3) -> str:\n        return a\n",
			"class X:\n    def call(self,\n             a: str,\n             b: int = 3) -> str:\n        return a\n",
		},
		"a loop": {
			"def f():\n    for r in run(a=1, b=2):\n        yield r\n",
			"def f():\n    for r in run(a=1,\n                 b=2):\n        yield r\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			it := follow(t, tree{"a.py": tc.old}, tree{"a.py": tc.now}, cite(t, "a.py:2"))
			assert.Equal(t, outcome.Reformatted, it.State, it.Reason)
		})
	}
}
