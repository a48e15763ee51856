package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/outcome"
)

// Lines of a repository may be empty, or empty once what does not print is taken
// out of them: no form of the report minds.
func TestBlankLines(t *testing.T) {
	for _, blank := range []string{"", " ", "\t", "\r", "\u200b", "\u202e"} {
		for _, state := range []outcome.State{outcome.Edited, outcome.Gone} {
			o := review()
			for i := range o.Criteria {
				for j := range o.Criteria[i].Mechanisms {
					for k := range o.Criteria[i].Mechanisms[j].Parameters {
						items := o.Criteria[i].Mechanisms[j].Parameters[k].Items
						for n := range items {
							it := &items[n]
							it.State, it.Quote = state, []string{blank, "x", blank}
							it.New, it.Lost = []outcome.Line{{Text: blank}}, []outcome.Line{{Text: blank}}
						}
					}
				}
			}
			assert.NotEmpty(t, Text(o, 0, true))
			assert.NotEmpty(t, Comment(o, Options{}))
			assert.NotEmpty(t, Check(o, Options{}).Title)
			assert.NotEmpty(t, SARIF(o))
			assert.NotEmpty(t, JSON(o))
			page, err := OutcomeHTML(o, Options{})
			require.NoError(t, err)
			assert.NotEmpty(t, page)
		}
	}
}
