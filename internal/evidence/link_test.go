package evidence_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// What a citation reaches through a linked directory is not followed, and that is
// said, whether the link or what it leads to changed.
func TestCitationThroughALink(t *testing.T) {
	old := tree{"real/pkg/a.py": "check(user)\n", "link": "mode 120000"}
	for name, head := range map[string]tree{
		"what it leads to changed": {"real/pkg/a.py": "pass\n", "link": "mode 120000"},
		"the link went":            {"real/pkg/a.py": "check(user)\n"},
		"something else changed":   {"real/pkg/a.py": "check(user)\n", "link": "mode 120000", "b.py": "x\n"},
	} {
		it := follow(t, old, head, cite(t, "link/pkg/a.py:1"))
		assert.Equal(t, outcome.Unverifiable, it.State, "%s: %s", name, it.Reason)
		assert.Contains(t, it.Reason, "symbolic link link", name)
	}
	it := follow(t, old, tree{"real/pkg/a.py": "pass\n"}, cite(t, "none/pkg/a.py:1"))
	assert.Equal(t, outcome.Gone, it.State, it.Reason)
}
