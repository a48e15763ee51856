package rescore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
)

func TestQuietCommitReadsNothing(t *testing.T) {
	w := newWorld(t)
	w.repo.Write("docs/guide.md", "still nothing\n")
	o := w.commitAndRescore()
	assert.Empty(t, verdicts(o))
	assert.Equal(t, outcome.Span{Before: o.Score.Before, After: o.Score.Before, Low: o.Score.Before, High: o.Score.Before}, o.Score)
	assert.Zero(t, o.Cost.BlobsRead)
	assert.EqualValues(t, 1, o.Cost.GitProcesses, "one tree diff")
	assert.Equal(t, o.Head, o.After.PinnedCommit)
	assert.Equal(t, w.card.PinnedCommit, o.Criteria[0].CarriedFrom)
}

func TestShiftedLinesMoveNothing(t *testing.T) {
	w := newWorld(t)
	w.edit("src/c2.py", func(n int, line string) string {
		if n == 1 {
			return "# one\n# two\n# three\n" + line
		}
		return line
	})
	o := w.commitAndRescore()
	assert.Equal(t, map[string]outcome.Verdict{"C2": outcome.Reverified}, verdicts(o))
	assert.Empty(t, o.Log)
	assert.Equal(t, o.Score.Before, o.Score.After)
	for k, p := range o.After.ByID("C2").Mechanisms[0].Parameters {
		assert.Equal(t, cited(k).First+3, p.Evidence[0].Lines.First)
		assert.Equal(t, cited(k).Last+3, p.Evidence[0].Lines.Last)
	}
}

func TestEditedLineWaitsForReview(t *testing.T) {
	w := newWorld(t)
	w.edit("src/c4.py", func(n int, line string) string {
		if n == 6 {
			return strings.Replace(line, "guard(", "allow(", 1)
		}
		return line
	})
	o := w.commitAndRescore()
	assert.Equal(t, map[string]outcome.Verdict{"C4": outcome.NeedsReview}, verdicts(o))
	c := criterion(t, o, "C4")
	s := c.Mechanisms[0].Parameters[0]
	assert.True(t, s.NeedsReview)
	assert.Equal(t, outcome.Edited, s.Items[0].State)
	assert.Equal(t, scorecard.Level(2), s.After.Level, "inferred stops at L2")
	assert.Equal(t, scorecard.Inferred, s.After.Status)
	// S 3 -> 2: 675+75 -> 75 less. Void: S 0, and C and D fall to 1 with it.
	assert.Equal(t, outcome.Span{Before: 750, After: 675, Low: 0 + 75 + 50 + 150, High: 750}, c.Score)
	require.Len(t, o.Log, 1)
	assert.Equal(t, "L3", o.Log[0].From)
	assert.Equal(t, "L2", o.Log[0].To)
	assert.Equal(t, o.Log[0].Reason, o.After.ReauditLog[0].Reason)
	assert.Equal(t, "no longer fully proven: src/c4.py:5-8 edited.", o.Log[0].Reason)
}

func TestRemovedControlFallsToL0(t *testing.T) {
	w := newWorld(t)
	w.edit("src/c2.py", func(n int, line string) string {
		if n >= 5 && n <= 8 {
			return ""
		}
		return line
	})
	o := w.commitAndRescore()
	assert.Equal(t, map[string]outcome.Verdict{"C2": outcome.Rejudged}, verdicts(o))
	ps := o.After.ByID("C2").Mechanisms[0].Parameters
	assert.Equal(t, scorecard.Level(0), ps[0].Level)
	assert.Equal(t, scorecard.Level(1), ps[1].Level, "C stands at most one above S")
	assert.Equal(t, scorecard.Level(1), ps[2].Level, "D stands at most one above S")
	assert.Equal(t, scorecard.Level(3), ps[3].Level, "B is free of it")
	require.Len(t, ps[0].Evidence, 1)
	assert.True(t, strings.HasPrefix(ps[0].Evidence[0].Search, "rg -n -F -e 'c2_control_0"), ps[0].Evidence[0].Search)
	assert.Equal(t, "src/c2.py", ps[0].Evidence[0].Scope)
	assert.Equal(t, 0, ps[0].Evidence[0].Hits)
	assert.Equal(t, []string{"evidence", "rule", "rule"}, []string{o.Log[0].By, o.Log[1].By, o.Log[2].By})
	assert.Equal(t, scorecard.Level(0), o.After.Fixes[0].From, "an improvement starts from the level as it is")
	assert.Equal(t, "No evidence is left for what was rated L3: Stands.", ps[0].Finding)
}

