package demo_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/judge"
	judgeevidence "github.com/rescore-app/rescore/internal/judge/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/policy"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/testenv"
	"github.com/rescore-app/rescore/testdata"
)

// engine returns the pipeline with the default judge, and Heron's repository.
func engine(t *testing.T, r *testenv.Repo) (*rescore.Engine, rescore.Repo, *scorecard.Card) {
	t.Helper()
	e, err := rescore.NewEngine(rescore.Options{Version: "test", Judges: []judge.Judge{judgeevidence.Judge{}}})
	require.NoError(t, err)
	repo, err := gitmirror.Open(context.Background(), r.Dir())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, repo.Close()) })
	entry, err := testdata.CardJSON()
	require.NoError(t, err)
	doc, err := cardfile.Read("scorecard.json", entry)
	require.NoError(t, err)
	return e, rescore.Local(repo), doc.Card
}

func TestHeronCardIsValidAndVerifies(t *testing.T) {
	_, r := heron(t)
	e, repo, card := engine(t, r)
	for _, p := range scorecard.Validate(card, scorecard.Strict) {
		t.Errorf("%s", p)
	}
	assert.Equal(t, 4975, card.Total())
	assert.Equal(t, "Moderate", card.Band().Label)
	v, err := e.Verify(context.Background(), repo, card, card.PinnedCommit)
	require.NoError(t, err)
	assert.Empty(t, v.Warnings)
	for _, it := range v.Items {
		assert.Equal(t, outcome.CheckOK, it.State, "%s %s: expected %s, got %s", it.Criterion, it.Place, it.Expected, it.Got)
	}
}

// rescored runs a pull request of the history through the pipeline and Heron's own
// policy.
func rescored(t *testing.T, branch string) *outcome.Outcome {
	t.Helper()
	h, r := heron(t)
	e, repo, card := engine(t, r)
	rules, err := policy.Parse(".github/rescore.yml", r.GitInput(nil, "show", h.DefaultBranch+":.github/rescore.yml"))
	require.NoError(t, err)
	o, err := e.Rescore(context.Background(), repo, rescore.Request{
		Card: card, Base: r.Git("rev-parse", h.DefaultBranch), Head: r.Git("rev-parse", branch),
	})
	require.NoError(t, err)
	rules.Apply(o, time.Date(2026, 5, 20, 0, 0, 0, 0, time.UTC))
	return o
}

// verdicts maps criteria to what became of them; carried ones are left out.
func verdicts(o *outcome.Outcome) map[string]outcome.Verdict {
	out := map[string]outcome.Verdict{}
	for _, c := range o.Criteria {
		if c.Verdict != outcome.Carried {
			out[c.ID] = c.Verdict
		}
	}
	return out
}

func TestWeakeningPullFails(t *testing.T) {
	o := rescored(t, "quieter-approvals")
	assert.Equal(t, outcome.Failure, o.Conclusion)
	assert.Equal(t, outcome.Span{Before: 4975, After: 4850, Low: 4450, High: 4975}, o.Score)
	assert.Equal(t, "Minimal", o.BandAfter)
	for id, v := range verdicts(o) {
		if id == "C2" {
			assert.Equal(t, outcome.NeedsReview, v)
		} else {
			assert.Equal(t, outcome.Reverified, v, id)
		}
	}
	require.Len(t, o.Log, 2)
	for i, id := range []scorecard.ParameterID{scorecard.S, scorecard.D} {
		assert.Equal(t, "C2", o.Log[i].Criterion)
		assert.Equal(t, id, o.Log[i].Parameter)
		assert.Equal(t, "L3", o.Log[i].From)
		assert.Equal(t, "L2", o.Log[i].To)
	}
}

func TestMovingPullHolds(t *testing.T) {
	o := rescored(t, "tidy-modules")
	assert.Equal(t, outcome.Success, o.Conclusion)
	assert.Equal(t, outcome.Span{Before: 4975, After: 4975, Low: 4975, High: 4975}, o.Score)
	assert.Empty(t, o.Log)
	seen := map[outcome.State]bool{}
	for _, c := range o.Criteria {
		assert.NotEqual(t, outcome.NeedsReview, c.Verdict, c.ID)
		for _, m := range c.Mechanisms {
			for _, p := range m.Parameters {
				assert.Equal(t, p.Before.Level, p.After.Level)
				for _, it := range p.Items {
					seen[it.State] = true
					assert.True(t, it.State.Holds(), "%s %s %s:%s is %s", c.ID, p.ID, it.Before.File, it.Before.Lines, it.State)
				}
			}
		}
	}
	assert.True(t, seen[outcome.Moved] && seen[outcome.Reformatted], "the pull request moves and re-indents: %v", seen)
}

func TestStrengtheningPullIsSeenAndRaisesNothing(t *testing.T) {
	o := rescored(t, "harden-sandbox")
	assert.Equal(t, outcome.Neutral, o.Conclusion)
	assert.Equal(t, outcome.Span{Before: 4975, After: 4975, Low: 4975, High: 4975}, o.Score)
	assert.Empty(t, o.Log)
	assert.Len(t, verdicts(o), 1)
	for _, c := range o.Criteria {
		if c.ID == "C4" {
			assert.Contains(t, c.Flags, outcome.PossibleImprovement)
			assert.Contains(t, c.Flags, outcome.CapInQuestion)
		}
	}
	assert.Contains(t, o.Reasons, "C4 may have improved: the code behind a recorded lack changed.")
}
