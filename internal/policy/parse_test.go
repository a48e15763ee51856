package policy

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/scorecard"
)

const full = `# what this repository asks for
version: 1
card: docs/scorecard.md
judges: [evidence, llm]
dry_run: true
fail_on:
  drop: 0.1
  minimum: 3.0
  new_critical_gap: true
  needs_review: false
  parameters: ["C4.S", "C2.*", "*.D"]
exceptions:
  - criterion: C4
    parameter: S
    reason: the sandbox is being replaced
    expires: 2027-03-31
  - {criterion: C10, reason: "known, see the tracker", expires: "2026-12-01"}
comment:
  when: always
`

func TestParse(t *testing.T) {
	p, err := Parse(Path, []byte(full))
	require.NoError(t, err)
	assert.Equal(t, &Policy{
		Name: Path, Card: "docs/scorecard.md", Judges: []string{"evidence", "llm"}, DryRun: true, Comment: Always,
		FailOn: FailOn{Drop: 100, Minimum: 3000, NewCriticalGap: true,
			Parameters: []Selector{{"C4", scorecard.S}, {"C2", "*"}, {"*", scorecard.D}}},
		Exceptions: []Exception{
			{"C4", scorecard.S, "the sandbox is being replaced", date("2027-03-31")},
			{"C10", "", "known, see the tracker", date("2026-12-01")},
		},
	}, p)
}

func TestParseMinimal(t *testing.T) {
	for _, text := range []string{"version: 1", "version: 1\n", "---\nversion: 1\n", "{version: 1}", "\ufeffversion: 1\n", "version: 1\r\n",
		"version: 1\nfail_on:\ncomment: {}\nexceptions: []\n"} {
		p, err := Parse("x.yml", []byte(text))
		require.NoError(t, err, "%q", text)
		want := Default()
		want.Name = "x.yml"
		p.Judges, p.Exceptions = nil, nil
		assert.Equal(t, want, p, "%q", text)
	}
}

func date(s string) time.Time {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return d
}