func TestRemovedFileIsProvenMissing(t *testing.T) {
	w := newWorld(t)
	w.repo.Remove("src/c9.py")
	o := w.commitAndRescore()
	assert.Equal(t, map[string]outcome.Verdict{"C9": outcome.Rejudged}, verdicts(o))
	for _, p := range o.After.ByID("C9").Mechanisms[0].Parameters {
		require.Len(t, p.Evidence, 1)
		assert.Equal(t, "rg -l --hidden --no-ignore '' -g '/src/c9.py'", p.Evidence[0].Search)
		assert.Equal(t, scorecard.Level(0), p.Level)
	}
}

// A file that comes back is seen by the search that proved it missing.
func TestReturnOfAFileTouchesItsAbsence(t *testing.T) {
	w := newWorld(t)
	w.repo.Remove("src/c9.py")
	o := w.commitAndRescore()
	w.repo.Write("src/c9.py", source("C9"))
	back := w.rescore(o.After, "", w.repo.Commit("back"))
	assert.Equal(t, map[string]outcome.Verdict{"C9": outcome.Rejudged}, verdicts(back))
	assert.Contains(t, criterion(t, back, "C9").Flags, outcome.PossibleImprovement)
	assert.Equal(t, back.Score.Before, back.Score.After, "never raised")
}

func TestLostBlastRadiusOwesAGapAndACap(t *testing.T) {
	w := newWorld(t)
	w.edit("src/c5.py", func(n int, line string) string {
		if n >= 29 && n <= 32 {
			return ""
		}
		return line
	})
	o := w.commitAndRescore()
	assert.Equal(t, []string{"C5"}, o.NewGaps)
	c := criterion(t, o, "C5")
	assert.Equal(t, "", c.CapBefore)
	assert.Equal(t, "C5-WORSTCASE", c.CapAfter)
	assert.Equal(t, 250, c.Score.After)
	require.Len(t, o.After.CriticalGaps, 1)
	assert.Equal(t, "C5", o.After.CriticalGaps[0].Criterion)
	assert.NotEmpty(t, o.After.CriticalGaps[0].Evidence)
}

func absentC7(c *scorecard.Card) {
	k := c.ByID("C7")
	k.Status = scorecard.StatusStructuralAbsence
	k.AbsenceEvidence = []scorecard.Evidence{{Search: "rg -n 'import_plugin'", Scope: "src", Hits: 0}}
	k.Mechanisms = []scorecard.Mechanism{scorecard.AbsentMechanism(k.AbsenceEvidence)}
}

func TestAbsenceEndsWithANewHit(t *testing.T) {
	w := newWorld(t, absentC7)
	w.repo.Write("src/plugins.py", "import_plugin(name)\n")
	o := w.commitAndRescore()
	assert.Equal(t, map[string]outcome.Verdict{"C7": outcome.NeedsReview}, verdicts(o))
	c := criterion(t, o, "C7")
	assert.Equal(t, outcome.Span{Before: 1000, After: 500, Low: 0, High: 1000}, c.Score)
	k := o.After.ByID("C7")
	assert.Equal(t, scorecard.StatusScored, k.Status)
	assert.Equal(t, 1, k.Mechanisms[0].Parameters[0].Evidence[0].Hits)
	item := c.Mechanisms[0].Parameters[0].Items[0]
	assert.Equal(t, []outcome.Line{{File: "src/plugins.py", Line: 1, Text: "import_plugin(name)"}}, item.New)
}

func TestAbsenceHoldsWhileNothingHits(t *testing.T) {
	w := newWorld(t, absentC7)
	w.repo.Write("src/other.py", "x = 1\n")
	o := w.commitAndRescore()
	assert.Equal(t, map[string]outcome.Verdict{"C7": outcome.Reverified}, verdicts(o))
	assert.Equal(t, scorecard.StatusStructuralAbsence, o.After.ByID("C7").Status)
}

func TestL0IsAPossibleImprovement(t *testing.T) {
	w := newWorld(t, func(c *scorecard.Card) {
		p := &c.ByID("C10").Mechanisms[0].Parameters[3]
		p.Level = 0
		p.Evidence = []scorecard.Evidence{{Search: "rg -n 'max_spend'", Scope: "src", Hits: 0}}
	})
	w.repo.Write("src/limits.py", "max_spend = 5\n")
	o := w.commitAndRescore()
	c := criterion(t, o, "C10")
	assert.Equal(t, outcome.Rejudged, c.Verdict)
	assert.Equal(t, []outcome.Flag{outcome.PossibleImprovement}, c.Flags)
	assert.Equal(t, c.Score.Before, c.Score.After)
	assert.Empty(t, o.Log)
}

