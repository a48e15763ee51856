package report

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		"nothing is left":         "Nothing is left.",
		"done.":                   "Done.",
		"docker/x.sh was removed": "docker/x.sh was removed.",
		"a.py is gone":            "a.py is gone.",
		"rg -n x: 3 hits":         "rg -n x: 3 hits.",
		"`rg x`: 3 hits":          "`rg x`: 3 hits.",
		"Is it so?":               "Is it so?",
		"élan":                    "élan.",
		" file, then: gone ":      "File, then: gone.",
	} {
		assert.Equal(t, want, sentence(in), "%q", in)
	}
}

func TestPlural(t *testing.T) {
	for want, n := range map[string]int{"1 hit": 1, "0 hits": 0, "2 hits": 2} {
		assert.Equal(t, want, plural(n, "hit"))
	}
	assert.Equal(t, "2 searches", plural(2, "search"))
	assert.Equal(t, "2 criteria", plural(2, "criterion"))
	assert.Equal(t, "1 criterion", plural(1, "criterion"))
	assert.Equal(t, "2 re-audit log entries", plural(2, "re-audit log entry"))
}

func TestList(t *testing.T) {
	assert.Equal(t, "", list(nil, 0))
	assert.Equal(t, "a", list([]string{"a"}, 2))
	assert.Equal(t, "a and b", list([]string{"a", "b"}, 2))
	assert.Equal(t, "a, b and c", list([]string{"a", "b", "c"}, 0))
	assert.Equal(t, "a, b and 1 more", list([]string{"a", "b", "c"}, 2))
}

func TestFigure(t *testing.T) {
	for want, s := range map[string]outcome.Span{
		"3.0":            {Before: 3000, After: 3000, Low: 3000, High: 3000},
		"3.0 → 2.9":      {Before: 3000, After: 2900, Low: 2900, High: 2900},
		"3.0 → 2.6..3.0": {Before: 3000, After: 2900, Low: 2550, High: 3000},
		"2.1":            {Before: 2050, After: 2099, Low: 2050, High: 2149},
	} {
		assert.Equal(t, want, total(s))
	}
	assert.Equal(t, "0.57 → 0.47", criterionScore(outcome.Span{Before: 575, After: 475, Low: 475, High: 475}))
}

func TestFellAndRose(t *testing.T) {
	for _, c := range []struct {
		before, after string
		fell, rose    bool
	}{
		{"L2", "L2", false, false}, {"L2", "L1", true, false}, {"L2", "L3", false, true},
		{"SA", "L4", true, false}, {"L4", "SA", false, true}, {"SA", "SA", false, false},
	} {
		p := rating(scorecard.S, c.before, c.after, "")
		assert.Equal(t, c.fell, fell(&p), "%+v", c)
		assert.Equal(t, c.rose, rose(&p), "%+v", c)
	}
}

func TestHeldItemsSayWhatBecameOfThem(t *testing.T) {
	for want, h := range map[string]held{
		"C2":                                       {id: "C2", items: 3},
		"C2 (1 of 1 item moved)":                   {id: "C2", items: 1, moved: 1},
		"C2 (2 of 3 items moved)":                  {id: "C2", items: 3, moved: 2},
		"C2 (3 of 3 items reformatted)":            {id: "C2", items: 3, reformatted: 3},
		"C2 (1 of 3 items moved, 2 reformatted)":   {id: "C2", items: 3, moved: 1, reformatted: 2},
		"C2 (10 of 12 items moved, 1 reformatted)": {id: "C2", items: 12, moved: 10, reformatted: 1},
	} {
		assert.Equal(t, want, heldWords([]held{h}))
	}
}
