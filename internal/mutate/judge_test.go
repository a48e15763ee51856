package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func cited(file string, first, last int) scorecard.Evidence {
	return scorecard.Evidence{File: file, Lines: scorecard.LineRange{First: first, Last: last}}
}

// Each way to be wrong is told from the others.
func TestFaultsAreTold(t *testing.T) {
	at := cited("a.py", 4, 6)
	moved := cited("a.py", 7, 9)
	holds := expected{holds: true, state: outcome.Moved, file: "a.py", lines: moved.Lines}
	one := func(verdict outcome.Verdict, p outcome.Parameter) *outcome.Outcome {
		return &outcome.Outcome{Criteria: []outcome.Criterion{{ID: "C1", Verdict: verdict,
			Mechanisms: []outcome.Mechanism{{Parameters: []outcome.Parameter{p}}}}}}
	}
	rated := scorecard.Parameter{Level: 3, Status: scorecard.Verified}
	inferred := scorecard.Parameter{Level: 2, Status: scorecard.Inferred}
	good := outcome.Item{Before: at, After: moved, State: outcome.Moved}
	broken := outcome.Item{Before: at, After: at, State: outcome.Edited}
	search := scorecard.Evidence{Search: "rg x", Scope: ".", Hits: 2}
	for name, c := range map[string]struct {
		want expected
		it   outcome.Item
		out  *outcome.Outcome
		is   fault
	}{
		"holds":                     {holds, good, one(outcome.Reverified, outcome.Parameter{Before: rated, After: rated}), ""},
		"called broken":             {holds, broken, one(outcome.NeedsReview, outcome.Parameter{Before: rated, After: inferred}), falseAlarm},
		"a level moved":             {holds, good, one(outcome.Reverified, outcome.Parameter{Before: rated, After: inferred}), falseAlarm},
		"asked for review":          {holds, good, one(outcome.NeedsReview, outcome.Parameter{Before: rated, After: rated}), falseAlarm},
		"wrong lines":               {holds, outcome.Item{Before: at, After: at, State: outcome.Moved}, one(outcome.Reverified, outcome.Parameter{}), wrongLines},
		"more than it is":           {holds, outcome.Item{Before: at, After: moved, State: outcome.Reformatted}, one(outcome.Reverified, outcome.Parameter{}), wrongLines},
		"broken and seen":           {expected{}, broken, one(outcome.NeedsReview, outcome.Parameter{Before: rated, After: inferred, Items: []outcome.Item{broken}}), ""},
		"broken and passed":         {expected{}, good, one(outcome.Reverified, outcome.Parameter{}), miss},
		"broken, and still proven":  {expected{}, broken, one(outcome.Rejudged, outcome.Parameter{Before: rated, After: rated, Items: []outcome.Item{broken}}), miss},
		"broken, and only verified": {expected{}, broken, one(outcome.Reverified, outcome.Parameter{Before: rated, After: inferred, Items: []outcome.Item{broken}}), miss},
		"a wrong count": {expected{hits: 3}, outcome.Item{Before: search, After: search, State: outcome.Edited},
			one(outcome.NeedsReview, outcome.Parameter{Before: rated, After: inferred, Items: []outcome.Item{broken}}), wrongLines},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.is, c.want.judge(c.out, c.it).fault) })
	}
}

func TestOnlyLost(t *testing.T) {
	assert.True(t, onlyLost([]string{"a", "b", "b"}, []string{"a", "b"}))
	assert.False(t, onlyLost([]string{"a", "b"}, []string{"a", "b"}))
	assert.False(t, onlyLost([]string{"a", "b", "c"}, []string{"a", "d"}))
}
