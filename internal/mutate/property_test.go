package mutate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/rescore-app/rescore/internal/mutate"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// genLines draws a file of lines that differ, some of them under the line above.
func genLines(t *rapid.T) []string {
	lines := make([]string, rapid.IntRange(10, 40).Draw(t, "lines"))
	plain := []string{"%s_%d = check_%d(user)", "if %s_%d > limit_%d:", "%s_%d: value-%d"}
	under := []string{"    raise %s_%d('denied', code_%d)", "    return %s_%d[key_%d]", "    log_%s_%d(user, %d)"}
	for i := range lines {
		forms := plain
		if i > 0 && strings.HasPrefix(lines[i-1], "if ") {
			forms = under
		}
		word := rapid.SampledFrom([]string{"approve", "container", "sandbox", "timeout", "network", "token"}).Draw(t, "word")
		form := rapid.SampledFrom(forms).Draw(t, "form")
		lines[i] = fmt.Sprintf(form, word, i, i*3)
	}
	return lines
}

// Whatever file and range: every harmless change holds with exact lines, and no
// harmful one does.
func TestEveryKindOnRandomFiles(t *testing.T) {
	e := engine(t)
	rapid.Check(t, func(t *rapid.T) {
		lines := genLines(t)
		file := rapid.SampledFrom([]string{"src/app.py", "src/app.ts", "src/app.go", "conf/app.yaml", "app.sh", "Dockerfile", "src/app.unknown", "conf/app.toml", "guide.md"}).Draw(t, "file")
		first := rapid.IntRange(1, len(lines)).Draw(t, "first")
		cited := scorecard.Evidence{File: file, Lines: scorecard.LineRange{First: first, Last: rapid.IntRange(first, min(len(lines), first+8)).Draw(t, "last")}}
		if rapid.Bool().Draw(t, "quoted") {
			cited.Contains = strings.TrimSpace(lines[first-1])
		}
		card, _ := small()
		card.Criteria[0].Mechanisms[0].Parameters[0].Evidence = []scorecard.Evidence{cited}
		card.Criteria[1].Mechanisms[0].Parameters[1].Evidence = nil
		r, err := mutate.Run(context.Background(), e, mutate.Memory(map[string][]byte{file: []byte(strings.Join(lines, "\n") + "\n")}), card)
		require.NoError(t, err)
		require.Empty(t, r.Skipped)
		for _, k := range r.Kinds() {
			require.Empty(t, k.Examples, "%s\n%s", cited.Lines, strings.Join(lines, "\n"))
		}
	})
}
