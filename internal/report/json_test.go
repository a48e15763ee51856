package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// compile returns the schema, itself checked against the meta schema.
func compile(t *testing.T, name string, schema []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(name, doc))
	s, err := c.Compile(name)
	require.NoError(t, err)
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	return s.Validate(doc)
}

func TestJSONMatchesSchema(t *testing.T) {
	s := compile(t, "outcome.json", OutcomeSchema())
	for name, make := range fixtures {
		t.Run(name, func(t *testing.T) {
			assert.NoError(t, validate(t, s, JSON(make())))
			assert.NoError(t, validate(t, s, JSONLine(make())))
		})
	}
}

// The schema is not so wide that it takes anything.
func TestSchemaRefuses(t *testing.T) {
	s := compile(t, "outcome.json", OutcomeSchema())
	for name, spoil := range map[string]func(o map[string]any){
		"nine criteria":            func(o map[string]any) { o["criteria"] = o["criteria"].([]any)[:9] },
		"criteria out of order":    func(o map[string]any) { c := o["criteria"].([]any); c[0], c[1] = c[1], c[0] },
		"null array":               func(o map[string]any) { o["watch"] = nil },
		"carried with mechanisms":  func(o map[string]any) { criterionOf(o, 0)["mechanisms"] = []any{} },
		"touched without":          func(o map[string]any) { delete(criterionOf(o, 3), "mechanisms") },
		"unknown outcome":          func(o map[string]any) { criterionOf(o, 3)["outcome"] = "fine" },
		"cap that is no string":    func(o map[string]any) { criterionOf(o, 3)["cap"].(map[string]any)["after"] = 1 },
		"criterion score above 1":  func(o map[string]any) { criterionOf(o, 3)["score"].(map[string]any)["high"] = 1.5 },
		"conclusion of another":    func(o map[string]any) { o["conclusion"] = "skipped" },
		"another schema's outcome": func(o map[string]any) { o["schema"] = "rescore.outcome/2" },
	} {
		t.Run(name, func(t *testing.T) {
			var doc map[string]any
			require.NoError(t, json.Unmarshal(JSON(review()), &doc))
			spoil(doc)
			data, err := json.Marshal(doc)
			require.NoError(t, err)
			assert.Error(t, validate(t, s, data))
		})
	}
}

func criterionOf(o map[string]any, i int) map[string]any {
	return o["criteria"].([]any)[i].(map[string]any)
}

// The figures are printed as the contract says, not only equal as numbers.
func TestJSONFigures(t *testing.T) {
	o := review()
	o.Score = outcome.Span{Before: 2050, After: 2000, Low: 1949, High: 2050}
	c := criterion(o, "C4")
	c.Score = outcome.Span{Before: 575, After: 500, Low: 0, High: 1000}
	line := string(JSONLine(o))
	assert.Contains(t, line, `"score":{"before":2.1,"after":2.0,"low":1.9,"high":2.1}`)
	assert.Contains(t, line, `"score":{"before":0.575,"after":0.5,"low":0,"high":1}`)
	assert.Equal(t, 1, bytes.Count([]byte(line), []byte("\n")), "one object a line")
	assert.NotContains(t, line, "null,\"after\":\"\"")
	assert.Contains(t, line, `"cap":{"before":null,"after":null}`)
}

// verification is one of every state and kind.
func verification() *outcome.Verification {
	item := func(p scorecard.ParameterID, e scorecard.Evidence, want, got string, s outcome.CheckState) outcome.VerifyItem {
		return outcome.VerifyItem{Criterion: "C4", Mechanism: scorecard.Default, Parameter: p, Place: string(p) + " evidence 1",
			Evidence: e, Expected: want, Got: got, State: s}
	}
	return &outcome.Verification{
		Commit: headAt,
		Items: []outcome.VerifyItem{
			item(scorecard.S, cite("heron/sandbox.py", 3, 5), "lines 3-5", "lines 3-5", outcome.CheckOK),
			item(scorecard.C, search("rg -n 'cap_drop'", "heron", 0), "0 hits", "2 hits", outcome.CheckMismatch),
			item(scorecard.D, cite("heron/\x1b[31mgone.py", 3, 5), "lines 3-5", "no such file", outcome.CheckMissing),
			item(scorecard.B, search("rg -P 'x'", ".", 0), "0 hits", "look-around is not evaluated", outcome.CheckUnrunnable),
			{Criterion: "C5", Place: "critical gap 1 evidence 1", Evidence: cite("heron/web.py", 1, 1), State: outcome.CheckOK},
		},
		Warnings: []string{"C8 default D has no evidence"},
		Cost:     outcome.Cost{BlobsRead: 2, GitProcesses: 1},
	}
}

func TestVerifyReport(t *testing.T) {
	v := verification()
	data := VerifyJSON(v)
	assert.NoError(t, validate(t, compile(t, "verify.json", VerifySchema()), data))
	golden(t, "verify.json", data)
	golden(t, "verify.txt", []byte(VerifyText(v, 80, false)))

	v.Items = v.Items[:1]
	assert.Equal(t, "warning: C8 default D has no evidence\nverified: 1 citation and 0 searches at ccccccc\n"+
		"1 citation without a quote: only that the lines exist was checked\n", VerifyText(v, 80, false))
	v.Items[0].Evidence.Contains = "sandbox"
	assert.NotContains(t, VerifyText(v, 80, false), "quote", "what has one was compared")
	assert.Contains(t, string(VerifyJSON(v)), `"ok": true`)
	empty := VerifyJSON(&outcome.Verification{Commit: headAt})
	assert.NoError(t, validate(t, compile(t, "verify.json", VerifySchema()), empty))
	assert.Contains(t, string(empty), `"items": []`)
}
