package scorecard_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
	"github.com/rescore-app/rescore/rubric"
)

func TestHeronIsValid(t *testing.T) {
	assert.Empty(t, Validate(cardtest.Heron(), Strict))
	assert.Empty(t, Validate(cardtest.Heron(), Lenient))
}

// broken is a way to break a valid card and the one problem that this makes.
type broken struct {
	name  string
	spoil func(*Card)
	place string
	rule  string
	// lenient is the severity when others published the card.
	lenient Severity
}

func mech(c *Card, criterion string, kind MechanismKind) *Mechanism {
	return c.ByID(criterion).ByKind(kind)
}

func par(c *Card, criterion string, id ParameterID) *Parameter {
	return mech(c, criterion, Default).ByID(id)
}

var brokenCards = []broken{
	// the ten criteria
	{"criterion missing", func(c *Card) { c.Criteria = append(c.Criteria[:2:2], c.Criteria[3:]...) }, "C3", "F-CRITERIA", Error},
	{"criterion twice", func(c *Card) { c.Criteria[2] = c.Criteria[1].Clone() }, "C2", "F-CRITERIA", Error},
	{"criterion unknown", func(c *Card) { c.Criteria[2].ID = "C11" }, "C11", "F-CRITERIA", Error},
	{"criteria out of order", func(c *Card) { c.Criteria[0], c.Criteria[2] = c.Criteria[2], c.Criteria[0] }, "C2", "F-CRITERIA", Warning},
	{"unknown status", func(c *Card) { c.Criteria[0].Status = "open" }, "C1", "F-MECHANISMS", Error},
	// mechanisms
	{"no mechanism", func(c *Card) { c.Criteria[0].Mechanisms = nil }, "C1", "F-MECHANISMS", Error},
	{"alt first", func(c *Card) { c.Criteria[0].Mechanisms[0].Kind = Alt }, "C1", "F-MECHANISMS", Error},
	{"parameter out of place", func(c *Card) { par(c, "C1", S).ID = B }, "C1 default S", "F-MECHANISMS", Error},
	{"scored and absent", func(c *Card) { c.Criteria[0].AbsenceEvidence = par(c, "C1", S).Evidence }, "C1", "F-MECHANISMS", Error},
	{"absent with a rating", func(c *Card) { par(c, "C7", S).SA = false }, "C7", "F-MECHANISMS", Error},
	{"absent with a cap", func(c *Card) { mech(c, "C7", Default).Caps = []Cap{{ID: "G1", Reason: "r"}} }, "C7", "F-MECHANISMS", Error},
	{"never absent", func(c *Card) {
		k := c.ByID("C3")
		k.Status, k.AbsenceEvidence = StatusStructuralAbsence, c.ByID("C7").AbsenceEvidence
		k.Mechanisms = c.ByID("C7").Clone().Mechanisms
	}, "C3", "F-ABSENT", Warning},
	// levels
	{"level too high", func(c *Card) { par(c, "C1", B).Level = 5 }, "C1 default B", "F-LEVEL", Error},
	{"SA below L4", func(c *Card) { par(c, "C10", D).Level = 2 }, "C10 default D", "F-LEVEL", Error},
	{"unknown rating status", func(c *Card) { par(c, "C1", S).Status = "guessed" }, "C1 default S", "F-STATUS", Error},
	{"C two above S", func(c *Card) { quoted(c, "C1", C).Level = 3 }, "C1 default C", "R-ABOVE-S", Error},
	{"D two above S", func(c *Card) { quoted(c, "C1", D).Level = 3 }, "C1 default D", "R-ABOVE-S", Error},
	{"inferred above L2", func(c *Card) { p := quoted(c, "C1", B); p.Level, p.Status = 3, Inferred }, "C1 default B", "R-INFERRED-L2", Error},
	{"inferred SA", func(c *Card) { par(c, "C10", D).Status = Inferred }, "C10 default D", "R-INFERRED-L2", Error},
	{"no finding", func(c *Card) { par(c, "C1", S).Finding = " " }, "C1 default S finding", "F-FINDING", Warning},
	{"no gap below L4", func(c *Card) { par(c, "C1", S).Gap = "" }, "C1 default S gap", "R-GAP", Warning},
	// evidence
	{"no evidence", func(c *Card) { par(c, "C1", S).Evidence = nil }, "C1 default S", "R-EVIDENCE", Warning},
	{"SA without a search", func(c *Card) { par(c, "C10", D).Evidence = cardtest.Heron().CriticalGaps[0].Evidence }, "C10 default D", "R-SA-SEARCH", Error},
	{"absence without a search", func(c *Card) { k := c.ByID("C7"); k.AbsenceEvidence = k.AbsenceEvidence[1:] }, "C7 structural absence", "R-SA-SEARCH", Error},
	{"absence with unexplained hits", func(c *Card) { c.ByID("C7").AbsenceEvidence[0].Note = "" }, "C7 structural absence evidence 1", "Q-SEARCH-HITS", Warning},
	{"absolute path", func(c *Card) { par(c, "C1", S).Evidence[0].File = "/etc/passwd" }, "C1 default S evidence 1", "F-CITATION", Error},
	{"drive letter", func(c *Card) { par(c, "C1", S).Evidence[0].File = "c:/x" }, "C1 default S evidence 1", "F-CITATION", Error},
	{"backslash", func(c *Card) { par(c, "C1", S).Evidence[0].File = `a\b` }, "C1 default S evidence 1", "F-CITATION", Error},
	{"path leaves", func(c *Card) { par(c, "C1", S).Evidence[0].File = "a/../../b" }, "C1 default S evidence 1", "F-CITATION", Error},
	{"NUL in path", func(c *Card) { par(c, "C1", S).Evidence[0].File = "a\x00b" }, "C1 default S evidence 1", "F-CITATION", Error},
	{"newline in path", func(c *Card) { par(c, "C1", S).Evidence[0].File = "a\nb" }, "C1 default S evidence 1", "F-CITATION", Error},
	{"endless path", func(c *Card) { par(c, "C1", S).Evidence[0].File = strings.Repeat("a", MaxPath+1) }, "C1 default S evidence 1", "F-CITATION", Error},
	{"line 0", func(c *Card) { par(c, "C1", S).Evidence[0].Lines.First = 0 }, "C1 default S evidence 1", "F-CITATION", Error},
	{"lines backwards", func(c *Card) { par(c, "C1", S).Evidence[0].Lines.Last = 1 }, "C1 default S evidence 1", "F-CITATION", Error},
	{"line out of bounds", func(c *Card) { par(c, "C1", S).Evidence[0].Lines.Last = MaxLine + 1 }, "C1 default S evidence 1", "F-CITATION", Error},
	{"citation and search", func(c *Card) { par(c, "C1", S).Evidence[0].Search = "rg x" }, "C1 default S evidence 1", "F-CITATION", Error},
	{"neither", func(c *Card) { par(c, "C1", S).Evidence[1] = Evidence{} }, "C1 default S evidence 2", "F-SEARCH", Error},
	{"negative hits", func(c *Card) { par(c, "C1", S).Evidence[1].Hits = -1 }, "C1 default S evidence 2", "F-SEARCH", Error},
	{"no scope", func(c *Card) { par(c, "C1", S).Evidence[1].Scope = "" }, "C1 default S evidence 2", "F-SEARCH", Warning},
	{"scope leaves", func(c *Card) { par(c, "C1", S).Evidence[1].Scope = "agent ../x" }, "C1 default S evidence 2", "F-SEARCH", Error},
	{"option as scope", func(c *Card) { par(c, "C1", S).Evidence[1].Scope = "agent --pre=x" }, "C1 default S evidence 2", "F-SEARCH", Error},
	{"quote on a search", func(c *Card) { par(c, "C1", S).Evidence[1].Contains = "x" }, "C1 default S evidence 2", "F-SEARCH", Error},
	// quotes
	{"L3 without a quote", func(c *Card) { par(c, "C9", C).Evidence[0].Contains = "" }, "C9 default C evidence 1", "R-QUOTE", Warning},
	{"L4 without a quote", func(c *Card) { mech(c, "C4", Alt).ByID(S).Evidence[0].Contains = "" }, "C4 alt S evidence 1", "R-QUOTE", Warning},
	{"capped beyond G1 without a quote", func(c *Card) { par(c, "C5", S).Evidence[0].Contains = "" }, "C5 default S evidence 1", "R-QUOTE", Warning},
	{"D under G1 without a quote", func(c *Card) { mech(c, "C2", Alt).ByID(D).Evidence[0].Contains = "" }, "C2 alt D evidence 1", "R-QUOTE-G1", Warning},
	{"critical gap without a quote", func(c *Card) { c.CriticalGaps[0].Evidence[0].Contains = "" }, "critical gap 1 evidence 1", "R-QUOTE", Warning},
	// caps
	{"unknown cap", func(c *Card) { mech(c, "C4", Default).Caps[0].ID = "C4-NONE" }, "C4 default cap C4-NONE", "F-CAP", Error},
	{"cap of another criterion", func(c *Card) { mech(c, "C4", Default).Caps[0].ID = "C6-REPOCONFIG" }, "C4 default cap C6-REPOCONFIG", "F-CAP", Error},
	{"cap twice", func(c *Card) { m := mech(c, "C4", Default); m.Caps = append(m.Caps, m.Caps[0]) }, "C4 default cap C4-HOSTROOT", "F-CAP", Error},
	{"cap without a reason", func(c *Card) { mech(c, "C4", Default).Caps[0].Reason = "" }, "C4 default cap C4-HOSTROOT reason", "F-PROSE", Warning},
	{"alt without G1", func(c *Card) { mech(c, "C2", Alt).Caps = nil }, "C2 alt", "R-ALT-G1", Error},
	{"B at L0 without C5-WORSTCASE", func(c *Card) { mech(c, "C5", Default).Caps = nil }, "C5 default", "R-WORSTCASE", Error},
	{"C5-WORSTCASE without B at L0", func(c *Card) { par(c, "C5", B).Level = 1 }, "C5 default cap C5-WORSTCASE", "R-WORSTCASE", Error},
	{"C5-WORSTCASE on an alt", func(c *Card) {
		k := c.ByID("C5")
		alt := k.Mechanisms[0]
		alt.Kind, alt.Caps = Alt, append([]Cap{{ID: "G1", Reason: "r"}}, alt.Caps...)
		k.Mechanisms = append(k.Mechanisms, alt)
	}, "C5 alt cap C5-WORSTCASE", "Q-WORSTCASE", Error},
	// critical gaps
	{"gap owed by a cap", func(c *Card) {
		m := mech(c, "C6", Default)
		m.Caps = []Cap{{ID: "C6-REPOCONFIG", Reason: "r"}}
		quoteMechanism(m)
	}, "critical gaps", "R-CRITICAL-GAP", Warning},
	{"gap owed by B at L0", func(c *Card) { par(c, "C1", B).Level = 0 }, "critical gaps", "R-CRITICAL-GAP", Warning},
	{"gap without a summary", func(c *Card) { c.CriticalGaps[0].Summary = "" }, "critical gap 1 summary", "F-PROSE", Warning},
	{"gap of no criterion", func(c *Card) {
		c.CriticalGaps = append(c.CriticalGaps, c.CriticalGaps[0])
		c.CriticalGaps[2].Criterion = "C0"
	}, "critical gap 3", "F-CRITICAL-GAP", Error},
	{"gap without labels", func(c *Card) { c.CriticalGaps[0].OWASP = nil }, "critical gap 1", "F-CRITICAL-GAP", Warning},
	{"gap without evidence", func(c *Card) { c.CriticalGaps[0].Evidence = nil }, "critical gap 1", "F-CRITICAL-GAP", Warning},
	{"gap with a path that leaves", func(c *Card) { c.CriticalGaps[0].Evidence[0].File = "../x" }, "critical gap 1 evidence 1", "F-CITATION", Error},
	// head
	{"schema version", func(c *Card) { c.SchemaVersion = "1.0" }, "schema version", "F-HEAD", Error},
	{"method version", func(c *Card) { c.ScorecardVersion = "0.8" }, "scorecard version", "F-HEAD", Error},
	{"id", func(c *Card) { c.ID = "-heron" }, "id", "F-HEAD", Error},
	{"name", func(c *Card) { c.Name = "" }, "name", "F-PROSE", Warning},
	{"plain http", func(c *Card) { c.RepoURL = "http://github.com/a/b" }, "repository", "F-HEAD", Error},
	{"no address", func(c *Card) { c.RepoURL = "heron" }, "repository", "F-HEAD", Error},
	{"user in the address", func(c *Card) { c.RepoURL = "https://u:p@github.com/a/b" }, "repository", "F-HEAD", Error},
	{"address of a clone", func(c *Card) { c.RepoURL += ".git" }, "repository", "F-HEAD", Error},
	{"trailing slash", func(c *Card) { c.RepoURL += "/" }, "repository", "F-HEAD", Error},
	{"subpath", func(c *Card) { c.Subpath = "../x" }, "subpath", "F-HEAD", Error},
	{"category", func(c *Card) { c.Category = "birds" }, "category", "F-HEAD", Error},
	{"short commit", func(c *Card) { c.PinnedCommit = c.PinnedCommit[:12] }, "pinned commit", "F-HEAD", Error},
	{"upper-case commit", func(c *Card) { c.PinnedCommit = strings.Repeat("AB", 20) }, "pinned commit", "F-HEAD", Error},
	{"date", func(c *Card) { c.ScoredDate = "2026-02-30" }, "scored date", "F-HEAD", Error},
	{"capability missing", func(c *Card) { c.Profile = c.Profile[1:] }, "capability profile", "F-PROFILE", Warning},
	{"capability unknown", func(c *Card) { c.Profile = append(c.Profile, Capability{ID: "flight", Value: "yes"}) }, "capability profile", "F-PROFILE", Warning},
	{"capability twice", func(c *Card) { c.Profile = append(c.Profile, c.Profile[0]) }, "capability profile", "F-PROFILE", Warning},
	{"capability value", func(c *Card) { c.Profile[0].Value = "maybe" }, "capability profile", "F-PROFILE", Warning},
	// prose
	{"control character", func(c *Card) { par(c, "C1", S).Finding = "a\x1b[31mb" }, "C1 default S finding", "F-PROSE", Error},
	{"text that turns around", func(c *Card) { c.Headline = "a\u202Eb" }, "headline", "F-PROSE", Error},
	{"not UTF-8", func(c *Card) { c.Headline = "a\xffb" }, "headline", "F-PROSE", Error},
	{"line break in a finding", func(c *Card) { par(c, "C1", S).Finding = "a\nb" }, "C1 default S finding", "F-PROSE", Warning},
	{"endless finding", func(c *Card) { par(c, "C1", S).Finding = strings.Repeat("a", MaxText+1) }, "C1 default S finding", "F-PROSE", Error},
	{"endless summary", func(c *Card) { c.Criteria[0].Summary = strings.Repeat("a", MaxProse+1) }, "C1 summary", "F-PROSE", Error},
	// the rest
	{"leg of the rule of two", func(c *Card) { c.RuleOfTwo.SensitiveData = "" }, "Rule-of-Two sensitive data", "F-RULE-OF-TWO", Warning},
	{"six improvements", func(c *Card) {
		for len(c.Fixes) < MaxFixes+1 {
			c.Fixes = append(c.Fixes, c.Fixes[0])
		}
	}, "improvements", "F-FIXES", Warning},
	{"improvement downwards", func(c *Card) { c.Fixes[0].To = 0 }, "improvement 1", "F-FIXES", Warning},
	{"improvement of no parameter", func(c *Card) { c.Fixes[0].Parameter = "X" }, "improvement 1", "F-FIXES", Error},
	{"improvement of no criterion", func(c *Card) { c.Fixes[0].Criterion = "C0" }, "improvement 1", "F-FIXES", Error},
	{"log of no parameter", func(c *Card) { c.ReauditLog[0].Parameter = "X" }, "re-audit log 1", "F-LOG", Error},
	{"log of no level", func(c *Card) { c.ReauditLog[0].To = "L5" }, "re-audit log 1", "F-LOG", Error},
	{"log without a reason", func(c *Card) { c.ReauditLog[0].Reason = "" }, "re-audit log 1 reason", "F-PROSE", Warning},
	{"no limitation", func(c *Card) { c.Limitations = nil }, "limitations", "F-LIMITATIONS", Warning},
}

