package demo_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/testenv"
	"github.com/rescore-app/rescore/testdata"
)

// heron builds the repository of the demo, on its default branch.
func heron(t testing.TB) (*testdata.History, *testenv.Repo) {
	t.Helper()
	h, err := testdata.Heron()
	require.NoError(t, err)
	r := testenv.NewRepo(t)
	stream, err := h.Stream()
	require.NoError(t, err)
	r.GitInput(stream, "fast-import", "--quiet")
	for _, p := range h.Pulls {
		stream, err := h.PullStream(p)
		require.NoError(t, err)
		r.GitInput(stream, "fast-import", "--quiet")
	}
	r.Git("reset", "--quiet", "--hard", h.DefaultBranch)
	return h, r
}

// item is one evidence item as the scorecard's JSON writes it.
type item struct {
	File, Lines, Contains, URL string
	Search, Scope              string
	Hits                       int
}

// evidence returns every item of the scorecard, wherever it stands in the JSON.
func evidence(t *testing.T, card []byte) []item {
	t.Helper()
	var doc any
	require.NoError(t, json.Unmarshal(card, &doc))
	var out []item
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			if v["lines"] != nil || v["search"] != nil {
				data, err := json.Marshal(v)
				require.NoError(t, err)
				var it item
				require.NoError(t, json.Unmarshal(data, &it))
				out = append(out, it)
			}
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(doc)
	return out
}

func TestHeronIsPinnedToItsRelease(t *testing.T) {
	h, r := heron(t)
	card, err := testdata.CardJSON()
	require.NoError(t, err)
	var pinned struct {
		Commit string `json:"pinned_commit"`
		Repo   string `json:"repo_url"`
	}
	require.NoError(t, json.Unmarshal(card, &pinned))
	assert.Equal(t, r.Git("rev-parse", h.Scored), pinned.Commit)
	assert.Equal(t, "https://github.com/"+h.FullName(), pinned.Repo)
	assert.Equal(t, string(card), string(r.GitInput(nil, "show", h.DefaultBranch+":"+testdata.CardPath)))
	assert.Equal(t, strconv.Itoa(len(h.Commits)), r.Git("rev-list", "--count", h.DefaultBranch))
	for _, p := range h.Pulls {
		assert.Equal(t, r.Git("rev-parse", h.DefaultBranch), r.Git("merge-base", h.DefaultBranch, p.Branch))
		assert.NotEmpty(t, r.Git("diff", "--name-only", h.DefaultBranch, p.Branch))
	}
}

// Git is the oracle of the citations.
func TestHeronCitationsStandInTheCode(t *testing.T) {
	h, r := heron(t)
	card, err := testdata.CardJSON()
	require.NoError(t, err)
	r.Checkout(h.Scored)
	commit := r.Head()
	n := 0
	for _, it := range evidence(t, card) {
		if it.File == "" {
			continue
		}
		n++
		data, err := os.ReadFile(r.Path(it.File))
		require.NoError(t, err)
		lines := strings.Split(string(data), "\n")
		first, last, ranged := strings.Cut(it.Lines, "-")
		if !ranged {
			last = first
		}
		a, err := strconv.Atoi(first)
		require.NoError(t, err)
		b, err := strconv.Atoi(last)
		require.NoError(t, err)
		require.LessOrEqual(t, b, len(lines), "%s:%s", it.File, it.Lines)
		assert.NotEmpty(t, it.Contains, "%s:%s", it.File, it.Lines)
		assert.Contains(t, strings.Join(lines[a-1:b], "\n"), it.Contains, "%s:%s", it.File, it.Lines)
		anchor := "#L" + first
		if ranged {
			anchor += "-L" + last
		}
		assert.Equal(t, "https://github.com/acme/heron/blob/"+commit+"/"+it.File+anchor, it.URL)
	}
	assert.Greater(t, n, 50)
}

// Ripgrep is the oracle of the searches.
func TestHeronSearchesHit(t *testing.T) {
	rg := testenv.Ripgrep(t)
	h, r := heron(t)
	card, err := testdata.CardJSON()
	require.NoError(t, err)
	r.Checkout(h.Scored)
	n := 0
	for _, it := range evidence(t, card) {
		if it.Search == "" {
			continue
		}
		n++
		// The searches are our own, so a shell may split them.
		cmd := exec.Command("sh", "-c", strings.Replace(it.Search, "rg ", `"$RG" `, 1)+" "+it.Scope)
		cmd.Dir, cmd.Env = r.Dir(), append(testenv.GitEnv(t), "RG="+rg)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			var status *exec.ExitError
			require.ErrorAs(t, err, &status)
			require.Equal(t, 1, status.ExitCode(), "%s: %s", it.Search, stderr.String())
		}
		assert.Equal(t, it.Hits, strings.Count(stdout.String(), "\n"), "%s in %s", it.Search, it.Scope)
	}
	assert.GreaterOrEqual(t, n, 9)
}

// The card was written twice, once in each format, so each checks the other's
// reader and writer.
func TestHeronCardIsTheSameInBothFormats(t *testing.T) {
	entry, err := testdata.CardJSON()
	require.NoError(t, err)
	report, err := testdata.CardMarkdown()
	require.NoError(t, err)
	fromEntry, err := cardfile.Read("scorecard.json", entry)
	require.NoError(t, err)
	fromReport, err := cardfile.Read("scorecard.md", report)
	require.NoError(t, err)
	assert.Empty(t, fromEntry.Warnings)
	assert.Empty(t, fromReport.Warnings)
	assert.Equal(t, cardfile.MarkdownView(fromReport.Card), cardfile.MarkdownView(fromEntry.Card))

	written, err := cardfile.WriteJSON(fromEntry.Card)
	require.NoError(t, err)
	assert.Equal(t, string(entry), string(written))
	rendered, err := cardfile.WriteMarkdown(fromEntry.Card, cardfile.Dash)
	require.NoError(t, err)
	assert.Equal(t, string(report), string(rendered))
}
