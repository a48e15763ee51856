package cardrepo

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/plan"
	"github.com/rescore-app/rescore/internal/scorecard"
)

// MaxLines bounds the lines written to one cited file.
const MaxLines = 200_000

// tail is how many lines follow the last cited line of a file.
const tail = 5

// Files returns the files of a repository in which the card verifies, by path.
// The same card always gives the same files. An error names the evidence that
// cannot be made true, for example two searches that contradict each other.
func Files(card *scorecard.Card) (map[string][]byte, error) {
	t := tree{}
	items := distinct(card)
	for _, e := range items {
		if !e.IsSearch() {
			if err := t.makeRoom(e); err != nil {
				return nil, err
			}
		}
	}
	for _, e := range items {
		if !e.IsSearch() && e.Contains != "" {
			if err := t.quote(e); err != nil {
				return nil, err
			}
		}
	}
	wanted, err := searches(items)
	if err != nil {
		return nil, err
	}
	if err := t.satisfy(wanted); err != nil {
		return nil, err
	}
	return t.files(), nil
}

// distinct lists every evidence item of the card once, in card order.
func distinct(card *scorecard.Card) []scorecard.Evidence {
	seen := map[scorecard.Evidence]bool{}
	var out []scorecard.Evidence
	for i := range card.Criteria {
		for e := range plan.Evidence(card, &card.Criteria[i]) {
			if !seen[e] {
				seen[e] = true
				out = append(out, e)
			}
		}
	}
	return out
}

// searches lists the distinct searches, those with the fewest hits first: lines
// added for one must not make another hit more than it may.
func searches(items []scorecard.Evidence) ([]scorecard.Evidence, error) {
	seen := map[[2]string]int{}
	var out []scorecard.Evidence
	for _, e := range items {
		if !e.IsSearch() {
			continue
		}
		key := [2]string{e.Search, e.Scope}
		switch hits, ok := seen[key]; {
		case !ok:
			seen[key] = e.Hits
			out = append(out, e)
		case hits != e.Hits:
			return nil, fmt.Errorf("search %q in %q: recorded with %d hits and with %d", e.Search, e.Scope, hits, e.Hits)
		}
	}
	slices.SortStableFunc(out, func(a, b scorecard.Evidence) int { return cmp.Compare(a.Hits, b.Hits) })
	return out, nil
}

// tree is the repository as it is being written: lines by path.
type tree map[string][]string

// makeRoom sees to it that the cited lines exist.
func (t tree) makeRoom(e scorecard.Evidence) error {
	if e.Lines.Last > MaxLines {
		return fmt.Errorf("citation %s:%s: more than %d lines", e.File, e.Lines, MaxLines)
	}
	for n := len(t[e.File]) + 1; n <= e.Lines.Last+tail; n++ {
		t[e.File] = append(t[e.File], filler(e.File, n))
	}
	return nil
}

// filler is a line that stands nowhere else and that no sensible search hits: it
// has the look of code, with names of hexadecimal digits alone.
func filler(path string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s:%d", path, n))
	h := hex.EncodeToString(sum[:])
	return fmt.Sprintf("%s = %s(%s, %s) + %s[%s]", h[0:6], h[6:12], h[12:17], h[17:22], h[22:27], h[27:30])
}

// quote writes the quote into the citation's range, on lines that hold no other
// quote where there are any.
func (t tree) quote(e scorecard.Evidence) error {
	parts := strings.Split(e.Contains, "\n")
	if len(parts) > e.Lines.Count() {
		return fmt.Errorf("citation %s:%s: its quote has more lines than the range", e.File, e.Lines)
	}
	lines := t[e.File]
	if strings.Contains(strings.Join(lines[e.Lines.First-1:e.Lines.Last], "\n"), e.Contains) {
		return nil
	}
	at := e.Lines.First
	for n := e.Lines.First; n+len(parts)-1 <= e.Lines.Last; n++ {
		if lines[n-1] == filler(e.File, n) {
			at = n
			break
		}
	}
	if len(parts) == 1 {
		lines[at-1] += " " + e.Contains
		return nil
	}
	for i, p := range parts {
		switch i {
		case 0:
			lines[at-1] += " " + p
		case len(parts) - 1:
			lines[at-1+i] = p + " " + lines[at-1+i]
		default:
			lines[at-1+i] = p
		}
	}
	return nil
}

func (t tree) files() map[string][]byte {
	out := make(map[string][]byte, len(t))
	for path, lines := range t {
		out[path] = []byte(strings.Join(lines, "\n") + "\n")
	}
	return out
}

func (t tree) paths() []string { return slices.Sorted(maps.Keys(t)) }
