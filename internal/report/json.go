package report

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// milli is a figure in thousandths that prints as a number with up to three
// decimals; tenths prints with exactly one, rounded half up.
type (
	milli  int
	tenths int
)

func (m milli) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(m)/1000, 'f', -1, 64), nil
}

func (t tenths) MarshalJSON() ([]byte, error) {
	return []byte(scorecard.Format1(int(t))), nil
}

type jsonPair[T any] struct {
	Before T `json:"before"`
	After  T `json:"after"`
}

type jsonSpan[T any] struct {
	Before T `json:"before"`
	After  T `json:"after"`
	Low    T `json:"low"`
	High   T `json:"high"`
}

func spanOf[T milli | tenths](s outcome.Span) jsonSpan[T] {
	return jsonSpan[T]{T(s.Before), T(s.After), T(s.Low), T(s.High)}
}

type jsonOutcome struct {
	Schema     string           `json:"schema"`
	Repo       string           `json:"repo"`
	CardCommit string           `json:"card_commit"`
	Base       string           `json:"base"`
	Head       string           `json:"head"`
	Scorer     outcome.Scorer   `json:"scorer"`
	Score      jsonSpan[tenths] `json:"score"`
	Band       jsonPair[string] `json:"band"`
	Conclusion string           `json:"conclusion"`
	Title      string           `json:"title"`
	Reasons    []string         `json:"reasons"`
	Criteria   []jsonCriterion  `json:"criteria"`
	Log        []jsonLog        `json:"reaudit_log"`
	NewGaps    []string         `json:"new_critical_gaps"`
	Watch      []outcome.Watch  `json:"watch"`
	Prose      []jsonProse      `json:"prose"`
	Cost       outcome.Cost     `json:"cost"`
}

type jsonCriterion struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Outcome     outcome.Verdict   `json:"outcome"`
	Counted     string            `json:"counted"`
	Cap         jsonPair[*string] `json:"cap"`
	Score       jsonSpan[milli]   `json:"score"`
	TouchedBy   []string          `json:"touched_by"`
	Flags       []outcome.Flag    `json:"flags"`
	CarriedFrom string            `json:"carried_from,omitempty"`
	Mechanisms  *[]jsonMechanism  `json:"mechanisms,omitempty"` // nil when carried
	Gaps        []jsonGap         `json:"critical_gaps,omitempty"`
}

type jsonMechanism struct {
	Kind       scorecard.MechanismKind `json:"kind"`
	Parameters []jsonParameter         `json:"parameters"`
}

type jsonParameter struct {
	ID          scorecard.ParameterID            `json:"id"`
	Level       jsonPair[string]                 `json:"level"`
	Status      jsonPair[scorecard.RatingStatus] `json:"status"`
	DecidedBy   string                           `json:"decided_by"`
	NeedsReview bool                             `json:"needs_review"`
	Evidence    []any                            `json:"evidence"`
}

type jsonGap struct {
	Summary  string `json:"summary"`
	Evidence []any  `json:"evidence"`
}

type jsonCitation struct {
	Kind      string           `json:"kind"`
	State     outcome.State    `json:"state"`
	File      jsonPair[string] `json:"file"`
	Lines     jsonPair[string] `json:"lines"`
	Reason    string           `json:"reason,omitempty"`
	Ambiguous bool             `json:"ambiguous,omitempty"`
	Quote     []string         `json:"quote,omitempty"`
	Now       []string         `json:"now,omitempty"`
}

type jsonSearch struct {
	Kind   string         `json:"kind"`
	State  outcome.State  `json:"state"`
	Search string         `json:"search"`
	Scope  string         `json:"scope"`
	Hits   jsonPair[int]  `json:"hits"`
	New    []outcome.Line `json:"new"`
	Lost   []outcome.Line `json:"lost"`
	Reason string         `json:"reason,omitempty"`
}

type jsonLog struct {
	Criterion string                  `json:"criterion"`
	Parameter scorecard.ParameterID   `json:"parameter"`
	Mechanism scorecard.MechanismKind `json:"mechanism"`
	From      string                  `json:"from"`
	To        string                  `json:"to"`
	By        string                  `json:"by"`
	Reason    string                  `json:"reason"`
}

type jsonProse struct {
	Where  string        `json:"where"`
	Before string        `json:"before"`
	After  string        `json:"after"`
	State  outcome.State `json:"state"`
	Reason string        `json:"reason,omitempty"`
}

