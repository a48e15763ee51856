package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/standin"
	"github.com/rescore-app/rescore/internal/store"
)

const policyPath = ".github/rescore.yml"

// main commits a change on main and returns the check of it.
func (w *world) main(change func()) standin.CheckRun {
	w.t.Helper()
	w.source.Checkout("main")
	change()
	return w.waitCheck(w.pushMain("change"), completed)
}

// pull opens a pull request with a change and returns the check of it.
func (w *world) pull(branch string, change func()) (standin.Pull, standin.CheckRun) {
	w.t.Helper()
	w.branch(branch)
	change()
	p := w.open(branch)
	return p, w.settled(p.Number, p.HeadSHA)
}

func TestNoScorecard(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		c := w.main(func() { w.source.Remove(cardPath) })
		assert.Equal(t, "neutral", c.Conclusion)
		assert.Equal(t, "No scorecard: commit one at .github/rescore/scorecard.json", c.Title)
		assert.Contains(t, c.Summary, "`.github/rescore/scorecard.md`")
		assert.Contains(t, c.Summary, "rescore verify")

		p, c := w.pull("quiet", func() { w.source.Write("docs/a.txt", "a\n") })
		assert.Equal(t, "No scorecard: commit one at .github/rescore/scorecard.json", c.Title)
		w.idle()
		assert.Empty(t, w.ours(p.Number), "nobody is pinged")

		// A pull request that brings the first card hears whether it holds.
		_, c = w.pull("first", func() { w.source.Write(cardPath, w.cardJSON(w.card)) })
		assert.Equal(t, "neutral", c.Conclusion)
		assert.True(t, strings.HasPrefix(c.Title, "First scorecard: 3.6, "), c.Title)

		_, c = w.pull("broken", func() { w.source.Write(cardPath, "{}") })
		assert.True(t, strings.HasPrefix(c.Title, "Scorecard not accepted: "), c.Title)

		c = w.main(func() { w.source.Write(cardPath, w.cardJSON(w.card)) })
		assert.Equal(t, "success", c.Conclusion, c.Title)
	})
}

// A branch that began before the card was committed is measured all the same.
func TestBranchOlderThanTheCard(t *testing.T) {
	w := newWorld(t, "").installed()
	w.source.Checkout(w.pinned)
	w.source.Branch("old")
	w.edit(compose, line(12, func(s string) string { return s + " # changed" }))
	p := w.open("old")
	c := w.settled(p.Number, p.HeadSHA)
	assert.Equal(t, "neutral", c.Conclusion)
	assert.Contains(t, c.Summary, "committed to `main` after this branch began")
}

func TestCardThatIsNotAccepted(t *testing.T) {
	w := newWorld(t, "")
	w.source.Remove(cardPath)
	w.source.Commit("no card yet")
	require.NoError(t, w.gh.SetRole(fullName, person, standin.RoleAdmin))
	_, err := w.gh.Push(w.ctx, person, fullName, "main", w.source.Dir(), "main")
	require.NoError(t, err)
	w.installed()
	for name, c := range map[string]struct {
		content func() string
		title   string
		summary string
	}{
		"not JSON":   {func() string { return "{\n\"a\": \n" }, "Scorecard not accepted: line 2 cannot be read", "scorecard.json"},
		"incomplete": {func() string { return "{}" }, "Scorecard not accepted: ", "this key is missing"},
		"unknown commit": {func() string {
			card := w.card.Clone()
			card.PinnedCommit = strings.Repeat("ab", 20)
			return w.cardJSON(card)
		}, "its pinned commit abababababab is not in this repository", "pin the card to a commit"},
		"false claim": {func() string {
			card := w.card.Clone()
			card.ByID("C1").Mechanisms[0].Parameters[1].Evidence[1].Hits = 99
			return w.cardJSON(card)
		}, "1 of ", "expected 99"},
		"no evidence there": {func() string {
			card := w.card.Clone()
			card.ByID("C1").Mechanisms[0].Parameters[0].Evidence[0].File = "agent/no|such`file.py"
			return w.cardJSON(card)
		}, "1 of ", "C1 default S evidence 1"},
	} {
		c2 := w.main(func() { w.source.Write(cardPath, c.content()) })
		assert.Equal(t, "neutral", c2.Conclusion, name)
		assert.Contains(t, c2.Title, c.title, name)
		assert.Contains(t, c2.Summary, c.summary, name)
		w.idle()
		rows, err := w.app.Store().Baselines(w.ctx, repoID(t, w), 10)
		require.NoError(t, err)
		assert.Empty(t, rows, name)
	}
}

// The last accepted card stands in for one that is not accepted: a broken card
// must not switch the measuring off.
func TestLastAcceptedCardStandsIn(t *testing.T) {
	w := newWorld(t, "").installed()
	c := w.main(func() { w.source.Write(cardPath, "{}") })
	assert.Equal(t, "neutral", c.Conclusion)
	assert.Contains(t, c.Title, "the committed scorecard is not accepted")
	_, c = w.pull("b", func() { w.edit(compose, line(12, func(s string) string { return s + " # changed" })) })
	assert.Equal(t, "neutral", c.Conclusion)
	assert.Contains(t, c.Title, "C4")
}

