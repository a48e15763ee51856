package policy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

var today = date("2026-12-01").Add(15 * time.Hour)

// change is how a test describes one parameter: levels as printed, "L2?" for a
// level that needs review.
type change struct {
	criterion string
	kind      scorecard.MechanismKind
	id        scorecard.ParameterID
	from, to  string
	review    bool
}

// made is an outcome of the changes, with both cards and every figure computed.
func made(changes ...change) *outcome.Outcome {
	o := &outcome.Outcome{Before: card(), After: card()}
	touched := map[string]outcome.Verdict{}
	params := map[string][]outcome.Parameter{}
	for _, c := range changes {
		was, is := rated(c.id, c.from), rated(c.id, c.to)
		*o.Before.ByID(c.criterion).ByKind(scorecard.Default).ByID(c.id) = was
		*o.After.ByID(c.criterion).ByKind(scorecard.Default).ByID(c.id) = is
		verdict := outcome.Rejudged
		if c.from == c.to {
			verdict = outcome.Reverified
		}
		if c.review {
			verdict = outcome.NeedsReview
		}
		if touched[c.criterion] != outcome.NeedsReview {
			touched[c.criterion] = verdict
		}
		params[c.criterion] = append(params[c.criterion], outcome.Parameter{ID: c.id, Before: was, After: is, NeedsReview: c.review})
	}
	for i := range o.Before.Criteria {
		id := o.Before.Criteria[i].ID
		c := outcome.Criterion{ID: id, Verdict: outcome.Carried, Counted: scorecard.Default}
		c.Score = span(o.Before.Criteria[i].Score(), o.After.Criteria[i].Score())
		if v, ok := touched[id]; ok {
			c.Verdict = v
			c.Mechanisms = []outcome.Mechanism{{Kind: scorecard.Default, Parameters: params[id]}}
		}
		o.Criteria = append(o.Criteria, c)
	}
	o.Score = span(o.Before.Total(), o.After.Total())
	return o
}

func span(before, after int) outcome.Span {
	return outcome.Span{Before: before, After: after, Low: after, High: after}
}

func rated(id scorecard.ParameterID, s string) scorecard.Parameter {
	p := scorecard.Parameter{ID: id, Status: scorecard.Verified}
	if s == "SA" {
		p.SA, p.Level = true, scorecard.MaxLevel
		return p
	}
	p.Level = scorecard.Level(s[1] - '0')
	return p
}

// card rates every parameter L2: each criterion 0.5, the total 5.0.
func card() *scorecard.Card {
	c := &scorecard.Card{}
	for _, id := range []string{"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10"} {
		m := scorecard.Mechanism{Kind: scorecard.Default}
		for i, p := range scorecard.ParameterIDs {
			m.Parameters[i] = rated(p, "L2")
		}
		c.Criteria = append(c.Criteria, scorecard.Criterion{ID: id, Status: scorecard.StatusScored, Mechanisms: []scorecard.Mechanism{m}})
	}
	return c
}

func flagged(o *outcome.Outcome, id string, f outcome.Flag) *outcome.Outcome {
	c := find(o, id)
	c.Flags = append(c.Flags, f)
	return o
}

func find(o *outcome.Outcome, id string) *outcome.Criterion {
	for i := range o.Criteria {
		if o.Criteria[i].ID == id {
			return &o.Criteria[i]
		}
	}
	panic("no criterion " + id)
}

func parsed(t *testing.T, text string) *Policy {
	t.Helper()
	p, err := Parse(Path, []byte("version: 1\n"+text))
	require.NoError(t, err)
	return p
}