// JSON returns the outcome in the schema "rescore.outcome/1", indented, with a
// line feed at the end. Arrays are never null and keys keep their order.
func JSON(o *outcome.Outcome) []byte { return encode(outcomeJSON(o), "  ") }

// JSONLine returns the same on one line, for a stream of outcomes.
func JSONLine(o *outcome.Outcome) []byte { return encode(outcomeJSON(o), "") }

// encode writes v. The types of this package always encode, so a failure is a
// defect of the program.
func encode(v any, indent string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		panic("report: encode JSON: " + err.Error())
	}
	return b.Bytes()
}

func outcomeJSON(o *outcome.Outcome) jsonOutcome {
	out := jsonOutcome{
		Schema: outcome.Schema, Repo: o.Repo, CardCommit: o.CardCommit, Base: o.Base, Head: o.Head,
		Scorer:     o.Scorer,
		Score:      spanOf[tenths](o.Score),
		Band:       jsonPair[string]{o.BandBefore, o.BandAfter},
		Conclusion: string(o.Conclusion), Title: o.Title, Reasons: some(o.Reasons),
		Criteria: make([]jsonCriterion, 0, len(o.Criteria)),
		Log:      make([]jsonLog, 0, len(o.Log)),
		NewGaps:  some(o.NewGaps), Watch: some(o.Watch),
		Prose: make([]jsonProse, 0, len(o.Prose)),
		Cost:  o.Cost,
	}
	out.Scorer.Judges = some(out.Scorer.Judges)
	for i := range o.Criteria {
		out.Criteria = append(out.Criteria, criterionJSON(&o.Criteria[i]))
	}
	for _, e := range o.Log {
		out.Log = append(out.Log, jsonLog(e))
	}
	for _, p := range o.Prose {
		out.Prose = append(out.Prose, jsonProse(p))
	}
	return out
}

// some returns an empty slice for nil.
func some[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func criterionJSON(c *outcome.Criterion) jsonCriterion {
	out := jsonCriterion{
		ID: c.ID, Name: c.Name, Outcome: c.Verdict, Counted: string(c.Counted),
		Cap:       jsonPair[*string]{orNull(c.CapBefore), orNull(c.CapAfter)},
		Score:     spanOf[milli](c.Score),
		TouchedBy: some(c.TouchedBy), Flags: some(c.Flags), CarriedFrom: c.CarriedFrom,
	}
	mechanisms := make([]jsonMechanism, 0, len(c.Mechanisms))
	for _, m := range c.Mechanisms {
		jm := jsonMechanism{Kind: m.Kind, Parameters: make([]jsonParameter, 0, len(m.Parameters))}
		for _, p := range m.Parameters {
			jm.Parameters = append(jm.Parameters, jsonParameter{
				ID:        p.ID,
				Level:     jsonPair[string]{p.Before.LevelString(), p.After.LevelString()},
				Status:    jsonPair[scorecard.RatingStatus]{p.Before.Status, p.After.Status},
				DecidedBy: p.DecidedBy, NeedsReview: p.NeedsReview,
				Evidence: itemsJSON(p.Items),
			})
		}
		mechanisms = append(mechanisms, jm)
	}
	if c.Verdict != outcome.Carried {
		out.Mechanisms = &mechanisms
	}
	for _, g := range c.Gaps {
		out.Gaps = append(out.Gaps, jsonGap{Summary: g.Summary, Evidence: itemsJSON(g.Items)})
	}
	return out
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func itemsJSON(items []outcome.Item) []any {
	out := make([]any, 0, len(items))
	for _, it := range items {
		if it.Before.IsSearch() {
			out = append(out, jsonSearch{
				Kind: "search", State: it.State, Search: it.Before.Search, Scope: it.Before.Scope,
				Hits: jsonPair[int]{it.Before.Hits, it.After.Hits},
				New:  some(it.New), Lost: some(it.Lost), Reason: it.Reason,
			})
			continue
		}
		out = append(out, jsonCitation{
			Kind: "citation", State: it.State,
			File:   jsonPair[string]{it.Before.File, it.After.File},
			Lines:  jsonPair[string]{it.Before.Lines.String(), it.After.Lines.String()},
			Reason: it.Reason, Ambiguous: it.Ambiguous, Quote: it.Quote, Now: it.Now,
		})
	}
	return out
}