// broken is one file for each way to be wrong, with the place and words of the
// error. inSchema tells whether the JSON Schema refuses it too.
var broken = []struct {
	name, text string
	line       int
	want, fix  string
	inSchema   bool
}{
	{"empty", "", 0, "the file is empty", "version: 1", false},
	{"comment only", "# nothing\n", 0, "the file is empty", "", false},
	{"no mapping", "- version\n", 1, "a mapping of keys", "", true},
	{"scalar", "version", 1, "a mapping of keys", "", true},
	{"no version", "judges: [evidence]\n", 1, `"version" is missing`, "version: 1", true},
	{"other version", "version: 2\n", 1, "version 2 is not known", "version: 1", true},
	{"version in words", "version: one\n", 1, "where a number is wanted", "", true},
	{"unknown key", "version: 1\nfail_one:\n  drop: 1\n", 2, `unknown key "fail_one"`, `did you mean "fail_on"?`, true},
	{"unknown nested key", "version: 1\nfail_on:\n  minimun: 1\n", 3, `unknown key "minimun"`, `did you mean "minimum"?`, true},
	{"unknown far key", "version: 1\nzzzzzzzzzzzzzz: 1\n", 2, "unknown key", "known keys: version, card,", true},
	{"key under nothing", "version: 1\ndrop: 0.1\n", 2, `unknown key "drop"`, `"drop" stands under "fail_on"`, true},
	{"misspelt key under nothing", "version: 1\nexpries: 2027-01-01\n", 2, `unknown key "expries"`, `"expires" stands under "exceptions"`, true},
	{"key under another", "version: 1\nfail_on:\n  when: always\n", 3, `unknown key "when"`, `"when" stands under "comment"`, true},
	{"key too deep", "version: 1\nfail_on:\n  dry_run: true\n", 3, `unknown key "dry_run"`, `"dry_run" stands at the left margin`, true},
	{"unknown key of an item", "version: 1\nexceptions:\n  - criterion: C4\n    until: 2027-01-01\n", 4, `unknown key "until"`, `known keys under "exceptions": criterion, parameter, reason, expires`, true},
	{"unknown key in flow", "version: 1\nfail_on: {zzzzzz: 1}\n", 2, `unknown key "zzzzzz"`, `known keys under "fail_on": drop,`, true},
	{"letters swapped", "version: 1\nfail_on:\n  dorp: 1\n", 3, `unknown key "dorp"`, `did you mean "drop"?`, true},
	{"tab", "version: 1\nfail_on:\n\tdrop: 1\n", 3, "a tab stands", "indent with blanks", false},
	{"fixed by configuration", "version: 1\ncheck_name: mine\n", 2, `unknown key "check_name"`, "", true},
	{"same key twice", "version: 1\ndry_run: true\ndry_run: false\n", 3, "already defined", "", false},
	{"anchor", "version: 1\njudges: &j [evidence]\n", 2, "anchors, aliases", "write the value out", false},
	{"alias", "version: 1\njudges: *j\n", 2, "", "", false},
	{"merge", "version: 1\n<<: {dry_run: true}\n", 2, "anchors, aliases", "", false},
	{"tag", "version: !!int 1\n", 1, "tags are not allowed", "", false},
	{"two documents", "version: 1\n---\nversion: 1\n", 3, "one document", "", false},
	{"syntax", "version: 1\nfail_on: [\n", 2, "", "", false},
	{"list for mapping", "version: 1\nfail_on: [drop]\n", 2, "where a mapping is wanted", "", true},
	{"word for bool", "version: 1\ndry_run: yes please\n", 2, "where true or false is wanted", "write true or false", true},
	{"word for number", "version: 1\nfail_on: {drop: a lot}\n", 2, "where a number is wanted", "in digits", true},
	{"mapping for list", "version: 1\njudges: {evidence: 1}\n", 2, "where a list is wanted", "in brackets", true},
	{"drop of nothing", "version: 1\nfail_on:\n  drop: 0\n", 3, "no figure of points", "for example 0.1", true},
	{"negative drop", "version: 1\nfail_on:\n  drop: -1\n", 3, "no figure of points", "", true},
	{"drop over 10", "version: 1\nfail_on:\n  drop: 11\n", 3, "no figure of points", "", true},
	{"not a number", "version: 1\nfail_on:\n  minimum: .nan\n", 3, "no figure of points", "", false},
	{"infinite", "version: 1\nfail_on:\n  minimum: .inf\n", 3, "no figure of points", "", false},
	{"parameter of nothing", "version: 1\nfail_on:\n  parameters:\n    - C4.S\n    - C11.S\n", 5, `"C11.S" names no parameter`, "C4.S, C4.* or *.S", true},
	{"parameter alone", "version: 1\nfail_on: {parameters: [C4]}\n", 2, "names no parameter", "", true},
	{"unknown judge", "version: 1\njudges: [evidense]\n", 2, `no judge "evidense"`, `did you mean "evidence"?`, true},
	{"judge twice", "version: 1\njudges: [evidence, evidence]\n", 2, "named twice", "", true},
	{"card outside", "version: 1\ncard: ../card.json\n", 2, "leaves the repository", "inside the repository", false},
	{"card absolute", "version: 1\ncard: /etc/card.json\n", 2, "leaves the repository", "", true},
	{"card not plain", "version: 1\ncard: a/./card.json\n", 2, "plain form", "", false},
	{"card of another kind", "version: 1\ncard: card.txt\n", 2, "JSON or Markdown", "", true},
	{"card empty", "version: 1\ncard: ''\n", 2, "no path", "", true},
	{"card with control", "version: 1\ncard: \"a\\u0001.json\"\n", 2, "no path", "", false},
	{"exception without reason", "version: 1\nexceptions:\n  - criterion: C4\n    expires: 2027-01-01\n", 3, "needs a reason", "shown in every check", true},
	{"exception with blank reason", "version: 1\nexceptions:\n  - criterion: C4\n    reason: '  '\n    expires: 2027-01-01\n", 4, "needs a reason", "", false},
	{"exception without criterion", "version: 1\nexceptions:\n  - reason: x\n    expires: 2027-01-01\n", 3, "names no criterion", "", true},
	{"exception of nothing", "version: 1\nexceptions:\n  - {criterion: C44, reason: x, expires: 2027-01-01}\n", 3, `names no criterion ("C44")`, "C1 to C10", true},
	{"exception for no parameter", "version: 1\nexceptions:\n  - {criterion: C4, parameter: X, reason: x, expires: 2027-01-01}\n", 3, `no parameter "X"`, "S, C, D or B", true},
	{"exception without end", "version: 1\nexceptions:\n  - {criterion: C4, reason: x}\n", 3, "the last day", "YYYY-MM-DD", true},
	{"exception to no day", "version: 1\nexceptions:\n  - {criterion: C4, reason: x, expires: 2027-02-30}\n", 3, "the last day", "", false},
	{"long reason", "version: 1\nexceptions:\n  - {criterion: C4, reason: " + strings.Repeat("x", 501) + ", expires: 2027-02-20}\n", 3, "longer than 500", "", true},
	{"comment sometimes", "version: 1\ncomment: {when: sometimes}\n", 2, `"sometimes" is no choice`, "changed, always, never", true},
	{"not UTF-8", "version: 1 # \xff\n", 0, "not UTF-8", "", false},
	{"NUL", "version: 1\x00\n", 0, "not UTF-8", "", false},
	{"too large", "version: 1\n#" + strings.Repeat("x", MaxSize), 0, "more than the 65536 bytes", "", false},
	{"deep flow", "version: 1\njudges: " + strings.Repeat("[", 5000) + "\n", 2, "nested too deeply", "", false},
	{"deep block", "version: 1\n" + strings.Repeat(" ", 500) + "a:\n", 2, "deeper than any", "", false},
	{"deep inline block", "version: 1\njudges:\n" + strings.Repeat("- ", 500) + "a\n", 3, "deeper than any", "", false},
}

