package cardfile

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// hostile are files that try to be expensive to read.
func hostile() map[string]string {
	const head = "# Defense-in-Depth Score: x\n**Repo:** https://h/o/n · **Commit:** `c` · **Reviewed:** d\n## Criterion details\n### C1 n — 0.25 (high)\n"
	line := func(unit string) string {
		body := "- **S L1:** t" + strings.Repeat(unit, (MaxLineBytes-64)/len(unit)) + " (verified)\n"
		return head + strings.Repeat(body, (MaxSize-len(head))/len(body))
	}
	fill := func(unit string) string { return head + strings.Repeat(unit, (MaxSize-len(head))/len(unit)) }
	return map[string]string{
		"a.md separators":    line(" — ["),
		"a.md links":         line(" — [a:1]("),
		"a.md items":         line(" — [a:1](u) ((((; "),
		"a.md lists":         line("; [a:1](u)"),
		"a.md open notes":    line(" — [a:1](u) (" + strings.Repeat("; [a:1](u) (", 100)),
		"a.md searches":      line(" — searched `"),
		"a.md backticks":     line(" — searched ``````````````"),
		"a.md brackets":      line(" — [[[[[[[["),
		"a.md colons":        line(" Evidence: ["),
		"a.md blank lines":   fill("\n"),
		"a.md ratings":       fill("- **S L1:** t (verified)\n"),
		"a.md sections":      fill("## x\n"),
		"a.md criteria":      fill("### C1 n — 0.25 (high)\n"),
		"a.md rows":          strings.Replace(fill("| C1 | n | L1 | L1 | L1 | L1 | 0 | — | **0** | x |\n"), "## Criterion details", "## Score: 1 / 10", 1),
		"a.md pipes":         strings.Replace(fill("|"), "## Criterion details\n### C1 n — 0.25 (high)", "## Score: 1 / 10", 1),
		"a.md prose":         fill("words and words\n"),
		"a.json arrays":      strings.Repeat("[", MaxSize/2) + strings.Repeat("]", MaxSize/2),
		"a.json values":      "[" + strings.Repeat("1,", MaxSize/2-2) + "1]",
		"a.json keys":        `{"a":` + strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 101),
		"a.json wide object": "{" + strings.Repeat(`"":1,`, MaxSize/5-2) + `"x":1}`,
		"a.json string":      `{"id":"` + strings.Repeat(`\u0041`, MaxSize/6-4) + `"}`,
	}
}

// TestHostileFilesEndSoon reads files of the greatest size in bounded time and
// memory. The bounds are loose: without the limits of this package the worst of
// these files take minutes or gigabytes.
func TestHostileFilesEndSoon(t *testing.T) {
	const slow, fat = 20 * time.Second, 128 << 20
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			name, _, _ := strings.Cut(name, " ")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			d, err := Read(name, []byte(text))
			if err == nil {
				d.Problems()
				_, err = d.Write(d.Card)
			}
			elapsed := time.Since(start)
			runtime.ReadMemStats(&after)
			t.Logf("%v, %d MiB: %s", elapsed.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20, excerpt(errText(err)))
			assert.Less(t, elapsed, slow)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(fat))
		})
	}
}

func errText(err error) string {
	if err == nil {
		return "reads"
	}
	return err.Error()
}