// Without a policy file a check never fails.
func TestDecideWithoutPolicy(t *testing.T) {
	s := change{"C4", scorecard.Default, scorecard.S, "L2", "L2", false}
	with := func(to string, review bool) change { c := s; c.to, c.review = to, review; return c }
	capped := made(s)
	find(capped, "C4").Verdict, find(capped, "C4").CapAfter = outcome.Rejudged, "G2"
	gapped := made(with("L0", false))
	gapped.NewGaps = []string{"C4", "C5"}
	cases := map[string]struct {
		o       *outcome.Outcome
		want    outcome.Conclusion
		reasons []string
		title   string
	}{
		"nothing touched":  {made(), outcome.Success, []string{}, "5.0, nothing it rests on changed"},
		"everything holds": {made(s), outcome.Success, []string{}, "5.0 holds: 1 criterion re-verified"},
		"two hold":         {made(s, change{"C9", scorecard.Default, scorecard.B, "L2", "L2", false}), outcome.Success, []string{}, "5.0 holds: 2 criteria re-verified"},
		"fell": {made(with("L0", false)), outcome.Neutral,
			[]string{"C4 S fell from L2 to L0."}, "5.0 → 4.9: C4 fell"},
		"rose": {made(with("L3", false)), outcome.Neutral,
			[]string{"C4 S rose from L2 to L3."}, "5.0 → 5.1: C4 rose"},
		"needs review": {made(with("L2", true)), outcome.Neutral,
			[]string{"C4 S needs review: its evidence changed and nobody has decided what that means."}, "5.0 unchanged: C4 needs review"},
		"two need review": {made(with("L1", true), change{"C5", scorecard.Default, scorecard.B, "L2", "L2", true}), outcome.Neutral,
			[]string{"C4 S and C5 B need review: their evidence changed and nobody has decided what that means."}, "5.0 → 4.9: C4 and C5 need review"},
		"improvement": {flagged(made(s), "C4", outcome.PossibleImprovement), outcome.Neutral,
			[]string{"C4 may have improved: the code behind a recorded lack changed."}, "5.0 holds: C4 may have improved"},
		"cap in question": {flagged(made(s), "C4", outcome.CapInQuestion), outcome.Neutral,
			[]string{"C4 keeps its cap, although the evidence of the capped mechanism changed."}, "5.0 holds: C4 has its cap in question"},
		"another cap": {capped, outcome.Neutral,
			[]string{"C4 has another cap: G2 instead of none."}, "5.0 holds: C4 has another cap"},
		"new gap": {gapped, outcome.Neutral,
			[]string{"C4 S fell from L2 to L0.", "C4 and C5 now owe a critical gap."}, "5.0 → 4.9: C4 fell"},
		"absence lost": {made(change{"C4", scorecard.Default, scorecard.S, "SA", "L4", false}), outcome.Neutral,
			[]string{"C4 S fell from SA to L4."}, "5.2 unchanged: C4 fell"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, reasons := Default().Decide(c.o, today)
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.reasons, reasons)
			assert.Equal(t, c.title, Title(c.o))
		})
	}
}

func TestDecideByPolicy(t *testing.T) {
	fall := change{"C4", scorecard.Default, scorecard.S, "L2", "L0", false} // 0.150
	cases := map[string]struct {
		policy string
		o      *outcome.Outcome
		want   outcome.Conclusion
		first  string
	}{
		"a file alone never fails":    {"", made(fall), outcome.Neutral, "C4 S fell from L2 to L0."},
		"drop reached":                {"fail_on: {drop: 0.15}", made(fall), outcome.Failure, "The total fell by 0.15; the policy allows less than 0.15."},
		"drop not reached":            {"fail_on: {drop: 0.151}", made(fall), outcome.Neutral, "C4 S fell from L2 to L0."},
		"drop made up for":            {"fail_on: {drop: 0.1}", made(fall, change{"C3", scorecard.Default, scorecard.S, "L2", "L4", false}), outcome.Neutral, "C4 S fell from L2 to L0."},
		"drop below what is printed":  {"fail_on: {drop: 0.05}", made(change{"C4", scorecard.Default, scorecard.B, "L2", "L1", false}), outcome.Failure, "The total fell by 0.05; the policy allows less than 0.05."},
		"minimum by the printed":      {"fail_on: {minimum: 5.0}", made(change{"C4", scorecard.Default, scorecard.B, "L2", "L1", false}), outcome.Neutral, "C4 B fell from L2 to L1."},
		"minimum missed":              {"fail_on: {minimum: 5.0}", made(fall), outcome.Failure, "The total is 4.9, below the 5.0 that the policy asks for."},
		"minimum missed before":       {"fail_on: {minimum: 6}", made(), outcome.Failure, "The total is 5.0, below the 6.0 that the policy asks for."},
		"named parameter fell":        {"fail_on: {parameters: [C4.S]}", made(fall), outcome.Failure, "C4 S fell from L2 to L0, and the policy says that it may not."},
		"any parameter of it":         {"fail_on: {parameters: ['C4.*']}", made(fall), outcome.Failure, "C4 S fell from L2 to L0, and the policy says that it may not."},
		"that parameter of any":       {"fail_on: {parameters: ['*.S']}", made(fall), outcome.Failure, "C4 S fell from L2 to L0, and the policy says that it may not."},
		"another parameter":           {"fail_on: {parameters: [C4.C, 'C5.*']}", made(fall), outcome.Neutral, "C4 S fell from L2 to L0."},
		"named parameter rose":        {"fail_on: {parameters: [C4.S]}", made(change{"C4", scorecard.Default, scorecard.S, "L2", "L3", false}), outcome.Neutral, "C4 S rose from L2 to L3."},
		"named parameter is inferred": {"fail_on: {parameters: [C4.S]}", made(change{"C4", scorecard.Default, scorecard.S, "L3", "L2", true}), outcome.Failure, "C4 S fell from L3 to L2 until somebody has looked at its evidence, and the policy says that it may not."},
		"review may not pass":         {"fail_on: {needs_review: true}", made(change{"C4", scorecard.Default, scorecard.S, "L2", "L2", true}), outcome.Failure, "C4 needs review, and the policy does not let that pass."},
		"review may pass":             {"fail_on: {needs_review: false}", made(change{"C4", scorecard.Default, scorecard.S, "L2", "L2", true}), outcome.Neutral, "C4 S needs review: its evidence changed and nobody has decided what that means."},
		"dry run":                     {"dry_run: true\nfail_on: {drop: 0.1}", made(fall), outcome.Neutral, "Dry run, would fail: The total fell by 0.15; the policy allows less than 0.1."},
		"dry run of a success":        {"dry_run: true\nfail_on: {drop: 0.1}", made(), outcome.Success, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, reasons := parsed(t, c.policy).Decide(c.o, today)
			assert.Equal(t, c.want, got, "%v", reasons)
			if c.first == "" {
				assert.Empty(t, reasons)
			} else {
				require.NotEmpty(t, reasons)
				assert.Equal(t, c.first, reasons[0])
			}
		})
	}
}

