package cardrepo

import (
	"bytes"
	"context"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/evidence"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
	"github.com/rescore-app/rescore/internal/testenv"
)

// verifies asserts that every item of the card is confirmed by the files.
func verifies(t require.TestingT, card *scorecard.Card, files map[string][]byte) {
	items := distinct(card)
	checks, err := evidence.VerifyAll(context.Background(), memory(files), items)
	require.NoError(t, err)
	for i, c := range checks {
		require.Equal(t, outcome.CheckOK, c.State, "%+v: expected %s, got %s", items[i], c.Expected, c.Got)
	}
}

func TestHeron(t *testing.T) {
	card := cardtest.Consistent()
	files, err := Files(card)
	require.NoError(t, err)
	verifies(t, card, files)
	again, err := Files(card)
	require.NoError(t, err)
	assert.Equal(t, files, again, "the same card gives the same files")
}

// Every audited agent's card.
func TestAuditedAgents(t *testing.T) {
	testenv.EachAgent(t, func(t *testing.T, a testenv.Agent) {
		doc, err := cardfile.Read(a.Card(t))
		require.NoError(t, err)
		files, err := Files(doc.Card)
		require.NoError(t, err)
		verifies(t, doc.Card, files)
	})
}

// Every search has its hits by ripgrep's own count.
func TestRipgrepAgrees(t *testing.T) {
	rg := testenv.Ripgrep(t)
	card := cardtest.Consistent()
	files, err := Files(card)
	require.NoError(t, err)
	repo := testenv.NewRepo(t)
	for p, data := range files {
		repo.Write(p, string(data))
	}
	repo.Commit("generated")
	wanted, err := searches(distinct(card))
	require.NoError(t, err)
	for _, e := range wanted {
		cmd := exec.Command("sh", "-c", rg+e.Search[2:]+" "+e.Scope)
		cmd.Dir = repo.Dir()
		out, _ := cmd.Output() // status 1: no match
		lines := 0
		for line := range bytes.Lines(out) {
			if len(bytes.TrimSpace(line)) > 0 {
				lines++
			}
		}
		assert.Equal(t, e.Hits, lines, e.Search)
	}
}

func TestContradictionsAreNamed(t *testing.T) {
	card := cardtest.Consistent()
	c := card.ByID("C9")
	c.Mechanisms[0].Parameters[0].Evidence = []scorecard.Evidence{{Search: "rg -n 'both'", Scope: "agent", Hits: 3}}
	c.Mechanisms[0].Parameters[1].Evidence = []scorecard.Evidence{{Search: "rg -n 'bot'", Scope: "agent", Hits: 0}}
	_, err := Files(card)
	assert.ErrorContains(t, err, "'both'")
	_, err = Files(cardtest.Heron())
	assert.ErrorContains(t, err, "recorded with")
}

func TestSamplesMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[g-y]{2,6}`)
		pattern := word.Draw(t, "a") + rapid.SampledFrom([]string{"|", `\(.*`, `\s+`, "[0-9]{2}", "(x|y)", "?", ".*"}).Draw(t, "op") + word.Draw(t, "b")
		card := cardtest.Consistent()
		want := rapid.IntRange(0, 4).Draw(t, "hits")
		card.ByID("C9").Mechanisms[0].Parameters[0].Evidence = []scorecard.Evidence{{Search: "rg -n -e '" + pattern + "zq'", Scope: "zone/x.py other", Hits: want}}
		files, err := Files(card)
		require.NoError(t, err)
		verifies(t, card, files)
	})
}
