package rescore_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// losing is evidence that is all of C3 S, files with it, and what takes it away.
type losing struct {
	evidence scorecard.Evidence
	files    map[string]string
	lose     func(*world)
}

// check loses the evidence: what is left shows the loss (sound says so), and sees it
// when the evidence comes back.
func (l losing) check(t *testing.T) {
	w := newWorld(t, func(c *scorecard.Card) {
		c.ByID("C3").Mechanisms[0].Parameters[0].Evidence = []scorecard.Evidence{l.evidence}
	})
	commit := func() string {
		w.repo.Git("add", "--force", "--all")
		return w.repo.Commit("change")
	}
	write := func() {
		w.repo.Write(".gitignore", "build/\n")
		for name, content := range l.files {
			w.repo.Write(name, content)
		}
	}
	write()
	w.card.PinnedCommit = commit()
	l.lose(w)
	o := w.rescore(w.card, "", commit())
	after := o.After.ByID("C3").Mechanisms[0].Parameters[0]
	require.Len(t, after.Evidence, 1, "%+v", criterion(t, o, "C3").Mechanisms[0].Parameters[0].Items)
	assert.True(t, after.Evidence[0].IsSearch())
	assert.Zero(t, after.Level)
	write()
	assert.Contains(t, verdicts(w.rescore(o.After, "", commit())), "C3")
}

// Whatever a parameter loses last, a search that can be run shows that it is not there.
func TestEveryLostCitationIsProven(t *testing.T) {
	for name, file := range map[string]string{
		"plain": "src/gate.go", "hidden": ".github/workflows/gate.yml", "ignored": "build/gate.py", "with a blank": "docs/how to ask.md",
		"with a glob": "src/[id]/{gate}*?.ts", "with a mark": "src/a`b.py", "with a letter": "src/gäte.py",
	} {
		for length, lines := range map[string][3]string{
			"long":  {"one of three", "ask(user, \"whether to run\")", "three of three"},
			"short": {"a", "b", "c"},
		} {
			l := losing{
				evidence: scorecard.Evidence{File: file, Lines: scorecard.LineRange{First: 2, Last: 2}, Contains: lines[1]},
				files:    map[string]string{file: lines[0] + "\n" + lines[1] + "\n" + lines[2] + "\n"},
				lose:     func(w *world) { w.repo.Write(file, "nothing is like it\n") },
			}
			t.Run(name+", "+length+" lines", l.check)
			l.lose = func(w *world) { w.repo.Remove(file) }
			t.Run(name+", "+length+" lines, the file", l.check)
		}
	}
}

// When one of the paths of a search goes, what is left of it is counted (sound says so),
// and the rating waits for a person.
func TestLostPathOfAScope(t *testing.T) {
	for _, command := range []string{"rg -n 'one'", "rg -n 'one' src/one src/two"} {
		w := newWorld(t, func(c *scorecard.Card) {
			c.ByID("C3").Mechanisms[0].Parameters[0].Evidence = []scorecard.Evidence{{Search: command, Scope: "src/one src/two/ src/three.py", Hits: 3}}
		})
		for _, name := range []string{"src/one/a.py", "src/two/b.py", "src/three.py"} {
			w.repo.Write(name, "one\n")
		}
		w.card.PinnedCommit = w.repo.Commit("with all")
		w.repo.Move("src/two/b.py", "other/b.py")
		o := w.commitAndRescore()
		p := criterion(t, o, "C3").Mechanisms[0].Parameters[0]
		assert.Equal(t, outcome.Unverifiable, p.Items[0].State)
		assert.Equal(t, "src/one src/three.py", p.After.Evidence[0].Scope)
		assert.Equal(t, 2, p.After.Evidence[0].Hits)
		assert.Equal(t, scorecard.Inferred, p.After.Status)
	}
}

func TestEveryLostScopeIsProven(t *testing.T) {
	for name, scope := range map[string]string{
		"one": "gone/one", "several": "gone/one gone/two/ gone/three.py", "hidden and ignored": ".hidden build", "as written": "./gone/one", "odd": "gone/{a}[b]*?!",
	} {
		t.Run(name, losing{
			evidence: scorecard.Evidence{Search: "rg -n 'cannot be found'", Scope: scope},
			files: map[string]string{"gone/one/a.py": "x\n", "gone/two/b.py": "x\n", "gone/three.py": "x\n", ".hidden/c.py": "x\n",
				"build/d.py": "x\n", "gone/{a}[b]*?!/e.py": "x\n"},
			lose: func(w *world) { w.repo.Git("rm", "-r", "gone", ".hidden", "build") },
		}.check)
	}
}
