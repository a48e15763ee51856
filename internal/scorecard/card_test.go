package scorecard_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
)

func TestParseLines(t *testing.T) {
	good := map[string]LineRange{
		"31":          {First: 31, Last: 31},
		"113-113":     {First: 113, Last: 113, Form: Long},
		"3-10":        {First: 3, Last: 10},
		"1-100000000": {First: 1, Last: MaxLine},
	}
	for text, want := range good {
		got, err := ParseLines(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got)
		assert.Equal(t, text, got.String())
	}
	for _, text := range []string{"", "0", "01", "-1", "3-", "3-2", "a", "3 - 4", "+3", "1-2-3", "100000001", "99999999999999999999"} {
		_, err := ParseLines(text)
		assert.Error(t, err, text)
	}
}

// FuzzParseLines reads anything; what parses prints as it was written.
func FuzzParseLines(f *testing.F) {
	for _, s := range []string{"31", "113-113", "3-10", "0", "1-", "99999999999999999999-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseLines(text)
		if err != nil {
			return
		}
		require.Equal(t, text, r.String())
		require.LessOrEqual(t, r.First, r.Last)
		require.Positive(t, r.First)
	})
}

func TestLineRangeAt(t *testing.T) {
	r := LineRange{First: 3, Last: 5}.At(10, 3)
	assert.Equal(t, LineRange{First: 10, Last: 12}, r)
	assert.Equal(t, 3, r.Count())
	one := LineRange{First: 3, Last: 3, Form: Long}.At(7, 1)
	assert.Equal(t, "7-7", one.String())
}

func TestCloneSharesNothing(t *testing.T) {
	c, want := cardtest.Heron(), cardtest.Heron()
	d := c.Clone()
	assert.Equal(t, want, d)
	d.Profile[0].Value = "no"
	d.Criteria[0].OWASP[0] = "X"
	d.Criteria[6].AbsenceEvidence[0].Hits = 9
	d.Criteria[3].Mechanisms[0].Caps[0].ID = "X"
	d.Criteria[3].Mechanisms[0].Parameters[0].Evidence[0].File = "X"
	d.CriticalGaps[0].OWASP[0] = "X"
	d.CriticalGaps[0].Evidence[0].File = "X"
	d.Fixes[0].Summary = "X"
	d.ReauditLog[0].Reason = "X"
	d.Limitations[0] = "X"
	assert.Equal(t, want, c)
}

func TestLookups(t *testing.T) {
	c := cardtest.Heron()
	assert.Equal(t, "C10", c.ByID("C10").ID)
	assert.Nil(t, c.ByID("C11"))
	assert.Equal(t, Alt, c.ByID("C4").ByKind(Alt).Kind)
	assert.Nil(t, c.ByID("C1").ByKind(Alt))
	assert.Equal(t, D, c.ByID("C1").Mechanisms[0].ByID(D).ID)
	assert.Panics(t, func() { c.ByID("C1").Mechanisms[0].ByID("X") })
	assert.Equal(t, "SA", c.ByID("C10").Mechanisms[0].ByID(D).LevelString())
	assert.Equal(t, "L1", c.ByID("C10").Mechanisms[0].ByID(S).LevelString())
	assert.Equal(t, "https://github.com/heron-agent/heron/blob/"+cardtest.HeronCommit+"/agent/loop.py#L40-L52", c.Permalink(c.CriticalGaps[0].Evidence[0]))
}
