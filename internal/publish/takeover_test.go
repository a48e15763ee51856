package publish_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
)

// A run that got some of its annotations before its job died is not taken over for
// another answer: GitHub would keep the old annotations and the first new ones would
// be left out.
func TestRunWithSomeAnnotationsIsNotTakenOverForAnotherAnswer(t *testing.T) {
	f := newFixture(t)
	head := f.heads[2]
	run, err := f.checks.Begin(f.ctx, f.api, f.target(head, "first"))
	require.NoError(t, err)
	pages := 0
	end := f.gh.Fail(func(r standin.Request) *standin.Fault {
		if r.Method == http.MethodPatch {
			pages++
		}
		if pages < 2 {
			return nil
		}
		return &standin.Fault{Drop: true}
	})
	require.Error(t, run.Complete(f.ctx, content(120)))
	end()
	require.Len(t, f.runs(head)[0].Annotations, 50)

	second := f.target(head, "second")
	second.Input = "other"
	run, err = f.checks.Begin(f.ctx, f.api, second)
	require.NoError(t, err)
	answer := content(60)
	for i := range answer.Annotations {
		answer.Annotations[i].Message = fmt.Sprint("new ", i)
	}
	require.NoError(t, run.Complete(f.ctx, answer))
	runs := f.runs(head)
	require.Len(t, runs, 2)
	assert.Equal(t, "Superseded by a newer commit", runs[0].Title)
	require.Len(t, runs[1].Annotations, 60)
	for i, a := range runs[1].Annotations {
		assert.Equal(t, fmt.Sprint("new ", i), a.Message)
	}
	for _, r := range runs {
		assert.Equal(t, "completed", r.Status)
	}
	open, err := f.store.OpenChecks(f.ctx, f.repo.ID, second.Subject)
	require.NoError(t, err)
	assert.Empty(t, open)
}

// A check run keeps its name; the configuration may not. What was begun under an older
// name is found again by its id, at this head and at others.
func TestOpenRunUnderAnOlderNameIsNotLeftOpen(t *testing.T) {
	for name, c := range map[string]struct {
		head int // of who comes after
		runs int // at the head of the old run
	}{"the same head": {2, 1}, "another head": {1, 1}} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			_, err := f.checks.Begin(f.ctx, f.api, f.target(f.heads[2], "first"))
			require.NoError(t, err)
			f.checks.Name = "Defense score"
			require.NoError(t, f.publishOnce(f.heads[c.head], "second", marker+"\nx", 0))
			old := f.runs(f.heads[2])
			require.Len(t, old, c.runs)
			assert.Equal(t, "completed", old[0].Status)
			now := f.runs(f.heads[c.head])
			require.Len(t, now, 1)
			assert.Equal(t, "Defense score", now[0].Name)
			assert.Equal(t, "3.0 holds", now[0].Title)
		})
	}
}