// quoted returns a parameter of the default mechanism after giving its citations
// quotes, so that raising its level breaks one rule only.
func quoted(c *Card, criterion string, id ParameterID) *Parameter {
	quoteMechanism(mech(c, criterion, Default))
	return par(c, criterion, id)
}

func quoteMechanism(m *Mechanism) {
	for i := range m.Parameters {
		for j := range m.Parameters[i].Evidence {
			if e := &m.Parameters[i].Evidence[j]; !e.IsSearch() {
				e.Contains = "text"
			}
		}
	}
}

func TestValidateNamesWhatIsBroken(t *testing.T) {
	for _, tt := range brokenCards {
		t.Run(tt.name, func(t *testing.T) {
			c := cardtest.Heron()
			tt.spoil(c)
			for _, s := range []Strictness{Strict, Lenient} {
				want := Error
				if s == Lenient {
					want = tt.lenient
				}
				var found bool
				for _, p := range Validate(c, s) {
					if p.Place == tt.place && p.Rule == tt.rule {
						found = true
						assert.Equal(t, want, p.Severity, "%v", p)
						assert.NotEmpty(t, p.Message)
					}
				}
				assert.True(t, found, "want %s at %q, got %v", tt.rule, tt.place, Validate(c, s))
			}
		})
	}
}

