package mutate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rescore-app/rescore/internal/outcome"
	"github.com/rescore-app/rescore/internal/scorecard"
	"github.com/rescore-app/rescore/internal/search"
)

// expected is what has to become of an item and of the ratings it carries.
type expected struct {
	holds bool
	// Of a citation that holds.
	state outcome.State
	file  string
	lines scorecard.LineRange
	// Of a search.
	hits  int
	gone  bool // its scope
	fewer bool // it only lost lines, which proves an absence all the same
}

// fault is a way to be wrong.
type fault string

const (
	falseAlarm fault = "false alarm"
	miss       fault = "miss"
	wrongLines fault = "wrong lines"
)

// verdict is a fault with its description; the zero value is none.
type verdict struct {
	fault fault
	words string
}

// rank orders the states that hold by how much they say changed.
var rank = map[outcome.State]int{outcome.Intact: 0, outcome.Moved: 1, outcome.Reformatted: 2}

// judge compares an outcome with what was expected.
func (w expected) judge(o *outcome.Outcome, it outcome.Item) verdict {
	switch {
	case w.holds && !it.State.Holds():
		return verdict{falseAlarm, fmt.Sprintf("%s: %s", it.State, it.Reason)}
	case !w.holds && it.State.Holds():
		return verdict{miss, fmt.Sprintf("%s at %s", it.State, name(it.After))}
	}
	if w.holds {
		if words := moved(o); words != "" {
			return verdict{falseAlarm, words}
		}
	} else if words := w.kept(o); words != "" {
		return verdict{miss, words}
	}
	return w.place(it)
}

// place checks where the item is said to stand.
func (w expected) place(it outcome.Item) verdict {
	if it.Before.IsSearch() {
		if !w.gone && it.After.Hits != w.hits {
			return verdict{wrongLines, fmt.Sprintf("%d hits instead of %d", it.After.Hits, w.hits)}
		}
		return verdict{}
	}
	if !w.holds {
		return verdict{}
	}
	switch {
	case it.After.File != w.file || it.After.Lines != w.lines:
		return verdict{wrongLines, fmt.Sprintf("%s:%s instead of %s:%s", it.After.File, it.After.Lines, w.file, w.lines)}
	case rank[it.State] > rank[w.state]:
		return verdict{wrongLines, fmt.Sprintf("%s instead of %s", it.State, w.state)}
	}
	return verdict{}
}

// moved says which rating moved, if any did.
func moved(o *outcome.Outcome) string {
	for i := range o.Criteria {
		c := &o.Criteria[i]
		if c.Verdict != outcome.Carried && c.Verdict != outcome.Reverified {
			return fmt.Sprintf("%s is %s", c.ID, c.Verdict)
		}
		if len(c.Flags) > 0 {
			return fmt.Sprintf("%s is marked %s", c.ID, c.Flags[0])
		}
		for _, m := range c.Mechanisms {
			for _, p := range m.Parameters {
				if p.NeedsReview || p.Before.Level != p.After.Level || p.Before.SA != p.After.SA || p.Before.Status != p.After.Status {
					return fmt.Sprintf("%s %s %s moved from %s to %s", c.ID, m.Kind, p.ID, p.Before.LevelString(), p.After.LevelString())
				}
			}
		}
	}
	if s := o.Score; s.Before != s.After || s.Low != s.High {
		return fmt.Sprintf("the score moved from %d to %d (%d..%d)", s.Before, s.After, s.Low, s.High)
	}
	return ""
}

// kept says which rating that rests on the broken item was kept as proven.
func (w expected) kept(o *outcome.Outcome) string {
	for i := range o.Criteria {
		c := &o.Criteria[i]
		for _, m := range c.Mechanisms {
			for _, p := range m.Parameters {
				if len(p.Items) == 0 || p.Before.SA && w.fewer {
					continue
				}
				if c.Verdict != outcome.Rejudged && c.Verdict != outcome.NeedsReview {
					return fmt.Sprintf("%s is %s", c.ID, c.Verdict)
				}
				proven := p.After.SA || p.After.Level > 0 && p.After.Status == scorecard.Verified
				if proven {
					return fmt.Sprintf("%s %s %s stays %s, %s", c.ID, m.Kind, p.ID, p.After.LevelString(), p.After.Status)
				}
			}
		}
	}
	return ""
}

// texts lists what a search prints, without the places.
func texts(r search.Result) []string {
	out := make([]string, len(r.Matches))
	for i, m := range r.Matches {
		out[i] = strings.TrimSpace(m.Text) // what stands around it is layout
	}
	slices.Sort(out)
	return out
}

// onlyLost reports whether after is before less some lines; both are sorted.
func onlyLost(before, after []string) bool {
	if len(after) >= len(before) {
		return false
	}
	i := 0
	for _, line := range after {
		for i < len(before) && before[i] != line {
			i++
		}
		if i == len(before) {
			return false
		}
		i++
	}
	return true
}