func TestCapStaysAndIsInQuestion(t *testing.T) {
	w := newWorld(t, func(c *scorecard.Card) {
		m := &c.ByID("C8").Mechanisms[0]
		m.Caps = []scorecard.Cap{{ID: "C8-MODELSECRETS", Reason: "Keys are in the prompt."}}
		c.CriticalGaps = append(c.CriticalGaps, scorecard.CriticalGap{Summary: "Keys reach the model.", OWASP: []string{"LLM02"},
			Criterion: "C8", Evidence: m.Parameters[0].Evidence})
	})
	w.edit("src/c8.py", func(n int, line string) string {
		if n == 6 {
			return line + " # redacted"
		}
		return line
	})
	o := w.commitAndRescore()
	c := criterion(t, o, "C8")
	assert.Equal(t, outcome.NeedsReview, c.Verdict)
	assert.Contains(t, c.Flags, outcome.CapInQuestion)
	assert.Contains(t, c.Flags, outcome.PossibleImprovement)
	assert.Equal(t, "C8-MODELSECRETS", c.CapAfter)
	require.Len(t, c.Gaps, 1)
	assert.Equal(t, outcome.Edited, c.Gaps[0].Items[0].State)
}

func TestDriftBeforeTheBaseIsNotBlamed(t *testing.T) {
	w := newWorld(t)
	w.edit("src/c1.py", func(n int, line string) string {
		if n == 6 {
			return line + " or True"
		}
		return line
	})
	base := w.repo.Commit("drift on the default branch")
	w.edit("src/c2.py", func(n int, line string) string {
		if n == 1 {
			return "# a comment\n" + line
		}
		return line
	})
	o := w.rescore(w.card, base, w.repo.Commit("the pull request"))
	assert.Equal(t, map[string]outcome.Verdict{"C2": outcome.Reverified}, verdicts(o))
	assert.Equal(t, o.Score.Before, o.Score.After)
	assert.Less(t, o.Score.Before, w.card.Total(), "the drift is in the card at the base")
	assert.Equal(t, w.card.PinnedCommit, o.CardCommit)
	assert.Equal(t, base, criterion(t, o, "C1").CarriedFrom, "C1 was last looked at on the way to the base")
	assert.Equal(t, w.card.PinnedCommit, criterion(t, o, "C3").CarriedFrom)
}

// What is unproven stays unproven when the next commit does not touch it.
func TestUnprovenIsNotForgotten(t *testing.T) {
	w := newWorld(t, absentC7)
	w.repo.Write("src/plugins.py", "import_plugin(name)\n")
	o := w.commitAndRescore()
	w.repo.Write("docs/guide.md", "other\n")
	next := w.rescore(o.After, "", w.repo.Commit("quiet"))
	assert.Empty(t, verdicts(next))
	assert.Equal(t, o.Score.After, next.Score.After)
	assert.Equal(t, scorecard.Inferred, next.After.ByID("C7").Mechanisms[0].Parameters[0].Status)
}

func TestForceChecksWhatIsUntouched(t *testing.T) {
	w := newWorld(t)
	w.repo.Write("docs/guide.md", "other\n")
	o := w.commitAndRescore("C3", "C4")
	assert.Equal(t, map[string]outcome.Verdict{"C3": outcome.Reverified, "C4": outcome.Reverified}, verdicts(o))
	assert.Equal(t, w.card.PinnedCommit, criterion(t, o, "C1").CarriedFrom)
	assert.Equal(t, o.Head, rescore.Since(o)["C3"])
}

// A card that claims what never stood is found out when everything is checked.
func TestForceFindsAFalseCard(t *testing.T) {
	w := newWorld(t, func(c *scorecard.Card) {
		c.ByID("C3").Mechanisms[0].Parameters[3].Evidence = []scorecard.Evidence{{Search: "rg -n 'guard'", Scope: "src/c3.py", Hits: 12}}
	})
	w.repo.Write("docs/guide.md", "other\n")
	o := w.commitAndRescore("C3")
	c := criterion(t, o, "C3")
	assert.Equal(t, outcome.NeedsReview, c.Verdict)
	it := c.Mechanisms[0].Parameters[3].Items[0]
	assert.Equal(t, outcome.Edited, it.State)
	assert.Equal(t, 40, it.After.Hits)
	assert.Contains(t, it.Reason, "expected 12 hits, got 40 hits")
}

func TestProseFollows(t *testing.T) {
	w := newWorld(t)
	w.edit("src/c5.py", func(n int, line string) string {
		if n == 1 {
			return "# a comment\n" + line
		}
		return line
	})
	o := w.commitAndRescore()
	assert.Equal(t, "the web (src/c5.py:6-9)", o.After.RuleOfTwo.UntrustedInput)
	require.Len(t, o.Prose, 1)
	assert.Equal(t, outcome.Moved, o.Prose[0].State)
}

func TestUnknownCommitIsSaid(t *testing.T) {
	w := newWorld(t)
	_, err := newEngine(t).Rescore(context.Background(), w.open(),
		rescore.Request{Card: w.card, Head: strings.Repeat("ab", 20)})
	require.ErrorIs(t, err, gitmirror.ErrUnknownRev)
}

func TestNoJudge(t *testing.T) {
	_, err := rescore.NewEngine(rescore.Options{})
	require.ErrorIs(t, err, rescore.ErrNoJudge)
}