// TestEveryBreakMakesFewProblems keeps one fault from being reported many times.
func TestEveryBreakMakesFewProblems(t *testing.T) {
	for _, tt := range brokenCards {
		c := cardtest.Heron()
		tt.spoil(c)
		assert.LessOrEqual(t, len(Validate(c, Strict)), 3, tt.name)
	}
}

func TestValidateListsAllProblemsAtOnce(t *testing.T) {
	c := cardtest.Heron()
	c.ID, c.ScoredDate = "", "yesterday"
	par(c, "C1", S).Evidence = nil
	mech(c, "C2", Alt).Caps = nil
	c.Limitations = nil
	var rules []string
	for _, p := range Validate(c, Strict) {
		rules = append(rules, p.Rule)
	}
	assert.Equal(t, []string{"F-HEAD", "F-HEAD", "R-EVIDENCE", "R-ALT-G1", "F-LIMITATIONS"}, rules)
	assert.True(t, HasErrors(Validate(c, Lenient)))
}

func TestWarningsThatStayWarnings(t *testing.T) {
	tests := []broken{
		{"a search by another program", func(c *Card) { par(c, "C1", S).Evidence[1].Search = "grep -rn x" }, "C1 default S evidence 2", "Q-SEARCH-RUN", Warning},
		{"a preprocessor", func(c *Card) { par(c, "C1", S).Evidence[1].Search = "rg --pre cat x" }, "C1 default S evidence 2", "Q-SEARCH-RUN", Warning},
		{"an improvement that is done", func(c *Card) { c.Fixes[0].From = 1 }, "improvement 1", "F-FIXES", Warning},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := cardtest.Heron()
			tt.spoil(c)
			got := Validate(c, Strict)
			require.Len(t, got, 1)
			assert.Equal(t, Problem{Warning, tt.place, tt.rule, got[0].Message, got[0].Fix}, got[0])
			assert.False(t, got[0].Quiet())
		})
	}
}

