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

// sums compares a whole history.
type sums struct {
	commits, differ int
	figures
}

// compare compares every step with the independent count: the commits that differ, and
// the sums of all.
func compare(t *testing.T, a testenv.Agent, steps []*outcome.Outcome) (map[string]figures, sums) {
	t.Helper()
	count := readCount(t, testenv.Shared(t, "corpus/decay/"+a.ID+".decay.tsv"))
	out, sum := map[string]figures{}, sums{commits: len(steps)}
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
		for i := range 2 {
			sum.touched[i] += f.touched[i]
			sum.edited[i] += f.edited[i]
			sum.gone[i] += f.gone[i]
		}
		if f.differ() {
			out[o.Base[:abbreviation]] = f
		}
	}
	sum.differ = len(out)
	return out, sum
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
	sumRow    = regexp.MustCompile(`^\| (.+) \| (\d+) \| (\d+) \| (\d+) / (\d+) \| (\d+) / (\d+) \| (\d+) / (\d+) \|$`)
	decayHead = regexp.MustCompile(`^### (.+)$`)
)

// decayPage lists the lines of docs/decay.md.
func decayPage(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testenv.ModuleRoot(t), "docs", "decay.md"))
	require.NoError(t, err)
	return strings.Split(string(data), "\n")
}

func numbers(t *testing.T, cells []string) []int {
	t.Helper()
	out := make([]int, len(cells))
	for i, cell := range cells {
		n, err := strconv.Atoi(cell)
		require.NoError(t, err)
		out[i] = n
	}
	return out
}

// summed reads the agent's row of the sums in docs/decay.md.
func summed(t *testing.T, name string) sums {
	t.Helper()
	for _, line := range decayPage(t) {
		if m := sumRow.FindStringSubmatch(line); m != nil && m[1] == name {
			n := numbers(t, m[2:])
			return sums{n[0], n[1], figures{touched: [2]int(n[2:4]), edited: [2]int(n[4:6]), gone: [2]int(n[6:8])}}
		}
	}
	return sums{}
}

// documented reads the agent's table of docs/decay.md.
func documented(t *testing.T, name string) map[string]figures {
	t.Helper()
	out := map[string]figures{}
	mine := false
	for _, line := range decayPage(t) {
		if m := decayHead.FindStringSubmatch(line); m != nil {
			mine = m[1] == name
		}
		m := decayRow.FindStringSubmatch(line)
		if m == nil || !mine {
			continue
		}
		n := numbers(t, m[2:])
		out[m[1]] = figures{touched: [2]int(n[0:2]), edited: [2]int(n[2:4]), gone: [2]int(n[4:6])}
	}
	require.NotEmpty(t, out, "docs/decay.md has a table for %s", name)
	return out
}
