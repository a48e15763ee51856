package mutate_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/judge"
	judgeevidence "github.com/rescore-app/rescore/internal/judge/evidence"
	"github.com/rescore-app/rescore/internal/mutate"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

func engine(t *testing.T, judges ...judge.Judge) *rescore.Engine {
	t.Helper()
	if len(judges) == 0 {
		judges = []judge.Judge{judgeevidence.Judge{}}
	}
	e, err := rescore.NewEngine(rescore.Options{Version: "test", Judges: judges})
	require.NoError(t, err)
	return e
}

// small is a card with one citation and one search, and its files.
func small() (*scorecard.Card, map[string][]byte) {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "control_%d = guard(step=%d, owner=%q)\n", i, i*i, "team")
	}
	card := &scorecard.Card{}
	for _, h := range rubric.Heads() {
		m := scorecard.Mechanism{Kind: scorecard.Default}
		for k, id := range scorecard.ParameterIDs {
			m.Parameters[k] = scorecard.Parameter{ID: id, Level: 2, Status: scorecard.Verified}
		}
		card.Criteria = append(card.Criteria, scorecard.Criterion{ID: h.ID, Status: scorecard.StatusScored, Mechanisms: []scorecard.Mechanism{m}})
	}
	card.Criteria[0].Mechanisms[0].Parameters[0].Evidence = []scorecard.Evidence{{File: "src/a.py", Lines: scorecard.LineRange{First: 10, Last: 13}}}
	card.Criteria[1].Mechanisms[0].Parameters[1].Evidence = []scorecard.Evidence{{Search: "rg -n 'approve' -g '*.py'", Scope: "src", Hits: 1}}
	return card, map[string][]byte{"src/a.py": []byte(b.String()), "src/b.py": []byte("approve(plan)\nrun(plan)\n"), "README.md": []byte("approve\n")}
}

func TestEveryKindOnASmallCard(t *testing.T) {
	card, files := small()
	r, err := mutate.Run(context.Background(), engine(t), mutate.Memory(files), card)
	require.NoError(t, err)
	assert.Empty(t, r.Skipped)
	assert.Equal(t, 1, r.Citations)
	assert.Equal(t, 1, r.Searches)
	total := r.Total()
	assert.Zero(t, total.Faults(), "%+v", r.Kinds())
	assert.Greater(t, len(r.Kinds()), 50, "every kind of change was made")
	assert.Greater(t, total.Tried, 80)
}

// What does not verify is named and not mutated: nothing could be said of it.
func TestUnverifiedItemsAreNamed(t *testing.T) {
	card, files := small()
	files["src/b.py"] = []byte("approve(plan)\napprove(plan)\n")
	r, err := mutate.Run(context.Background(), engine(t), mutate.Memory(files), card)
	require.NoError(t, err)
	require.Len(t, r.Skipped, 1)
	assert.Contains(t, r.Skipped[0], "approve")
	assert.Zero(t, r.Searches)
}

// lenient is a judge that lets everything pass.
type lenient struct{}

func (lenient) Name() string { return "lenient" }
func (lenient) Rule(context.Context, judge.Case) ([]judge.Ruling, error) {
	return nil, nil
}

// The laboratory must notice: with a judge that lets broken evidence pass, every
// harmful change is a miss and no harmless one a false alarm.
func TestMissesAreCounted(t *testing.T) {
	card, files := small()
	r, err := mutate.Run(context.Background(), engine(t, lenient{}), mutate.Memory(files), card)
	require.NoError(t, err)
	assert.Zero(t, r.Total().FalseAlarms)
	assert.Greater(t, r.Total().Misses, 30)
	for _, k := range r.Kinds() {
		if k.Name == "a word edited" || k.Name == "search: a matching line added" {
			assert.Equal(t, k.Tried, k.Misses, k.Name)
			assert.NotEmpty(t, k.Examples)
		}
	}
}

func TestSumAndTable(t *testing.T) {
	card, files := small()
	r, err := mutate.Run(context.Background(), engine(t), mutate.Memory(files), card)
	require.NoError(t, err)
	sum := mutate.Sum(r, r)
	assert.Equal(t, 2*r.Total().Tried, sum.Total().Tried)
	assert.Equal(t, 2, sum.Citations)
	var b bytes.Buffer
	require.NoError(t, sum.WriteTable(&b))
	assert.Contains(t, b.String(), "| file renamed | 2 | 0 | 0 | 0 | 0 |\n")
	assert.Contains(t, b.String(), fmt.Sprintf("| all | %d | 0 | 0 | 0 |", sum.Total().Tried))
}
