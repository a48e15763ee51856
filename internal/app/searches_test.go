package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// series returns the lines of /metrics of a name.
func (w *world) series(name string) []string {
	w.t.Helper()
	_, body := get(w.t, w.app.URL()+"/metrics")
	var out []string
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, name) {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

// What was counted when the card was taken is not counted again for a head whose
// scope is the same, by the process that comes after either.
func TestSearchResultsOutliveTheProcess(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		w := newWorld(t, database).installed()
		p := w.quietPull("b")
		w.stop()
		w.start()
		none := []string{`rescore_search_results_total{known="no"} 0`, `rescore_search_results_total{known="yes"} 0`}
		require.Equal(t, none, w.series("rescore_search_results_total"))
		w.say(person, p.Number, "/rescore all")
		runs := w.checks(p.HeadSHA)
		assert.Equal(t, "success", runs[len(runs)-1].Conclusion)
		after := w.series("rescore_search_results_total")
		require.Len(t, after, 2)
		assert.Equal(t, none[0], after[0], "nothing had to be counted")
		assert.NotEqual(t, none[1], after[1])
	})
}