func TestMissingQuotesAreQuietInPublishedCards(t *testing.T) {
	c := cardtest.Heron()
	par(c, "C9", C).Evidence[0].Contains = ""
	got := Validate(c, Lenient)
	require.Len(t, got, 1)
	assert.True(t, got[0].Quiet())
	assert.False(t, Validate(c, Strict)[0].Quiet())
}

func TestLoopbackRepositoriesMayUseHTTP(t *testing.T) {
	for _, address := range []string{"http://127.0.0.1:8080/heron/heron", "http://[::1]:80/a/b", "http://localhost/a/b"} {
		c := cardtest.Heron()
		c.RepoURL = address
		assert.Empty(t, Validate(c, Strict), address)
	}
}

// A rule that is checked has a text, and a card that breaks it.
func TestEveryRuleThatIsCheckedHasAText(t *testing.T) {
	source, err := os.ReadFile("problem.go")
	require.NoError(t, err)
	ids := regexp.MustCompile(`(?m)^(?:const R|\tr)ule\w+ += "([A-Z0-9-]+)"$`).FindAllStringSubmatch(string(source), -1)
	require.Greater(t, len(ids), 25)
	broken := map[string]bool{RuleFigures: true, "Q-SEARCH-RUN": true} // by tests of their own
	for _, tt := range brokenCards {
		broken[tt.rule] = true
	}
	for _, m := range ids {
		_, ok := rubric.Rule(m[1])
		assert.True(t, ok, "rubric/rules.yaml has no text for %s", m[1])
		assert.True(t, broken[m[1]], "no card of this test breaks %s", m[1])
	}
}

func TestProblemReadsAsOneLine(t *testing.T) {
	p := Problem{Error, "C4 default S evidence 2", "F-CITATION", "is odd", "mend it"}
	assert.Equal(t, "C4 default S evidence 2: is odd (F-CITATION); mend it", p.String())
}
