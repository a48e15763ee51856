package plan_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/cardfile"
	"github.com/rescore-app/rescore/internal/plan"
	"github.com/rescore-app/rescore/internal/testenv"
)

// Every token in the prose of the published reports maps to a cited file, or is
// listed; nothing else is taken for a token.
func TestProseTokensOfPublishedReports(t *testing.T) {
	for name, want := range map[string]struct {
		mapped   int
		unmapped []string
	}{
		"taskweaver": {3, []string{"module/tracing.py:16"}}, // a file that is not cited
		"qwen-agent": {5, nil},
		"windmill":   {5, nil},
	} {
		data, err := os.ReadFile(testenv.Shared(t, "seeds/"+name+".md"))
		require.NoError(t, err)
		doc, err := cardfile.Read(name+".md", data)
		require.NoError(t, err)
		mapped := 0
		var unmapped []string
		for _, tok := range plan.ProseTokens(doc.Card, nil) {
			if tok.File == "" {
				unmapped = append(unmapped, tok.Text)
			} else {
				mapped++
			}
		}
		assert.Equal(t, want.mapped, mapped, name)
		assert.Equal(t, want.unmapped, unmapped, name)
	}
}
