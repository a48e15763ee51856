package evidence_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// Of several equal bodies one goes. The one that is left is not taken for it, and
// the others hold with their exact lines.
func TestOneOfSeveralCopiesGoes(t *testing.T) {
	body := []string{"    u = auth_user(r)", "    require_user_approval(u)", "    audit_log(u)"}
	for name, c := range map[string]struct {
		file   string
		header func(string) string
		body   []string
		end    []string
	}{
		"functions":           {"a.py", func(s string) string { return "def " + s + "(u):" }, body, nil},
		"branches":            {"a.py", func(s string) string { return "if " + s + ":" }, []string{"    return False"}, nil},
		"functions in braces": {"a.go", func(s string) string { return "func " + s + "() {" }, []string{"\trequireUserApproval(u)", "\taudit(u)"}, []string{"}"}},
		"sections":            {"a.yml", func(s string) string { return s + ":" }, []string{"  read_only: true"}, nil},
		"same first lines":    {"a.py", func(s string) string { return "def " + s + "(u):\n    check(u)\n    log(u)" }, body, []string{"    return u", ""}},
	} {
		names := []string{"alpha", "beta", "gamma"}
		build := func(without string) (file string, at map[string]int) {
			var lines []string
			at = map[string]int{}
			for _, n := range names {
				if n == without {
					continue
				}
				lines = append(lines, strings.Split(c.header(n), "\n")...)
				at[n] = len(lines) + 1
				lines = append(append(lines, c.body...), c.end...)
			}
			return block(append(lines, "x()")...), at
		}
		base, was := build("")
		for _, removed := range names {
			head, is := build(removed)
			for _, cited := range names {
				e := cite(t, c.file+":1")
				e.Lines = e.Lines.At(was[cited], len(c.body))
				it := follow(t, tree{c.file: base}, tree{c.file: head}, e)
				if cited == removed {
					assert.False(t, it.State.Holds(), "%s: %s removed and taken for lines %s", name, removed, it.After.Lines)
					continue
				}
				assert.True(t, it.State.Holds(), "%s: %s removed, %s cited: %s", name, removed, cited, it.Reason)
				assert.Equal(t, e.Lines.At(is[cited], len(c.body)), it.After.Lines, "%s: %s removed, %s cited", name, removed, cited)
			}
			it := follow(t, tree{c.file: base, "b.py": "y\n"}, tree{"lib/" + c.file: head}, func() (e2 scorecard.Evidence) {
				e2 = cite(t, c.file+":1")
				e2.Lines = e2.Lines.At(was[removed], len(c.body))
				return e2
			}())
			assert.False(t, it.State.Holds(), "%s: %s removed in a renamed file", name, removed)
		}
	}
}

// Where nothing around them tells copies apart, that is said.
func TestCopiesThatCannotBeToldApart(t *testing.T) {
	base := tree{"a.py": block("start()", "check(user)", "", "check(user)", "finish()")}
	head := tree{"a.py": block("start()", "check(user)", "finish()")}
	it := follow(t, base, head, cite(t, "a.py:4"))
	assert.Equal(t, outcome.Edited, it.State)
	assert.True(t, it.Ambiguous)
	assert.Contains(t, it.Reason, "cannot be told")
}

// Where all up to the end of the first copy is as it was, that is the one that is left.
func TestFirstCopyWithAllAboveIt(t *testing.T) {
	base := tree{"a.py": block("start()", "check(user)", "", "check(user)", "finish()")}
	for _, head := range []string{block("start()", "check(user)", "finish()"), block("start()", "check(user)")} {
		it := follow(t, base, tree{"a.py": head}, cite(t, "a.py:2"))
		assert.Equal(t, outcome.Intact, it.State, it.Reason)
		it = follow(t, base, tree{"a.py": head}, cite(t, "a.py:4"))
		assert.False(t, it.State.Holds())
	}
}
