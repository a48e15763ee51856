package rescore_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/testenv"
)

// abbreviation is how many digits of a commit docs/decay.md prints.
const abbreviation = 9

// figures compares one commit: ours and the independent count's.
type figures struct{ touched, edited, gone [2]int }

func (f figures) differ() bool {
	return f.touched[0] != f.touched[1] || f.edited[0] != f.edited[1] || f.gone[0] != f.gone[1]
}

// differing compares every step with the independent count.
func differing(t *testing.T, s seed, steps []*outcome.Outcome) map[string]figures {
	t.Helper()
	count := readCount(t, testenv.Shared(t, s.decay))
	out := map[string]figures{}
	for _, o := range steps {
		theirs, ok := count[o.Base]
		require.True(t, ok, "the count has no line for %s", o.Base)
		var f figures
		f.touched[1], f.edited[1], f.gone[1] = theirs["crit_any"], theirs["edited"], theirs["born"]
		states := map[place]outcome.State{}
		for i := range o.Criteria {
			if o.Criteria[i].Verdict != outcome.Carried {
				f.touched[0]++
			}
			for _, it := range itemsOf(&o.Criteria[i]) {
				states[placeOf("", it.Before)] = it.State
			}
		}
		for _, state := range states {
			switch state {
			case outcome.Edited:
				f.edited[0]++
			case outcome.Gone:
				f.gone[0]++
			}
		}
		if f.differ() {
			out[o.Base[:abbreviation]] = f
		}
	}
	return out
}

// readCount reads the table of the independent count by commit and column.
func readCount(t *testing.T, name string) map[string]map[string]int {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	require.NoError(t, err)
	out := map[string]map[string]int{}
	for _, row := range rows[1:] {
		line := map[string]int{}
		for i, cell := range row[1:] {
			line[rows[0][i+1]], err = strconv.Atoi(cell)
			require.NoError(t, err)
		}
		out[row[0]] = line
	}
	return out
}

var (
	decayRow  = regexp.MustCompile("^\\| `([0-9a-f]{9})` \\| (\\d+) / (\\d+) \\| (\\d+) / (\\d+) \\| (\\d+) / (\\d+) \\| .+ \\|$")
	decayHead = regexp.MustCompile(`^### (.+)$`)
)

// documented reads the seed's table of docs/decay.md.
func documented(t *testing.T, s seed) map[string]figures {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(t), "docs", "decay.md"))
	require.NoError(t, err)
	out := map[string]figures{}
	mine := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if m := decayHead.FindStringSubmatch(line); m != nil {
			mine = m[1] == s.name
		}
		m := decayRow.FindStringSubmatch(line)
		if m == nil || !mine {
			continue
		}
		var n [6]int
		for i := range n {
			n[i], err = strconv.Atoi(m[i+2])
			require.NoError(t, err)
		}
		out[m[1]] = figures{touched: [2]int{n[0], n[1]}, edited: [2]int{n[2], n[3]}, gone: [2]int{n[4], n[5]}}
	}
	require.NotEmpty(t, out, "docs/decay.md has a table for %s", s.name)
	return out
}
