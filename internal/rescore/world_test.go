package rescore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/gitmirror"
	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/rescore"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/testenv"
	"github.com/rescore-app/rescore/rubric"
)

// world is a repository and a card that verifies at its first commit. Every
// criterion Cn rests on src/cn.py alone, four lines a parameter.
type world struct {
	t    *testing.T
	repo *testenv.Repo
	card *scorecard.Card
}

// level is what every parameter of the card is rated, unless a test says other.
const level = 3

func newWorld(t *testing.T, change ...func(*scorecard.Card)) *world {
	t.Helper()
	w := &world{t: t, repo: testenv.NewRepo(t)}
	for _, h := range rubric.Heads() {
		w.repo.Write(file(h.ID), source(h.ID))
	}
	w.repo.Write("docs/guide.md", "nothing here is cited\n")
	commit := w.repo.Commit("first")
	w.card = plainCard(commit)
	for _, f := range change {
		f(w.card)
	}
	scorecard.Normalize(w.card)
	return w
}

func file(id string) string { return "src/" + strings.ToLower(id) + ".py" }

// source is forty distinct lines.
func source(id string) string {
	var b strings.Builder
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&b, "%s_control_%02d = guard(step=%d, owner=%q)\n", strings.ToLower(id), i, i*i, id)
	}
	return b.String()
}

// cited returns the lines that a parameter cites: S 5-8, C 13-16, D 21-24, B 29-32.
func cited(k int) scorecard.LineRange { return scorecard.LineRange{First: 5 + 8*k, Last: 8 + 8*k} }

func plainCard(commit string) *scorecard.Card {
	c := &scorecard.Card{
		SchemaVersion: scorecard.SchemaVersion, ScorecardVersion: rubric.Version, ID: "plain", Name: "Plain",
		RepoURL: "https://github.com/acme/plain", Description: "A made-up agent.", Category: "coding",
		PinnedCommit: commit, ScoredDate: "2026-01-02", ScoredConfiguration: "As shipped.", Headline: "Holds.",
		RuleOfTwo: scorecard.RuleOfTwo{UntrustedInput: "the web (src/c5.py:5-8)", SensitiveData: "none", StateChangeOrEgress: "none"},
		Fixes:     []scorecard.Fix{{Summary: "Ask.", Criterion: "C2", Parameter: scorecard.S, From: level, To: 4}},

		Limitations: []string{"Made up."},
	}
	for _, id := range scorecard.Capabilities {
		c.Profile = append(c.Profile, scorecard.Capability{ID: id, Value: "yes"})
	}
	for _, h := range rubric.Heads() {
		m := scorecard.Mechanism{Kind: scorecard.Default, Label: "default configuration"}
		for k, id := range scorecard.ParameterIDs {
			m.Parameters[k] = scorecard.Parameter{ID: id, Level: level, Status: scorecard.Verified,
				Finding: "Stands.", Gap: "One more.",
				Evidence: []scorecard.Evidence{{File: file(h.ID), Lines: cited(k),
					Contains: fmt.Sprintf("%s_control_%02d", strings.ToLower(h.ID), cited(k).First)}}}
		}
		c.Criteria = append(c.Criteria, scorecard.Criterion{ID: h.ID, Name: h.Name, OWASP: h.OWASP, Question: h.Question,
			Summary: "It stands.", Status: scorecard.StatusScored, Mechanisms: []scorecard.Mechanism{m}})
	}
	return c
}

// edit rewrites a file of the work tree line by line; "" drops a line.
func (w *world) edit(path string, change func(n int, line string) string) {
	w.t.Helper()
	old := w.repo.Git("show", "HEAD:"+path)
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimRight(old, "\n"), "\n") {
		if out := change(i+1, line); out != "" {
			b.WriteString(out + "\n")
		}
	}
	w.repo.Write(path, b.String())
}

// commitAndRescore commits the work tree and rescores the card there.
func (w *world) commitAndRescore(force ...string) *outcome.Outcome {
	w.t.Helper()
	return w.rescore(w.card, "", w.repo.Commit("change"), force...)
}

func (w *world) open() rescore.Repo {
	w.t.Helper()
	repo, err := gitmirror.Open(context.Background(), w.repo.Dir())
	require.NoError(w.t, err)
	w.t.Cleanup(func() { require.NoError(w.t, repo.Close()) })
	return rescore.Local(repo)
}

func (w *world) rescore(card *scorecard.Card, base, head string, force ...string) *outcome.Outcome {
	w.t.Helper()
	before := card.Clone()
	repo := w.open()
	o, err := newEngine(w.t).Rescore(context.Background(), repo,
		rescore.Request{Card: card, Base: base, Head: head, Force: force})
	require.NoError(w.t, err)
	require.Equal(w.t, before, card, "the given card is never modified")
	w.sound(repo, o)
	return o
}

// sound checks what holds for every outcome: the new card is valid by the strict
// reading, verifies at head, and no figure is outside its interval.
func (w *world) sound(repo rescore.Repo, o *outcome.Outcome) {
	w.t.Helper()
	for _, p := range scorecard.Validate(o.After, scorecard.Strict) {
		require.NotEqual(w.t, scorecard.Error, p.Severity, "the card at head is invalid: %s", p)
	}
	v, err := newEngine(w.t).Verify(context.Background(), repo, o.After, o.Head)
	require.NoError(w.t, err)
	for _, it := range v.Items {
		require.Equal(w.t, outcome.CheckOK, it.State, "%s %s: expected %s, got %s", it.Criterion, it.Place, it.Expected, it.Got)
	}
	require.Len(w.t, o.Criteria, 10)
	for _, s := range append([]outcome.Span{o.Score}, spans(o)...) {
		require.LessOrEqual(w.t, s.Low, s.After)
		require.LessOrEqual(w.t, s.After, s.High)
	}
	for i := range o.Criteria {
		if o.Criteria[i].Verdict == outcome.Carried {
			require.Equal(w.t, o.Before.Criteria[i], o.After.Criteria[i], "a carried criterion is carried as it is")
		}
	}
}

func spans(o *outcome.Outcome) (out []outcome.Span) {
	for i := range o.Criteria {
		out = append(out, o.Criteria[i].Score)
	}
	return out
}

func verdicts(o *outcome.Outcome) map[string]outcome.Verdict {
	out := map[string]outcome.Verdict{}
	for i := range o.Criteria {
		if v := o.Criteria[i].Verdict; v != outcome.Carried {
			out[o.Criteria[i].ID] = v
		}
	}
	return out
}

func criterion(t *testing.T, o *outcome.Outcome, id string) *outcome.Criterion {
	t.Helper()
	for i := range o.Criteria {
		if o.Criteria[i].ID == id {
			return &o.Criteria[i]
		}
	}
	t.Fatalf("no criterion %s", id)
	return nil
}