func TestNewCardIsImportedAndLogged(t *testing.T) {
	w := newWorld(t, "").installed()
	card := w.card.Clone()
	s := card.ByID("C1").Mechanisms[0].ByID("S")
	s.Level = 0
	c := w.main(func() { w.source.Write(cardPath, w.cardJSON(card)) })
	assert.Equal(t, "success", c.Conclusion, c.Title+"\n"+c.Summary)
	w.idle()
	log, err := w.app.Store().Log(w.ctx, repoID(t, w))
	require.NoError(t, err)
	require.NotEmpty(t, log)
	assert.Equal(t, "import", log[0].By)
	assert.Equal(t, "C1", log[0].Criterion)
	assert.Equal(t, "L1", log[0].FromLevel)
	assert.Equal(t, "L0", log[0].ToLevel)
	require.NoError(t, w.app.Store().VerifyLog(w.ctx, repoID(t, w)))
	n := len(log)
	w.main(func() { w.source.Write("docs/q.txt", "q\n") })
	w.idle()
	log, err = w.app.Store().Log(w.ctx, repoID(t, w))
	require.NoError(t, err)
	assert.Len(t, log, n, "told once")
}

// A pull request cannot raise its score by editing the card.
func TestCardEditedInAPullRequest(t *testing.T) {
	w := newWorld(t, "").installed()
	card := w.card.Clone()
	card.ByID("C9").Mechanisms[0].ByID("S").Level = 3
	p, c := w.pull("raise", func() { w.source.Write(cardPath, w.cardJSON(card)) })
	assert.Equal(t, "neutral", c.Conclusion)
	assert.Contains(t, c.Title, "3.6, nothing it rests on changed; this pull request changes the scorecard")
	assert.Contains(t, c.Summary, "C9 default S: L3 proposed, L2 carried.")
	w.idle()
	assert.Empty(t, w.ours(p.Number))

	_, c = w.pull("remove", func() { w.source.Remove(cardPath) })
	assert.Contains(t, c.Summary, "removes the scorecard")
	_, c = w.pull("break", func() { w.source.Write(cardPath, "[]") })
	assert.Contains(t, c.Summary, "would not be accepted")
}

func TestPolicyComesFromTheBaseBranch(t *testing.T) {
	w := newWorld(t, "").installed()
	strict := "version: 1\nfail_on:\n  needs_review: true\n"
	_, c := w.pull("lenient", func() {
		w.source.Write(policyPath, strict) // of the head: it does not count
		w.edit(loop, line(3, func(s string) string { return s + " # changed" }))
	})
	assert.Equal(t, "neutral", c.Conclusion)
	w.main(func() { w.source.Write(policyPath, strict) })
	p, c := w.pull("strict", func() {
		w.source.Remove(policyPath)
		w.edit(loop, line(3, func(s string) string { return s + " # changed" }))
	})
	assert.Equal(t, "failure", c.Conclusion, c.Title)
	w.waitComment(p.Number, func(c standin.Comment) bool { return c.ViaApp })
}

func TestBrokenPolicyNamesTheLine(t *testing.T) {
	w := newWorld(t, "").installed()
	c := w.main(func() { w.source.Write(policyPath, "version: 1\nfail_on:\n  drops: 0.1\n") })
	assert.Equal(t, "neutral", c.Conclusion)
	assert.Equal(t, "Policy cannot be used: mend .github/rescore.yml line 3", c.Title)
	assert.Contains(t, c.Summary, "drops")
	_, c = w.pull("b", func() { w.source.Write("docs/b.txt", "b\n") })
	assert.Equal(t, "Policy cannot be used: mend .github/rescore.yml line 3", c.Title)
	c = w.main(func() { w.source.Write(policyPath, "version: 1\njudges: [oracle]\n") })
	assert.Equal(t, "neutral", c.Conclusion)
	assert.Contains(t, c.Summary, "oracle")
}

func TestPolicyOfTheOwner(t *testing.T) {
	w := newWorld(t, "")
	newHome(t, w, "version: 1\nfail_on:\n  needs_review: true\n")
	w.installed()
	_, c := w.pull("b", func() { w.edit(loop, line(3, func(s string) string { return s + " # changed" })) })
	assert.Equal(t, "failure", c.Conclusion, c.Title)
}

// A token that is refused says nothing of the owner's policy: it is replaced, and no
// check passes meanwhile as if there were none.
func TestRefusedTokenIsNoMissingPolicy(t *testing.T) {
	w := newWorld(t, "")
	newHome(t, w, "version: 1\nfail_on:\n  needs_review: true\n")
	w.installed()
	w.stop()
	w.start() // nothing of the owner is remembered
	refused := 0
	w.gh.Fail(func(r standin.Request) *standin.Fault {
		if refused > 0 || !strings.Contains(r.Path, "/.github.git/") {
			return nil
		}
		refused++
		return &standin.Fault{Status: http.StatusUnauthorized, Message: "Bad credentials"}
	})
	_, c := w.pull("b", func() { w.edit(loop, line(3, func(s string) string { return s + " # changed" })) })
	assert.Equal(t, 1, refused)
	assert.Equal(t, "failure", c.Conclusion, c.Title)
}

func TestCardAtAnotherPath(t *testing.T) {
	w := newWorld(t, "").installed()
	c := w.main(func() {
		w.source.Move(cardPath, "security/card.json")
		w.source.Write(policyPath, "version: 1\ncard: security/card.json\n")
	})
	assert.Equal(t, "success", c.Conclusion, c.Title)
	w.idle()
	rows, err := w.app.Store().Baselines(w.ctx, repoID(t, w), 1)
	require.NoError(t, err)
	require.Len(t, rows, 1)
	assert.Equal(t, store.OriginAdvanced, rows[0].Origin)
}