func TestNewCriticalGap(t *testing.T) {
	o := made(change{"C4", scorecard.Default, scorecard.B, "L2", "L0", false})
	o.NewGaps = []string{"C4"}
	got, reasons := parsed(t, "fail_on: {new_critical_gap: true}").Decide(o, today)
	assert.Equal(t, outcome.Failure, got)
	assert.Equal(t, []string{"C4 owes a critical gap that it did not owe before.", "C4 B fell from L2 to L0."}, reasons)
}

// An exception keeps its criterion or parameter from failing the check, to the
// end of its last day, and is told in any case.
func TestExceptions(t *testing.T) {
	fall := change{"C4", scorecard.Default, scorecard.S, "L2", "L0", false}
	other := change{"C4", scorecard.Default, scorecard.B, "L2", "L1", false} // 0.050
	const rules = "fail_on: {drop: 0.1, new_critical_gap: true, needs_review: true, parameters: ['*.*']}\nexceptions:\n- {reason: known, "
	told := "Excepted until 2026-12-01: C4, known."
	cases := map[string]struct {
		exception string
		now       time.Time
		o         *outcome.Outcome
		want      outcome.Conclusion
		has       []string
	}{
		"criterion":                {"criterion: C4, expires: 2026-12-01}", today, made(fall, other), outcome.Neutral, []string{told}},
		"last minute":              {"criterion: C4, expires: 2026-12-01}", date("2026-12-02").Add(-time.Minute), made(fall), outcome.Neutral, []string{told}},
		"expired":                  {"criterion: C4, expires: 2026-12-01}", date("2026-12-02"), made(fall), outcome.Failure, []string{"The exception for C4 expired on 2026-12-01: renew it or remove it."}},
		"another criterion":        {"criterion: C5, expires: 2026-12-01}", today, made(fall), outcome.Failure, []string{"Excepted until 2026-12-01: C5, known."}},
		"parameter":                {"criterion: C4, parameter: S, expires: 2026-12-01}", today, made(fall), outcome.Neutral, []string{"Excepted until 2026-12-01: C4 S, known."}},
		"the other parameter fell": {"criterion: C4, parameter: S, expires: 2026-12-01}", today, made(fall, other), outcome.Failure, []string{"C4 B fell from L2 to L1, and the policy says that it may not.", "C4 S fell from L2 to L0."}},
		"told on a success":        {"criterion: C4, expires: 2026-12-01}", today, made(), outcome.Success, []string{told}},
		"review of it":             {"criterion: C4, parameter: S, expires: 2026-12-01}", today, made(change{"C4", scorecard.Default, scorecard.S, "L2", "L2", true}), outcome.Neutral, nil},
		"review of another":        {"criterion: C4, parameter: B, expires: 2026-12-01}", today, made(change{"C4", scorecard.Default, scorecard.S, "L2", "L2", true}), outcome.Failure, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, reasons := parsed(t, rules+c.exception).Decide(c.o, c.now)
			assert.Equal(t, c.want, got, "%v", reasons)
			for _, r := range c.has {
				assert.Contains(t, reasons, r)
			}
		})
	}
	o := made(fall)
	o.NewGaps = []string{"C4"}
	got, reasons := parsed(t, rules+"criterion: C4, expires: 2026-12-01}").Decide(o, today)
	assert.Equal(t, outcome.Neutral, got, "%v", reasons)
	assert.Contains(t, reasons, "C4 now owes a critical gap.")
}

