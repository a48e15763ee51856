package evidence_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
)

// similar is a function that differs from others of its kind in two words.
func similar(name string) []string {
	return []string{
		fmt.Sprintf("def %s(user, request):", name), "    check_user(user)", "    validate(request)",
		fmt.Sprintf("    result = do_%s(request)", name), "    audit(user, result)", "    return result", "",
	}
}

// Similar functions that change places are still the same functions.
func TestSimilarFunctionsInAnotherOrder(t *testing.T) {
	file := func(names ...string) (string, map[string]int) {
		var lines []string
		at := map[string]int{}
		for _, n := range names {
			at[n] = len(lines) + 1
			lines = append(lines, similar(n)...)
		}
		return block(lines...), at
	}
	names := []string{"read", "write", "list"}
	base, was := file(names...)
	for _, order := range [][]string{{"write", "read", "list"}, {"list", "write", "read"}, {"list", "read", "write"}, {"read", "list", "write"}} {
		head, is := file(order...)
		for _, name := range names {
			e := cite(t, "a.py:1")
			e.Lines = e.Lines.At(was[name], 6)
			for path, now := range map[string]tree{"a.py": {"a.py": head}, "lib/a.py": {"lib/a.py": head}} {
				it := follow(t, tree{"a.py": base}, now, e)
				assert.True(t, it.State.Holds(), "%s in %v: %s", name, order, it.Reason)
				assert.Equal(t, path, it.After.File)
				assert.Equal(t, e.Lines.At(is[name], 6), it.After.Lines, "%s in %v", name, order)
				assert.Empty(t, it.Reason)
			}
		}
		// One that was edited on the way is not.
		e := cite(t, "a.py:1")
		e.Lines = e.Lines.At(was["read"], 6)
		it := follow(t, tree{"a.py": base}, tree{"a.py": strings.Replace(head, "do_read(request)", "do_reap(request)", 1)}, e)
		assert.False(t, it.State.Holds(), "%v", order)
	}
}

// Lines of a program that moved under another line hold, with a note: whether
// somebody calls what they stand in now cannot be told.
func TestMovedUnderAnotherLine(t *testing.T) {
	check := []string{"    require_confirmation_of(user)", "    audit_decision_of(user)"}
	base := append(append([]string{"def run(user):"}, check...), "    start(user)", "", "def gate(user):", "    log(user)")
	head := append([]string{"def run(user):", "    start(user)", "", "def gate(user):", "    log(user)"}, check...)
	it := follow(t, tree{"a.py": block(base...)}, tree{"a.py": block(head...)}, cite(t, "a.py:2-3"))
	assert.Equal(t, outcome.Moved, it.State, it.Reason)
	assert.Equal(t, "6-7", it.After.Lines.String())
	assert.Contains(t, it.Reason, `stood under "def run(user):" and now stand under "def gate(user):"`)
}
