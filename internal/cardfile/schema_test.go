package cardfile

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/docs/schema"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/scorecard/cardtest"
	"github.com/rescore-app/rescore/rubric"
)

// entrySchema compiles the published schema, which is valid itself.
func entrySchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Entry))
	require.NoError(t, err)
	id := doc.(map[string]any)["$id"].(string)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(id, doc))
	s, err := c.Compile(id)
	require.NoError(t, err)
	return s
}

func checkSchema(s *jsonschema.Schema, entry []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(entry))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func TestHeronMeetsTheSchema(t *testing.T) {
	require.NoError(t, checkSchema(entrySchema(t), fixture(t, "heron.json")))
}

// TestTheSchemaRefuses breaks an entry in ways that the schema can see. The reader
// or the strict validation refuse each of them too.
func TestTheSchemaRefuses(t *testing.T) {
	s := entrySchema(t)
	tests := map[string][2]string{
		"another version":         {`"schema_version": "2.0"`, `"schema_version": "1.0"`},
		"an unknown key":          {`"id": "heron",`, `"id": "heron", "x": 1,`},
		"a short commit":          {`"pinned_commit": "01`, `"pinned_commit": "1`},
		"an unknown category":     {`"data_analytics"`, `"birds"`},
		"a level too high":        {`"level": 1`, `"level": 5`},
		"no evidence":             {`"evidence": [`, `"evidence": [], "x": [`},
		"L4 without a quote":      {`"contains": "def s_control"`, `"note": "x"`},
		"a cap of another home":   {`"id": "C4-HOSTROOT"`, `"id": "C6-REPOCONFIG"`},
		"an unknown cap":          {`"id": "C4-HOSTROOT"`, `"id": "C4-NONE"`},
		"a wrong maximum":         {`"max": 0.5`, `"max": 0.25`},
		"a cap without a reason":  {`"reason": "The main safeguard`, `"reason": "", "y": "The main safeguard`},
		"a path that leaves":      {`"file": "agent/loop.py"`, `"file": "../loop.py"`},
		"an absolute path":        {`"file": "agent/loop.py"`, `"file": "/loop.py"`},
		"lines from 0":            {`"lines": "3"`, `"lines": "0"`},
		"six criteria":            {`"number": 2`, `"number": 3`},
		"no limitation":           {`"limitations": [`, `"limitations": [], "x": [`},
		"a capability of nobody":  {`"code_execution"`, `"flight"`},
		"a band of another label": {`"label": "Minimal"`, `"label": "Strong"`},
		"a gap without a quote":   {`"contains": "result = tools[name](**args)"`, `"note": "x"`},
		"no gap below L4":         {`"gap": "What one level more would ask for.",`, ``},
	}
	for name, edit := range tests {
		t.Run(name, func(t *testing.T) {
			data := spoil(t, "heron.json", edit[0], edit[1])
			require.True(t, json.Valid(data))
			require.Error(t, checkSchema(s, data))
			d, err := Read("heron.json", data)
			if err == nil {
				assert.True(t, scorecard.HasErrors(scorecard.Validate(d.Card, scorecard.Strict)))
			}
		})
	}
}

// TestTheSchemaRefusesBrokenCards breaks the card and writes it.
func TestTheSchemaRefusesBrokenCards(t *testing.T) {
	s := entrySchema(t)
	tests := map[string]func(*scorecard.Card){
		"inferred above L2": func(c *scorecard.Card) { c.ByID("C9").Mechanisms[0].Parameters[1].Status = scorecard.Inferred },
		"inferred SA":       func(c *scorecard.Card) { c.ByID("C10").Mechanisms[0].Parameters[2].Status = scorecard.Inferred },
		"SA without a search": func(c *scorecard.Card) {
			c.ByID("C10").Mechanisms[0].Parameters[2].Evidence = c.CriticalGaps[0].Evidence
		},
		"alt without a cap":     func(c *scorecard.Card) { c.ByID("C2").Mechanisms[1].Caps = nil },
		"two defaults":          func(c *scorecard.Card) { c.ByID("C2").Mechanisms[1].Kind = scorecard.Default },
		"nine criteria":         func(c *scorecard.Card) { c.Criteria = c.Criteria[:9] },
		"six improvements":      func(c *scorecard.Card) { c.Fixes = append(c.Fixes, append(c.Fixes, c.Fixes...)...) },
		"absent without search": func(c *scorecard.Card) { c.ByID("C7").AbsenceEvidence = c.CriticalGaps[0].Evidence },
		"a scoreless gap":       func(c *scorecard.Card) { c.CriticalGaps[0].OWASP = nil },
		"an empty finding":      func(c *scorecard.Card) { c.ByID("C1").Mechanisms[0].Parameters[0].Finding = " " },
	}
	for name, do := range tests {
		t.Run(name, func(t *testing.T) {
			c := cardtest.Heron()
			do(c)
			entry, err := WriteJSON(c)
			require.NoError(t, err)
			require.Error(t, checkSchema(s, entry))
			assert.True(t, scorecard.HasErrors(scorecard.Validate(c, scorecard.Strict)))
		})
	}
}

// TestTheSchemaKnowsTheMethod keeps the lists of the schema equal to the method's.
func TestTheSchemaKnowsTheMethod(t *testing.T) {
	text := string(schema.Entry)
	for _, c := range rubric.Method().Caps {
		assert.Contains(t, text, `"`+c.ID+`"`)
	}
	for _, c := range scorecard.Categories {
		assert.Contains(t, text, `"`+c.ID+`"`)
	}
	for _, id := range scorecard.Capabilities {
		assert.Contains(t, text, `"`+id+`"`)
	}
	for _, b := range rubric.Method().Bands {
		assert.True(t, strings.Contains(text, `"const": "`+b.Label+`"`), b.Label)
	}
	assert.Contains(t, text, `"const": "`+rubric.Version+`"`)
}
