package report

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// sarifSchemaFile is the schema of the standard; see testdata/schema/README.md.
const sarifSchemaFile = "testdata/schema/sarif-2.1.0-rtm.5.json"

func TestSARIFMatchesTheStandard(t *testing.T) {
	data, err := os.ReadFile(sarifSchemaFile)
	require.NoError(t, err)
	s := compile(t, "sarif.json", data)
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			got := SARIF(make())
			assert.NoError(t, validate(t, s, got))
			golden(t, name+".sarif.json", got)
		})
	}
	assert.NoError(t, validate(t, s, SARIF(huge(2))))
	assert.Error(t, validate(t, s, []byte(`{"version":"2.1.0","runs":[{}]}`)), "the schema is in use")
}

func runOf(t *testing.T, o *outcome.Outcome) sarifRun {
	t.Helper()
	var log sarifLog
	require.NoError(t, json.Unmarshal(SARIF(o), &log))
	require.Len(t, log.Runs, 1)
	return log.Runs[0]
}

// UnmarshalJSON reads what MarshalJSON wrote, for the tests.
func (t *tenths) UnmarshalJSON(b []byte) error {
	var f float64
	err := json.Unmarshal(b, &f)
	*t = tenths(f*1000 + 0.5)
	return err
}

func TestSARIFResults(t *testing.T) {
	run := runOf(t, review())
	require.Len(t, run.Tool.Driver.Rules, 10)
	assert.Equal(t, "ApprovalGates", run.Tool.Driver.Rules[1].Name)
	assert.Equal(t, []sarifProvenance{{"https://github.com/heron-labs/heron", headAt}}, run.Provenance)
	require.Len(t, run.Results, 3)
	for _, r := range run.Results {
		assert.Equal(t, r.RuleID, run.Tool.Driver.Rules[r.RuleIndex].ID)
		assert.Regexp(t, `^[0-9a-f]{32}$`, r.Fingerprints[fingerprintName])
	}
	var cited sarifResult
	for _, r := range run.Results {
		if len(r.Properties.RestsOn) == 3 {
			cited = r
		}
	}
	assert.Equal(t, "warning", cited.Level)
	assert.Equal(t, []sarifLocation{{sarifPhysical{sarifArtifact{"heron/sandbox.py", sourceRoot}, &sarifRegion{261, 290}}}}, cited.Locations)
	last := run.Results[2]
	assert.Equal(t, "C10", last.RuleID)
	assert.Equal(t, "note", last.Level)
}

// What is gone is told at its old file, without lines that say nothing at head.
func TestSARIFGone(t *testing.T) {
	run := runOf(t, dropped())
	require.Len(t, run.Results, 1)
	assert.Equal(t, []sarifLocation{{sarifPhysical{sarifArtifact{"heron/approve.py", sourceRoot}, nil}}}, run.Results[0].Locations)
	assert.Contains(t, run.Results[0].Message.Text, "C2 S rests on heron/approve.py:10-31, which is gone.")
}

// The same evidence under two criteria is a result of each, with its own weight.
func TestSARIFSharedEvidence(t *testing.T) {
	o := review()
	it := criterion(o, "C4").Mechanisms[0].Parameters[0].Items[0]
	c := criterion(o, "C3")
	c.Verdict = outcome.Rejudged
	c.Mechanisms = []outcome.Mechanism{{Kind: scorecard.Default, Parameters: []outcome.Parameter{rating(scorecard.B, "L0", "L0", "evidence", it)}}}
	c.Flags = []outcome.Flag{outcome.PossibleImprovement}
	levels := map[string]string{}
	for _, r := range runOf(t, o).Results {
		if len(r.Locations) > 0 && r.Locations[0].Physical.Region.StartLine == 261 {
			levels[r.RuleID] = r.Level
		}
	}
	assert.Equal(t, map[string]string{"C4": "warning", "C3": "note"}, levels)
}

// A fingerprint survives a shift of the lines, and tells items apart.
func TestFingerprint(t *testing.T) {
	a := item(outcome.Edited, cite("a.py", 1, 2), cite("a.py", 1, 2))
	a.Quote = []string{"x", "y"}
	b := a
	b.Before = cite("a.py", 7, 8)
	assert.Equal(t, fingerprint("C4", &a), fingerprint("C4", &b))
	assert.NotEqual(t, fingerprint("C4", &a), fingerprint("C3", &a))
	b.Quote = []string{"x y"}
	assert.NotEqual(t, fingerprint("C4", &a), fingerprint("C4", &b))
	assert.NotEqual(t, digest("ab", "c"), digest("a", "bc"))
	b.Quote, a.Quote = nil, nil
	assert.NotEqual(t, fingerprint("C4", &a), fingerprint("C4", &b))
	b.Before.Contains, a.Before.Contains = "x", "x"
	assert.Equal(t, fingerprint("C4", &a), fingerprint("C4", &b))
}

// Messages carry no links and no arguments of the repository.
func TestSARIFHostile(t *testing.T) {
	run := runOf(t, hostile())
	assert.Len(t, run.Results, 5)
	for _, r := range run.Results {
		assert.NotRegexp(t, `(^|[^\\])\[`, r.Message.Text)
		assert.NotRegexp(t, `[\x00-\x1f\x{202e}]`, r.Message.Text)
		for _, l := range r.Locations {
			assert.NotContains(t, l.Physical.Artifact.URI, "..")
			assert.NotContains(t, l.Physical.Artifact.URI, ":")
		}
	}
}

func TestSARIFIsBounded(t *testing.T) {
	o := quiet()
	for i := range maxSARIFResults + 7 {
		o.Watch = append(o.Watch, outcome.Watch{Criterion: "C1", File: fmt.Sprintf("%d.py", i), Line: 1, Signal: "x"})
	}
	run := runOf(t, o)
	assert.Len(t, run.Results, maxSARIFResults)
	assert.Equal(t, 7, run.Properties.Omitted)
}
