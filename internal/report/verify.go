package report

import (
	"strconv"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

type jsonVerify struct {
	Schema   string           `json:"schema"`
	Commit   string           `json:"commit"`
	OK       bool             `json:"ok"`
	Items    []jsonVerifyItem `json:"items"`
	Warnings []string         `json:"warnings"`
	Cost     outcome.Cost     `json:"cost"`
}

type jsonVerifyItem struct {
	Criterion string                  `json:"criterion"`
	Mechanism scorecard.MechanismKind `json:"mechanism"`
	Parameter scorecard.ParameterID   `json:"parameter"`
	Place     string                  `json:"place"`
	Kind      string                  `json:"kind"`
	File      string                  `json:"file,omitempty"`
	Lines     string                  `json:"lines,omitempty"`
	Search    string                  `json:"search,omitempty"`
	Scope     *string                 `json:"scope,omitempty"`
	Expected  string                  `json:"expected"`
	Got       string                  `json:"got"`
	State     outcome.CheckState      `json:"state"`
}

// VerifyJSON returns a verification in the schema "rescore.verify/1".
func VerifyJSON(v *outcome.Verification) []byte {
	out := jsonVerify{
		Schema: outcome.VerifySchema, Commit: v.Commit, OK: v.OK(),
		Items: make([]jsonVerifyItem, 0, len(v.Items)), Warnings: some(v.Warnings), Cost: v.Cost,
	}
	for _, it := range v.Items {
		j := jsonVerifyItem{
			Criterion: it.Criterion, Mechanism: it.Mechanism, Parameter: it.Parameter, Place: it.Place,
			Expected: it.Expected, Got: it.Got, State: it.State,
		}
		if it.Evidence.IsSearch() {
			j.Kind, j.Search, j.Scope = "search", it.Evidence.Search, &it.Evidence.Scope
		} else {
			j.Kind, j.File, j.Lines = "citation", it.Evidence.File, it.Evidence.Lines.String()
		}
		out.Items = append(out.Items, j)
	}
	return encode(out, "  ")
}

// VerifyText returns a verification for a terminal: what does not hold first,
// then the warnings, then the count. width and color are as in Text.
func VerifyText(v *outcome.Verification, width int, color bool) string {
	t := newTerminal(width, color)
	for _, it := range v.Items {
		if it.State == outcome.CheckOK {
			continue
		}
		where := place(it.Criterion, it.Mechanism, "")
		t.para("", t.painted(red, string(it.State)+":")+" "+line(where+" "+it.Place)+": "+verifyPlace(it.Evidence))
		t.para("    ", "expected "+line(it.Expected)+"; got "+line(it.Got))
	}
	for _, w := range v.Warnings {
		t.para("", t.painted(yellow, "warning:")+" "+line(w))
	}
	head, p := verifyHead(v), green
	if !v.OK() {
		p = red
	}
	t.raw(t.painted(p, head) + " " + verifyCounts(v))
	if n := unquoted(v); n > 0 {
		t.raw(plural(n, "citation") + " without a quote: only that the lines exist was checked")
	}
	return t.String()
}

// unquoted counts the citations that hold at any commit with enough lines.
func unquoted(v *outcome.Verification) int {
	n := 0
	for _, it := range v.Items {
		if it.State == outcome.CheckOK && !it.Evidence.IsSearch() && it.Evidence.Contains == "" {
			n++
		}
	}
	return n
}

func verifyPlace(e scorecard.Evidence) string {
	if e.IsSearch() {
		return field(e.Search) + " in " + field(e.Scope)
	}
	return citation(e)
}

// VerifyLine returns what came of a verification in one line.
func VerifyLine(v *outcome.Verification) string { return verifyHead(v) + " " + verifyCounts(v) }

func verifyHead(v *outcome.Verification) string {
	if v.OK() {
		return "verified:"
	}
	return "not verified:"
}

func verifyCounts(v *outcome.Verification) string {
	searches, counts := 0, map[outcome.CheckState]int{}
	for _, it := range v.Items {
		counts[it.State]++
		if it.Evidence.IsSearch() {
			searches++
		}
	}
	s := plural(len(v.Items)-searches, "citation") + " and " + plural(searches, "search")
	var bad []string
	for _, st := range []outcome.CheckState{outcome.CheckMismatch, outcome.CheckMissing, outcome.CheckUnrunnable} {
		if counts[st] > 0 {
			bad = append(bad, strconv.Itoa(counts[st])+" "+string(st))
		}
	}
	if len(bad) > 0 {
		s += ", of which " + list(bad, 0)
	}
	return s + " at " + line(short(v.Commit))
}