func TestBroken(t *testing.T) {
	for _, c := range broken {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse(".github/rescore.yml", []byte(c.text))
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.line, e.Line, "%v", err)
			assert.Contains(t, e.Msg, c.want)
			assert.Contains(t, e.Fix, c.fix)
			assert.NotEmpty(t, e.Msg)
			assert.True(t, strings.HasPrefix(err.Error(), ".github/rescore.yml:"))
			assert.NotContains(t, err.Error(), "\n")
			assert.NotContains(t, e.Msg, "policy.", "a Go name means nothing to the author")
			assert.Less(t, len(err.Error())+len(e.Excerpt), 2000)
			if c.line > 0 {
				assert.Contains(t, e.Excerpt, ">")
			}
		})
	}
}

func TestTooMany(t *testing.T) {
	many := "version: 1\nexceptions:\n" + strings.Repeat("- {criterion: C4, reason: x, expires: 2027-02-20}\n", 101)
	_, err := Parse("x", []byte(many))
	assert.ErrorContains(t, err, "more than 100 exceptions")
	many = "version: 1\nfail_on:\n  parameters:\n" + strings.Repeat("  - C4.S\n", 101)
	_, err = Parse("x", []byte(many))
	assert.ErrorContains(t, err, "more than 100 entries")
}

func TestErrorText(t *testing.T) {
	_, err := Parse(".github/rescore.yml", []byte("version: 1\nfail_on:\n  drops: 0.1\n  minimum: 3\n"))
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, `.github/rescore.yml:3:3: unknown key "drops"; did you mean "drop"?`, err.Error())
	assert.Equal(t, "    1 | version: 1\n    2 | fail_on:\n>   3 |   drops: 0.1\n      |   ^\n    4 |   minimum: 3\n", e.Excerpt)
}

// A rule that the file may hold reaches the policy, under its own name: one that is
// read and not carried over would be taken and never fail anything.
func TestEveryRuleOfTheFileIsAskedFor(t *testing.T) {
	values := map[reflect.Type]string{
		reflect.TypeFor[*float64](): "1", reflect.TypeFor[bool](): "true", reflect.TypeFor[[]string](): "[C4.S]",
	}
	form := reflect.TypeFor[failOn]()
	require.Equal(t, form.NumField(), reflect.TypeFor[FailOn]().NumField())
	for i := range form.NumField() {
		f := form.Field(i)
		require.Contains(t, values, f.Type, "no value to try %s with", f.Name)
		p, err := Parse("rescore.yml", []byte("version: 1\nfail_on: {"+f.Tag.Get("yaml")+": "+values[f.Type]+"}\n"))
		require.NoError(t, err)
		rules := reflect.ValueOf(p.FailOn)
		for j := range rules.NumField() {
			name := rules.Type().Field(j).Name
			assert.Equal(t, name == f.Name, !rules.Field(j).IsZero(), "%s, with %s alone in the file", name, f.Tag.Get("yaml"))
		}
	}
}

// The JSON Schema takes a policy in full, and refuses what a schema can refuse.
func TestSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("policy.json", doc))
	s, err := c.Compile("policy.json")
	require.NoError(t, err)
	check := func(text string) error {
		var v any
		require.NoError(t, yaml.Unmarshal([]byte(text), &v))
		data, err := json.Marshal(v)
		require.NoError(t, err)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		require.NoError(t, err)
		return s.Validate(doc)
	}
	for _, text := range []string{full, "version: 1", "{version: 1, comment: {}}"} {
		assert.NoError(t, check(text))
	}
	for _, b := range broken {
		if b.inSchema {
			assert.Error(t, check(b.text), b.name)
		}
	}
	assert.ElementsMatch(t, knownSchemaKeys(t), uniqueKnown(), "the schema has the keys of the form")
}

func knownSchemaKeys(t *testing.T) []string {
	var doc map[string]any
	require.NoError(t, json.Unmarshal(Schema(), &doc))
	seen := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		if props, ok := m["properties"].(map[string]any); ok {
			for k, sub := range props {
				seen[k] = true
				walk(sub)
			}
		}
		walk(m["items"])
	}
	walk(doc)
	var out []string
	for k := range seen {
		out = append(out, k)
	}
	return out
}

func uniqueKnown() []string {
	var out []string
	for _, keys := range keysByParent() {
		out = append(out, keys...)
	}
	return out
}

// Parse never panics, always answers in an *Error, and takes what it took again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	for _, b := range broken {
		if len(b.text) < 1000 {
			f.Add([]byte(b.text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse("x.yml", data)
		if err != nil {
			var e *Error
			require.ErrorAs(t, err, &e)
			require.NotEmpty(t, e.Msg)
			require.Nil(t, p)
			return
		}
		again, err := Parse("x.yml", data)
		require.NoError(t, err)
		require.Equal(t, p, again)
		for _, e := range p.Exceptions {
			require.NotEmpty(t, e.Reason)
			require.False(t, e.Expires.IsZero() && e.Expires.Year() != 1)
		}
	})
}
