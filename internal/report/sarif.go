package report

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/report/escape"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/rubric"
)

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// fingerprintName names what fingerprint computes; a change of it needs a new version.
	fingerprintName = "rescoreEvidence/v1"
	// maxSARIFResults is what GitHub takes of one run.
	maxSARIFResults = 5_000
	// sourceRoot is the base of all artifact locations: the root of the repository.
	sourceRoot = "%SRCROOT%"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool         `json:"tool"`
	Provenance []sarifProvenance `json:"versionControlProvenance,omitempty"`
	Automation sarifID           `json:"automationDetails"`
	ColumnKind string            `json:"columnKind"`
	Results    []sarifResult     `json:"results"`
	Properties sarifRunFigures   `json:"properties"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	Short      sarifText      `json:"shortDescription"`
	Full       sarifText      `json:"fullDescription"`
	Help       sarifText      `json:"help"`
	Default    sarifLevel     `json:"defaultConfiguration"`
	Properties sarifRuleNotes `json:"properties"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifRuleNotes struct {
	Tags      []string `json:"tags"`
	Precision string   `json:"precision"`
}

type sarifID struct {
	ID string `json:"id"`
}

type sarifProvenance struct {
	Repository string `json:"repositoryUri"`
	Revision   string `json:"revisionId"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   sarifResultNotes  `json:"properties"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI     string `json:"uri"`
	URIBase string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

type sarifResultNotes struct {
	State   string   `json:"state"`
	RestsOn []string `json:"restsOnIt"`
}

type sarifRunFigures struct {
	Title      string           `json:"title"`
	Conclusion string           `json:"conclusion"`
	Score      jsonSpan[tenths] `json:"score"`
	Omitted    int              `json:"omittedResults"`
}

// SARIF returns the outcome as a SARIF 2.1.0 log: a rule for each criterion, a
// result for each criterion and evidence item that no longer holds, at its lines
// at head, and a note for each watch signal. The result of an item that is gone
// names its file of old without lines.
func SARIF(o *outcome.Outcome) []byte {
	v := newView(o)
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "Rescore", Version: o.Scorer.Version, Rules: sarifRules()}},
		Automation: sarifID{"rescore/" + short(o.Head)},
		ColumnKind: "utf16CodeUnits",
		Results:    []sarifResult{},
		Properties: sarifRunFigures{
			Title: checkTitle(o), Conclusion: string(o.Conclusion), Score: spanOf[tenths](o.Score),
		},
	}
	if l := newLinker(o.Repo, o.Head); l.repo != "" {
		run.Provenance = []sarifProvenance{{l.repo, l.commit}}
	}
	for _, g := range v.broken {
		run.Results = append(run.Results, sarifBroken(g)...)
	}
	for _, w := range o.Watch {
		run.Results = append(run.Results, sarifWatch(w)...)
	}
	if n := len(run.Results); n > maxSARIFResults {
		run.Results = run.Results[:maxSARIFResults]
		run.Properties.Omitted = n - maxSARIFResults
	}
	return encode(sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{run}}, "  ")
}

func sarifRules() []sarifRule {
	var out []sarifRule
	for _, h := range rubric.Heads() {
		out = append(out, sarifRule{
			ID: h.ID, Name: ruleName(h.Name), Short: sarifText{h.Name}, Full: sarifText{h.Question},
			Help: sarifText{"The scorecard rates this criterion from cited lines and searches. One of them no longer holds: " +
				"read the change, restore the control or re-audit the rating."},
			Default:    sarifLevel{string(LevelWarning)},
			Properties: sarifRuleNotes{Tags: append([]string{"security"}, h.OWASP...), Precision: "high"},
		})
	}
	return out
}

// ruleName makes a name of letters and digits: "ApprovalGates".
func ruleName(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !isAlnum(r) }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// ruleIndex is the position of a criterion's rule, or -1.
func ruleIndex(id string) int {
	for i, h := range rubric.Heads() {
		if h.ID == id {
			return i
		}
	}
	return -1
}

