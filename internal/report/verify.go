package report

import (
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