// Of a drop that an exception covers in part, the rest counts.
func TestExceptionForgivesItsPartOfADrop(t *testing.T) {
	o := made(change{"C4", scorecard.Default, scorecard.S, "L2", "L0", false}, // 0.150
		change{"C4", scorecard.Default, scorecard.B, "L2", "L0", false}) // 0.100
	text := func(drop string) string {
		return "fail_on: {drop: " + drop + "}\nexceptions:\n- {criterion: C4, parameter: S, reason: known., expires: 2027-01-01}"
	}
	got, reasons := parsed(t, text("0.1")).Decide(o, today)
	assert.Equal(t, outcome.Failure, got)
	assert.Equal(t, "The total fell by 0.1 (0.15 more is excepted); the policy allows less than 0.1.", reasons[0])
	got, _ = parsed(t, text("0.101")).Decide(o, today)
	assert.Equal(t, outcome.Neutral, got)
	o.Before, o.After = nil, nil // without the cards nothing is forgiven in part
	got, _ = parsed(t, text("0.2")).Decide(o, today)
	assert.Equal(t, outcome.Failure, got)
}

func TestWantsComment(t *testing.T) {
	quiet, busy := made(), made(change{"C4", scorecard.Default, scorecard.S, "L2", "L2", false})
	for _, c := range []struct {
		when     When
		o        *outcome.Outcome
		standing bool
		want     bool
	}{
		{Changed, quiet, false, false}, {Changed, quiet, true, true}, {Changed, busy, false, true},
		{Always, quiet, false, true}, {Never, busy, true, false},
	} {
		p := Default()
		p.Comment = c.when
		assert.Equal(t, c.want, p.WantsComment(c.o, c.standing), "%+v", c)
	}
}

func TestApply(t *testing.T) {
	o := made(change{"C4", scorecard.Default, scorecard.S, "L2", "L0", false})
	Default().Apply(o, today)
	assert.Equal(t, outcome.Neutral, o.Conclusion)
	assert.Equal(t, "5.0 → 4.9: C4 fell", o.Title)
	assert.Equal(t, []string{"C4 S fell from L2 to L0."}, o.Reasons)
}

func TestTitleInterval(t *testing.T) {
	o := made(change{"C4", scorecard.Default, scorecard.S, "L3", "L2", true})
	o.Score = outcome.Span{Before: 3000, After: 2925, Low: 2550, High: 3000}
	assert.Equal(t, "3.0 → 2.6..3.0: C4 needs review", Title(o))
}

func TestTitleCountsTheRest(t *testing.T) {
	var all []change
	for _, id := range []string{"C1", "C2", "C3", "C4", "C5"} {
		all = append(all, change{id, scorecard.Default, scorecard.S, "L2", "L0", false})
	}
	assert.Equal(t, "5.0 → 4.3: C1, C2, C3 and 2 more fell", Title(made(all...)))
}

// No policy makes a check fail when no level fell, nothing needs review and no
// gap is new, but for the minimum; and the default policy fails none at all.
func TestDecideProperties(t *testing.T) {
	levels := []string{"L0", "L1", "L2", "L3", "L4", "SA"}
	rapid.Check(t, func(t *rapid.T) {
		var all []change
		harm := false
		for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"C1", "C2", "C4", "C10"}), 0, 4, rapid.ID).Draw(t, "criteria") {
			from, to := rapid.IntRange(0, 5).Draw(t, "from"), rapid.IntRange(0, 5).Draw(t, "to")
			review := rapid.Bool().Draw(t, "review")
			harm = harm || review || to < from
			all = append(all, change{id, scorecard.Default, scorecard.S, levels[from], levels[to], review})
		}
		o := made(all...)
		p := Default()
		got, _ := p.Decide(o, today)
		require.NotEqual(t, outcome.Failure, got)
		require.Equal(t, !harm && !moves(all), got == outcome.Success)
		p.FailOn = FailOn{Drop: 1, NeedsReview: true, NewCriticalGap: true, Parameters: []Selector{{"*", "*"}}}
		got, _ = p.Decide(o, today)
		require.Equal(t, harm, got == outcome.Failure)
		require.Less(t, len(Title(o)), 200)
	})
}

func moves(all []change) bool {
	for _, c := range all {
		if c.from != c.to {
			return true
		}
	}
	return false
}