// sarifBroken makes a result for each criterion that rests on the item.
func sarifBroken(g group) []sarifResult {
	var out []sarifResult
	done := map[string]bool{}
	for _, u := range g.uses {
		if done[u.criterion] || ruleIndex(u.criterion) < 0 {
			continue
		}
		done[u.criterion] = true
		part := g.of(u.criterion)
		level := LevelNotice
		if part.weight <= weightReview {
			level = LevelWarning
		}
		out = append(out, sarifResult{
			RuleID: u.criterion, RuleIndex: ruleIndex(u.criterion), Level: sarifLevelName(level),
			Message:      sarifText{escape.SARIF(brokenMessage(part))},
			Locations:    sarifLocations(g.item),
			Fingerprints: map[string]string{fingerprintName: fingerprint(u.criterion, g.item)},
			Properties:   sarifResultNotes{State: string(g.item.State), RestsOn: part.names()},
		})
	}
	return out
}

// of returns the group as one criterion sees it.
func (g group) of(criterion string) group {
	out := group{item: g.item, weight: weightNone}
	for _, u := range g.uses {
		if u.criterion == criterion {
			out.uses = append(out.uses, u)
			out.weight = min(out.weight, u.weight)
		}
	}
	return out
}

func sarifLevelName(l AnnotationLevel) string {
	if l == LevelWarning {
		return "warning"
	}
	return "note"
}

// sarifLocations lists where at head the change shows; for what is gone, the
// file in which it stood.
func sarifLocations(it *outcome.Item) []sarifLocation {
	out := []sarifLocation{}
	for _, e := range shownAt(it) {
		out = append(out, sarifAt(e, true)...)
	}
	if len(out) == 0 && !it.Before.IsSearch() {
		out = append(out, sarifAt(it.Before, false)...)
	}
	return out
}

func sarifAt(e scorecard.Evidence, lines bool) []sarifLocation {
	uri := escape.Relative(e.File)
	if uri == "" {
		return nil
	}
	p := sarifPhysical{Artifact: sarifArtifact{URI: uri, URIBase: sourceRoot}}
	if lines && e.Lines.First > 0 {
		p.Region = &sarifRegion{e.Lines.First, max(e.Lines.First, e.Lines.Last)}
	}
	return []sarifLocation{{p}}
}

func sarifWatch(w outcome.Watch) []sarifResult {
	i := ruleIndex(w.Criterion)
	if i < 0 {
		return nil
	}
	return []sarifResult{{
		RuleID: w.Criterion, RuleIndex: i, Level: sarifLevelName(LevelNotice),
		Message:      sarifText{escape.SARIF(watchMessage(w))},
		Locations:    append([]sarifLocation{}, sarifAt(lineEvidence(outcome.Line{File: w.File, Line: w.Line}), true)...),
		Fingerprints: map[string]string{fingerprintName: digest("watch", w.Criterion, w.File, w.Signal)},
		Properties:   sarifResultNotes{State: "watch", RestsOn: []string{}},
	}}
}

// fingerprint identifies a broken item across commits: by what it cites, not by
// the line numbers, where the cited text is known.
func fingerprint(criterion string, it *outcome.Item) string {
	e := it.Before
	switch {
	case e.IsSearch():
		return digest("search", criterion, e.Search, e.Scope)
	case len(it.Quote) > 0:
		return digest("citation", criterion, e.File, strings.Join(it.Quote, "\n"))
	case e.Contains != "":
		return digest("citation", criterion, e.File, e.Contains)
	}
	return digest("citation", criterion, e.File, e.Lines.String())
}

// digest hashes the parts, each with its length, so that no two lists collide.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(strconv.Itoa(len(p)) + ":" + p))
	}
	const enough = 16
	return hex.EncodeToString(h.Sum(nil)[:enough])
}
